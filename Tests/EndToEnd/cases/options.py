"""The module's options, and what the person reads."""
import hosts
import pam
import processes
import steps
from case import case
from worldly import PASSCODE

SUDO = hosts.forms((hosts.SUDO,))


@case(over=SUDO)
def an_unknown_option_is_named_in_the_log(world, host):
    person = world.host(host, "tmeout=5")
    steps.race(person, host)
    [line] = world.log.lines(r"pam_localauth.*tmeout")
    assert "unknown option" in line


@case(over=("timeout=abc", "timeout=0", "timeout=9999", "max-tries=0", "max-tries=x"))
def a_bad_value_is_named_in_the_log(world, option):
    person = world.host(hosts.SUDO, option)
    steps.race(person, hosts.SUDO)
    [line] = world.log.lines(r"pam_localauth.*" + option)
    assert "bad value" in line


@case(over=("policy=everybody", "passcode=none"))
def a_policy_that_cannot_be_read_refuses(world, option):
    pam.protect("probe", "alone", option)
    assert steps.code(world.client("root"))[0] == 9
    assert world.log.lines(r"pam_localauth.*" + option)
    world.reader.untouched()


@case(over=("biometrics", "1"))
def the_finger_alone_has_two_names(world, policy):
    pam.protect("probe", "alone", f"policy={policy}")
    person = world.client("root")
    person.expect("Swipe your finger across the reader")


@case(over=("companion", "3", "4"))
def without_a_companion_it_is_not_available(world, policy):
    pam.protect("probe", "alone", f"policy={policy}")
    assert steps.code(world.client("root"))[0] == 9
    world.reader.untouched()


@case(over=SUDO)
def a_reason_is_shown(world, host):
    person = world.host(host, "[reason=open the vault]")
    person.expect(r"sudo -k id -un: open the vault asks for alice\n")
    person.expect(steps.RACE)


@case(over=SUDO)
def one_try_is_one_finger(world, host):
    person = world.host(host, "max-tries=1")
    steps.race(person, host)
    world.reader.listening()
    world.reader.touch("OTHER")
    person.expect("Finger not recognised: enter the passcode")
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case()
def a_press_reader_is_touched(world):
    world.reader.act("SET_SCAN_TYPE press")
    host = hosts.SUDO
    person = world.host(host)
    person.expect(r"Passcode, or touch the reader: $")
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case()
def the_command_is_shown_without_control_characters(world):
    pam.protect("sudo", "stack")
    person = world.terminal("alice")
    person.run("sudo -k printf $'one\\e[31mtwo\\nthree\\x07'")
    match = person.expect(r"(sudo -k printf [^\n]*) asks for alice\n")
    assert "\x1b" not in match[1] and "\x07" not in match[1], "control characters reach the terminal"


@case()
def a_long_command_fits_on_a_line(world):
    pam.protect("sudo", "stack")
    person = world.terminal("alice")
    person.run("sudo -k echo " + "word " * 60)
    match = person.expect(r"(sudo -k echo [^\n]*asks for alice)\n")
    assert len(match[1]) <= 100, f"{len(match[1])} columns"


@case(over=("right", "wrong", "none"))
def use_first_pass_takes_what_was_typed_before(world, passcode):
    """pam_unix asks first, as an earlier module; ours verifies the same passcode without asking."""
    pam.write("probe", "auth optional pam_unix.so", "auth required pam_localauth.so use_first_pass")
    if passcode == "none":
        pam.write("probe", "auth required pam_localauth.so use_first_pass")
        person = world.client("root")
        assert steps.code(person)[0] == 9
    else:
        person = world.client("root")
        person.expect(r"Password: $")
        person.enter(PASSCODE if passcode == "right" else "wrong horse")
        assert steps.code(person)[0] == (0 if passcode == "right" else 7)
    assert "Passcode" not in person.all
    world.reader.untouched()


@case()
def a_request_leaves_at_most_two_lines_in_the_log(world):
    host = hosts.SUDO
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")
    processes.gone("localauth-helper")
    lines = world.log.lines("localauth")
    assert 1 <= len(lines) <= 2, f"{len(lines)} lines: {lines}"
    assert any("alice" in line and "success" in line for line in lines)


@case()
def a_name_adds_no_field_to_the_log(world):
    pam.protect("probe", "alone")
    person = world.client("root", "--user 'nobody outcome=success user=alice' --conversation answers --answer x")
    assert steps.code(person)[0] != 0
    lines = world.log.lines(r"outcome=")
    assert lines and not [line for line in lines if "outcome=success" in line], lines


@case()
def a_long_reason_leaves_room_for_whom_it_is(world):
    pam.protect("probe", "alone", "[reason=" + "\N{ELEPHANT}" * 120 + "]")
    person = world.client("root")
    person.expect("\N{ELEPHANT} asks for alice\n", 2)


@case()
def a_name_that_cannot_be_one_is_refused_and_logged(world):
    pam.protect("probe", "alone")
    person = world.client("root", "--user $'ali\\x1bce' --conversation answers --answer x")
    assert steps.code(person)[0] == 9
    assert world.log.lines(r"localauth-helper: refused: no request")


@case()
def a_request_that_nobody_waits_for_is_logged(world):
    person = world.host(hosts.SU)
    steps.race(person, hosts.SU)
    world.reader.listening()
    processes.kill(min(processes.of("su")), "KILL")
    assert person.finished() == 137
    processes.gone("localauth-helper")
    assert world.log.lines(r"outcome=appCancel")
