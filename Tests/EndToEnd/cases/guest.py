"""A guest in somebody else's process: after each way it can end, the host is as before."""
import hosts
import pam
import processes
import steps
from case import case
from worldly import PASSCODE

ENDS = ("finger", "passcode", "wrong passcode", "half a passcode and finger", "Ctrl-C", "unplugged", "fprintd killed",
        "helper killed", "three wrong fingers")


def play(world, person, end):
    """What happens at the prompt."""
    if end == "finger":
        world.reader.touch()
    elif end == "half a passcode and finger":
        person.half("corr")
        world.reader.touch()
    elif end == "Ctrl-C":
        person.press("^C")
    elif end == "helper killed":
        helpers = processes.of("localauth-helper")
        processes.kill(next(pid for pid in helpers if processes.parent(pid) not in helpers), "KILL")
    elif end == "wrong passcode":
        person.enter("wrong horse")
    else:
        if end == "unplugged":
            world.reader.act("UNPLUG")
            person.expect("reader is gone", 2)
        elif end == "fprintd killed":
            processes.kill(world.fprintd(), "KILL")
            person.expect("reader is gone", 2)
        elif end == "three wrong fingers":
            for nth in (1, 2, 3):
                world.reader.listening(times=nth)
                world.reader.touch("OTHER")
            person.expect("enter the passcode", 2)
        person.enter(PASSCODE)


@case(over=ENDS)
def after_each_end_the_host_is_as_before(world, end):
    pam.protect("probe", "alone")
    person = world.client("root", "--watch")
    person.expect(steps.RACE)
    world.reader.listening()
    play(world, person, end)
    person.expect("pam_authenticate: ", 5)
    person.expect("the host is as before")
    person.finished()
    steps.unharmed(person)
    processes.gone("localauth-helper")


@case(product="socket", over=("finger", "passcode", "half a passcode and finger"))
def an_unprivileged_host_is_as_before(world, end):
    pam.protect("probe", "alone")
    person = world.client("alice", "--watch")
    person.expect(steps.RACE)
    world.reader.listening()
    play(world, person, end)
    person.expect("pam_authenticate: 0", 5)
    person.expect("the host is as before")
    person.finished()
    steps.unharmed(person)


@case(over=hosts.forms((hosts.SUDO, hosts.SUDO_NO_PTY, hosts.SU)))
def what_the_host_starts_has_no_descriptor_of_ours(world, host):
    look = "ls /proc/self/fd"
    command = {"sudo": f"sudo -k {look}", "su": f"su alice -c '{look}'"}[host.service]
    world.prepare(host)
    person = world.terminal(host.at)
    person.run(command)
    person.expect(steps.RACE)
    world.reader.listening()
    world.reader.touch()
    # 3 is the folder that ls itself reads.
    person.expect(r"0 *\n?1 *\n?2 *\n?3\n")
    assert person.finished() == 0


@case(over=hosts.forms((hosts.SUDO, hosts.SU)))
def the_passcode_does_not_stay_in_the_host(world, host):
    """A host lives as long as what it starts, and so would a copy on its stack."""
    world.prepare(host)
    person = world.terminal(host.at)
    person.run(host.command.replace("id -un", "sleep 5"))
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    processes.wait_for("sleep")
    for pid in processes.of(host.program):
        found = processes.remembers(pid, PASSCODE)
        assert found == 0, f"{host.program} remembers the passcode {found} times"
