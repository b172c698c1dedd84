"""The smallest PAM host: one transaction, every message of the conversation shown with its time, and the code.

  pamclient.py [--service S] [--user U] [--rhost H] [--tty T] [--silent] [--disallow-null]
               [--watch] [--conversation terminal|answers|error|none] [--answer TEXT]... [--then setcred|acct]...

`terminal` is libpam_misc's own conversation on the terminal. `answers` gives the --answer texts in turn, and fails
when they are used up. `error` fails at once; `none` has no function at all. With --watch it tells what the module
left changed in the process.
"""
import argparse
import ctypes
import ctypes.util
import os
import signal
import sys
import time

import hoststate

STYLES = {1: "PROMPT_ECHO_OFF", 2: "PROMPT_ECHO_ON", 3: "ERROR_MSG", 4: "TEXT_INFO"}
CODES = {
    0: "SUCCESS", 1: "OPEN_ERR", 3: "SERVICE_ERR", 4: "SYSTEM_ERR", 5: "BUF_ERR", 6: "PERM_DENIED", 7: "AUTH_ERR",
    8: "CRED_INSUFFICIENT", 9: "AUTHINFO_UNAVAIL", 10: "USER_UNKNOWN", 11: "MAXTRIES", 12: "NEW_AUTHTOK_REQD",
    13: "ACCT_EXPIRED", 19: "CONV_ERR", 20: "AUTHTOK_ERR", 25: "IGNORE", 26: "ABORT", 28: "MODULE_UNKNOWN",
}
PAM_CONV_ERR, PAM_RHOST, PAM_TTY = 19, 4, 3
PAM_SILENT, PAM_DISALLOW_NULL_AUTHTOK, PAM_ESTABLISH_CRED = 0x8000, 1, 2


class Message(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]


class Response(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]


Function = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.POINTER(Message)), ctypes.POINTER(ctypes.POINTER(Response)),
    ctypes.c_void_p)


class Conversation(ctypes.Structure):
    _fields_ = [("function", ctypes.c_void_p), ("data", ctypes.c_void_p)]


pam = ctypes.CDLL("libpam.so.0")
misc = ctypes.CDLL("libpam_misc.so.0")
libc = ctypes.CDLL(None)
libc.calloc.restype = libc.strdup.restype = ctypes.c_void_p
libc.calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
start = time.monotonic()


def say(text):
    # One write: the module's child must not find half a line in a buffer of ours.
    os.write(1, f"{time.monotonic() - start:.3f} {text}\n".encode())


def conversation(asked):
    """The function that answers the module."""
    left = list(asked.answer)

    def answer(count, messages, responses, _):
        given = libc.calloc(count, ctypes.sizeof(Response))
        table = ctypes.cast(given, ctypes.POINTER(Response))
        for n in range(count):
            message = messages[n].contents
            say(f"{STYLES.get(message.style, message.style)} {message.text.decode()!r}")
            if asked.conversation == "error":
                return PAM_CONV_ERR
            if message.style in (1, 2):
                if not left:
                    say("no answer left")
                    return PAM_CONV_ERR
                table[n].text = libc.strdup(left.pop(0).encode())
        responses[0] = table
        return 0

    if asked.conversation == "terminal":
        return ctypes.cast(misc.misc_conv, ctypes.c_void_p)
    if asked.conversation == "none":
        return None
    function = Function(answer)
    conversation.kept = function
    return ctypes.cast(function, ctypes.c_void_p)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--service", default="probe")
    parser.add_argument("--user", default="alice")
    parser.add_argument("--rhost")
    parser.add_argument("--tty")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--disallow-null", action="store_true")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--conversation", default="terminal", choices=("terminal", "answers", "error", "none"))
    parser.add_argument("--answer", action="append", default=[])
    parser.add_argument("--then", action="append", default=[], choices=("setcred", "acct"))
    asked = parser.parse_args()

    handle = ctypes.c_void_p()
    conv = Conversation(conversation(asked), None)
    code = pam.pam_start(asked.service.encode(), asked.user.encode(), ctypes.byref(conv), ctypes.byref(handle))
    for item, value in ((PAM_RHOST, asked.rhost), (PAM_TTY, asked.tty)):
        if code == 0 and value is not None:
            code = pam.pam_set_item(handle, item, value.encode())
    if code == 0:
        flags = PAM_SILENT * asked.silent | PAM_DISALLOW_NULL_AUTHTOK * asked.disallow_null
        if asked.watch:
            # The C library's way to the log stays open after the first line, whoever writes it.
            libc.syslog(7, b"pamclient starts")
            signal.signal(signal.SIGINT, lambda *_: None)
            before = hoststate.snapshot()
        began = time.monotonic()
        code = pam.pam_authenticate(handle, flags)
        say(f"pam_authenticate: {code} {CODES.get(code, '?')} after {1000 * (time.monotonic() - began):.0f} ms")
        if asked.watch:
            changed = hoststate.differences(before, hoststate.snapshot())
            say("the host is as before" if not changed else "CHANGED " + "; ".join(changed))
        for step in asked.then:
            more = pam.pam_setcred(handle, PAM_ESTABLISH_CRED) if step == "setcred" else pam.pam_acct_mgmt(handle, 0)
            say(f"pam_{step}: {more} {CODES.get(more, '?')}")
    pam.pam_end(handle, code)
    say("the host goes on")
    return code


if __name__ == "__main__":
    sys.exit(main())
