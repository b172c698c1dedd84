"""The world as a case sees it: the reader, PAM, the helper, the logs, and people at terminals."""
import os
import subprocess
import sys
import time

import pam
import processes
import reader
import transcript
from files import Growing, SystemLog
from terminal import Terminal

OUT = os.environ.get("WORLD_OUT", "/mnt/out")
LIB = os.path.dirname(os.path.abspath(__file__))
HELPER = "/usr/libexec/localauth/localauth-helper"
PASSCODE = "correct horse"


class Reader:
    """The virtual reader. Every act waits until fprintd listens, as a person waits for the words."""

    def __init__(self, bus):
        self.bus = bus

    def listening(self, within=5.0, times=1):
        """Waits until a verification has been started, for the Nth time since the case began."""
        end = time.monotonic() + within
        while len(self.bus.lines(r"^sig\t.*\tVerifyFingerSelected$")) < times:
            assert time.monotonic() < end, f"the reader was not asked to verify within {within} s"
            time.sleep(0.002)
        # The signal is sent just before the driver listens.
        time.sleep(0.03)

    def act(self, text, path=reader.SOCKET):
        """Answers when it began: the driver may be done before the command's own end is seen."""
        transcript.say("reader", text)
        at = time.monotonic()
        reader.command(text, path)
        return at

    def touch(self, finger="FINGER-ALICE"):
        return self.act("SCAN " + finger)

    def claims(self):
        return len(self.bus.lines(r"^mc\t.*\tClaim$"))

    def verifications(self):
        return len(self.bus.lines(r"^mc\t.*\tVerifyStart$"))

    def untouched(self):
        """Nobody opened the reader since the case began."""
        assert self.claims() == 0 and self.verifications() == 0, "the reader was opened"

    def free(self):
        """Claims the reader as somebody else would, and gives it back."""
        done = subprocess.run([sys.executable, f"{LIB}/reader.py", "ready"], capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, "the reader is still claimed: " + done.stderr.strip().split("\n")[-1]


class World:
    def __init__(self):
        self.bus, self.log = Growing(f"{OUT}/bus"), SystemLog(f"{OUT}/syslog")
        self.reader = Reader(self.bus)
        self.terminals = []
        self._settle()

    def _settle(self):
        """The monitor lags a little: the enrolment must be written before the case counts calls."""
        size = -1
        while size != (size := os.path.getsize(self.bus.path)):
            time.sleep(0.03)
        self.bus.mark()
        self.log.mark()

    def terminal(self, user, **more):
        self.terminals.append(Terminal(user, **more))
        return self.terminals[-1]

    def host(self, host, *options):
        """Prepares a host as its form says, and starts it at a person's terminal."""
        self.prepare(host, *options)
        terminal = self.terminal(host.at)
        terminal.before = terminal.modes()
        terminal.asked_at = terminal.run(host.command)
        return terminal

    def client(self, user, *arguments):
        """Starts pamclient.py at a person's terminal."""
        terminal = self.terminal(user)
        terminal.before = terminal.modes()
        terminal.asked_at = terminal.run(" ".join(["python3", f"{LIB}/pamclient.py", *arguments]))
        return terminal

    def prepare(self, host, *options):
        pam.protect(host.service, host.form, *options)
        with open("/etc/sudoers.d/terminal", "w", opener=lambda p, f: os.open(p, f, 0o440)) as file:
            file.write(f"Defaults {'' if host.use_pty else '!'}use_pty\n")

    def enrol(self, user, finger, confirmed=True):
        """Enrols a finger; the passcode is right once afterwards, or root's word stands for it where there is none."""
        self.command(sys.executable, f"{LIB}/reader.py", "enrol", user, "right-index-finger", finger)
        transcript.say("world", f"{user} enrols {finger}")
        if confirmed and user in ("bob", "dora"):
            self.command("localauth", "unlock", user)
        elif confirmed and user != "carol":
            self.command(sys.executable, f"{LIB}/pamclient.py", "--service", "confirm", "--user", user,
                         "--conversation", "answers", "--answer", PASSCODE)
        self._settle()

    def command(self, *argv, **more):
        """A command that has to work."""
        return subprocess.run(argv, check=True, text=True, capture_output=True, timeout=60, **more).stdout

    # Who can be hurt

    def fprintd(self):
        [pid] = processes.of("fprintd")
        return pid

    def fprintd_instead(self, behaviour):
        """From now on the bus starts a false fprintd, owned by root like the real one."""
        with open("/run/fprintd-instead", "w") as file:
            file.write(f"/usr/bin/python3 {LIB}/false_fprintd.py {behaviour}\n")
        processes.kill(self.fprintd(), "KILL")
        # Until the bus has seen the death, it passes calls on to the dead.
        ask = ("dbus-send", "--system", "--print-reply", "--dest=net.reactivated.Fprint",
               "/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Manager.GetDevices")
        end = time.monotonic() + 5
        while subprocess.run(ask, capture_output=True, timeout=30).returncode != 0:
            assert time.monotonic() < end, "the false fprintd does not start"
            time.sleep(0.02)
        self._settle()

    def bus_daemon(self):
        with open("/run/dbus-daemon.pid") as file:
            return int(file.read())

    def helper_instead(self, *words):
        """Puts false_helper.py in the place of the helper; the real one stays beside it."""
        if not os.path.exists(HELPER + ".real"):
            os.rename(HELPER, HELPER + ".real")
        with open(HELPER, "w") as file:
            file.write("#!/bin/sh\nexec /usr/bin/python3 " + " ".join([f"{LIB}/false_helper.py", *words]) + ' "$@"\n')
        os.chmod(HELPER, 0o755)

    # What must hold after every case

    def aftermath(self, product):
        for terminal in self.terminals:
            terminal.close()
        if product:
            processes.gone("localauth-helper")
            lines = self.log.lines(r"pam_localauth|localauth-helper")
            for line in lines:
                transcript.say("log", line.partition(" ")[2])
        # A world where nobody asked fprintd has no log of it.
        for name in ("syslog", "bus", *(["fprintd.log"] if os.path.exists(f"{OUT}/fprintd.log") else [])):
            with open(f"{OUT}/{name}", errors="replace") as file:
                assert PASSCODE not in file.read(), f"the passcode is in {name}"


def milliseconds(seconds):
    return f"{1000 * seconds:.0f} ms"


def at_most(seconds, since, until, what):
    """Asserts that something took no longer than promised, and says how long it took."""
    took = until - since
    transcript.say("time", f"{what}: {milliseconds(took)}")
    assert took <= seconds, f"{what} took {milliseconds(took)}, and at most {milliseconds(seconds)} is promised"
