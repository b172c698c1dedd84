"""What runs in the world, read from /proc."""
import contextlib
import os
import signal
import time

import transcript

TICKS = os.sysconf("SC_CLK_TCK")


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def argv(pid):
    return read(pid, "cmdline").rstrip("\0").split("\0")


def state(pid):
    """R, S, T, Z ...; empty when there is no such process."""
    return (read(pid, "stat").rpartition(")")[2].split() or [""])[0]


def parent(pid):
    fields = read(pid, "stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else 0


def of(program):
    """Live processes whose program has this file name, or whose script or interpreter has."""
    return [
        pid for pid in pids()
        if state(pid) not in ("", "Z")
        and program in {os.path.basename(word) for word in argv(pid)[:2]}
    ]


def gone(program, within=1.0):
    """Waits until no such process is left."""
    end = time.monotonic() + within
    while left := of(program):
        assert time.monotonic() < end, f"left behind after {within} s: " + "; ".join(
            f"{pid} ({state(pid)}) {' '.join(argv(pid))}" for pid in left)
        time.sleep(0.01)


def wait_for(program, within=5.0):
    end = time.monotonic() + within
    while not (found := of(program)):
        assert time.monotonic() < end, f"{program} did not start within {within} s"
        time.sleep(0.005)
    return found


def remembers(pid, text):
    """How often a text is in what a process can write to."""
    count = 0
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            area, access = line.split()[:2]
            if not access.startswith("rw"):
                continue
            begin, end = (int(word, 16) for word in area.split("-"))
            memory.seek(begin)
            count += memory.read(end - begin).count(text.encode())
    return count


def at_terminal(device):
    """Live processes whose controlling terminal this is."""
    number = os.major(device) << 8 | os.minor(device)
    return [pid for pid in pids() if state(pid) not in ("", "Z")
            and read(pid, "stat").rpartition(")")[2].split()[4:5] == [str(number)]]


def freeze(pid):
    """Stops a process, and waits until it is."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
    while state(pid) not in ("T", "", "Z"):
        time.sleep(0.001)


def kill(pid, name):
    """Sends a signal, unless the process has ended by itself; answers when."""
    transcript.say("kill", f"-{name} {pid} ({' '.join(argv(pid))})")
    at = time.monotonic()
    try:
        os.kill(pid, getattr(signal, "SIG" + name))
    except ProcessLookupError:
        transcript.say("kill", f"{pid} has ended")
    return at


def cpu(pid):
    """Seconds of processor time, children that have ended included."""
    fields = read(pid, "stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS if fields else 0.0


def busy(programs, seconds):
    """The share of one processor that these programs take over some time."""
    watched = {pid: cpu(pid) for program in programs for pid in of(program)}
    time.sleep(seconds)
    share = sum(max(0.0, cpu(pid) - before) for pid, before in watched.items()) / seconds
    transcript.say("cpu", f"{share:.2f} of a processor in {seconds} s: {' '.join(programs)}, {len(watched)} processes")
    return share
