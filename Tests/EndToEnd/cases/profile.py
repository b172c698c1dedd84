"""The module in common-auth, put there by pam-auth-update; and what both shipped forms come to without our parts."""
import os
import re
import subprocess

import hosts
import pam
import profiles
import steps
from case import case
from worldly import HELPER, PASSCODE

STACK = hosts.forms((hosts.SUDO, hosts.SU, hosts.LOGIN), "stack")
PROFILE = hosts.forms((hosts.SUDO, hosts.SU, hosts.LOGIN), "profile")
OTHERS = hosts.forms((hosts.PAMTESTER, hosts.PAMTESTER_SOCKET), "profile")


@case(over=(*PROFILE, *OTHERS))
def the_finger_is_enough(world, host):
    profiles.enable()
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    at = world.reader.touch()
    steps.admitted(person, host, at, 0.3, "finger to success")


@case(over=PROFILE)
def a_wrong_passcode_is_refused_and_the_right_one_is_right(world, host):
    profiles.enable()
    steps.wrong_is_refused_and_right_is_right(world, host)


@case(over=OTHERS)
def the_right_passcode_is_right_in_any_host(world, host):
    profiles.enable()
    person = world.host(host)
    steps.race(person, host)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case(over=PROFILE)
def a_cancel_ends_the_host(world, host):
    profiles.enable()
    person = world.host(host)
    steps.race(person, host)
    at = person.interrupt()
    steps.denied(person, host, at, 1.0, "Ctrl-C to the shell")


@case()
def who_is_elsewhere_is_asked_by_pam_unix_as_ever(world):
    profiles.enable()
    person = world.client("root", f"--rhost elsewhere --conversation answers --answer '{PASSCODE}'")
    person.expect("PROMPT_ECHO_OFF 'Password: '")
    assert steps.code(person)[0] == 0
    assert "Passcode" not in person.all
    world.reader.untouched()


@case()
def the_passcode_of_the_helper_goes_past_the_module_in_common_auth(world):
    """Its own service includes common-auth, which holds the module: there it steps aside at once."""
    profiles.enable()
    pam.protect("probe", "alone")
    with open("/etc/pam.d/localauth-passcode") as file:
        assert "@include common-auth" in file.read()
    for nth, (typed, wanted) in enumerate(((PASSCODE, 0), ("wrong horse", 7)), 1):
        person = world.client("root")
        steps.race(person, hosts.PAMTESTER)
        # A passcode that comes before the reader is claimed leaves nothing to count.
        world.reader.listening(times=nth)
        person.enter(typed)
        code, seconds = steps.code(person)
        assert code == wanted and seconds < 5, (code, seconds)
        assert len(re.findall("Passcode", person.all)) == 1 and "Password" not in person.all
        assert world.reader.claims() == nth, "the inner stack asked for the reader"


@case(over=STACK)
def beside_the_lines_in_a_service_it_asks_once(world, host):
    profiles.enable()
    person = world.host(host)
    steps.race(person, host)
    person.enter("wrong horse")
    person.expect(host.refused, 8)
    assert person.all.count("Passcode") == 1, "asked twice"
    person = steps.again(world, person, host)
    steps.race(person, host, 4)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 2.0, "Enter to success")


@case(over=("finger", "passcode"))
def a_module_that_another_profile_puts_behind_is_not_skipped(world, factor):
    with open(f"{profiles.CONFIGS}/behind", "w") as file:
        file.write("Name: Behind\nDefault: yes\nPriority: 0\nAuth-Type: Additional\nAuth:\n"
                   "\trequired\tpam_exec.so quiet /usr/bin/touch /run/behind\n")
    profiles.as_debian_ships_it("behind")
    profiles.update("--enable", profiles.OURS)
    person = world.host(PROFILE[0])
    steps.race(person, PROFILE[0])
    world.reader.listening()
    at = world.reader.touch() if factor == "finger" else person.enter(PASSCODE)
    steps.admitted(person, PROFILE[0], at, 1.0, "to success")
    assert os.path.exists("/run/behind"), "the module behind was skipped"


# What pam-auth-update makes of it


@case(reader="none")
def it_is_first_and_only_offered(_):
    profiles.as_debian_ships_it()
    profiles.update("--package")
    assert not [line for line in profiles.lines() if "localauth" in line], "enabled without being asked"
    profiles.update("--enable", profiles.OURS)
    first = pam.shipped_lines().splitlines()[0].replace("success=1", "success=2")
    assert profiles.lines()[:2] == [first, "auth [success=1 default=ignore] pam_unix.so nullok try_first_pass"]
    for kind in ("account", "password", "session", "session-noninteractive"):
        assert not [line for line in profiles.lines(kind) if "localauth" in line], kind


@case(reader="none")
def removed_again_it_leaves_the_services_as_they_were(_):
    profiles.as_debian_ships_it()
    before = profiles.files()
    profiles.update("--enable", profiles.OURS)
    assert profiles.files() != before
    profiles.update("--remove", profiles.OURS)
    after = profiles.files()
    assert after == before, [name for name in {**before, **after} if before.get(name) != after.get(name)]


@case(reader="none", over=("first", "afterwards"))
def pam_fprintds_profile_gives_way(_, enabled):
    profiles.as_debian_ships_it("fprintd")
    order = ("fprintd", profiles.OURS) if enabled == "first" else (profiles.OURS, "fprintd")
    for name in order:
        profiles.update("--enable", name)
    assert "pam_localauth.so" in profiles.lines()[0]
    assert not [line for line in profiles.lines() if "pam_fprintd" in line], profiles.lines()


@case()
def uninstalling_waits_until_the_profile_is_removed(world):
    profiles.enable()
    # The world's own service of the module alone would be in the way as well.
    os.unlink("/etc/pam.d/confirm")
    uninstall = ("make", "-s", "-C", os.environ["WORLD_REPO"], "uninstall", "DESTDIR=", "PREFIX=/usr")
    refused = subprocess.run(uninstall, capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0 and "/etc/pam.d/common-auth" in refused.stderr, refused.stderr
    assert "pam-auth-update --remove localauth" in refused.stderr, refused.stderr
    assert os.path.exists(HELPER) and os.path.exists(f"{profiles.CONFIGS}/{profiles.OURS}")
    profiles.update("--remove", profiles.OURS)
    world.command(*uninstall)
    assert not os.path.exists(HELPER) and not os.path.exists(f"{profiles.CONFIGS}/{profiles.OURS}")
    profiles.update("--package")
    for host in PROFILE:
        steps.wrong_is_refused_and_right_is_right(world, host)


# Without our parts


@case(over=[f"{part}, {form}" for form in ("stack", "profile") for part in ("module", "helper", "module and helper")])
def with_parts_missing_the_passcode_is_as_right_or_wrong_as_ever(world, variant):
    parts, _, form = variant.partition(", ")
    if form == "profile":
        profiles.enable()
    if "module" in parts:
        [module] = world.command("sh", "-c", "ls /usr/lib/*/security/pam_localauth.so").split()
        os.unlink(module)
    if "helper" in parts:
        os.unlink(HELPER)
    for host in STACK if form == "stack" else PROFILE:
        steps.wrong_is_refused_and_right_is_right(world, host)
    world.reader.untouched()
