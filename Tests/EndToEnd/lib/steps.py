"""Steps that many cases share: what the person sees of ours, and how a host's end looks."""
import re

from worldly import PASSCODE, at_most

RACE = r"Passcode, or swipe the reader: $"
ALONE = r"Passcode: $"


def race(person, host, within=2.0):
    """Our prompt: who asks for what, and both ways."""
    person.expect(re.escape(host.asks) + r"\n", within)
    person.expect(RACE, within)


def no_reader(person, host, within=1.0):
    """What is asked when no reader may be used: the host's own prompt, or ours without the reader."""
    if host.form in ("stack", "profile"):
        person.expect(host.own_prompt + "$", within)
        assert "Passcode" not in person.all, "we asked, and the host asked again"
    else:
        person.expect(re.escape(host.asks) + r"\n", within)
        person.expect(ALONE, within)


def any_prompt(person, host, within=2.0):
    """The passcode is asked for, by whomever; who says how soon."""
    person.expect(f"({host.own_prompt}|Passcode[^\n]*: )$", within)


def again(world, person, host):
    """After a refusal: su has ended, login asks who it is, and sudo asks by itself."""
    if host.service == "login":
        person.expect("login: $")
        person.run("alice")
    elif host.service != "sudo":
        person.finished()
        return world.host(host)
    return person


def wrong_is_refused_and_right_is_right(world, host):
    """Whatever asks, and whatever is broken: a wrong passcode does not get in, and the right one does."""
    person = world.host(host)
    any_prompt(person, host)
    person.enter("wrong horse")
    person.expect(host.refused, 8)
    assert not person.shows(host.success), "a wrong passcode was enough"
    person = again(world, person, host)
    any_prompt(person, host, 4)
    at = person.enter(PASSCODE)
    admitted(person, host, at, 2.0, f"{host}: Enter to success")


def admitted(person, host, since, limit, what):
    """The host did what it was asked to, in time, and the terminal is as it was."""
    person.expect(host.success)
    at_most(limit, since, person.seen_at, what)
    if host.service == "login":
        person.run("exit")
    assert person.finished() == 0
    unharmed(person)


def denied(person, host, since, limit, what):
    """The host ended without doing it, in time, and the terminal is as it was."""
    status = person.finished(within=limit + 5)
    at_most(limit, since, person.seen_at, what)
    assert status != 0, "the host ended with 0"
    assert not re.search(host.success, person.all), "the host did what it was asked to"
    unharmed(person)


def failed(person, host, since, limit, what):
    """The request ended without success, in time. sudo then asks anew, and Ctrl-C ends that."""
    if host.service == "sudo":
        person.expect(host.refused, limit + 5)
        at_most(limit, since, person.seen_at, what)
        any_prompt(person, host)
        since = person.interrupt()
    denied(person, host, since, limit, what)


def unharmed(person):
    """Echo, modes and input are the shell's again, and the shell works."""
    assert person.echoes(), "the terminal hides what is typed"
    assert person.modes() == person.before, "the terminal has other modes than before"
    assert person.pending() == 0, "typed octets are left for the next program"
    person.run("echo the shell is fine")
    person.expect(r"the shell is fine\n")
    assert person.finished() == 0


def code(person, within=10):
    """What pamclient.py got from pam_authenticate, and after how many seconds."""
    match = person.expect(r"pam_authenticate: (\d+) \w+ after (\d+) ms", within)
    person.expect("the host goes on")
    person.finished()
    return int(match[1]), int(match[2]) / 1000
