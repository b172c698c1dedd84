"""The installed module in the real libpam, by the project's own harness: InstalledModuleTests, played in the world."""
import os
import subprocess

import transcript
from case import case

BUNDLE = ".build/debug/localauthPackageTests.xctest"


@case()
def the_installed_module_in_a_scripted_conversation(world):
    repository = os.environ["WORLD_REPO"]
    assert os.path.exists(f"{repository}/{BUNDLE}"), "the test bundle is missing: run swift build --build-tests first"
    tests = subprocess.run([f"./{BUNDLE}", "--testing-library", "swift-testing", "--filter", "InstalledModuleTests"],
                           cwd=repository, env={**os.environ, "LOCALAUTH_TEST_WORLD": "1"}, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    for line in tests.stdout.splitlines():
        if any(word in line for word in ("recorded an issue", "Test run", "error:")):
            transcript.say("swift", line)
    assert tests.returncode == 0
    assert "passed after" in tests.stdout.splitlines()[-1], "no test ran"
