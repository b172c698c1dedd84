"""pam-auth-update(8), the real one, on the world's own /etc and /var."""
import os
import shutil
import subprocess

import transcript

CONFIGS = "/usr/share/pam-configs"
OURS = "localauth"


def as_debian_ships_it(*more):
    """The common stack as pam-auth-update makes it of pam_unix's profile; `more` are other profiles that may stay."""
    for name in os.listdir(CONFIGS):
        if name not in ("unix", OURS, *more):
            os.unlink(f"{CONFIGS}/{name}")
    for name in os.listdir("/usr/share/pam"):
        if not name.endswith(".md5sums"):
            shutil.copy(f"/usr/share/pam/{name}", f"/etc/pam.d/{name}")
    shutil.rmtree("/var/lib/pam")
    os.mkdir("/var/lib/pam")
    update("--force")


def update(*words):
    transcript.say("root", "pam-auth-update " + " ".join(words))
    subprocess.run(["pam-auth-update", *words], check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                   env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def enable():
    """What README says."""
    as_debian_ships_it()
    update("--enable", OURS)


def lines(kind="auth"):
    """What common-auth comes to, without comments."""
    with open(f"/etc/pam.d/common-{kind}") as file:
        return [" ".join(line.split()) for line in file if line.strip() and not line.startswith("#")]


def files():
    """Everything that decides: name, mode and content. /var/lib/pam/seen only says which profiles were offered."""
    found = {}
    for folder in ("/etc/pam.d", "/var/lib/pam"):
        for name in os.listdir(folder):
            if name != "seen":
                with open(f"{folder}/{name}", "rb") as file:
                    found[f"{folder}/{name}"] = (os.fstat(file.fileno()).st_mode, file.read())
    return found
