"""The main job, played and narrated: see `demo`."""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hosts
import pam
import steps
import transcript
from worldly import PASSCODE, World, at_most

HOST = hosts.SUDO


def narrate(text):
    print(f"\n{text}", flush=True)


class Demonstration:
    def __init__(self):
        self.world = World()
        self.failed = 0
        pam.protect("sudo", "stack")

    def step(self, title, play):
        narrate(title)
        try:
            play()
        except AssertionError as problem:
            transcript.say("FAILED", problem)
            self.failed += 1

    def alice(self):
        person = self.world.terminal("alice")
        person.before = person.modes()
        return person

    def asks(self, person):
        """alice runs sudo, and the reader listens."""
        verified = self.world.reader.verifications()
        person.asked_at = person.run(HOST.command)
        steps.race(person, HOST)
        at_most(1.0, person.asked_at, person.seen_at, "command to prompt")
        self.world.reader.listening(times=verified + 1)

    def first(self):
        # As after fprintd-enroll: nobody has confirmed the finger.
        os.unlink("/var/lib/localauth/2001/enrolment")
        person = self.alice()
        person.asked_at = person.run(HOST.command)
        person.expect("The enrolled fingers are new or have changed: enter the passcode")
        steps.any_prompt(person, HOST)
        at = person.enter(PASSCODE)
        steps.admitted(person, HOST, at, 1.5, "Enter to root")

    def passcode(self):
        person = self.alice()
        self.asks(person)
        at = person.enter(PASSCODE)
        steps.admitted(person, HOST, at, 1.0, "Enter to root")

    def finger(self):
        person = self.alice()
        self.asks(person)
        at = self.world.reader.touch()
        steps.admitted(person, HOST, at, 0.3, "finger to root, without Enter")

    def passcode_after_a_while(self):
        person = self.alice()
        self.asks(person)
        time.sleep(3)
        at = person.enter(PASSCODE)
        steps.admitted(person, HOST, at, 1.0, "Enter to root, while the reader waits")

    def half_and_finger(self):
        person = self.alice()
        self.asks(person)
        person.half("corre")
        time.sleep(0.3)
        at = self.world.reader.touch()
        steps.admitted(person, HOST, at, 0.3, "finger to root, without Enter")
        person.never_showed("corre")

    def wrong_fingers(self):
        person = self.alice()
        verified = self.world.reader.verifications()
        self.asks(person)
        for nth in (1, 2, 3):
            self.world.reader.listening(times=verified + nth)
            at = self.world.reader.touch("SOMEBODY-ELSE")
            person.expect("Finger not recognised", 2)
            at_most(0.5, at, person.seen_at, "finger to hint")
        steps.any_prompt(person, HOST)
        at = person.enter(PASSCODE)
        steps.admitted(person, HOST, at, 1.0, "Enter to root")

    def unplugged(self):
        person = self.alice()
        self.asks(person)
        at = self.world.reader.act("UNPLUG")
        person.expect("The reader is gone: enter the passcode", 3)
        at_most(1.0, at, person.seen_at, "unplugged to told")
        at = person.enter(PASSCODE)
        steps.admitted(person, HOST, at, 1.0, "Enter to root")


demonstration = Demonstration()
narrate("A world of its own: real PAM, sudo, system bus and fprintd; alice has enrolled a finger. In /etc/pam.d/sudo:")
print("\n".join("  " + line for line in pam.shipped_lines().split("\n")))
demonstration.step("1. Her finger is new, so the passcode comes first, once.", demonstration.first)
demonstration.step("2. From now on finger or passcode: alice types her passcode.", demonstration.passcode)
demonstration.step("3. alice swipes her finger; nobody types anything.", demonstration.finger)
demonstration.step("4. The reader waits, and alice types her passcode instead.", demonstration.passcode_after_a_while)
demonstration.step("5. alice has typed half of it, and then swipes her finger.", demonstration.half_and_finger)
demonstration.step("6. A wrong finger, three times; then the passcode.", demonstration.wrong_fingers)
demonstration.step("7. The reader is unplugged while it waits; then the passcode.", demonstration.unplugged)
print("\nEvery step was as promised." if not demonstration.failed else f"\n{demonstration.failed} steps were not as promised.")
sys.exit(1 if demonstration.failed else 0)
