"""A start that programs can read: `--ready-file`, `--exit-on-stdin-eof` and the URLs in pushpit.json."""
from __future__ import annotations

import json
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

from gateway import BINARY, PATIENCE, Gateway, environment, program, shared_credentials

CANNOT_CREATE = 73

# Starts a gateway with a pipe as its standard input, prints its process id, and waits to be killed.
PARENT = """
import subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(child.pid, flush=True)
child.wait()
"""


def comes_true(condition: Callable[[], bool]) -> bool:
    """A file and another process's end have no event to wait for, so the condition is tested often."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        select.select([], [], [], 0.005)
    return True


class ReadyFile(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        self.path = self.directory / "ready.json"

    def test_it_says_where_the_gateway_is(self) -> None:
        listeners = ["--listen", "127.0.0.1:0", "--listen", "apns-sandbox=127.0.0.1:0", "--listen", "[::1]:0"]
        with Gateway(*listeners, "--ready-file", str(self.path), "--api-token", "open-sesame") as gateway:
            said = json.loads(self.path.read_text())
            self.assertEqual(set(said), {"url", "listeners", "pid", "version", "credentials"})
            urls = [address.url("") for address in gateway.addresses]
            roles = ["any", "apns-sandbox", "any"]
            self.assertEqual(said["listeners"], [{"role": role, "url": url} for role, url in zip(roles, urls)])
            self.assertEqual((said["url"], said["pid"]), (urls[0], gateway.process.pid))
            self.assertEqual(program("--version").stdout, f"pushpit {said['version']}\n")
            index = json.loads(Path(said["credentials"]).read_text())
            self.assertEqual((index["url"], index["version"]), (urls[0], said["version"]))
            self.assertNotIn("open-sesame", self.path.read_text())
        self.assertFalse(self.path.exists(), "a clean end removes the file")

    def test_the_gateway_answers_when_the_file_is_there(self) -> None:
        variables = {"PUSHPIT_READY_FILE": str(self.path)}
        gateway = Gateway(variables=variables)
        gateway.launch()
        try:
            self.assertTrue(comes_true(self.path.exists))
            url = json.loads(self.path.read_text())["url"]  # Whole as soon as it is there.
            self.assertEqual(program("ready", "--url", url, "--wait", "5s").returncode, 0)
        finally:
            gateway.close()

    def test_a_file_of_a_killed_gateway_is_removed_first(self) -> None:
        self.path.write_text("old")
        taken = Gateway()
        with taken:
            done = program(
                "--listen", f"127.0.0.1:{taken.at().port}", "--ready-file", str(self.path),
                "--certs", str(taken.certificates))
        self.assertEqual(done.returncode, 69)
        self.assertFalse(self.path.exists())

    def test_the_file_of_another_gateway_stays(self) -> None:
        with Gateway("--ready-file", str(self.path)) as first:
            with Gateway("--ready-file", str(self.path)):
                first.process.send_signal(signal.SIGTERM)
                self.assertEqual(first.process.wait(PATIENCE), 0)
                self.assertTrue(self.path.exists())
            self.assertFalse(self.path.exists())

    def test_a_path_that_cannot_be_written_ends_the_start(self) -> None:
        shutil.copytree(shared_credentials().name, self.directory / "certs")
        path = self.directory / "certs" / "ca.pem" / "ready.json"
        done = program("--listen", "127.0.0.1:0", "--certs", str(self.directory / "certs"), "--ready-file", str(path))
        self.assertEqual(done.returncode, CANNOT_CREATE)
        self.assertEqual(done.stderr, f"pushpit: cannot make the directory {path.parent}: Not a directory; see --ready-file\n")

    def test_its_directory_is_made(self) -> None:
        path = self.directory / "new" / "inner" / "ready.json"
        with Gateway("--ready-file", str(path)):
            self.assertTrue(path.exists())

    def test_gateways_that_share_a_directory_have_an_index_each(self) -> None:
        other = self.directory / "other.json"
        with Gateway() as first, Gateway("--ready-file", str(other), certificates=first.certificates) as second:
            said = json.loads(other.read_text())
            self.assertEqual(Path(said["credentials"]).name, f"pushpit-{second.at().port}.json")
            for gateway, index in ((first, first.certificates / "pushpit.json"), (second, Path(said["credentials"]))):
                self.assertEqual(json.loads(index.read_text())["url"], gateway.at().url(""))


class StandardInput(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        self.path = self.directory / "ready.json"
        shutil.copytree(shared_credentials().name, self.directory / "certs")
        self.command = [
            BINARY, "--listen", "127.0.0.1:0", "--certs", str(self.directory / "certs"), "--ready-file", str(self.path)]

    def test_a_gateway_ends_with_its_standard_input(self) -> None:
        for ended in (subprocess.DEVNULL, subprocess.PIPE):
            with self.subTest(ended):
                process = subprocess.Popen(
                    [*self.command, "--exit-on-stdin-eof"], stdin=ended, stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE, text=True, env=environment())
                try:
                    if process.stdin:
                        process.stdin.write("ignored\n")
                        process.stdin.flush()
                        self.assertTrue(comes_true(self.path.exists))
                        self.assertIsNone(process.poll())
                    _, said = process.communicate(timeout=PATIENCE)
                finally:
                    process.kill()
                self.assertEqual(process.returncode, 0)
                self.assertIn("standard input ended", said)
                self.assertFalse(self.path.exists())

    def test_a_gateway_ends_when_the_program_that_started_it_is_killed(self) -> None:
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, *self.command, "--exit-on-stdin-eof"], stdout=subprocess.PIPE, text=True,
            env=environment())
        self.addCleanup(parent.kill)
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.stdout.close()
        self.assertTrue(comes_true(self.path.exists))
        parent.kill()
        parent.wait(PATIENCE)
        self.assertTrue(comes_true(lambda: not self.path.exists()), "the gateway removes its file")
        self.assertTrue(comes_true(lambda: not Path(f"/proc/{pid}/exe").exists()), "the gateway ends")

    def test_standard_input_does_not_matter_by_default(self) -> None:
        with Gateway("--ready-file", str(self.path)) as gateway:
            self.assertIsNone(gateway.process.poll())
        process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment())
        try:
            self.assertTrue(comes_true(self.path.exists))
            url = json.loads(self.path.read_text())["url"]
            self.assertEqual(program("ready", "--url", url).returncode, 0)
        finally:
            process.terminate()
            self.assertEqual(process.wait(PATIENCE), 0)
