"""Where the request comes from, where PAM_RHOST does not say it: below sshd, and as logind sees it."""
import os
import shutil
import subprocess
import time

import hosts
import pam
import steps
from case import case
from worldly import PASSCODE


def sudo(world, command="sudo -k id -un"):
    pam.protect("sudo", "alone")
    person = world.terminal("alice")
    person.before = person.modes()
    person.run(command)
    return person


def passcode_only(world, person):
    person.expect(r"asks for alice\n", 2)
    person.expect(steps.ALONE, 1)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.SUDO, at, 1.0, "Enter to success")
    world.reader.untouched()


@case(over=("sshd", "sshd-session", "mosh-server"))
def below_a_remote_login_sudo_asks_for_the_passcode_only(world, daemon):
    """A process of that name stands for the daemon: what counts is an ancestor's name, and that denies only."""
    os.makedirs("/run/daemons")
    shutil.copy("/bin/bash", f"/run/daemons/{daemon}")
    person = sudo(world, f"/run/daemons/{daemon} -c 'sudo -k id -un; exit $?'")
    passcode_only(world, person)


@case()
def a_name_like_sshd_is_no_remote_login(world):
    shutil.copy("/bin/bash", "/run/sshd2")
    person = sudo(world, "/run/sshd2 -c 'sudo -k id -un; exit $?'")
    person.expect(steps.RACE)


@case(product="socket")
def below_a_remote_login_the_socket_knows_it_too(world):
    shutil.copy("/bin/bash", "/run/dropbear")
    person = sudo(world, "/run/dropbear -c 'sudo -k id -un; exit $?'")
    passcode_only(world, person)


@case()
def where_logind_runs_a_process_without_session_gets_no_reader(world):
    os.makedirs("/run/systemd/seats")
    person = sudo(world)
    passcode_only(world, person)


def display(active, remote):
    """alice's main session as logind's files tell it: what sd_uid_get_display(3) and sd_session_*(3) read."""
    for folder in ("seats", "sessions", "users"):
        os.makedirs(f"/run/systemd/{folder}", exist_ok=True)
    state = "active" if active else "online"
    with open("/run/systemd/sessions/7", "w") as file:
        file.write(f"UID=2001\nUSER=alice\nACTIVE={active:d}\nIS_DISPLAY=1\nSTATE={state}\nREMOTE={remote:d}\n"
                   "TYPE=wayland\nCLASS=user\nSEAT=seat0\n")
    with open("/run/systemd/users/2001", "w") as file:
        file.write(f"NAME=alice\nSTATE={state}\nDISPLAY=7\nSESSIONS=7\nACTIVE_SESSIONS={'7' if active else ''}\n"
                   "ONLINE_SESSIONS=7\n")


@case()
def a_terminal_of_the_session_in_front_has_the_reader(world):
    display(active=True, remote=False)
    person = sudo(world)
    person.expect(steps.RACE)
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, hosts.SUDO, at, 0.3, "finger to success")


@case(over=((False, False), (True, True), (False, True)))
def a_session_that_is_remote_or_not_in_front_has_none(world, facts):
    active, remote = facts
    display(active, remote)
    person = sudo(world)
    passcode_only(world, person)


def end_tmux():
    """The server is no child of anybody here, and what waits in its terminals ends with it."""
    subprocess.run(["runuser", "-u", "alice", "--", "tmux", "kill-server"], check=True, timeout=5)


@case()
def in_a_tmux_that_is_shown_here_the_reader_is_asked(world):
    pam.protect("sudo", "alone")
    world.terminal("alice").run("TERM=xterm tmux new-session 'sudo -k id -un; sleep 60'")
    world.reader.listening()
    end_tmux()


@case()
def in_a_tmux_that_a_remote_login_shows_too_the_reader_is_not_asked(world):
    os.makedirs("/run/daemons")
    shutil.copy("/bin/bash", "/run/daemons/sshd")
    here, there = world.terminal("alice"), world.terminal("alice")
    here.run("TERM=xterm tmux new-session 'while [ ! -e /run/daemons/go ]; do sleep 0.1; done; sudo -k id -un; sleep 60'")
    pam.protect("sudo", "alone")
    here.expect(r"\[0\]", 3)
    there.run("/run/daemons/sshd -c 'TERM=xterm tmux attach; exit $?'")
    there.expect(r"\[0\]", 3)
    open("/run/daemons/go", "w").close()
    there.expect(r"Passcode:", 3)
    world.reader.untouched()
    end_tmux()


@case()
def in_a_tmux_that_nobody_looks_at_the_reader_is_not_asked(world):
    pam.protect("sudo", "alone")
    person = world.terminal("alice")
    person.run("tmux new-session -d 'sudo -k id -un; sleep 60'; sleep 2; tmux capture-pane -p")
    person.expect(r"Passcode:\n", 4)
    world.reader.untouched()
    end_tmux()


@case()
def a_background_job_has_no_reader_and_asks_for_the_passcode_once_in_front(world):
    """The shell gives it no terminal: a touch would answer what nobody sees."""
    person = sudo(world, "sudo -k id -un &")
    time.sleep(1.5)
    world.reader.untouched()
    person.run("fg")
    person.expect(steps.ALONE, 3)
    at = person.enter(PASSCODE)
    steps.admitted(person, hosts.SUDO, at, 1.0, "Enter to success")
    world.reader.untouched()


@case()
def in_a_screen_that_nobody_looks_at_the_reader_is_not_asked(world):
    """Its server has the name of what shows it."""
    pam.protect("sudo", "alone")
    person = world.terminal("alice")
    person.run("export SCREENDIR=$HOME/.screen; mkdir -m 700 $SCREENDIR; TERM=xterm screen -d -m sh -c 'sudo -k id -un;"
               " sleep 60'; sleep 2; screen -X hardcopy $HOME/shown; sleep 0.5; cat ~/shown; screen -X quit")
    person.expect(r"Passcode:", 5)
    person.expect(r"\[0\]", 5)
    world.reader.untouched()
