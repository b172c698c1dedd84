"""/etc/security/localauth.conf: the bound of every request, and what a broken one does."""
import os
import shutil
import subprocess
import time

import hosts
import pam
import steps
from case import case
from worldly import PASSCODE, at_most

CONF = "/etc/security/localauth.conf"
VENDOR = "/usr/share/localauth/localauth.conf"
SU_ALONE, SUDO_ALONE = hosts.forms((hosts.SU, hosts.SUDO), "alone")


def write(text, path=CONF):
    with open(path, "w") as file:
        file.write(text)


def says(world):
    return [line[line.index("/"):].strip() for line in world.log.lines(r"localauth-helper: /\S*localauth\.conf")]


@case()
def what_is_installed_changes_nothing(world):
    assert open(CONF).read() == open("/mnt/repo/pam/localauth.conf").read()
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    assert says(world) == []


@case(over=(hosts.SUDO, SUDO_ALONE))
def the_reader_is_off_for_one_service_and_on_for_the_others(world, host):
    write("[sudo]\nbiometry = off\n")
    person = world.host(host)
    steps.no_reader(person, host)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")
    world.reader.untouched()
    assert says(world) == []
    person = world.host(hosts.SU)
    steps.race(person, hosts.SU)
    world.reader.listening()


@case(over=(hosts.SUDO, SUDO_ALONE))
def a_finger_and_nothing_else(world, host):
    write("[sudo]\npolicy = biometrics\n")
    person = world.host(host)
    person.expect("Swipe your finger across the reader")
    assert "Passcode" not in person.all
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=(("stack", "alone", "finger"), ("helper", "stack", "finger"), ("none", "stack", "finger"),
            ("none", "alone", "finger"), ("helper", "alone", "both"), ("stack", "stack", "both"),
            ("any", "alone", "both"), ("any", "stack", "both")))
def the_passcode_is_asked_for_where_it_may_go_that_way(world, variant):
    setting, form, asked = variant
    write(f"passcode = {setting}\n")
    host = hosts.forms((hosts.SUDO,), form)[0]
    person = world.host(host)
    if asked == "both":
        steps.race(person, host)
    else:
        person.expect("Swipe your finger across the reader")
        assert "Passcode" not in person.all
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case()
def a_passcode_that_we_may_not_ask_for_the_stack_asks_for_itself(world):
    write("passcode = helper\nmax-tries = 1\n")
    person = world.host(hosts.SUDO)
    world.reader.listening()
    world.reader.touch("OTHER")
    person.expect(hosts.SUDO.own_prompt, 3)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.SUDO, at, 1.0, "Enter to success")


@case(over=(("", "timeout = 1", 1), ("timeout=1", "timeout = 60", 1), ("timeout=60", "timeout = 1", 1)))
def the_shorter_time_is_what_the_reader_has(world, variant):
    option, setting, seconds = variant
    write(setting + "\n")
    person = world.host(hosts.SUDO, *([option] if option else []))
    steps.race(person, hosts.SUDO)
    world.reader.listening()
    at = time.monotonic()
    person.expect("The reader has timed out: enter the passcode", seconds + 3)
    at_most(seconds + 0.5, at, person.seen_at, "the reader's time")


@case(over=(("", "max-tries = 1", 1), ("max-tries=1", "max-tries = 9", 1), ("max-tries=9", "max-tries = 1", 1),
            ("", "max-tries = 4", 4), ("max-tries=5", "", 3)))
def the_fewer_tries_are_what_a_call_has(world, variant):
    option, setting, tries = variant
    write(setting + "\n")
    person = world.host(hosts.SUDO, *([option] if option else []))
    steps.race(person, hosts.SUDO)
    for nth in range(1, tries + 1):
        world.reader.listening(times=nth)
        world.reader.touch("OTHER")
        person.expect("Finger not recognised" + (": enter" if nth == tries else ", try"), 2)


@case()
def the_administrators_file_goes_before_the_vendors(world):
    write("biometry = off\ntimeout = 1\n", VENDOR)
    write("biometry = on\n")
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    world.reader.listening()
    person.expect("The reader has timed out: enter the passcode", 4)


@case()
def without_any_file_all_is_as_by_default(world):
    os.unlink(CONF)
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    assert says(world) == []


@case(product="socket", over=("off", "fault"))
def the_command_says_why(world, why):
    write("biometry = off\n" if why == "off" else "[localauth]\n\nbiometri = on\n")
    words = "biometry is switched off in localauth.conf" if why == "off" else "a fault in localauth.conf; the log says where"
    person = world.terminal("alice")
    person.run("localauth can-evaluate --policy biometrics")
    person.expect("biometryNotAvailable: " + words, 3)
    assert person.finished() == 4
    person.run("localauth can-evaluate")
    assert person.finished() == 0


@case()
def a_fault_in_one_section_is_no_matter_to_the_others(world):
    write("[su]\nbiometri = off\n[sudo]\nmax-tries = 2\n")
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    assert says(world) == []
    person.interrupt()
    person.finished()
    person = world.host(hosts.SU)
    steps.no_reader(person, hosts.SU)
    assert says(world) == [f'{CONF}, line 2: unknown key "biometri"; the reader is not asked'], says(world)


NO_READER = {
    "an unknown key": ('biometri = off\n', 'line 1: unknown key "biometri"'),
    "a bad value": ('\ntimeout = soon\n', 'line 2: bad value of "timeout"'),
    "a bad policy": ('policy = nobody\n', 'line 1: bad value of "policy"'),
    "a key twice": ('biometry = on\nbiometry = on\n', 'line 2: set twice, or a line goes on: "biometry"'),
    "no section": ('[sudo\n', 'line 1: neither a section nor a key and a value'),
    "two faults": ('a = 1\nb = 2\n', 'line 1: unknown key "a"; the reader is not asked, and 1 more'),
    "a long line": ('#' + 'x' * 500 + '\n', 'line 1: too long, or it holds a NUL'),
    "NULs": ('\0' * 4096, 'line 1: too long, or it holds a NUL'),
    "no UTF-8": ('bi\udcffo = off\n', 'line 1: unknown key "bi?o"'),
    "1 MiB": ('# a comment\n' * 90_000, 'is longer than 64 KiB'),
    "alice's": (None, 'is not owned by root'),
    "writable by a group": (None, 'can be written by others than root'),
    "writable by all": (None, 'can be written by others than root'),
    "in a folder that all can write": (None, 'is in a folder that others than root own or can write'),
    "in alice's folder": (None, 'is in a folder that others than root own or can write'),
    "a link": (None, 'is no regular file'),
    "a folder": (None, 'is no regular file'),
    "a pipe": (None, 'is no regular file'),
    "a device": (None, 'is no regular file'),
}


def spoil(fault):
    text, _ = NO_READER[fault]
    if text is not None:
        with open(CONF, "w", errors="surrogateescape") as file:
            file.write(text)
    elif fault == "alice's":
        os.chown(CONF, 2001, 0)
    elif fault.startswith("writable"):
        os.chmod(CONF, 0o664 if "group" in fault else 0o646)
    elif fault == "in a folder that all can write":
        os.chmod("/etc/security", 0o777)
    elif fault == "in alice's folder":
        os.chown("/etc/security", 2001, 0)
    else:
        os.rename(CONF, CONF + ".real")
        if fault == "a link":
            os.symlink(CONF + ".real", CONF)
        elif fault == "a folder":
            os.mkdir(CONF)
        elif fault == "a pipe":
            os.mkfifo(CONF)
        else:
            shutil.copy(CONF + ".real", CONF)
            os.unlink(CONF)
            subprocess.run(["mknod", CONF, "c", "1", "3"], check=True)


@case(over=NO_READER)
def with_broken_settings_there_is_no_reader_and_the_passcode_is_as_right_or_wrong_as_ever(world, fault):
    spoil(fault)
    for host in (hosts.SUDO, SU_ALONE):
        world.log.mark()
        person = world.host(host)
        steps.no_reader(person, host)
        [said] = says(world)
        assert said.startswith(CONF) and NO_READER[fault][1] in said, said
        person.enter("wrong horse")
        person.expect(host.refused, 8)
        if host.service == "su":
            person.finished()
            person = world.host(host)
        steps.any_prompt(person, host)
        at = person.enter(PASSCODE)
        steps.admitted(person, host, at, 1.5, "Enter to success")
    for host in (hosts.SU, hosts.LOGIN):
        steps.wrong_is_refused_and_right_is_right(world, host)
    world.reader.untouched()
