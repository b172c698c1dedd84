"""The programs that ask, and how each looks to the person."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Host:
    name: str
    service: str
    # Whose terminal it is, and what is typed there.
    at: str
    command: str
    # What the screen shows when it worked, and when the answer was wrong.
    success: str
    refused: str
    # Its prompt without us, and who it says is asking with us.
    own_prompt: str
    asks: str
    product: str = ""
    use_pty: bool = True
    # Its file name in /proc, and the form of our lines in its service (pam.py).
    program: str = ""
    form: str = "stack"

    def __str__(self):
        return f"{self.name}, {self.form}"

    def of(self, user):
        """The same, asking for somebody else than alice."""
        swap = lambda text: text.replace("alice", user)
        return replace(self, at=swap(self.at), command=swap(self.command), success=swap(self.success),
                       own_prompt=swap(self.own_prompt), asks=swap(self.asks))


SUDO = Host(
    "sudo", "sudo", "alice", "sudo -k id -un", r"(?m)^root\n", r"Sorry, try again\.",
    r"\[sudo\] password for alice: ", "sudo -k id -un asks for alice", program="sudo")
SUDO_NO_PTY = replace(SUDO, name="sudo without use_pty", use_pty=False)
SU = Host(
    "su", "su", "eve", "su alice -c 'id -un'", r"(?m)^alice\n", r"su: Authentication failure",
    r"Password: ", "su asks for alice", program="su")
LOGIN = Host(
    "login", "login", "root", "login alice", r"\[0\]alice\$ $", r"Login incorrect",
    r"Password: ", "login asks for alice", program="login")
PAMTESTER = Host(
    "pamtester as root", "probe", "root", "pamtester probe alice authenticate", r"successfully authenticated",
    r"pamtester: Authentication failure", r"Password: ", "probe asks for alice", program="pamtester")
PAMTESTER_SOCKET = replace(PAMTESTER, name="pamtester as alice, socket", at="alice", product="socket")
PAMTESTER_SETUID = replace(PAMTESTER, name="pamtester as alice, setuid", at="alice", product="setuid")

STOCK = (SUDO, SUDO_NO_PTY, SU, LOGIN, PAMTESTER)
ROOT = STOCK
ALL = (*STOCK, PAMTESTER_SOCKET)


def forms(hosts, *names):
    """The hosts, each with these forms of our lines in its service."""
    return tuple(replace(host, form=name) for name in names or ("stack", "alone") for host in hosts)
