"""The world and the instruments, on modules whose behaviour is known. Nothing here is about ours."""
import os
import signal
import subprocess
import time

import hosts
import hoststate
import pam
import processes
from case import case
from worldly import LIB, PASSCODE, at_most

FPRINTD = hosts.forms((hosts.SUDO, hosts.LOGIN, hosts.PAMTESTER), "fprintd")
STOCK = hosts.forms(hosts.STOCK, "stock")
HINTS = ((1, "too short"), (2, "not centered"), (3, "Remove your finger"), (0, "Swipe your finger again"))


@case(product="none", over=STOCK)
def the_right_passcode_is_right(world, host):
    person = world.host(host)
    person.expect(host.own_prompt)
    person.enter(PASSCODE)
    person.expect(host.success)


@case(product="none", over=STOCK)
def a_wrong_passcode_is_wrong(world, host):
    person = world.host(host)
    person.expect(host.own_prompt)
    person.enter("wrong horse")
    person.expect(host.refused)
    assert not person.shows(host.success), "a wrong passcode was enough"


@case(product="none", over=FPRINTD)
def pam_fprintd_takes_the_right_finger(world, host):
    person = world.host(host)
    person.expect("Swipe your right index finger")
    world.reader.listening()
    at = world.reader.touch()
    person.expect(host.success)
    at_most(0.3, at, person.seen_at, "finger to success")


@case(product="none", over=FPRINTD)
def pam_fprintd_refuses_three_wrong_fingers(world, host):
    person = world.host(host)
    for nth in (1, 2, 3):
        world.reader.listening(times=nth)
        world.reader.touch("OTHER")
        person.expect("Failed to match")
    person.expect(host.own_prompt)
    person.enter(PASSCODE)
    person.expect(host.success)


@case(product="none", over=FPRINTD[:1])
def the_reader_speaks_its_hints(world, host):
    person = world.host(host)
    world.reader.listening()
    for code, words in HINTS:
        world.reader.act(f"RETRY {code}")
        person.expect(words)
    world.reader.touch()
    person.expect(host.success)


@case(product="none", over=FPRINTD[:1])
def an_unplugged_reader_leaves_the_passcode(world, host):
    person = world.host(host)
    world.reader.listening()
    world.reader.act("UNPLUG")
    person.expect(host.own_prompt)
    person.enter(PASSCODE)
    person.expect(host.success)


@case(product="none", over=FPRINTD[:1], enrolled=False)
def with_nothing_enrolled_no_reader_is_opened(world, host):
    person = world.host(host)
    person.expect(host.own_prompt)
    assert world.reader.verifications() == 0, "VerifyStart was called"


@case(product="none", over=FPRINTD[:1])
def the_bus_log_counts_claims_and_verifications(world, host):
    world.reader.untouched()
    world.host(host)
    world.reader.listening()
    assert (world.reader.claims(), world.reader.verifications()) == (1, 1)
    try:
        world.reader.untouched()
    except AssertionError:
        return
    assert False, "an opened reader went unseen"


@case(product="none", over=FPRINTD[:1])
def a_claimed_reader_is_seen_as_claimed(world, host):
    world.reader.free()
    world.host(host)
    world.reader.listening()
    try:
        world.reader.free()
    except AssertionError:
        return
    assert False, "a claim went unseen"


@case(product="none")
def accounts_are_what_they_are_called(world):
    root = world.terminal("root")
    for user, answers, code in (
        ("alice", [PASSCODE], 0), ("asha", [PASSCODE], 0), ("eve", [PASSCODE], 0), ("bob", [], 0),
        ("carol", [PASSCODE], 7), ("dora", [PASSCODE], 7), ("nobody-here", [PASSCODE], 7), ("alice", ["wrong"], 7),
    ):
        words = " ".join(f"--answer '{answer}'" for answer in answers)
        root.run(f"python3 {LIB}/pamclient.py --user {user} --conversation answers {words}")
        assert root.finished() == code, f"{user} was to end in {code}"


@case(product="none", over=("plain", "storage"))
def two_readers_are_two(world, _):
    assert "found 1 devices" in world.command("fprintd-list", "alice")


@case(product="none", reader="two")
def a_world_with_two_readers_has_two(world):
    assert "found 2 devices" in world.command("fprintd-list", "alice")


@case(product="none", reader="none")
def a_world_without_reader_has_none(world):
    listed = subprocess.run(["fprintd-list", "alice"], capture_output=True, text=True)
    assert "No devices available" in listed.stdout + listed.stderr


@case(product="none")
def typed_octets_that_nobody_read_are_seen(world):
    person = world.terminal("alice")
    modes = person.modes()
    person.run("stty -echo; sleep 0.6; stty echo")
    person.half("corr")
    time.sleep(0.1)
    assert not person.echoes()
    person.never_showed("corr")
    person.finished()
    assert person.echoes() and person.modes() == modes, "stty left the terminal different"
    assert person.pending() == 4, "half a line went unseen"
    person.press("Enter")
    assert person.finished() == 127, "the shell was to take what was left as a command"


@case(product="none")
def a_busy_loop_is_seen(world):
    person = world.terminal("alice")
    person.run("yes > /dev/null")
    processes.wait_for("yes")
    assert processes.busy(["yes"], 1.0) > 0.3, "a busy loop went unseen"
    person.press("^C")
    person.finished()
    person.run("sleep 2")
    processes.wait_for("sleep")
    assert processes.busy(["sleep"], 1.0) < 0.05, "a sleeping program counts as busy"


@case(product="none")
def the_syslog_is_kept(world):
    world.command("logger", "-t", "calibration", "hello")
    world.log.wait(r"calibration: hello")


@case(product="none")
def what_is_changed_in_a_host_is_seen(_):
    before = hoststate.snapshot()
    assert hoststate.differences(before, hoststate.snapshot()) == [], "nothing was changed"
    os.umask(0o77)
    os.pipe()
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    hoststate.libc.setenv(b"LEFT", b"BEHIND", 1)
    seen = {change.partition(":")[0] for change in hoststate.differences(before, hoststate.snapshot())}
    assert seen == {"umask", "descriptors", "ignored signals", "environment"}, seen


@case(product="none")
def the_next_module_shows_that_it_was_asked(world):
    pam.protect("probe", "next")
    root = world.terminal("root")
    root.run(f"python3 {LIB}/pamclient.py --conversation answers")
    root.expect("NEXT-MODULE-ASKED")
    root.expect("pam_authenticate: 7 AUTH_ERR")
    root.finished()


@case(product="none")
def a_false_fprintd_is_asked_instead(world):
    world.fprintd_instead("silent-start")
    assert "right-index-finger" in world.command("fprintd-list", "alice")


@case(product="none", over=hosts.forms((hosts.SUDO, hosts.SU, hosts.PAMTESTER), "stock"))
def a_host_that_is_told_to_terminate_ends(world, host):
    person = world.host(host)
    person.expect(host.own_prompt)
    person.hidden()
    # sudo loses what comes in the first moment of its own prompt.
    time.sleep(0.1)
    processes.kill(min(processes.of(host.program)), "TERM")
    assert person.finished(2) != 0


@case(product="none")
def job_control_works(world):
    person = world.terminal("alice")
    person.run("sleep 60")
    time.sleep(0.1)
    person.press("^Z")
    assert person.finished() == 148
    person.run("fg")
    person.expect("sleep 60")
    # bash says what it brings back before it gives it the terminal.
    time.sleep(0.1)
    person.press("^C")
    assert person.finished() == 130
