"""What happened, one line each: seconds since the start, who, what."""
import time

_start = time.monotonic()


def say(who, what):
    print(f"  {time.monotonic() - _start:7.3f}  {who:<8} {what}", flush=True)
