"""What a module must leave in its host as it was: asked before and after, from inside."""
import ctypes
import locale
import os
import signal
import termios

libc = ctypes.CDLL(None)


def status(name):
    with open("/proc/self/status") as file:
        return next(line.split(":")[1].strip() for line in file if line.startswith(name + ":"))


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()


def descriptors():
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            pass
    # The one that was listed with.
    return {fd: link for fd, link in found.items() if not link.endswith("/fd")}


def environment():
    pointer = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    found = []
    while pointer and pointer[len(found)] is not None:
        found.append(pointer[len(found)])
    return found


def terminal():
    try:
        return termios.tcgetattr(0), os.tcgetpgrp(0)
    except (OSError, termios.error):
        return None


def snapshot():
    return {
        "threads": status("Threads"), "children": children(), "descriptors": descriptors(),
        "blocked signals": status("SigBlk"), "ignored signals": status("SigIgn"), "caught signals": status("SigCgt"),
        "pending signals": status("SigPnd") + status("ShdPnd"), "umask": status("Umask"), "uids": status("Uid"),
        "gids": status("Gid"), "folder": os.getcwd(), "environment": environment(), "locale": locale.setlocale(locale.LC_ALL),
        "group and session": (os.getpgrp(), os.getsid(0)), "terminal": terminal(), "timers": signal.getitimer(signal.ITIMER_REAL),
        "dumpable": libc.prctl(3, 0, 0, 0, 0), "no new privileges": status("NoNewPrivs"), "parent": os.getppid(),
    }


def differences(before, after):
    return [f"{name}: {before[name]} -> {after[name]}" for name in before if before[name] != after[name]]
