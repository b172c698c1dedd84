"""compare.py ROUNDS: measures ours and its peers in turns, inside a world; see `run`."""
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

sys.path.insert(0, "/mnt/repo/Tests/EndToEnd/lib")
import pam

OUT = os.environ["WORLD_OUT"]
READER = os.environ["WORLD_READER"]
MODULES = os.path.dirname(subprocess.run(["find", "/usr/lib", "-name", "pam_unix.so"], capture_output=True, text=True,
                                         check=True).stdout.split()[0])
RUNS = 20
PASSCODE = "correct horse"
# The reader answers as soon as it is asked: see reader.py. SLEEP 0 keeps the answer behind VerifyStart's own.
MATCH = ["-z", "30", "-p", READER, "CONT ", "-p", READER, "SLEEP 0", "-p", READER, "SCAN FINGER-ALICE"]

SERVICES = {
    "permit": "auth required pam_permit.so",
    "nothing": "auth required pam_localauth.so use_first_pass",
    "ours": "auth required pam_localauth.so",
    "ours-stack": "auth required pam_localauth.so passcode=stack",
    "unix": "auth required pam_unix.so",
    "fprintd": "auth required pam_fprintd.so max-tries=3 timeout=10",
}


@dataclass
class Contender:
    name: str
    program: list
    expected: int
    options: list = field(default_factory=list)
    inside: bool = False
    times: list = field(default_factory=list)

    def measure(self):
        done = subprocess.run([f"{OUT}/measure", "-n", str(RUNS), *self.options, "--", *self.program],
                              capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            took, status, *inside = line.split()
            if int(status) != self.expected:
                sys.exit(f"{self.name}: ended in {status}, not in {self.expected}")
            self.times.append(float(inside[0] if self.inside else took))


def transaction(name, service, user, expected, *options):
    return Contender(name, [f"{OUT}/transaction", service, user, PASSCODE], expected, list(options))


def load(name, module):
    return Contender(name, [f"{OUT}/load", module], 0, inside=True)


def contests():
    """What is compared: ours first, the peer second."""
    eve, alice = ["-u", "2006"], ["-u", "2001"]
    return [
        ("module, dlopen in a new process", load("pam_localauth", f"{MODULES}/pam_localauth.so"),
         load("C stub", f"{OUT}/stub.so")),
        ("transaction with nothing to ask", transaction("pam_localauth", "nothing", "alice", 9),
         transaction("pam_permit", "permit", "alice", 0)),
        ("finger matched at once, root host", transaction("pam_localauth", "ours", "alice", 0, *MATCH),
         transaction("pam_fprintd", "fprintd", "alice", 0, *MATCH)),
        ("finger matched at once, host of the user", transaction("pam_localauth", "ours", "alice", 0, *alice, *MATCH),
         transaction("pam_fprintd, root host", "fprintd", "alice", 0, *MATCH)),
        ("passcode yescrypt, root host", transaction("pam_localauth", "ours", "eve", 0),
         transaction("pam_unix", "unix", "eve", 0)),
        ("passcode yescrypt, host of the user", transaction("pam_localauth", "ours", "eve", 0, *eve),
         transaction("pam_unix, unix_chkpwd", "unix", "eve", 0, *eve)),
        ("nobody enrolled, left to the stack", transaction("pam_localauth", "ours-stack", "eve", 9),
         transaction("pam_fprintd", "fprintd", "eve", 9)),
    ]


def main():
    for name, line in SERVICES.items():
        pam.write(name, line, "account required pam_permit.so")
    rows = contests()
    for _ in range(int(sys.argv[1])):
        for _, ours, peer in rows:
            ours.measure()
            peer.measure()
    print(f"Medians of {len(rows[0][1].times)} runs of a whole process, in turns; dlopen by itself. In brackets: p10 to p90.\n")
    print(f"| {'what':<42} | {'ours, µs':>21} | {'peer, µs':>21} | ratio | peer")
    print(f"|{'-' * 44}|{'-' * 22}:|{'-' * 22}:|------:|-----")
    for what, ours, peer in rows:
        middle = [statistics.median(each.times) for each in (ours, peer)]
        cells = [f"{m:.0f} ({d[0]:.0f}–{d[-1]:.0f})" for m, d in
                 zip(middle, (statistics.quantiles(each.times, n=10) for each in (ours, peer)))]
        print(f"| {what:<42} | {cells[0]:>21} | {cells[1]:>21} | {middle[0] / middle[1]:5.2f} | {peer.name}")


main()
