"""PAM services of the world. Also a command: `pam.py SERVICE FORM [OPTION...]` protects a service."""
import os
import re
import sys

REPOSITORY = os.path.realpath(__file__ + "/../../../..")
# Further options go behind these words.
MODULE = "pam_localauth.so passcode=stack"
# What else than the shipped lines, form "stack", may stand in the place of `@include common-auth`.
FORMS = {
    "stock": "auth substack common-auth",
    # Nothing of ours but what pam-auth-update puts into common-auth: lib/profiles.py.
    "profile": "@include common-auth",
    "alone": "auth required pam_localauth.so{}",
    # The next module is asked, whatever the answer: its line in the log proves it.
    "next": "auth [success=done default=ignore] pam_localauth.so{}\nauth required pam_echo.so NEXT-MODULE-ASKED\n"
            "auth required pam_deny.so",
    "fprintd": "auth [success=1 default=ignore] pam_fprintd.so max-tries=3 timeout=10{}\n"
               "auth substack common-auth\nauth required pam_permit.so",
}


def shipped_lines(options=""):
    """The lines for a service, as README and the manual page show them; tools/lint holds them to the same file."""
    with open(f"{REPOSITORY}/pam/service-lines") as file:
        lines = file.read().rstrip("\n")
    assert lines.count(MODULE) == 1, lines
    return lines.replace(MODULE, MODULE + options)


MARK = "# End-to-end tests: the lines that decide."


def protect(service, form, *options):
    """Puts one form of authentication into a service, in place of the one before."""
    path = f"/etc/pam.d/{service}"
    with open(path) as file:
        text = file.read()
    words = "".join(" " + option for option in options)
    lines = shipped_lines(words) if form == "stack" else FORMS[form].format(words)
    block = f"{MARK}\n{lines}\n{MARK}"
    if MARK in text:
        text = re.sub(f"{MARK}.*{MARK}", lambda _: block, text, flags=re.S)
    else:
        text, count = re.subn(r"(?m)^@include common-auth$", lambda _: block, text)
        assert count == 1, f"{path} has no line '@include common-auth'"
    with open(path, "w") as file:
        file.write(text)


def write(service, *lines):
    """Replaces a whole service."""
    with open(f"/etc/pam.d/{service}", "w") as file:
        file.write("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    protect(*sys.argv[1:])
