"""`--seed`: what a gateway begins with, and what a restart with `--data` does."""
from __future__ import annotations

import json
import signal
import tempfile
import unittest
from pathlib import Path
from typing import Any

from control import call
from gateway import PATIENCE, Gateway, program

SEED = {
    "devices": [{"id": "ann", "platform": "ios", "app": "com.example.app"}, {"id": "droid", "platform": "android", "app": "com.example.app"}],
    "topics": {"news": ["ann", "droid"]},
    "faults": [{"match": {"app": "x"}, "effect": {"silence": True}}],
    "media": [{"url": "https://example.com/a.png", "size": 7}],
    "clock": {"set": "2028-02-03T04:05:06.000Z"},
}
BAD_DATA, NO_INPUT = 65, 66


class Seeds(unittest.TestCase):
    def setUp(self) -> None:
        self.place = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-seed-")))
        self.file = self.place / "seed.json"
        self.write(SEED)

    def write(self, seed: Any) -> None:
        self.file.write_text(json.dumps(seed))

    def get(self, gateway: Gateway, path: str) -> Any:
        status, said = call(gateway, "GET", path)
        self.assertEqual(status, 200, said)
        return said

    def state(self, gateway: Gateway) -> tuple[list[str], list[tuple[str, int]], int, int, str]:
        return (
            [device["id"] for device in self.get(gateway, "/devices")["devices"]],
            [(topic["name"], topic["devices"]) for topic in self.get(gateway, "/topics")["topics"]],
            len(self.get(gateway, "/faults")["faults"]), len(self.get(gateway, "/media")["media"]), self.get(gateway, "/clock")["now"][:13])

    EXPECTED = (["ann", "droid"], [("news", 2)], 1, 1, "2028-02-03T04")

    def test_a_gateway_begins_with_what_the_file_says(self) -> None:
        for arguments, variables in ((("--seed", str(self.file)), {}), ((), {"PUSHPIT_SEED": str(self.file)})):
            with self.subTest(arguments), Gateway(*arguments, variables=variables) as gateway:
                self.assertEqual(self.state(gateway), self.EXPECTED)

    def test_what_data_has_restored_stays_as_it_is(self) -> None:
        arguments = ("--seed", str(self.file), "--data", str(self.place / "data"))
        certificates = self.place / "certs"
        with Gateway(*arguments, certificates=certificates) as gateway:
            self.assertEqual(self.state(gateway), self.EXPECTED)
            # It was saved before the gateway was ready.
            gateway.process.send_signal(signal.SIGKILL)
            gateway.process.wait(PATIENCE)
        self.write({"devices": [{"id": "new", "platform": "ios", "app": "a"}]})
        with Gateway(*arguments, certificates=certificates) as gateway:
            self.assertEqual(self.state(gateway), self.EXPECTED)
            self.assertIn("seed not used", gateway.log)
            self.assertEqual(call(gateway, "DELETE", "/devices/droid")[0], 204)
        with Gateway(*arguments, certificates=certificates) as gateway:
            self.assertEqual(self.state(gateway)[0], ["ann"])

    def test_a_directory_that_has_nothing_yet_is_set_up(self) -> None:
        arguments = ("--data", str(self.place / "data"))
        certificates = self.place / "certs"
        with Gateway(*arguments, certificates=certificates):
            pass
        with Gateway(*arguments, "--seed", str(self.file), certificates=certificates) as gateway:
            self.assertEqual(self.state(gateway), self.EXPECTED)
            self.assertNotIn("seed not used", gateway.log)

    def test_a_mistake_ends_the_start_with_one_sentence(self) -> None:
        rows: list[tuple[Any, str]] = [
            ({"devices": [{"platform": "ios"}]}, "at /devices/0/app: "), ({"topics": {"news": ["ann"]}}, "at /topics/news/0: The device 'ann' does not exist."),
            ({"clocks": {}}, "at /clocks: "), ([], ": This must be an object."),
        ]
        data = self.place / "data"
        for seed, reason in rows:
            with self.subTest(seed):
                self.write(seed)
                done = program("serve", "--listen", "0", "--certs", str(self.place / "certs"), "--data", str(data), "--seed", str(self.file))
                self.assertEqual((done.returncode, done.stdout), (BAD_DATA, ""), done.stderr)
                (line,) = [line for line in done.stderr.splitlines() if line.startswith("pushpit: ")]
                self.assertIn(f"--seed {self.file} cannot be used{' ' if reason[0] == 'a' else ''}{reason}", line)
        # Nothing of that was saved.
        self.write(SEED)
        with Gateway("--seed", str(self.file), "--data", str(data), certificates=self.place / "certs") as gateway:
            self.assertEqual(self.state(gateway), self.EXPECTED)
        done = program("serve", "--seed", str(self.place / "none"))
        self.assertEqual((done.returncode, done.stderr), (NO_INPUT, f"pushpit: the file {self.place / 'none'} does not exist\n"))

    def test_the_gateway_of_exec_has_it_too(self) -> None:
        done = program("exec", "--via", "proxy", "--seed", str(self.file), "--", "sh", "-c", 'curl -s "$PUSHPIT_URL/api/v1/devices/droid"')
        self.assertEqual((done.returncode, json.loads(done.stdout)["id"]), (0, "droid"), done.stderr)
