"""Where the person is: remote, without a terminal, behind a pipe, in a host that must not ask."""
import hosts
import pam
import steps
from case import case
from worldly import LIB, PASSCODE, at_most

SUDO = hosts.SUDO


@case(over=("10.0.0.1", "localhost", "::1", "127.0.0.1", "-"))
def a_remote_person_is_asked_for_the_passcode_only(world, rhost):
    pam.protect("probe", "alone")
    person = world.client("root", f"--rhost={rhost}")
    person.expect(r"probe asks for alice\n")
    person.expect(steps.ALONE, 1)
    at_most(0.5, person.asked_at, person.seen_at, "command to prompt")
    person.enter(PASSCODE)
    assert steps.code(person)[0] == 0
    world.reader.untouched()


@case(over=("10.0.0.1", "localhost"))
def for_a_remote_person_the_stack_asks_by_itself(world, rhost):
    pam.protect("probe", "stack")
    person = world.client("root", f"--rhost={rhost}")
    person.expect(r"Password: $", 1)
    person.enter(PASSCODE)
    assert steps.code(person)[0] == 0
    assert "asks for" not in person.all and "Passcode" not in person.all
    world.reader.untouched()


@case(product="socket")
def an_unprivileged_hosts_remote_person_is_asked_for_the_passcode_only(world):
    pam.protect("probe", "alone")
    person = world.client("alice", "--rhost=10.0.0.1")
    person.expect(steps.ALONE, 2)
    person.enter(PASSCODE)
    assert steps.code(person)[0] == 0
    world.reader.untouched()


@case(over=("none", "error"))
def without_a_conversation_nobody_is_admitted(world, conversation):
    pam.protect("probe", "alone", "timeout=2")
    person = world.client("root", f"--conversation {conversation}")
    code, seconds = steps.code(person)
    # An error of a terminal's conversation is how sudo says Ctrl-C: a cancel.
    assert code in (8, 9) and seconds <= 3.0, f"{code} after {seconds} s"


def without_terminal(world, *answers, flags=""):
    pam.protect("probe", "alone", "timeout=2")
    words = " ".join(f"--answer '{answer}'" for answer in answers)
    person = world.terminal("root")
    person.asked_at = person.run(
        f"setsid -w python3 {LIB}/pamclient.py --conversation answers {flags} {words} < /dev/null 2>&1 | cat")
    return person


def code_shown(person, within=10):
    return int(person.expect(r"pam_authenticate: (\d+)", within)[1])


@case()
def without_a_terminal_first_the_finger(world):
    person = without_terminal(world)
    person.expect("TEXT_INFO 'probe asks for alice.nSwipe your finger across the reader'")
    world.reader.listening()
    world.reader.touch()
    assert code_shown(person) == 0
    assert "PROMPT" not in person.all


@case()
def without_a_terminal_then_the_passcode(world):
    person = without_terminal(world, PASSCODE)
    person.expect("TEXT_INFO 'probe asks for alice.nSwipe your finger across the reader'")
    person.expect("PROMPT_ECHO_OFF '.*Passcode: '", 4)
    at_most(3.0, person.asked_at, person.seen_at, "command to prompt, with timeout=2")
    assert code_shown(person) == 0


@case()
def a_silent_host_without_a_terminal_is_told_of_no_reader(world):
    person = without_terminal(world, PASSCODE, flags="--silent")
    person.expect("PROMPT_ECHO_OFF '.*Passcode: '", 1)
    assert code_shown(person) == 0
    assert "TEXT_INFO" not in person.all
    world.reader.untouched()


@case(enrolled=False)
def without_a_terminal_and_nothing_enrolled_the_passcode_at_once(world):
    person = without_terminal(world, PASSCODE)
    person.expect("PROMPT_ECHO_OFF '.*Passcode: '", 1)
    assert code_shown(person) == 0
    world.reader.untouched()


def sudo(world, command, form="stack", **more):
    pam.protect("sudo", form)
    person = world.terminal("alice", **more)
    person.before = person.modes()
    person.asked_at = person.run(command)
    return person


@case(over=("stack", "alone"))
def sudo_that_must_not_ask_does_not(world, form):
    person = sudo(world, "sudo -k -n id -un", form)
    assert person.finished(3) == 1
    at_most(1.0, person.asked_at, person.seen_at, "command to the end")
    assert "Passcode" not in person.all and "reader" not in person.all
    world.reader.untouched()


@case(over=("stack", "alone"))
def sudo_reads_its_passcode_from_a_pipe_and_no_more(world, form):
    person = sudo(world, f"printf '{PASSCODE}\\none\\ntwo\\n' | sudo -k -S wc -l", form)
    person.expect(r"reader: 2\n", 5)
    assert person.finished() == 0


@case(over=("stack", "alone"))
def a_finger_leaves_the_pipe_to_the_command(world, form):
    person = sudo(world, "(sleep 2; echo 'the rest') | sudo -k -S cat", form)
    world.reader.listening()
    at = world.reader.touch()
    person.expect(r"the rest\n", 5)
    assert person.finished() == 0
    at_most(3.0, at, person.seen_at, "finger to the end")


@case(over=("stack", "alone"))
def sudo_asks_through_its_askpass_program(world, form):
    with open("/tmp/askpass", "w") as file:
        file.write(f"#!/bin/sh\necho \"$1\" > /tmp/asked\necho '{PASSCODE}'\n")
    world.command("chmod", "755", "/tmp/askpass")
    person = sudo(world, "SUDO_ASKPASS=/tmp/askpass sudo -k -A id -un", form)
    person.expect(SUDO.success)
    assert person.finished() == 0
    with open("/tmp/asked") as file:
        assert "asks for alice\nPasscode" in file.read(), "the program was not told what to ask"


@case()
def the_environment_of_an_unprivileged_person_says_nothing(world):
    """A false bus, a false runtime and a false display reach neither the module nor the helper."""
    false = {
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/tmp/nowhere", "SWIFT_BACKTRACE": "enable=yes", "SSH_CONNECTION": "1 2 3 4",
        "XDG_SEAT": "seat9", "DISPLAY": ":9", "LC_ALL": "xx", "SWIFT_DEBUG_LIB_PRESPECIALIZED_PATH": "/tmp/nowhere",
    }
    person = sudo(world, SUDO.command, environment=false)
    steps.race(person, SUDO)
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, SUDO, at, 0.3, "finger to success")


@case(product="setuid")
def the_environment_does_not_reach_a_setuid_helper(world):
    pam.protect("probe", "alone")
    person = world.terminal("alice", environment={"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/tmp/nowhere"})
    person.run("pamtester probe alice authenticate")
    steps.race(person, hosts.PAMTESTER)
    world.reader.listening()
    world.reader.touch()
    person.expect(hosts.PAMTESTER.success)
    person.finished()
