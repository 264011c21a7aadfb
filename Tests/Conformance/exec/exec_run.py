"""What the tests of `pushpit exec` share."""
from __future__ import annotations

import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from gateway import BINARY, TOKEN, TOPIC, environment, shared_credentials

PATIENCE = 30
COUNTED = re.compile(r"pushpit: (No push was|1 push was|\d+ pushes were) caught")
WAYS = ("trace", "preload", "proxy")
# An unmodified sender of one push.
PUSH = f"""curl -sS --http2 --max-time 20 --cert "$PUSHPIT_APNS_CERT" -H 'apns-topic: {TOPIC}' -w '%{{http_code}} %{{http_version}}' \
    -d '{{"aps":{{"alert":"Hello"}}}}' https://api.push.apple.com/3/device/{TOKEN}"""


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.temporary = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        self.certificates = shared_credentials().name

    def start(self, *arguments: str, variables: dict[str, str] | None = None, **settings: Any) -> subprocess.Popen[str]:
        """Runs exec with its temporary files in a directory of the test."""
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **settings}
        process = subprocess.Popen(
            [BINARY, "exec", *arguments], env=environment({"TMPDIR": str(self.temporary), **(variables or {})}), **settings)
        self.enterContext(process)
        self.addCleanup(process.kill)
        return process

    def run_exec(self, *arguments: str, **more: Any) -> tuple[int, str, str]:
        """The exit code, the output and the errors, without the line that counts the pushes. Nothing may be left behind."""
        process = self.start("--certs", self.certificates, *arguments, **more)
        output, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(list(self.temporary.glob("pushpit-*")), [])
        lines = errors.splitlines(keepends=True)
        self.counted = "".join(line for line in lines if COUNTED.match(line))
        return process.returncode, output, "".join(line for line in lines if not COUNTED.match(line))
