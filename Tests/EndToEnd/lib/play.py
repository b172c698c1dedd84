"""play.py FILE NAME: plays one case inside a world, and leaves with 1 when it does not hold."""
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import case
import transcript

[found] = [each for each in case.load(sys.argv[1]) if each.name == sys.argv[2]]
try:
    if found.inside:
        from worldly import World

        world = World()
        found.play(world)
        world.aftermath(found.product != "none")
    else:
        found.play()
except BaseException as problem:
    where = traceback.extract_tb(problem.__traceback__)
    line = next((step for step in reversed(where) if "/cases/" in step.filename), where[-1])
    transcript.say("FAILED", f"{line.name}, line {line.lineno}: {line.line}")
    transcript.say("FAILED", str(problem) or type(problem).__name__)
    if not isinstance(problem, AssertionError):
        traceback.print_exc(file=sys.stdout)
    sys.exit(1)
