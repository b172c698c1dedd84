"""false_helper.py FAULT [N] exec: stands in the place of localauth-helper and is broken in one way.

  silent          says nothing until the front end goes away
  exit            ends at once
  crash           is killed at once
  garbage         random octets
  half            half a frame, then the end
  flood           10 MB of what could be frames
  cut N           the real helper, killed before its Nth frame is passed on (0: after the first octets of the hello)
"""
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys

HELPER = "/usr/libexec/localauth/localauth-helper.real"
HEADER = 5


def send(link, octets):
    try:
        link.sendall(octets)
    except OSError:
        pass


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def cut(link, frames):
    """Passes the dialogue on, and kills the real helper and itself at the given frame."""
    if frames == 0:
        link.recv(1)
        die()
    ours, theirs = socket.socketpair()
    helper = subprocess.Popen([HELPER, "exec"], stdin=theirs)
    theirs.close()
    waiting = b""
    while True:
        for ready in select.select([link, ours], [], [])[0]:
            octets = ready.recv(65536)
            if not octets:
                helper.kill()
                die()
            if ready is link:
                send(ours, octets)
                continue
            waiting += octets
            while len(waiting) >= HEADER and len(waiting) >= (size := HEADER + struct.unpack("<I", waiting[:4])[0]):
                frames -= 1
                if frames == 0:
                    # Not a whole frame and not nothing: the octets before the death are its worst moment.
                    send(link, waiting[:size // 2])
                    helper.kill()
                    die()
                send(link, waiting[:size])
                waiting = waiting[size:]


def main():
    fault = sys.argv[1]
    link = socket.socket(fileno=0)
    if fault == "exit":
        return
    if fault == "crash":
        die()
    if fault == "cut":
        cut(link, int(sys.argv[2]))
    link.recv(1)
    if fault == "silent":
        while link.recv(65536):
            pass
    if fault == "garbage":
        send(link, random.Random(1).randbytes(4096))
    if fault == "half":
        send(link, struct.pack("<IB", 200, 20) + b"\0" * 40)
    if fault == "flood":
        send(link, (struct.pack("<IB", 5, 17) + b"\1\0\0\0\0") * 1_000_000)


main()
