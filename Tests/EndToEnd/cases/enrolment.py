"""The fingers that count are those that were enrolled when the passcode was last right."""
import glob
import os
import shutil
import subprocess
import sys
import time

import hosts
import pam
import steps
from case import case
from worldly import LIB, PASSCODE

CHANGED = "The enrolled fingers are new or have changed: enter the passcode"
CONFIRMED = "/var/lib/localauth/2001/enrolment"


def enrol(world, user, finger, name="right-index-finger"):
    world.command(sys.executable, f"{LIB}/reader.py", "enrol", user, name, finger)
    world._settle()


def passcode_first(world, host, finger="FINGER-ALICE"):
    """The passcode is asked for with the reason, and the reader is left alone; then the finger counts again."""
    verified = world.reader.verifications()
    person = world.host(host)
    person.expect(CHANGED, 2)
    person.expect(steps.ALONE, 1)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.5, "Enter to success")
    assert world.reader.verifications() == verified, "a finger that nobody confirmed was asked for"
    # The virtual reader compares with one print only, and two readers are never both touched.
    if finger:
        finger_counts(world, host, finger)


def finger_counts(world, host, finger="FINGER-ALICE"):
    verified = world.reader.verifications()
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening(times=verified + 1)
    at = world.reader.touch(finger)
    steps.admitted(person, host, at, 0.3, "finger to success")


HOSTS = (hosts.SUDO, hosts.SU, hosts.forms((hosts.SUDO,), "alone")[0])


@case(over=HOSTS, enrolled=False)
def after_the_first_enrolment_the_passcode_comes_first_and_once(world, host):
    world.enrol("alice", "FINGER-ALICE", confirmed=False)
    passcode_first(world, host)


@case(over=HOSTS)
def another_finger_means_the_passcode_first(world, host):
    enrol(world, "alice", "FINGER-OTHER", "left-thumb")
    passcode_first(world, host)


@case(over=("plain", "storage"))
def the_same_finger_deleted_and_enrolled_again_means_the_passcode_first(world, reader):
    world.command("fprintd-delete", "alice")
    enrol(world, "alice", "FINGER-ALICE")
    passcode_first(world, hosts.SUDO)


the_same_finger_deleted_and_enrolled_again_means_the_passcode_first.cases[1].reader = "storage"


@case(reader="two")
def a_finger_on_a_second_reader_means_the_passcode_first(world):
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    person.interrupt()
    person.finished()
    [print_] = glob.glob("/var/lib/fprint/alice/virtual_device_storage/*/*")
    shutil.copy(print_, os.path.dirname(print_) + "/1")
    passcode_first(world, hosts.SUDO, finger=None)


@case()
def a_deleted_finger_means_the_passcode_first_for_the_rest(world):
    enrol(world, "alice", "FINGER-OTHER", "left-thumb")
    passcode_first(world, hosts.SUDO)
    world.command("fprintd-delete", "alice", "-f", "left-thumb")
    passcode_first(world, hosts.SUDO)


@case()
def a_wrong_passcode_confirms_nothing(world):
    enrol(world, "alice", "FINGER-ALICE")
    person = world.host(hosts.SUDO)
    person.expect(CHANGED, 2)
    person.enter("wrong")
    person.expect(hosts.SUDO.refused)
    person.expect(CHANGED, 2)
    person.interrupt()
    person.finished()
    passcode_first(world, hosts.SUDO)


@case(product="socket")
def the_command_says_so_and_confirms(world):
    enrol(world, "alice", "FINGER-ALICE")
    person = world.terminal("alice")
    person.run("localauth can-evaluate --policy biometrics")
    person.expect("biometryLockout: the enrolled fingers are new or have changed: the passcode is needed once", 3)
    assert person.finished() == 4
    person.run("localauth can-evaluate")
    assert person.finished() == 0
    person.run("localauth evaluate")
    person.expect(CHANGED, 2)
    person.enter(PASSCODE)
    assert person.finished() == 0
    person.run("localauth can-evaluate --policy biometrics")
    assert person.finished() == 0


@case()
def somebody_elses_passcode_confirms_nothing(world):
    enrol(world, "alice", "FINGER-ALICE")
    host = hosts.SUDO.of("asha")
    person = world.host(host)
    person.expect(host.own_prompt)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.5, "Enter to success")
    passcode_first(world, hosts.SUDO)


@case(enrolled=False)
def an_account_without_a_passcode_has_its_fingers_confirmed_by_root(world):
    world.enrol("dora", "FINGER-DORA", confirmed=False)
    host = hosts.forms((hosts.SUDO.of("dora"),), "alone")[0]
    person = world.host(host)
    assert person.finished() != 0
    lines = world.log.lines(r"localauth: .*user=dora .*detail=")
    assert lines and "localauth unlock" in lines[0], lines
    world.command("localauth", "unlock", "dora")
    person = world.host(host)
    world.reader.listening()
    at = world.reader.touch("FINGER-DORA")
    steps.admitted(person, host, at, 0.5, "finger to success")


@case()
def root_does_not_confirm_what_a_passcode_can(world):
    enrol(world, "alice", "FINGER-ALICE")
    world.command("localauth", "unlock", "alice")
    passcode_first(world, hosts.SUDO)


@case(over=("a link", "a pipe", "not ours"))
def prints_that_are_no_files_are_no_reason_to_ask_the_reader(world, what):
    [print_] = glob.glob("/var/lib/fprint/alice/*/*/*")
    if what == "not ours":
        # Fingers that fprintd keeps elsewhere.
        os.rename("/var/lib/fprint/alice", "/var/lib/fprint/.alice")
    else:
        extra = os.path.dirname(print_) + "/1"
        os.symlink(print_, extra) if what == "a link" else os.mkfifo(extra)
    person = world.host(hosts.SUDO)
    steps.no_reader(person, hosts.SUDO)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.SUDO, at, 1.5, "Enter to success")
    world.reader.untouched()


@case()
def a_reader_that_learns_from_a_match_is_trusted_on(world):
    """libfprint's update of a print after a match: the file is written anew while the reader is ours."""
    host = hosts.SUDO
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    [print_] = glob.glob("/var/lib/fprint/alice/*/*/*")
    with open(print_, "rb") as file:
        text = file.read()
    os.unlink(print_)
    with open(print_, "wb") as file:
        file.write(text)
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")
    finger_counts(world, host)


@case()
def a_finger_that_comes_in_while_the_reader_listens_is_none(world):
    host = hosts.SUDO
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    [print_] = glob.glob("/var/lib/fprint/alice/*/*/*")
    shutil.copy(print_, os.path.dirname(print_) + "/1")
    world.reader.touch()
    person.expect("The reader is gone: enter the passcode", 2)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.5, "Enter to success")


@case()
def a_record_that_was_cut_or_damaged_means_the_passcode_first(world):
    for text in (b"", b"x", open(CONFIRMED, "rb").read()[:-1], os.urandom(9000)):
        with open(CONFIRMED, "wb") as file:
            file.write(text)
        passcode_first(world, hosts.SUDO)
    os.unlink(CONFIRMED)
    os.symlink("/dev/zero", CONFIRMED)
    passcode_first(world, hosts.SUDO)
    assert not os.path.islink(CONFIRMED), "the link was written through"
