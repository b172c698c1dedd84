"""`localauth`: its prompt, its keys, its exit status, and that the terminal is as before however it ends."""
import os
import signal
import time

import processes
import steps
from case import case
from worldly import PASSCODE, at_most

COMMAND = "localauth evaluate --reason deploy"


def asked(world, command=COMMAND):
    person = world.terminal("alice")
    person.before = person.modes()
    person.run(command)
    person.expect(r"deploy asks for alice\n", 2)
    person.expect(steps.RACE)
    person.hidden()
    return person


def ends(person, status, within=3):
    assert person.finished(within) == status
    steps.unharmed(person)


@case(product="socket")
def a_finger_is_yes(world):
    person = asked(world)
    world.reader.listening()
    at = world.reader.touch()
    assert person.finished() == 0
    at_most(0.3, at, person.seen_at, "finger to yes")
    steps.unharmed(person)


ANSWERS = {
    "the passcode": (PASSCODE + "\n", 0),
    "the passcode and Ctrl-D": (PASSCODE + "\x04", 0),
    "a wrong passcode": ("wrong\n", 1),
    "only Enter": ("\n", 1),
    "Ctrl-C": ("corr\x03", 3),
    "Ctrl-D": ("\x04", 3),
    "Ctrl-backslash": ("corr\x1c", 3),
    "Esc": ("\x1b", 3),
    "arrow keys before it": ("\x1b[A\x1b[D" + PASSCODE + "\n", 0),
    "a bracketed paste": ("\x1b[200~" + PASSCODE + "\x1b[201~\n", 0),
    "Ctrl-U": ("foo\x15" + PASSCODE + "\n", 0),
    "Ctrl-W": ("correct foo\x17horse\n", 0),
    "a backspace over an umlaut": (PASSCODE + "ü\x7f\n", 0),
    "600 characters": ("a" * 600 + "\n", 1),
    "600 characters, a backspace, the passcode": ("a" * 600 + "\x7f" + PASSCODE + "\n", 0),
    "a NUL behind it": (PASSCODE + "\0\n", 1),
    "three lines": ("nope\nid\nid\n", 1),
    "Ctrl-S before it": ("\x13" + PASSCODE + "\n", 0),
}


@case(product="socket", over=ANSWERS)
def keys_mean_what_they_mean_elsewhere(world, answer):
    typed, status = ANSWERS[answer]
    person = asked(world)
    person.type(typed, answer)
    ends(person, status)


@case(product="socket")
def after_ctrl_z_and_fg_a_whole_passcode_counts(world):
    person = asked(world)
    person.half("cor")
    person.press("^Z")
    assert person.finished() == 148
    assert person.modes() == person.before, "the shell's terminal has other modes"
    person.run("fg")
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    ends(person, 0)


@case(product="socket", over=("TSTP", "STOP"))
def stopped_from_outside_it_hides_what_is_typed_after_fg(world, name):
    person = asked(world)
    [pid] = processes.of("localauth")
    os.kill(pid, getattr(signal, "SIG" + name))
    person.finished()
    person.run("fg")
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    ends(person, 0)
    person.never_showed(PASSCODE)


@case(product="socket", over=("TERM", "HUP", "INT", "QUIT"))
def a_signal_ends_it_and_leaves_the_terminal_as_it_was(world, name):
    person = asked(world, f"sh -c '{COMMAND}; echo ended with $?'")
    person.half("corr")
    [pid] = processes.of("localauth")
    number = getattr(signal, "SIG" + name)
    os.kill(pid, number)
    person.expect(rf"ended with {128 + number}\n", 2)
    person.finished()
    steps.unharmed(person)


@case(product="socket")
def a_time_limit_ends_it_and_leaves_the_terminal_as_it_was(world):
    person = asked(world, "timeout 1 " + COMMAND)
    ends(person, 124)


@case(product="socket")
def in_the_background_or_without_a_terminal_nobody_is_asked(world):
    person = world.terminal("alice")
    person.before = person.modes()
    person.run("setsid -w " + COMMAND)
    ends(person, 4)
    person.run(COMMAND + " & wait $!")
    person.expect("no terminal in the foreground", 3)
    assert person.finished() == 4
    world.reader.untouched()


@case(product="socket")
def a_closed_window_leaves_nothing(world):
    person = asked(world)
    world.terminals.remove(person)
    person.close()
    end = time.monotonic() + 2
    while processes.of("localauth"):
        assert time.monotonic() < end, "it is still there"
        time.sleep(0.02)


@case(product="socket")
def whoever_asks_for_help_gets_no_yes_and_no_prompt(world):
    for words in ("evaluate --help", "can-evaluate --help"):
        person = world.terminal("alice")
        person.run("localauth " + words)
        person.expect("usage: localauth")
        assert person.finished() == 2, "a script takes 0 for a yes"
    world.reader.untouched()


@case(product="socket", over=("owner", "biometrics"))
def whether_it_could_be_asked_opens_no_reader(world, policy):
    person = world.terminal("alice")
    person.run("localauth can-evaluate --policy " + policy)
    assert person.finished() == 0
    world.reader.untouched()
