"""The stack behind us: its own modules count and decide as they did before."""
import subprocess

import hosts
import pam
import steps
from case import case
from worldly import PASSCODE


def with_faillock():
    """pam_faillock(8)'s own example for a system's stack, with a folder of the world."""
    pam.write("common-auth", "auth required pam_faillock.so preauth silent dir=/run/faillock",
              "auth [success=2 default=ignore] pam_unix.so try_first_pass",
              "auth [default=die] pam_faillock.so authfail dir=/run/faillock", "auth required pam_deny.so",
              "auth required pam_permit.so")


def strikes(user="alice"):
    shown = subprocess.run(["faillock", "--dir", "/run/faillock", "--user", user], capture_output=True, text=True,
                           check=True, timeout=5).stdout
    return sum(line.rstrip().endswith(" V") for line in shown.splitlines())


def sudo(world):
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    world.reader.listening()
    return person


def sudo_with_faillock(world):
    with_faillock()
    return sudo(world)


@case()
def a_wrong_passcode_is_exactly_one_strike_of_faillock(world):
    person = sudo_with_faillock(world)
    person.enter("wrong")
    person.expect(r"Sorry, try again\.", 5)
    assert strikes() == 1, f"{strikes()} strikes"
    person.expect(steps.RACE)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.SUDO, at, 2.0, "Enter to success")
    assert strikes() == 1, f"{strikes()} strikes after the right one"


@case()
def a_finger_is_no_strike_of_faillock(world):
    person = sudo_with_faillock(world)
    at = world.reader.touch()
    steps.admitted(person, hosts.SUDO, at, 0.5, "finger to success")
    assert strikes() == 0, f"{strikes()} strikes"


@case()
def a_cancel_is_no_strike_of_faillock(world):
    person = sudo_with_faillock(world)
    person.press("^C")
    person.expect(r"\[1\]", 3)
    assert strikes() == 0, f"{strikes()} strikes"


# What a module behind the substack finds in PAM_AUTHTOK, and whether it was reached at all.
BEHIND = "auth required pam_exec.so quiet seteuid expose_authtok /bin/sh -c [cat>/run/behind]"


def sudo_with(world, *behind):
    with open("/etc/pam.d/sudo", "a") as file:
        file.writelines(line + "\n" for line in behind)
    return sudo(world)


def behind():
    with open("/run/behind", "rb") as file:
        return file.read()


@case()
def a_module_behind_gets_the_passcode_that_was_typed(world):
    person = sudo_with(world, BEHIND)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.SUDO, at, 2.0, "Enter to success")
    assert behind().rstrip(b"\0") == PASSCODE.encode(), behind()


@case()
def a_second_factor_that_fails_refuses_a_right_finger(world):
    person = sudo_with(world, "auth required pam_exec.so quiet /bin/false")
    world.reader.touch()
    person.expect(r"a password is required\n\[1\]", 5)
