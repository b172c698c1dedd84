"""Files that grow: the world's syslog, and what the monitor of the bus writes."""
import os
import re
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
