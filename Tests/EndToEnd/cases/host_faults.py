"""The host dies in mid-prompt: no process, no claim and no eaten input stay behind."""
import hosts
import processes
import steps
from case import case
from worldly import PASSCODE

HOSTS = hosts.forms((hosts.SUDO, hosts.SUDO_NO_PTY, hosts.SU, hosts.PAMTESTER, hosts.PAMTESTER_SOCKET))


def waiting(world, host):
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    return person


def host_process(host, person):
    """The host itself: the oldest of its processes, since our own copy of it has the same name."""
    return min(processes.of(host.program))


def nothing_is_left(world, host):
    processes.gone("localauth-helper")
    processes.gone(host.program)
    world.reader.free()


@case(over=HOSTS)
def killed_it_leaves_nothing(world, host):
    person = waiting(world, host)
    processes.kill(host_process(host, person), "KILL")
    assert person.finished() == 137
    nothing_is_left(world, host)
    # Nobody is left who would take the next line; the shell does, shown or not.
    person.type("echo un''eaten\n")
    person.expect(r"uneaten\n")
    assert person.finished() == 0
    person.run(f"stty echo; {host.command}")
    steps.race(person, host)
    world.reader.listening(times=2)
    world.reader.touch()
    person.expect(host.success)


@case(over=HOSTS)
def terminated_it_leaves_nothing(world, host):
    person = waiting(world, host)
    processes.kill(host_process(host, person), "TERM")
    assert person.finished(3) != 0
    nothing_is_left(world, host)
    assert person.echoes(), "the terminal hides what is typed"


@case(over=HOSTS + hosts.forms((hosts.LOGIN,)))
def a_closed_window_leaves_nothing(world, host):
    person = waiting(world, host)
    person.close()
    world.terminals.remove(person)
    nothing_is_left(world, host)


@case(over=hosts.forms((hosts.SUDO, hosts.PAMTESTER)))
def the_copy_that_asks_is_killed(world, host):
    """The process that holds the prompt is not the host; its death is no answer."""
    person = waiting(world, host)
    both = sorted(processes.of(host.program))
    assert len(both) == 2, "the prompt is not in a process of its own"
    at = processes.kill(both[1], "KILL")
    if host.form == "stack":
        person.expect(host.own_prompt + "$", 2)
        at = person.enter(PASSCODE)
        steps.admitted(person, host, at, 1.0, "Enter to success")
    else:
        steps.failed(person, host, at, 1.0, "death to the end of the prompt")
    world.reader.free()
