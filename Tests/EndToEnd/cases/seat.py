"""One request has the reader at a time, and each reason why there is none has words of its own."""
import os
import subprocess
import sys
import time

import hosts
import pam
import processes
import steps
from case import case
from worldly import LIB, PASSCODE


def first(world):
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    world.reader.listening()
    return person


def reasons(world):
    return [line.split('detail="')[1].split('"')[0] for line in world.log.lines(r"localauth: .*detail=")]


@case(product="socket", over=("sudo of alice", "su of eve", "the command"))
def a_second_request_gets_no_reader_and_steals_no_touch(world, second):
    alice = first(world)
    if second == "sudo of alice":
        other = world.terminal("alice")
        other.run("sudo -k id -un")
    elif second == "su of eve":
        pam.protect("su", "stack")
        other = world.terminal("eve")
        other.run("su alice -c 'id -un'")
    else:
        other = world.terminal("alice")
        other.run("localauth evaluate")
    other.expect(r"(Password|password for alice|Passcode): $", 3)
    assert "swipe" not in other.all and "Swipe" not in other.all
    at = world.reader.touch()
    steps.admitted(alice, hosts.SUDO, at, 0.3, "finger to success")
    other.stays_quiet(0.3)
    other.enter(PASSCODE)
    assert other.finished() == 0


@case()
def the_next_request_waits_for_a_reader_that_is_about_to_be_free(world):
    for nth in range(1, 6):
        person = world.host(hosts.SUDO)
        steps.race(person, hosts.SUDO)
        world.reader.listening(times=nth)
        at = world.reader.touch()
        person.expect(hosts.SUDO.success)


@case()
def a_killed_holder_holds_nothing(world):
    alice = first(world)
    processes.kill(min(processes.of("sudo")), "KILL")
    alice.finished()
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    world.reader.listening(times=2)
    at = world.reader.touch()
    steps.admitted(person, hosts.SUDO, at, 0.3, "finger to success")


@case(over=("taken", "busy", "gone", "locked", "not enrolled", "no service", "elsewhere",
            "no turn"))
def each_reason_has_its_own_words(world, reason):
    words = {
        "taken": "another request is using the fingerprint reader", "busy": "the fingerprint reader is in use",
        "gone": "no fingerprint reader", "locked": "too many wrong fingers: the passcode opens the reader",
        "not enrolled": "no finger enrolled; see fprintd-enroll(1)", "elsewhere": "the request comes from another host",
        "no service": "fprintd is not installed or does not start",
        "no turn": "/run/localauth is not a folder of root's",
    }
    pam.protect("probe", "alone", "policy=biometrics")
    more, holder = "", None
    if reason == "taken":
        first(world)
    elif reason == "busy":
        code = ("import sys; sys.path.insert(0, %r); import reader, dbus, time; d = reader.devices()[0][0];"
                "dbus.Interface(d, reader.DEVICE).Claim('root'); print('claimed', flush=True); time.sleep(60)" % LIB)
        holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert holder.stdout.readline() == "claimed\n"
    elif reason == "gone":
        world.reader.act("UNPLUG")
        time.sleep(0.2)
    elif reason == "locked":
        with open("/var/lib/localauth/2001/lockout", "r+b") as file:
            file.seek(8)
            file.write(b"\5")
    elif reason == "not enrolled":
        world.command("fprintd-delete", "alice")
    elif reason == "no service":
        with open("/run/fprintd-instead", "w") as file:
            file.write("/bin/false\n")
        processes.kill(world.fprintd(), "KILL")
        time.sleep(0.2)
    elif reason == "no turn":
        os.makedirs("/run/localauth", exist_ok=True)
        os.chmod("/run/localauth", 0o777)
    else:
        more = "--rhost 192.0.2.7"
    root = world.terminal("root")
    root.run(f"python3 {LIB}/pamclient.py {more}")
    assert steps.code(root)[0] == 9
    assert words[reason] in reasons(world), reasons(world)
    if holder:
        holder.kill()
        holder.wait()
