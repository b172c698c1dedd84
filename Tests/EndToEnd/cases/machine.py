"""The world leaves the machine as it was. These cases are played on the machine itself, while no world is up."""
import hashlib
import os
import shutil
import subprocess
import tempfile

from case import case

END_TO_END = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def world(*arguments, launcher=f"{END_TO_END}/world", **more):
    return subprocess.run([launcher, *arguments], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, **more)


def fingerprint(folder):
    """Names, owners, modes and content of everything in a folder."""
    whole = hashlib.sha256()
    for where, folders, files in sorted(os.walk(folder)):
        for name in sorted(folders + files):
            path = os.path.join(where, name)
            about = os.lstat(path)
            whole.update(f"{path} {about.st_mode} {about.st_uid} {about.st_gid} {about.st_mtime_ns}\n".encode())
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    whole.update(file.read())
    return whole.hexdigest()


def mounts():
    with open("/proc/self/mountinfo") as file:
        return file.read()


def groups():
    return {where for where, _, _ in os.walk("/sys/fs/cgroup")}


def processes_in(namespace):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/ns/pid") == namespace:
                found.append(pid)
        except OSError:
            pass
    return found


def machine():
    return {
        "mounts": mounts(), "/etc": fingerprint("/etc"), "cgroups": groups(), "/home": os.listdir("/home"),
        "modules": fingerprint("/usr/lib/x86_64-linux-gnu/security"), "helper": os.path.exists("/usr/libexec/localauth"),
        "users": subprocess.run(["getent", "passwd"], capture_output=True).stdout, "host name": os.uname().nodename,
        "prints": os.path.isdir("/var/lib/fprint") and fingerprint("/var/lib/fprint"),
    }


def damage(out):
    """A world in which everything was changed and much was left running."""
    return world("--out", out, "bash", "-c", """
        echo broken > /etc/pam.d/sudo; userdel -r eve; rm -rf /usr/libexec /var/lib/fprint
        mount -t tmpfs none /opt; hostname elsewhere; setsid sleep 1000 & disown; echo $(id -un) in $(hostname)""")


@case(product="none", inside=False)
def nothing_is_left_of_a_world():
    before = machine()
    with tempfile.TemporaryDirectory() as out:
        done = damage(out)
        with open(f"{out}/namespace") as file:
            namespace = file.read().strip()
    assert done.returncode == 0 and done.stdout == "root in elsewhere\n", done.stdout + done.stderr
    after = machine()
    for part in before:
        assert before[part] == after[part], f"the world changed the machine's {part}"
    assert processes_in(namespace) == [], "processes of the world live on"


@case(product="none", inside=False)
def a_killed_world_takes_its_processes_along():
    with tempfile.TemporaryDirectory() as out:
        process = subprocess.Popen([f"{END_TO_END}/world", "--out", out, "--", "bash", "-c", "echo up; sleep 1000"],
                                   stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "up\n"
        with open(f"{out}/namespace") as file:
            namespace = file.read().strip()
        assert processes_in(namespace), "the world has no processes"
        process.kill()
        process.wait()
        process.stdout.close()
    assert subprocess.run(["timeout", "20", "sh", "-c", 'while ls -l /proc/[0-9]*/ns/pid 2>/dev/null | '
                           f'grep -qF "{namespace}"; do sleep 0.02; done']).returncode == 0, "processes live on"


@case(product="none", inside=False)
def the_exit_status_of_the_command_is_the_worlds():
    with tempfile.TemporaryDirectory() as out:
        assert world("--out", out, "sh", "-c", "exit 7").returncode == 7


@case(product="none", inside=False)
def without_root_it_says_what_is_missing():
    # The repository may lie where nobody else can come.
    with tempfile.TemporaryDirectory() as repo:
        os.chmod(repo, 0o755)
        shutil.copytree(END_TO_END, f"{repo}/Tests/EndToEnd")
        done = world("true", launcher=f"{repo}/Tests/EndToEnd/world", user="nobody")
    assert done.returncode == 2 and "needs root" in done.stderr and "sudo" in done.stderr, done.stderr


@case(product="none", inside=False)
def an_unknown_option_is_named():
    done = world("--readers", "two", "true")
    assert done.returncode == 2 and "--readers" in done.stderr


@case(product="none", inside=False, over=("/tmp", "/run", "/mnt", "/home", "/var/tmp", "/etc"))
def the_output_may_be_anywhere(below):
    with tempfile.TemporaryDirectory(dir=below, prefix="out put ") as out:
        done = world("--out", out, "sh", "-c", 'echo here > "$WORLD_OUT/mine"')
        assert done.returncode == 0, done.stderr
        with open(f"{out}/mine") as file:
            assert file.read() == "here\n"
        assert os.path.getsize(f"{out}/bus") > 0, "the log of the bus is empty"


@case(product="none", inside=False)
def the_repository_may_be_anywhere():
    with tempfile.TemporaryDirectory(dir="/home", prefix="a repository ") as repo:
        shutil.copytree(END_TO_END, f"{repo}/Tests/EndToEnd")
        with tempfile.TemporaryDirectory() as out:
            done = world("--out", out, "fprintd-list", "alice", launcher=f"{repo}/Tests/EndToEnd/world")
        assert "right-index-finger" in done.stdout, done.stderr
