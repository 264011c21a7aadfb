"""The console's pure modules: their unit tests, which run in Node."""
from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from pathlib import Path

FOLDER = Path(__file__).parent / "js"


@unittest.skipUnless(shutil.which("node"), "there is no node here; scripts/test installs it where Debian has it")
class Modules(unittest.TestCase):
    def test_their_unit_tests_pass(self) -> None:
        files = sorted(map(str, FOLDER.glob("*.test.mjs")))
        done = subprocess.run(["node", "--test", "--test-reporter=tap", *files], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:])
        ran = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
        self.assertGreater(int(ran[1]) if ran else 0, len(files), done.stdout[-1000:])
