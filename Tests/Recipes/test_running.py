"""Runs the script of docs/running.md that starts a gateway, with tests that pass and tests that fail."""
from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import unittest
from pathlib import Path

from recipe import PATIENCE, TOP, Recipe, Workplace

PUSH = """#!/bin/sh
curl -sS --cacert "$PUSHPIT_CERTS/ca.pem" --http2 --cert "$PUSHPIT_CERTS/apns-client.pem" -H 'apns-topic: com.example.app' \\
  -d '{"aps":{"alert":"Hello"}}' "$PUSHPIT_URL/3/device/$(printf 'a1b2c3d4%.0s' 1 2 3 4 5 6 7 8)"
"""
APPLE = PUSH.replace("$PUSHPIT_URL", "https://api.push.apple.com").replace('--cacert "$PUSHPIT_CERTS/ca.pem" ', "")
EXPECTATION = '[{"match": {"app": "com.example.app"}, "count": 1}]'


class Running(unittest.TestCase):
    def setUp(self) -> None:
        self.page = Recipe.read(TOP / "docs/running.md")
        self.place = self.enterContext(Workplace(self.page))
        self.temporary = self.place.folder.parent / "temporary"
        self.temporary.mkdir()

    def run_script(self, tests: str, shell: str = "sh") -> tuple[int, str]:
        """The exit code and the output. The gateway, its credentials and its files have to be gone."""
        self.write_tests(tests)
        # Not to a pipe: a gateway that is left would keep it open.
        code, _ = self.place.run(f"exec {shell} gateway.sh >said 2>&1", {"TMPDIR": str(self.temporary)})
        left = self.gateways()
        for process in left:
            os.kill(process, signal.SIGKILL)
        self.assertEqual(left, [], "the gateway still runs")
        self.assertEqual(list(self.temporary.iterdir()), [], "files are left")
        return code, (self.place.folder / "said").read_text(encoding="utf-8")

    def write_tests(self, tests: str) -> None:
        self.place.write("tests-of-your-backend", tests)
        (self.place.folder / "tests-of-your-backend").chmod(0o755)

    def gateways(self) -> list[int]:
        """The processes that name the temporary directory of this test."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.fsencode(self.temporary) in (path / "cmdline").read_bytes():
                    found.append(int(path.name))
        return found

    def test_the_exit_code_is_that_of_the_first_failure(self) -> None:
        for shell in ("sh", "bash"):
            for tests, wanted in ((PUSH, 0), ("#!/bin/sh\nexit 7\n", 7), ("#!/bin/sh\n", 1), ("#!/bin/sh\nkill $PPID\n", 143)):
                with self.subTest(shell=shell, tests=tests):
                    if wanted == 1:
                        self.place.change("gateway.sh", "--within 10s", "--within 0s")
                    code, text = self.run_script(tests, shell)
                    self.assertEqual(code, wanted, text)
                    kept = json.loads((self.place.folder / "messages.json").read_text(encoding="utf-8"))
                    self.assertEqual(len(kept["messages"]), int(tests == PUSH))
            self.place.write("gateway.sh", self.page.files["gateway.sh"])

    def test_a_signal_ends_tests_that_still_run(self) -> None:
        for shell in ("sh", "bash"):
            with self.subTest(shell):
                code, text = self.run_script("#!/bin/sh\necho $$ >pid\nmkfifo never.$$\nkill $PPID\nread line <never.$$\n", shell)
                self.assertEqual(code, 143, text)
                tests = int((self.place.folder / "pid").read_text(encoding="utf-8"))
                self.assertTrue(self.end([tests]), "the tests still run")

    def test_with_a_pipe_the_gateway_ends_even_if_the_script_is_killed(self) -> None:
        for shell in ("sh", "bash"):
            for tests, wanted in (("#!/bin/sh\n", 0), ("#!/bin/sh\nkill -KILL $PPID\n", -signal.SIGKILL)):
                with self.subTest(shell=shell, tests=tests):
                    self.write_tests(tests)
                    code, _ = self.place.run(f"exec {shell} stdin.sh >said 2>&1", {"TMPDIR": str(self.temporary)})
                    self.assertEqual(code, wanted, (self.place.folder / "said").read_text(encoding="utf-8"))
                    self.assertTrue(self.end(self.gateways()), "the gateway still runs")
                    self.assertIn("standard input ended", (self.place.folder / "pushpit.log").read_text(encoding="utf-8"))

    @staticmethod
    def end(processes: list[int]) -> bool:
        """Waits until processes have ended; false if one has not."""
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                handle = os.pidfd_open(process)
                ended = select.select([handle], [], [], PATIENCE)[0]
                os.close(handle)
                if not ended:
                    os.kill(process, signal.SIGKILL)
                    return False
        return True

    def test_a_gateway_that_does_not_start_fails_the_script_with_its_log(self) -> None:
        self.place.change("gateway.sh", "pushpit serve", "pushpit serve --data /dev/null")
        self.place.change("gateway.sh", "tries=300", "tries=1000000")
        code, text = self.run_script(PUSH)
        self.assertEqual(code, 69, text)
        self.assertIn("/dev/null", text)

    def test_exec_checks_the_pushes_and_writes_a_report(self) -> None:
        (command,) = [text for text in self.page.commands if "exec --url" in text]
        text = self.page.files["gateway.sh"]
        self.place.write("gateway.sh", text[:text.index("./tests-of-your-backend")] + command + "wait $tests\n")
        self.place.write("pushes.json", EXPECTATION)
        for tests, wanted in ((APPLE, 0), ("#!/bin/sh\n", 1)):
            code, said = self.run_script(tests)
            self.assertEqual(code, wanted, said)
            report = (self.place.folder / "pushpit.xml").read_text(encoding="utf-8")
            self.assertIn(f'tests="2" failures="{wanted}"', report)


if __name__ == "__main__":
    unittest.main()
