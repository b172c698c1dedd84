"""Files that grow: the world's syslog, and what the monitor of the bus writes."""
import itertools
import os
import re
import socket
import time


class Growing:
    """Lines of a file that came after a mark."""

    def __init__(self, path):
        self.path = path
        self.start = 0

    def mark(self):
        """From here on: forgets what is there."""
        self.start = os.path.getsize(self.path)

    def lines(self, pattern=""):
        with open(self.path, "rb") as file:
            file.seek(self.start)
            whole = file.read().decode("utf-8", "replace").rpartition("\n")[0]
        return [line for line in whole.split("\n") if line and re.search(pattern, line)]

    def wait(self, pattern, within=5.0):
        end = time.monotonic() + within
        while not (found := self.lines(pattern)):
            assert time.monotonic() < end, f"{self.path} has no line like {pattern!r} after {within} s"
            time.sleep(0.005)
        return found


class SystemLog(Growing):
    """What was sent to /dev/log is in the file by the time this looks at it."""

    _numbers = itertools.count()

    def _arrived(self):
        """Messages come through in order: one of our own, and all before it are there."""
        word = f"mark {os.getpid()}.{next(self._numbers)}."
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
            log.connect("/dev/log")
            log.send(b"<15>" + word.encode())
        end = time.monotonic() + 5
        while not super().lines(re.escape(word)):
            assert time.monotonic() < end, "the system log takes nothing"
            time.sleep(0.002)

    def mark(self):
        self._arrived()
        super().mark()

    def lines(self, pattern=""):
        self._arrived()
        return [line for line in super().lines(pattern) if "<15>mark " not in line]
