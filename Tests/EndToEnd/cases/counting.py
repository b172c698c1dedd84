"""What is counted over all requests: wrong fingers lock the reader, wrong passcodes close a window, and neither shuts
anybody else out."""
import os
import re
import shutil
import signal
import subprocess
import time

import hosts
import pam
import processes
import steps
from case import case
from worldly import HELPER, LIB, PASSCODE

STATE = "/var/lib/localauth"
LOCKOUT = f"{STATE}/2001/lockout"
LOCKED = "Too many wrong fingers: enter the passcode"
LATER = r"Too many wrong passcodes: try again in (\d+) s"


def failed_matches():
    with open(LOCKOUT, "rb") as file:
        return file.read()[8]


def wrong_fingers(world, host, count):
    """Sits down at a host, and touches the reader with somebody else's finger; answers the person."""
    verified = world.reader.verifications()
    person = world.host(host)
    for nth in range(1, count + 1):
        world.reader.listening(times=verified + nth)
        world.reader.touch("SOMEBODY-ELSE")
        person.expect("Finger not recognised", 2)
    return person


def give_up(person, host):
    """Ctrl-C, and the host is gone."""
    steps.any_prompt(person, host)
    person.interrupt()
    person.finished()


def lock(world):
    """Five wrong fingers at sudo: three in one call, two in the next."""
    for count in (3, 2):
        give_up(wrong_fingers(world, hosts.SUDO, count), hosts.SUDO)
    assert failed_matches() == 5


def client(world, *words, user="root", answers=(), service="probe"):
    """One transaction without a terminal; answers the code of pam_authenticate and what was said."""
    given = [word for answer in answers for word in ("--answer", answer)]
    command = ["python3", f"{LIB}/pamclient.py", "--service", service, "--conversation", "answers", *words, *given]
    if user != "root":
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    [line] = [line for line in done.stdout.split("\n") if "pam_authenticate:" in line]
    return int(line.split("pam_authenticate: ")[1].split()[0]), done.stdout


def wrong_passcodes(count, *words, **more):
    return [client(None, *words, answers=("wrong",), **more)[0] for _ in range(count)]


# The reader


@case(over=(hosts.SUDO, hosts.SU, hosts.forms((hosts.PAMTESTER,), "alone")[0]))
def five_wrong_fingers_lock_the_reader_everywhere_until_the_passcode_was_right(world, host):
    lock(world)
    verified = world.reader.verifications()
    person = world.host(host)
    person.expect(LOCKED, 2)
    person.expect(steps.ALONE, 1)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.5, "Enter to success")
    assert world.reader.verifications() == verified, "a locked reader was asked"
    if host is hosts.PAMTESTER or host.service == "probe":
        assert failed_matches() == 0
    # sudo and su set credentials; that is when the helper hears of it.
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    world.reader.listening(times=verified + 1)
    at = world.reader.touch()
    steps.admitted(person, hosts.SUDO, at, 0.3, "finger to success")


@case(product="socket")
def the_command_is_locked_with_the_others_and_opens_it_for_them(world):
    lock(world)
    person = world.terminal("alice")
    person.run("localauth can-evaluate --policy biometrics")
    person.expect("localauth: biometryLockout: too many wrong fingers: the passcode opens the reader", 3)
    assert person.finished() == 4
    person.run("localauth evaluate --policy biometrics")
    person.expect("localauth: biometryLockout", 3)
    assert person.finished() == 4
    verified = world.reader.verifications()
    person.run("localauth evaluate")
    person.expect(LOCKED, 2)
    person.enter(PASSCODE)
    assert person.finished() == 0
    assert world.reader.verifications() == verified
    person.run("localauth can-evaluate --policy biometrics")
    assert person.finished() == 0




@case()
def a_finger_between_wrong_ones_starts_the_row_anew(world):
    give_up(wrong_fingers(world, hosts.SUDO, 2), hosts.SUDO)
    person = wrong_fingers(world, hosts.SUDO, 2)
    world.reader.listening(times=5)
    assert failed_matches() == 5, "the one that runs is charged"
    at = world.reader.touch()
    steps.admitted(person, hosts.SUDO, at, 0.3, "finger to success")
    assert failed_matches() == 0


@case(over=("Ctrl-C", "passcode", "unplugged", "killed host", "time over"))
def what_is_no_wrong_finger_is_not_counted(world, end):
    options = ["timeout=1"] if end == "time over" else []
    person = world.host(hosts.SUDO, *options)
    steps.race(person, hosts.SUDO)
    world.reader.listening()
    assert failed_matches() == 1, "the one that runs is charged"
    if end == "Ctrl-C":
        person.interrupt()
    elif end == "passcode":
        person.enter(PASSCODE)
    elif end == "unplugged":
        world.reader.act("UNPLUG")
        person.expect("The reader is gone")
    elif end == "killed host":
        processes.kill(min(processes.of("sudo")), "KILL")
    else:
        person.expect("timed out", 4)
    if end in ("unplugged", "time over"):
        person.interrupt()
    person.finished()
    processes.gone("localauth-helper", 2)
    assert failed_matches() == 0


@case()
def a_helper_that_is_killed_has_charged_what_ran(world):
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)
    world.reader.listening()
    for pid in processes.of("localauth-helper"):
        processes.kill(pid, "KILL")
    person.expect(hosts.SUDO.own_prompt)
    assert failed_matches() == 1


@case()
def neither_root_nor_a_finger_of_an_inner_stack_opens_the_reader(world):
    lock(world)
    # What an administrator may have put before the passcode.
    for line in ("auth sufficient pam_rootok.so", "auth sufficient pam_fprintd.so"):
        pam.write("inner", line, "auth required pam_deny.so")
        pam.write("screen", pam.shipped_lines().replace("common-auth", "inner"), "account required pam_permit.so")
        verified = world.reader.verifications()
        person = world.client("root", "--service screen --then setcred")
        person.expect(LOCKED, 2)
        person.enter("wrong")
        if "fprintd" in line:
            world.reader.listening(times=verified + 1)
            world.reader.touch()
        assert steps.code(person)[0] == 0
        assert failed_matches() == 5, line


@case(over=("sudo", "su", "login"))
def a_passcode_that_the_stack_found_right_is_verified_again_when_credentials_are_set(world, name):
    lock(world)
    host = {"sudo": hosts.SUDO, "su": hosts.SU, "login": hosts.LOGIN}[name]
    person = world.host(host)
    person.expect(LOCKED, 2)
    person.enter("wrong")
    person.expect(host.refused, 5)
    assert failed_matches() == 5
    person = steps.again(world, person, host)
    person.expect(LOCKED, 3)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 2.0, "Enter to success")
    processes.gone("localauth-helper", 2)
    assert failed_matches() == 0


@case()
def root_unlocks(world):
    lock(world)
    root = world.terminal("root")
    root.run("localauth unlock alice")
    assert root.finished() == 0
    assert failed_matches() == 0
    person = world.host(hosts.SUDO)
    steps.race(person, hosts.SUDO)


@case(product="socket", over=("alice", "bob", "nobody-here", ""))
def nobody_but_root_unlocks(world, user):
    lock(world)
    person = world.terminal("alice")
    person.run(f"localauth unlock {user or chr(34) * 2}")
    status = person.finished()
    assert status == (1 if user else 2)
    assert failed_matches() == 5


@case()
def to_unlock_somebody_who_is_not_there_is_an_error(world):
    root = world.terminal("root")
    root.run("localauth unlock nobody-here")
    root.expect("unknownUser")
    assert root.finished() == 1
    root.run("localauth unlock eve")
    assert root.finished() == 0, "nothing was counted of eve, and that is no error"


# Passcodes


@case(product="socket", enrolled=False)
def wrong_passcodes_of_one_leave_the_others_right_ones(world):
    """Twenty by eve against alice: su, a host of root's for a remote one, and her own command."""
    pam.protect("su", "alone")
    pam.protect("sudo", "alone")
    pam.protect("login", "alone")
    pam.protect("probe", "alone")
    eve = world.terminal("eve")
    for nth in range(12):
        eve.run("su alice -c 'id -un'")
        eve.expect(r"(?P<prompt>Passcode[^\n]*: $)|" + LATER, 6)
        if nth < 5:
            eve.enter("wrong")
        assert eve.finished(8) != 0
    codes = wrong_passcodes(8, "--rhost", "192.0.2.7")
    assert codes == [7] * 5 + [9] * 3, codes
    # eve's own are hers as well.
    pam.protect("screen", "alone")
    codes = wrong_passcodes(6, "--user", "eve", user="eve", service="screen")
    assert codes == [7] * 5 + [9], codes

    # alice, and root, at once and everywhere.
    for host in (hosts.SUDO, hosts.LOGIN, hosts.PAMTESTER):
        host = hosts.forms((host,), "alone")[0]
        person = world.host(host)
        steps.no_reader(person, host)
        at = person.enter(PASSCODE)
        steps.admitted(person, host, at, 1.5, "Enter to success")
    assert client(None, user="alice", answers=(PASSCODE,))[0] == 0


@case(enrolled=False)
def a_closed_window_says_how_long_and_opens_again(world):
    pam.protect("probe", "alone")
    assert wrong_passcodes(5) == [7] * 5
    code, said = client(None)
    assert code == 9 and re.search(LATER, said) and 25 <= int(re.search(LATER, said)[1]) <= 30, said
    code, said = client(None, answers=(PASSCODE,))
    assert code == 9, "the right passcode is not tried either"
    # As if the time had passed: the window was charged by this boot's clock.
    window = record()
    window[48:56] = (int.from_bytes(window[48:56], "little", signed=True) - 30).to_bytes(8, "little", signed=True)
    put(window)
    assert client(None, answers=(PASSCODE,))[0] == 0
    assert wrong_passcodes(1) == [7], "the row starts anew"


def record():
    with open(LOCKOUT, "rb") as file:
        return bytearray(file.read())


def put(window):
    with open(LOCKOUT, "r+b") as file:
        file.write(window)


def restart(world):
    """What the helper can tell a new boot by."""
    with open("/run/boot_id", "w") as file:
        file.write("01234567-89ab-4cde-8f01-23456789abcd\n")
    world.command("mount", "--bind", "/run/boot_id", "/proc/sys/kernel/random/boot_id")


def seconds_left(said):
    return int(re.search(LATER, said)[1])


@case(enrolled=False)
def a_restart_opens_no_window(world):
    pam.protect("probe", "alone")
    assert wrong_passcodes(5) == [7] * 5
    restart(world)
    code, said = client(None, answers=(PASSCODE,))
    assert code == 9 and 20 <= seconds_left(said) <= 30, said


@case(enrolled=False)
def a_clock_that_was_set_back_over_a_restart_costs_one_pause(world):
    pam.protect("probe", "alone")
    assert wrong_passcodes(5) == [7] * 5
    window = record()
    year = 365 * 86_400
    window[56:64] = (int.from_bytes(window[56:64], "little") + year).to_bytes(8, "little")
    put(window)
    restart(world)
    code, said = client(None)
    assert code == 9 and seconds_left(said) == 30, said
    # From the first look on this boot's clock counts.
    window = record()
    window[48:56] = (int.from_bytes(window[48:56], "little", signed=True) - 30).to_bytes(8, "little", signed=True)
    put(window)
    assert client(None, answers=(PASSCODE,))[0] == 0


@case()
def a_restart_opens_no_reader(world):
    lock(world)
    restart(world)
    person = world.host(hosts.SUDO)
    person.expect(LOCKED, 2)


@case(product="socket")
def the_command_says_when_to_try_again(world):
    person = world.terminal("alice")
    for _ in range(5):
        person.run("localauth evaluate")
        person.expect(steps.RACE)
        person.enter("wrong")
        assert person.finished() == 1
    person.run("localauth evaluate")
    person.expect(LATER, 2)
    # The finger still counts.
    person.expect("Swipe your finger", 2)
    assert "Passcode" not in person.unread
    world.reader.listening(times=6)
    world.reader.touch()
    assert person.finished() == 0
    person.run("localauth can-evaluate --policy biometrics")
    assert person.finished() == 0
    world.command("fprintd-delete", "alice")
    pam.protect("probe", "alone")
    person.run("localauth can-evaluate")
    person.expect(r"localauth: passcodeLockout: too many wrong passcodes; try again in \d+ s", 3)
    assert person.finished() == 4
    assert client(None, user="alice", answers=(PASSCODE,))[0] == 9


@case(enrolled=False)
def killing_the_helper_gains_no_try(world):
    pam.protect("probe", "alone")
    for _ in range(5):
        host = subprocess.Popen(["python3", f"{LIB}/pamclient.py", "--conversation", "answers", "--answer", "wrong"],
                                stdout=subprocess.DEVNULL)
        # While it is verified, which takes some 50 ms.
        end = time.monotonic() + 5
        while len(processes.of("localauth-helper")) < 2 and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(0.01)
        for pid in processes.of("localauth-helper"):
            processes.kill(pid, "KILL")
        host.wait()
    code, said = client(None, answers=(PASSCODE,))
    assert code == 9 and "Too many wrong passcodes" in said, (code, said)


@case(product="socket", enrolled=False)
def of_many_at_once_five_are_tried(world):
    pam.protect("probe", "alone")
    command = ["setpriv", "--reuid=alice", "--regid=alice", "--init-groups", "python3", f"{LIB}/pamclient.py",
               "--conversation", "answers", "--answer", "wrong"]
    hosts_ = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(12)]
    codes = sorted(host.wait(60) for host in hosts_)
    assert codes == [7] * 5 + [9] * 7, codes


@case(product="socket", enrolled=False)
def of_many_right_ones_at_once_none_is_refused(world):
    pam.protect("probe", "alone")
    command = ["setpriv", "--reuid=alice", "--regid=alice", "--init-groups", "python3", f"{LIB}/pamclient.py",
               "--conversation", "answers", "--answer", PASSCODE]
    hosts_ = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(12)]
    codes = [host.wait(60) for host in hosts_]
    assert codes == [0] * 12, codes


@case(enrolled=False)
def what_the_stack_verifies_the_stack_counts(world):
    pam.protect("probe", "stack")
    assert wrong_passcodes(8) == [7] * 8
    assert client(None, answers=(PASSCODE,))[0] == 0


# Accounts without a passcode


@case()
def without_a_passcode_wrong_fingers_are_a_pause_for_who_made_them(world):
    world.enrol("dora", "FINGER-DORA")
    pam.protect("probe", "alone")

    def touch(times, finger, origin=None):
        verified = world.reader.verifications()
        words = ["python3", f"{LIB}/pamclient.py", "--user", "dora", "--conversation", "answers"]
        more = ["--rhost", origin] if origin else []
        host = subprocess.Popen(words + more, stdout=subprocess.PIPE, text=True)
        for nth in range(1, times + 1):
            world.reader.listening(times=verified + nth)
            world.reader.touch(finger)
        return host.wait(30), host.stdout.read()

    assert touch(3, "OTHER")[0] == 11
    assert touch(2, "OTHER")[0] == 11
    root = world.terminal("root")
    root.run(f"python3 {LIB}/pamclient.py --user dora")
    assert steps.code(root)[0] == 9
    [line] = world.log.lines(r"localauth: .*user=dora .*outcome=biometryLockout")
    assert "retry-after=" in line, line
    # Somebody else's pause is not hers: dora's own sudo.
    host = hosts.SUDO.of("dora")
    person = world.host(host)
    world.reader.listening(times=world.reader.verifications() or 1)
    person.expect(r"swipe|Swipe", 3)


# The state


@case(over=("deleted", "no folder and a full disk", "read-only", "garbage", "a folder", "a link", "a pipe", "of alice",
            "readable by all", "hard link", "empty", "too long"))
def whatever_is_wrong_with_the_state_the_right_passcode_gets_in_and_a_wrong_one_does_not(world, fault):
    damage(fault)
    for each in (hosts.SUDO, hosts.SU, hosts.LOGIN, *hosts.forms((hosts.SUDO, hosts.SU), "alone")):
        steps.wrong_is_refused_and_right_is_right(world, each)


def damage(fault):
    if fault == "deleted":
        shutil.rmtree(STATE)
    elif fault in ("no folder and a full disk", "read-only"):
        if fault.startswith("no"):
            shutil.rmtree(STATE)
            os.mkdir(STATE)
        options = "size=4k,nr_inodes=1" if fault.startswith("no") else "ro"
        if fault == "read-only":
            subprocess.run(["mount", "--bind", STATE, STATE], check=True)
            subprocess.run(["mount", "-o", "remount,bind,ro", STATE], check=True)
        else:
            subprocess.run(["mount", "-t", "tmpfs", "-o", options, "full", STATE], check=True)
    elif fault == "garbage":
        with open(LOCKOUT, "wb") as file:
            file.write(os.urandom(2048))
    elif fault == "empty":
        open(LOCKOUT, "wb").close()
    elif fault == "too long":
        with open(LOCKOUT, "ab") as file:
            file.write(b"\0" * 100_000)
    elif fault == "of alice":
        os.chown(LOCKOUT, 2001, 2001)
    elif fault == "readable by all":
        os.chmod(LOCKOUT, 0o644)
    elif fault == "hard link":
        os.link(LOCKOUT, f"{STATE}/2001/other")
    else:
        os.unlink(LOCKOUT)
        if fault == "a folder":
            os.mkdir(LOCKOUT)
        elif fault == "a link":
            open("/run/elsewhere", "w").close()
            os.symlink("/run/elsewhere", LOCKOUT)
        else:
            os.mkfifo(LOCKOUT, 0o600)


@case(over=("read-only", "of alice", "a link"))
def without_a_state_that_can_be_trusted_no_reader_is_asked(world, fault):
    damage(fault)
    person = world.host(hosts.SUDO)
    steps.any_prompt(person, hosts.SUDO)
    person.enter(PASSCODE)
    person.expect(hosts.SUDO.success)
    assert world.reader.verifications() == 0


@case()
def the_state_is_roots_alone(world):
    for path, mode in ((STATE, 0o700), (f"{STATE}/2001", 0o700), (LOCKOUT, 0o600), (f"{STATE}/2001/enrolment", 0o600)):
        facts = os.stat(path)
        assert (facts.st_uid, facts.st_mode & 0o7777) == (0, mode), path
