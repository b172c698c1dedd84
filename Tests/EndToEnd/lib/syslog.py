"""syslog.py FILE: takes /dev/log and writes each message as one line, monotonic time first."""
import os
import socket
import sys
import time

log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
log.bind("/dev/log")
os.chmod("/dev/log", 0o666)
with open(sys.argv[1], "w", buffering=1) as out:
    while True:
        text = log.recv(65536).rstrip(b"\0\n").decode("utf-8", "replace")
        out.write(f"{time.monotonic():.6f} {text}\n")
