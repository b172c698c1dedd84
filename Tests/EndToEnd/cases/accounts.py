"""Who is asked about: accounts without a usable passcode, unknown users, somebody else."""
import hosts
import pam
import steps
from case import case
from worldly import PASSCODE

SUDO = hosts.forms((hosts.SUDO,))


def alone(world, *options):
    pam.protect("probe", "alone", *options)


@case(over=SUDO)
def a_sha512_passcode_is_right(world, host):
    host = host.of("asha")
    person = world.host(host)
    steps.no_reader(person, host)
    at = person.enter(PASSCODE)
    steps.admitted(person, host, at, 1.0, "Enter to success")


@case()
def an_empty_passcode_is_the_systems_own_affair(world):
    host = hosts.SUDO.of("bob")
    person = world.host(host)
    steps.admitted(person, host, person.asked_at, 1.0, "command to success, as pam_unix's nullok says")


@case(over=("bob", "carol"))
def the_helper_takes_no_passcode_where_there_is_none(world, user):
    alone(world)
    for answer in ("", PASSCODE):
        person = world.client("root", f"--user {user} --conversation answers --answer '{answer}'")
        assert steps.code(person)[0] == 9
    world.reader.untouched()


@case(over=SUDO)
def a_locked_account_is_asked_for_no_finger(world, host):
    world.enrol("carol", "FINGER-CAROL")
    host = host.of("carol")
    person = world.host(host)
    if host.form == "stack":
        steps.no_reader(person, host)
        person.enter(PASSCODE)
        person.expect(host.refused)
        person.expect(host.own_prompt)
        person.interrupt()
    status = person.finished()
    assert status != 0 and not person.shows(host.success)
    world.reader.untouched()


@case(over=SUDO)
def an_account_without_hash_has_the_finger(world, host):
    world.enrol("dora", "FINGER-DORA")
    host = host.of("dora")
    person = world.host(host)
    world.reader.listening()
    at = world.reader.touch("FINGER-DORA")
    steps.admitted(person, host, at, 0.5, "finger to success")


@case(over=SUDO)
def somebody_elses_finger_is_a_wrong_finger(world, host):
    world.enrol("eve", "FINGER-EVE")
    person = world.host(host)
    steps.race(person, host)
    world.reader.listening()
    world.reader.touch("FINGER-EVE")
    person.expect("Finger not recognised, try again")
    assert not person.shows(host.success)


@case()
def an_unknown_user_is_asked_like_anybody_and_told_to_root_only(world):
    alone(world)
    person = world.client("root", "--user nobody-here")
    person.expect("probe asks for nobody-here")
    person.expect(steps.ALONE)
    person.enter(PASSCODE)
    assert steps.code(person)[0] == 10
    world.reader.untouched()


@case()
def an_unknown_user_is_left_to_the_systems_stack(world):
    pam.protect("probe", "stack")
    person = world.client("root", "--user nobody-here")
    person.expect(r"Password: $", 1)
    person.enter(PASSCODE)
    assert steps.code(person)[0] != 0
    world.reader.untouched()


@case(product="socket", over=("bob", "eve", "nobody-here", "root"))
def nobody_but_root_asks_about_somebody_else(world, user):
    world.enrol("eve", "FINGER-EVE")
    alone(world)
    person = world.client("alice", f"--user {user} --conversation answers --answer '{PASSCODE}'")
    assert steps.code(person)[0] == 7
    world.reader.untouched()


@case(over=("finger", "passcode"))
def an_expired_account_is_refused_after_any_factor(world, factor):
    world.command("chage", "--expiredate", "1970-01-02", "alice")
    alone(world)
    person = world.client("root")
    person.expect(steps.RACE)
    world.reader.listening()
    if factor == "finger":
        world.reader.touch()
    else:
        person.enter(PASSCODE)
    assert steps.code(person)[0] == 9


@case(over=("finger", "passcode"))
def an_expired_passcode_is_for_a_root_host_to_have_changed(world, factor):
    """login(1) and su(1) do so when pam_acct_mgmt says PAM_NEW_AUTHTOK_REQD, after the authentication."""
    world.command("chage", "--lastday", "0", "alice")
    alone(world)
    person = world.client("root", "--then acct")
    person.expect(steps.RACE)
    world.reader.listening()
    if factor == "finger":
        world.reader.touch()
    else:
        person.enter(PASSCODE)
    person.expect("pam_authenticate: 0")
    person.expect("pam_acct: 12")
    person.finished()


@case(product="socket", over=("finger", "passcode"))
def an_expired_passcode_is_refused_to_an_unprivileged_host(world, factor):
    world.command("chage", "--lastday", "0", "alice")
    alone(world)
    person = world.client("alice")
    person.expect(steps.RACE)
    world.reader.listening()
    if factor == "finger":
        world.reader.touch()
    else:
        person.enter(PASSCODE)
    assert steps.code(person)[0] == 9


@case()
def setcred_succeeds_and_account_has_no_say(world):
    alone(world)
    person = world.client("root", "--then setcred --then acct")
    person.expect(steps.RACE)
    person.enter(PASSCODE)
    person.expect("pam_authenticate: 0")
    person.expect("pam_setcred: 0")
    person.expect("pam_acct: 0")
    person.finished()
