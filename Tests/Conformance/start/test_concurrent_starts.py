"""Gateways that start at once in one directory of credentials, and starts that are killed."""
from __future__ import annotations

import fcntl
import json
import os
import random
import select
import shutil
import signal
import subprocess
import tempfile
import unittest
from contextlib import ExitStack
from pathlib import Path

from api_case import Apple
from gateway import BINARY, TOKEN, TOPIC, Gateway, environment, program, shared_credentials
from h2_client import provider_token

# The rounds of a thorough run: PUSHPIT_ROUNDS=10.
ROUNDS = int(os.environ.get("PUSHPIT_ROUNDS", "1"))


class ConcurrentStarts(unittest.TestCase):
    def setUp(self) -> None:
        self.place = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))

    def start(self, directory: Path, count: int) -> None:
        """Starts gateways at once. Each must serve a certificate of this directory and accept its credentials."""
        with ExitStack() as stack:
            gateways = [Gateway("--auth", "strict", certificates=directory) for _ in range(count)]
            for gateway in gateways:
                gateway.launch()
                stack.callback(gateway.close)
            for gateway in gateways:
                gateway.wait()
            for gateway in gateways:
                self.push(gateway)
                self.check_account(gateway, directory)
            self.assertEqual([path.name for path in directory.iterdir() if path.name.endswith(".new")], [])

    def push(self, gateway: Gateway) -> None:
        """Pushes with the client certificate, and with a token that the directory's key has signed."""
        body = json.dumps({"aps": {"alert": "Hello"}}).encode()
        with Apple(gateway, certificate=True) as apple:
            self.assertEqual(apple.push(body=body).status, 200)
        bearer = ("authorization", f"bearer {provider_token(gateway)}")
        with Apple(gateway) as apple:
            answer = apple.call("POST", f"/3/device/{TOKEN}", bearer, ("apns-topic", TOPIC), body=body)
            self.assertEqual(answer.status, 200, answer.body)

    def check_account(self, gateway: Gateway, directory: Path) -> None:
        """Exactly one account names this gateway's port."""
        address = f"https://localhost:{gateway.at().port}/token"
        accounts = [json.loads(path.read_text()) for path in directory.glob("service-account*.json")]
        self.assertEqual([account["token_uri"] for account in accounts].count(address), 1)

    def test_gateways_start_at_once_with_existing_files(self) -> None:
        for number in range(4 * ROUNDS):
            directory = Path(shutil.copytree(shared_credentials().name, self.place / f"{number}"))
            self.start(directory, 2)

    def test_first_starts_at_once_share_one_set(self) -> None:
        for number, count in enumerate([3, 3, 8] + [3] * 2 * (ROUNDS - 1) + [8] * (ROUNDS > 1)):
            directory = self.place / f"{number}"
            directory.mkdir()
            self.start(directory, count)
            names = [path.name for path in directory.iterdir()]
            self.assertEqual(sum(name.startswith("AuthKey_") for name in names), 1, names)

    def test_a_first_start_that_is_killed_is_completed_by_the_next(self) -> None:
        chance = random.Random(20261123)
        for number in range(8 * ROUNDS):
            directory = self.place / f"{number}"
            process = subprocess.Popen(
                [BINARY, "init", "--certs", str(directory)], stdout=subprocess.DEVNULL, env=environment())
            select.select([], [], [], chance.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            process.wait()
            done = program("init", "--certs", str(directory))
            self.assertEqual(done.returncode, 0, f"{number}: {done.stderr}")
            again = program("init", "--certs", str(directory))
            self.assertEqual({line.split()[0] for line in again.stdout.splitlines()}, {"kept"}, again.stdout)
            self.assertEqual([path.name for path in directory.iterdir() if path.name.endswith(".new")], [])
        self.start(directory, 1)

    def test_a_directory_that_stays_locked_is_named_at_a_reload(self) -> None:
        with Gateway() as gateway, open(gateway.certificates / ".pushpit.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            gateway.process.send_signal(signal.SIGHUP)
            gateway.wait_for_log("cannot reload certificates")
            self.assertIn(".pushpit.lock is still locked", gateway.log)
            self.push(gateway)
            fcntl.flock(lock, fcntl.LOCK_UN)
            gateway.process.send_signal(signal.SIGHUP)
            gateway.wait_for_log("certificates reloaded")
