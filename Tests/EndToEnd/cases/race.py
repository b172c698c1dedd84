"""The main job: one prompt that names both ways, and whichever comes first decides."""
import time

import hosts
import processes
import steps
from case import case
from worldly import PASSCODE, at_most

ALL = hosts.forms(hosts.ALL)
SUDO = hosts.forms((hosts.SUDO,))
HINTS = (
    (1, "Swipe was too short, try again"), (2, "Finger was not centred, try again"),
    (3, "Remove your finger and try again"), (0, "Try the finger again"),
)


@case(over=ALL)
def the_right_finger_is_enough(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success, without Enter")
    assert host.own_prompt.replace("\\", "") not in person.all, "the host asked for a passcode, too"


@case(over=ALL)
def the_passcode_decides_while_the_reader_waits(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success, without a finger")
    world.reader.free()


@case(over=ALL)
def half_a_passcode_and_then_the_finger(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.half("corre")
    time.sleep(0.2)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success, without Enter")
    person.never_showed("corre")


@case(over=ALL)
def every_hint_of_the_reader_and_then_the_finger(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    for number, words in HINTS:
        world.reader.act(f"RETRY {number}")
        person.expect(words + r"\n")
        # The prompt stays: it is there again under the hint.
        person.expect(steps.RACE, 1)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=ALL)
def a_wrong_finger_and_then_the_right_one(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    world.reader.touch("OTHER")
    person.expect(r"Finger not recognised, try again\n")
    person.expect(steps.RACE, 1)
    world.reader.listening(times=2)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=ALL)
def three_wrong_fingers_and_then_the_passcode(world, host):
    person = world.host(host)
    steps.race(person, host)
    for nth, words in ((1, "Finger not recognised, try again"), (2, "Finger not recognised, try again"),
                       (3, "Finger not recognised: enter the passcode")):
        world.reader.listening(times=nth)
        at = world.reader.touch("OTHER")
        person.expect(words + r"\n", 2)
        at_most(0.5, at, person.seen_at, "finger to hint")
    person.expect(r"Passcode[^\n]*: $", 1)
    # The reader is given up: the right finger comes too late.
    world.reader.touch()
    time.sleep(0.3)
    assert not person.shows(host.success), "a fourth finger was taken"
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(over=SUDO)
def a_hint_leaves_what_is_typed_alone(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.half(PASSCODE[:5])
    time.sleep(0.1)
    world.reader.touch("OTHER")
    person.expect(r"Finger not recognised, try again\n")
    at = person.enter(PASSCODE[5:])
    steps.admitted(person, host, at, 1.0, "Enter to success")
    person.never_showed(PASSCODE[:5])


@case(over=ALL)
def a_wrong_passcode_is_refused(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.enter("wrong horse")
    person.expect(host.refused)
    assert not person.shows(host.success), "a wrong passcode was enough"
    if host.service == "sudo":
        # It asks again, and then the reader is in use again.
        steps.race(person, host)
        person.interrupt()
        person.finished()
    world.reader.free()


@case(over=SUDO)
def after_a_wrong_passcode_sudo_asks_again_and_the_finger_works(world, host):
    person = world.host(host)
    steps.race(person, host)
    person.enter("wrong horse")
    person.expect(host.refused)
    steps.race(person, host, within=4)
    world.reader.listening(times=2)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=ALL)
def ctrl_c_ends_it(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.half("corr")
    at = person.press("^C")
    steps.denied(person, host, at, 0.5, "Ctrl-C to the shell")
    person.never_showed("corr")
    world.reader.free()
    assert "Sorry" not in person.all, "sudo asked again"


@case(over=hosts.forms((hosts.SUDO, hosts.SUDO_NO_PTY)))
def ctrl_c_before_the_prompt_ends_it(world, host):
    """The prompt is late because fprintd hangs; whoever gives up by then is not asked after all."""
    processes.kill(world.fprintd(), "STOP")
    person = world.host(host)
    time.sleep(0.15)
    assert "Passcode" not in person.all
    at = person.press("^C")
    steps.denied(person, host, at, 1.0, "Ctrl-C to the shell")


@case(over=hosts.forms((hosts.SUDO, hosts.SUDO_NO_PTY)))
def stopped_and_brought_back_it_takes_the_passcode(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    at = person.press("^Z")
    assert person.finished() == 148, "the host was not stopped"
    at_most(1.0, at, person.seen_at, "^Z to the shell")
    assert person.echoes(), "the shell's input is hidden"
    person.run("echo meanwhile")
    person.expect(r"meanwhile\n")
    person.finished()
    person.run("fg")
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(over=hosts.forms((hosts.SU, hosts.LOGIN, hosts.PAMTESTER)))
def libpam_miscs_conversation_holds_a_stop_back_until_the_end(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.hidden()
    person.press("^Z")
    person.stays_quiet(0.3)
    at = person.enter(PASSCODE)
    # Then either it stops, or it goes on.
    if person.expect(rf"{host.success}|\[148\]\w+[#$] $")[0].startswith("[148]"):
        person.run("fg")
        person.expect(host.success)


@case(over=hosts.forms((hosts.SUDO, hosts.SUDO_NO_PTY)))
def stopped_and_brought_back_it_takes_the_finger(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.press("^Z")
    assert person.finished() == 148
    person.run("fg")
    person.hidden()
    time.sleep(0.3)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.5, "finger to success")


@case(over=SUDO)
def a_touch_while_it_is_stopped_admits_nobody_unseen(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    person.press("^Z")
    assert person.finished() == 148
    world.reader.touch()
    time.sleep(0.5)
    assert not person.shows(host.success), "a stopped sudo went on"
    person.run("kill -9 %1; wait; echo ended")
    person.expect("ended")
    person.finished()


@case(over=ALL, enrolled=False)
def with_nothing_enrolled_the_passcode_is_asked_at_once(world, host):
    person = world.host(host)
    steps.no_reader(person, host)
    at_most(0.5, person.asked_at, person.seen_at, "command to prompt")
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")
    world.reader.untouched()


@case(over=ALL, reader="none")
def without_a_reader_the_passcode_is_asked_at_once(world, host):
    person = world.host(host)
    steps.no_reader(person, host)
    at_most(0.5, person.asked_at, person.seen_at, "command to prompt")
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(over=SUDO)
def an_empty_answer_is_a_wrong_passcode(world, host):
    person = world.host(host)
    steps.race(person, host)
    person.press("Enter")
    person.expect(host.refused)
    steps.race(person, host)
    person.interrupt()
    person.finished()


@case(over=SUDO)
def a_passcode_typed_before_the_reader_is_ready_counts(world, host):
    world.prepare(host)
    person = world.terminal(host.at)
    person.before = person.modes()
    person.run(host.command)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.5, "Enter to success")


@case(over=SUDO)
def of_two_at_once_the_first_keeps_the_reader(world, host):
    first = world.host(host)
    steps.race(first, host)
    world.reader.listening()
    second = world.host(host)
    steps.any_prompt(second, host)
    at = world.reader.touch()
    steps.admitted(first, host, at, 0.3, "finger to success")
    assert not second.shows(host.success), "the second took the first one's touch"
    at = second.enter(PASSCODE)
    steps.admitted(second, host, at, 1.0, "Enter to success")


@case(over=SUDO)
def fifty_times_in_a_row_the_finger_works(world, host):
    world.prepare(host)
    person = world.terminal(host.at)
    person.before = person.modes()
    for nth in range(1, 51):
        person.run(host.command)
        steps.race(person, host)
        world.reader.listening(times=nth)
        world.reader.touch()
        person.expect(host.success, 2)
        assert person.finished() == 0
    steps.unharmed(person)
