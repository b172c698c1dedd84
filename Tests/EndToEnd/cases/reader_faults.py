"""The reader, fprintd or the bus breaks: the passcode works at once, nothing spins, nothing forged counts."""
import os
import time

import hosts
import pam
import processes
import reader
import steps
from case import case
from worldly import PASSCODE, at_most

HOSTS = hosts.forms((hosts.SUDO,)) + hosts.forms((hosts.PAMTESTER_SOCKET,), "alone")
GONE = r"The reader is gone: enter the passcode\n"


def passcode_works(person, host):
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


def not_busy(host):
    share = processes.busy([host.program, "localauth-helper"], 1.0)
    assert share < 0.05, f"waiting takes {share:.0%} of a processor"


def waiting(world, host, *options):
    person = world.host(host, *options)
    steps.race(person, host)
    world.reader.listening()
    return person


@case(over=HOSTS)
def waiting_takes_no_processor_time(world, host):
    waiting(world, host)
    not_busy(host)


@case(over=HOSTS)
def unplugged_while_it_waits(world, host):
    person = waiting(world, host)
    at = world.reader.act("UNPLUG")
    person.expect(GONE, 3)
    at_most(1.0, at, person.seen_at, "unplugged to told")
    person.expect(steps.ALONE, 1)
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def fprintd_is_killed_while_it_waits(world, host):
    person = waiting(world, host)
    at = processes.kill(world.fprintd(), "KILL")
    person.expect(GONE, 3)
    at_most(1.0, at, person.seen_at, "killed to told")
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def fprintd_hangs_before(world, host):
    processes.kill(world.fprintd(), "STOP")
    person = world.host(host)
    steps.any_prompt(person, host, within=3)
    at_most(2.0, person.asked_at, person.seen_at, "command to a prompt")
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def fprintd_hangs_while_it_waits(world, host):
    person = waiting(world, host)
    processes.kill(world.fprintd(), "STOP")
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def verify_start_is_never_answered(world, host):
    world.fprintd_instead("silent-start")
    person = world.host(host)
    steps.any_prompt(person, host, within=3)
    at_most(2.5, person.asked_at, person.seen_at, "command to a prompt")
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def there_is_no_bus(world, host):
    os.rename("/run/dbus/system_bus_socket", "/run/dbus/elsewhere")
    person = world.host(host)
    steps.no_reader(person, host)
    at_most(0.5, person.asked_at, person.seen_at, "command to prompt")
    passcode_works(person, host)


@case(over=HOSTS)
def the_bus_hangs_before(world, host):
    processes.kill(world.bus_daemon(), "STOP")
    person = world.host(host)
    steps.any_prompt(person, host, within=3)
    at_most(2.5, person.asked_at, person.seen_at, "command to a prompt")
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def the_bus_dies_while_it_waits(world, host):
    person = waiting(world, host)
    processes.kill(world.bus_daemon(), "KILL")
    person.expect(GONE, 3)
    not_busy(host)
    passcode_works(person, host)


@case(over=HOSTS)
def fprintd_cannot_be_started(world, host):
    with open("/run/fprintd-instead", "w") as file:
        file.write("/bin/false")
    processes.kill(world.fprintd(), "KILL")
    person = world.host(host)
    steps.no_reader(person, host)
    at_most(1.0, person.asked_at, person.seen_at, "command to prompt")
    passcode_works(person, host)


@case(over=HOSTS)
def the_reader_is_somebody_elses(world, host):
    other = world.terminal("root")
    other.run("fprintd-verify alice")
    world.reader.listening()
    person = world.host(host)
    steps.no_reader(person, host, within=2)
    passcode_works(person, host)


@case(reader="two", over=HOSTS)
def with_one_reader_taken_the_other_is_used(world, host):
    other = world.terminal("root")
    other.run("fprintd-verify alice")
    world.reader.listening()
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening(times=2)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=HOSTS)
def a_match_that_somebody_else_signals_is_none(world, host):
    person = waiting(world, host)
    forger = world.terminal("alice")
    forger.run("dbus-send --system --type=signal /net/reactivated/Fprint/Device/0 "
               "net.reactivated.Fprint.Device.VerifyStatus string:verify-match boolean:true")
    assert forger.finished() == 0
    world.bus.wait(r"^sig\t.*\tVerifyStatus$")
    time.sleep(0.3)
    assert not person.shows(host.success), "a forged match was believed"
    passcode_works(person, host)


@case(over=HOSTS)
def a_match_before_the_verification_is_none(world, host):
    world.fprintd_instead("early-match")
    person = world.host(host)
    world.bus.wait(r"^sig\t.*\tVerifyStatus$")
    time.sleep(0.7)
    assert not person.shows(host.success), "a match was believed before any verification"
    steps.any_prompt(person, host)
    passcode_works(person, host)


@case(over=HOSTS)
def a_reader_that_never_stops_hinting_leaves_the_passcode(world, host):
    world.fprintd_instead("many-hints")
    person = world.host(host)
    world.bus.wait(r"^sig\t.*\tVerifyStatus$")
    time.sleep(0.7)
    assert processes.of("localauth-helper"), "the hints ended the request"
    passcode_works(person, host)


@case(over=HOSTS)
def a_reader_that_nobody_touches_times_out(world, host):
    person = waiting(world, host, "timeout=2")
    start = person.seen_at
    person.expect(r"The reader has timed out: enter the passcode\n", 4)
    at_most(3.0, start, person.seen_at, "prompt to time-out")
    assert person.seen_at - start > 1.5, "the reader was given up too early"
    person.expect(steps.ALONE, 1)
    passcode_works(person, host)
    world.reader.free()


@case(over=HOSTS)
def a_new_fprintd_serves_the_next_request(world, host):
    person = waiting(world, host)
    processes.kill(world.fprintd(), "KILL")
    person.expect(GONE, 3)
    passcode_works(person, host)
    world.reader.free()
    person.run(host.command)
    steps.race(person, host)
    world.reader.listening(times=2)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


# A finger or nothing: policy=biometrics

def finger_only(world, *options):
    pam.protect("probe", "alone", "policy=biometrics", *options)
    return world.client("root")


@case()
def finger_only_takes_the_finger(world):
    person = finger_only(world)
    person.expect("Swipe your finger across the reader")
    world.reader.listening()
    world.reader.touch()
    assert steps.code(person)[0] == 0
    assert "Passcode" not in person.all


@case()
def finger_only_refuses_three_wrong_fingers(world):
    person = finger_only(world)
    for nth in (1, 2, 3):
        world.reader.listening(times=nth)
        world.reader.touch("OTHER")
    assert steps.code(person)[0] == 11
    assert "asscode" not in person.all, "a passcode was mentioned that is not asked for"


@case()
def finger_only_ends_with_the_reader(world):
    person = finger_only(world)
    world.reader.listening()
    at = world.reader.act("UNPLUG")
    assert steps.code(person)[0] == 9
    at_most(1.0, at, person.seen_at, "unplugged to the end")


@case(over=("nobody touches", "fprintd hangs", "fprintd hung before", "VerifyStart silent", "the bus hangs"))
def finger_only_keeps_its_time(world, fault):
    if fault == "fprintd hung before":
        processes.kill(world.fprintd(), "STOP")
    if fault == "VerifyStart silent":
        world.fprintd_instead("silent-start")
    person = finger_only(world, "timeout=2")
    if fault in ("nobody touches", "fprintd hangs", "the bus hangs"):
        world.reader.listening()
    if fault == "fprintd hangs":
        processes.kill(world.fprintd(), "STOP")
    if fault == "the bus hangs":
        processes.kill(world.bus_daemon(), "STOP")
    answer, seconds = steps.code(person)
    assert answer == 9
    assert seconds <= 3.0, f"it took {seconds} s, with timeout=2"


@case(enrolled=False)
def finger_only_with_nothing_enrolled_ends_at_once(world):
    answer, seconds = steps.code(finger_only(world))
    assert answer == 9 and seconds <= 0.5
    world.reader.untouched()


@case()
def finger_only_is_cancelled_by_ctrl_c(world):
    person = finger_only(world)
    world.reader.listening()
    at = person.press("^C")
    person.finished(3)
    at_most(0.5, at, person.seen_at, "Ctrl-C to the shell")
    world.reader.free()


@case(reader="two", over=HOSTS)
def with_one_reader_dead_the_other_is_used(world, host):
    first = world.host(host)
    steps.race(first, host)
    world.reader.listening()
    world.reader.act("UNPLUG", reader.SECOND)
    first.expect(GONE, 3)
    passcode_works(first, host)
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening(times=2)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")
