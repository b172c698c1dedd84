"""How a front end reaches the helper: the socket, or executing it; and that a refusal is no other road."""
import os
import socket

import hosts
import pam
import steps
from case import case
from worldly import PASSCODE, at_most

SOCKET = "/run/localauth/helper.sock"
UNPRIVILEGED = hosts.forms((hosts.PAMTESTER_SETUID,))
ROOT_OVER_SOCKET = hosts.forms((hosts.SUDO, hosts.SU, hosts.LOGIN))


def waiting(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    return person


@case(over=UNPRIVILEGED)
def a_setuid_helper_takes_the_finger(world, host):
    person = waiting(world, host)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=UNPRIVILEGED)
def a_setuid_helper_takes_the_passcode(world, host):
    person = waiting(world, host)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(product="setuid")
def a_setuid_helper_without_memory_calls_no_passcode_wrong(world):
    """crypt(3) fails then, which looks like a wrong passcode to pam_unix. Where root may raise limits it succeeds."""
    pam.protect("probe", "alone")
    person = world.terminal("alice")
    person.run("(ulimit -d 4096; pamtester probe alice authenticate)")
    unavailable = "cannot retrieve authentication info"
    # Where even root may not raise them it does not ask.
    if unavailable in person.expect(f"{steps.RACE}|{unavailable}", 2)[0]:
        return
    person.enter(PASSCODE)
    person.expect("successfully authenticated", 5)


@case(product="socket", over=ROOT_OVER_SOCKET)
def root_hosts_take_the_finger_over_the_socket(world, host):
    os.rename("/usr/libexec/localauth/localauth-helper", "/usr/libexec/localauth/elsewhere")
    os.symlink("elsewhere", "/usr/libexec/localauth/localauth-helper")
    person = waiting(world, host)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(product="socket", over=ROOT_OVER_SOCKET)
def root_hosts_take_the_passcode_over_the_socket(world, host):
    person = waiting(world, host)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(product="socket")
def no_new_privileges_is_no_obstacle_on_the_socket(world):
    pam.protect("probe", "alone")
    person = world.terminal("alice")
    person.before = person.modes()
    at = person.run("setpriv --no-new-privs pamtester probe alice authenticate")
    steps.race(person, hosts.PAMTESTER)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.PAMTESTER, at, 1.0, "Enter to success")


@case()
def an_unprivileged_host_without_a_road_is_told_what_to_enable(world):
    pam.protect("probe", "alone")
    code, seconds = steps.code(world.client("alice"))
    assert code == 9 and seconds <= 1.0, f"{code} after {seconds} s"
    assert world.log.lines(r"pam_localauth.*localauth"), "nothing in the log"


def listener(answer):
    """Somebody listens on the helper's socket, as root, and does this with who connects."""
    os.makedirs("/run/localauth", exist_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(SOCKET)
    os.chmod(SOCKET, 0o666)
    listening.listen(0 if answer == "full" else 5)
    if answer == "full":
        kept = []
        for _ in range(3):
            link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            link.setblocking(False)
            link.connect_ex(SOCKET)
            kept.append(link)
        return listening, kept
    return listening, None


@case()
def a_full_socket_is_no_reason_to_take_another_road(world):
    kept = listener("full")
    pam.protect("probe", "alone")
    code, seconds = steps.code(world.client("root"))
    assert code == 9 and seconds <= 1.5, f"{code} after {seconds} s"
    world.reader.untouched()
    assert world.log.lines(r"pam_localauth.*helper\.sock"), "the log does not name the socket"
    del kept


@case()
def a_socket_that_may_not_be_opened_is_no_reason_to_take_another_road(world):
    kept = listener("never")
    os.chmod(SOCKET, 0o600)
    pam.protect("probe", "alone")
    code, seconds = steps.code(world.client("alice"))
    assert code == 9 and seconds <= 1.0, f"{code} after {seconds} s"
    del kept


@case()
def a_socket_that_nobody_serves_is_given_up(world):
    kept = listener("never")
    pam.protect("probe", "alone")
    code, seconds = steps.code(world.client("root"), within=15)
    assert code == 9 and seconds <= 12, f"{code} after {seconds} s"
    world.reader.untouched()
    del kept


@case()
def a_stale_socket_leads_to_the_executed_helper(world):
    listening, _ = listener("never")
    listening.close()
    host = hosts.SUDO
    person = waiting(world, host)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")
