"""A person at a terminal: an interactive bash with job control, what it shows, and what is typed."""
import contextlib
import fcntl
import os
import pwd
import re
import select
import signal
import struct
import termios
import time

import processes
import transcript

# The shell shows how the last command ended, and whose shell it is.
PROMPT = r"\[(\d+)\](\w+)[$#] $"
KEYS = {"^C": "\x03", "^Z": "\x1a", "^D": "\x04", "Enter": "\n"}


class Terminal:
    def __init__(self, user, shell=("bash", "--noediting", "-i"), environment=None):
        self.user, self.unread, self.all, self.seen_at = user, "", "", time.monotonic()
        self.fd, self.slave = os.openpty()
        os.set_inheritable(self.slave, True)
        self.shell = os.fork()
        if self.shell == 0:
            self._become(user, shell, environment or {})
        transcript.say("person", f"{user} sits down")
        self.finished()

    def _become(self, user, shell, environment):
        try:
            # Whoever started the tests in the background left SIGINT ignored.
            for number in range(1, 32):
                if number not in (signal.SIGKILL, signal.SIGSTOP):
                    signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in (0, 1, 2):
                os.dup2(self.slave, fd)
            os.closerange(3, 256)
            who = pwd.getpwnam(user)
            os.fchown(0, who.pw_uid, 5)
            os.initgroups(user, who.pw_gid)
            os.setgid(who.pw_gid)
            os.setuid(who.pw_uid)
            os.chdir(who.pw_dir)
            os.execvpe(shell[0], shell, {
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": who.pw_dir,
                "USER": user, "LOGNAME": user, "SHELL": "/bin/bash", **environment,
            })
        finally:
            os._exit(127)

    # What the screen shows

    def _read(self, within):
        if not select.select([self.fd], [], [], max(0, within))[0]:
            return
        text = os.read(self.fd, 65536).decode("utf-8", "replace").replace("\r", "")
        self.seen_at = time.monotonic()
        self.unread += text
        self.all += text
        for line in text.split("\n"):
            if line.strip():
                transcript.say("screen", line)

    def expect(self, pattern, within=10):
        """Waits until the screen shows it; what came before is read. Answers the match; `seen_at` says when."""
        end = time.monotonic() + within
        while not (match := re.search(pattern, self.unread)):
            left = end - time.monotonic()
            assert left > 0, f"the screen never showed {pattern!r} within {within} s; unread: {self.unread!r}"
            self._read(left)
        self.unread = self.unread[match.end():]
        return match

    def shows(self, pattern):
        """Whether it is on the part of the screen not yet read."""
        self._read(0)
        return re.search(pattern, self.unread) is not None

    def stays_quiet(self, seconds):
        before = len(self.all)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)
        assert self.all[before:] == "", f"the screen was to stay as it is, and showed {self.all[before:]!r}"

    def finished(self, within=10):
        """Waits for the shell's prompt; answers the exit status of the last command."""
        return int(self.expect(PROMPT, within)[1])

    # What the person does; each answers when it was done

    def type(self, text, note=None):
        transcript.say("types", note or repr(text))
        at = time.monotonic()
        os.write(self.fd, text.encode())
        return at

    def press(self, key):
        return self.type(KEYS[key], key)

    def interrupt(self):
        """Ctrl-C at a hidden prompt. sudo catches signals a moment after it has shown its prompt, and what comes
        before is lost, with or without us."""
        self.hidden()
        time.sleep(0.05)
        return self.press("^C")

    def run(self, command):
        """Types a command at the shell's prompt."""
        at = self.type(command + "\n", command)
        self.expect(re.escape(command) + r"\n")
        return at

    def enter(self, secret):
        """Types a secret and Enter, once the terminal hides what is typed: programs flush what came before."""
        self.hidden()
        return self.type(secret + "\n", f"{secret!r}, hidden")

    def half(self, secret):
        """Types a part of a secret, without Enter, once the terminal hides what is typed."""
        self.hidden()
        return self.type(secret, f"{secret!r}, hidden, no Enter")

    def hidden(self, within=3):
        end = time.monotonic() + within
        while self.echoes():
            assert time.monotonic() < end, "the terminal shows what is typed"
            time.sleep(0.002)

    # What the terminal itself knows

    def echoes(self):
        return bool(termios.tcgetattr(self.fd)[3] & termios.ECHO)

    def modes(self):
        """All settings of the terminal, to compare before and after."""
        return termios.tcgetattr(self.slave)

    def pending(self):
        """How many typed octets wait for the next program. Without canonical mode half a line counts too; asking
        hands that half to whoever reads, so ask once, at the end."""
        # Whoever waits in read() would take it at the change of mode: parents are stopped first, and go on last.
        readers = sorted(processes.at_terminal(os.fstat(self.slave).st_rdev))
        for pid in readers:
            processes.freeze(pid)
        modes = termios.tcgetattr(self.slave)
        raw = [*modes]
        raw[3] = modes[3] & ~termios.ICANON
        termios.tcsetattr(self.slave, termios.TCSANOW, raw)
        try:
            return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))[0]
        finally:
            termios.tcsetattr(self.slave, termios.TCSANOW, modes)
            for pid in reversed(readers):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def never_showed(self, text):
        self._read(0)
        assert text not in self.all, f"{text!r} was shown on the screen"

    def close(self):
        """The window is closed: the shell and what runs in the foreground hang up."""
        for fd in (self.fd, self.slave):
            os.close(fd)
        end = time.monotonic() + 0.5
        while os.waitpid(self.shell, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(self.shell, signal.SIGKILL)
                os.waitpid(self.shell, 0)
                return
            time.sleep(0.01)
