"""The helper is missing or broken: a legal code within a second, one line in the log that says what to do, the host
alive and its next module asked."""
import os
import shutil
import time

import hosts
import pam
import processes
import steps
from case import case
from worldly import HELPER, PASSCODE, at_most

LEGAL = {7, 8, 9, 10, 11}
BROKEN = ("exit", "crash", "garbage", "half", "flood", "cut 0", "cut 1")


def unavailable(world, person, limit=1.0):
    """The end that every fault has to come to."""
    code, seconds = steps.code(person)
    assert code == 9, f"the module answered {code}"
    assert seconds <= limit, f"it took {seconds} s"
    lines = [line for line in world.log.lines("pam_localauth") if "outcome=" not in line]
    assert len(lines) == 1, f"{len(lines)} lines in the log instead of one: {lines}"
    assert "localauth-helper" in lines[0], "the line does not name what is broken"
    steps.unharmed(person)


def next_module_is_asked(world):
    pam.protect("screen", "next")
    person = world.client("root", "--service screen")
    person.expect("NEXT-MODULE-ASKED", 3)
    steps.code(person)


def break_helper(world, fault):
    if fault == "missing":
        os.unlink(HELPER)
    elif fault == "its folder is missing":
        shutil.rmtree(os.path.dirname(HELPER))
    elif fault == "not executable":
        os.chmod(HELPER, 0o644)
    elif fault == "a folder":
        os.unlink(HELPER)
        os.mkdir(HELPER)
    elif fault == "no program":
        with open(HELPER, "w") as file:
            file.write("no program\n")
    elif fault == "empty":
        open(HELPER, "w").close()
    else:
        world.helper_instead(*fault.split())


@case(over=("missing", "its folder is missing", "not executable", "a folder", "no program", "empty", *BROKEN))
def a_broken_helper_is_unavailable(world, fault):
    break_helper(world, fault)
    pam.protect("probe", "alone")
    unavailable(world, world.client("root"))
    next_module_is_asked(world)


@case(over=("missing", "not executable", "exit", "garbage", "flood"))
def with_a_broken_helper_sudo_asks_by_itself(world, fault):
    host = hosts.SUDO
    break_helper(world, fault)
    person = world.host(host)
    steps.no_reader(person, host, within=2)
    at_most(1.0, person.asked_at, person.seen_at, "command to sudo's own prompt")
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case()
def a_helper_that_says_nothing_is_given_up(world):
    world.helper_instead("silent")
    pam.protect("probe", "alone")
    unavailable(world, world.client("root"), limit=12)


@case(over=("hint", "verdict"))
def a_helper_that_dies_with_half_a_frame_on_its_way(world, frame):
    world.helper_instead("cut", "2")
    pam.protect("probe", "alone")
    person = world.client("root")
    person.expect(steps.RACE)
    world.reader.listening()
    person.half("corr")
    at = world.reader.touch("OTHER" if frame == "hint" else "FINGER-ALICE")
    code, _ = steps.code(person)
    at_most(1.0, at, person.seen_at, "death to the host's end")
    assert code == 9
    steps.unharmed(person)
    person.never_showed("corr")
    world.reader.free()


@case(over=hosts.forms((hosts.SUDO, hosts.PAMTESTER, hosts.PAMTESTER_SOCKET)))
def the_helper_is_killed_while_it_waits(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    helpers = processes.of("localauth-helper")
    [parent] = [pid for pid in helpers if processes.parent(pid) not in helpers]
    at = processes.kill(parent, "KILL")
    if host.form == "stack":
        person.expect(host.own_prompt + "$", 2)
        at_most(1.0, at, person.seen_at, "death to the host's own prompt")
        at = person.enter(PASSCODE)
        steps.admitted(person, host, at, 1.0, "Enter to success")
    else:
        steps.failed(person, host, at, 1.0, "death to the end of the prompt")
    world.reader.free()


@case(over=hosts.forms((hosts.SUDO,)))
def the_helpers_child_is_killed_while_it_waits(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    helpers = processes.of("localauth-helper")
    children = [pid for pid in helpers if processes.parent(pid) in helpers]
    assert children, "no process of its own talks to the reader"
    for pid in children:
        processes.kill(pid, "KILL")
    person.expect(r"The reader is gone: enter the passcode\n", 2)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(over=hosts.forms((hosts.SUDO,)))
def a_hanging_helper_does_not_keep_ctrl_c_away(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    stopped = processes.of("localauth-helper")
    for pid in stopped:
        processes.freeze(pid)
    at = person.press("^C")
    steps.denied(person, host, at, 1.0, "Ctrl-C to the shell")
    for pid in stopped:
        if processes.state(pid):
            processes.kill(pid, "KILL")


@case(over=("missing service", "empty service", "unreadable service"))
def without_its_passcode_service_the_helper_admits_nobody(world, fault):
    service = "/etc/pam.d/localauth-passcode"
    if fault == "missing service":
        os.unlink(service)
        # What libpam would fall back to.
        pam.write("other", "auth required pam_permit.so", "account required pam_permit.so")
    elif fault == "empty service":
        open(service, "w").close()
        pam.write("other", "auth required pam_permit.so", "account required pam_permit.so")
    else:
        os.unlink(service)
        os.mkdir(service)
    pam.protect("probe", "alone")
    person = world.client("root")
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    assert steps.code(person)[0] in LEGAL


@case()
def a_passcode_service_that_never_asks_admits_nobody(world):
    pam.write("localauth-passcode", "auth sufficient pam_rootok.so", "auth required pam_permit.so",
              "account required pam_permit.so")
    pam.protect("probe", "alone")
    person = world.client("root")
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    assert steps.code(person)[0] in LEGAL


@case()
def a_system_stack_that_holds_this_module_ends(world):
    """pam-auth-update may put us into common-auth, which the helper's own service includes."""
    with open("/etc/pam.d/common-auth") as file:
        stock = file.read()
    pam.write("common-auth", "auth [success=2 default=ignore] pam_localauth.so", *stock.splitlines())
    person = world.client("root")
    person.expect(steps.RACE)
    at = person.enter(PASSCODE)
    assert steps.code(person)[0] == 0
    at_most(1.5, at, person.seen_at, "Enter to success")


@case()
def a_hanging_passcode_stack_can_be_left_with_ctrl_c(world):
    pam.write("localauth-passcode", "auth required pam_exec.so quiet /bin/sleep 60", "auth required pam_unix.so",
              "account required pam_permit.so")
    pam.protect("probe", "alone")
    person = world.client("root")
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    time.sleep(0.5)
    at = person.press("^C")
    person.finished(5)
    at_most(1.0, at, person.seen_at, "Ctrl-C to the shell")


@case()
def a_program_of_the_passcode_stack_cannot_give_the_verdict(world):
    """Some modules start programs as the user, with whatever is open. This one writes a verdict of success."""
    with open("/tmp/pam_starts.c", "w") as file:
        file.write(r'''
            #include <security/pam_ext.h>
            #include <stdlib.h>
            #include <sys/wait.h>
            #include <unistd.h>
            int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
              char *typed = NULL;
              if (pam_prompt(pamh, 1, &typed, "Password: ") != 0) return 9;
              free(typed);
              pid_t pid = fork();
              if (pid == 0)
                execl("/bin/sh", "sh", "-c", "for n in 3 4 5 6 7 8 9; do printf '\\1\\0\\0\\0\\24\\132' >&$n; done", NULL);
              return waitpid(pid, NULL, 0) == pid ? 7 : 9;
            }
            int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) { return 0; }
        ''')
    world.command("gcc", "-shared", "-fPIC", "-o", "/tmp/pam_starts.so", "/tmp/pam_starts.c", "-lpam")
    pam.write("localauth-passcode", "auth required /tmp/pam_starts.so", "account required pam_permit.so")
    pam.protect("probe", "alone")
    person = world.client("root")
    person.expect(steps.RACE)
    person.enter("wrong horse")
    assert steps.code(person)[0] == 7
