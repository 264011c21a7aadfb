"""`pushpit serve --demo`: a gateway that begins with the last hours of three made-up apps."""
from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path

import httpx

from gateway import BINARY, PATIENCE, Gateway, environment


class Demo(unittest.TestCase):
    def ids(self, gateway: Gateway) -> list[str]:
        answer = httpx.get(gateway.at().url("/api/v1/messages?limit=1000", scheme="http"), timeout=PATIENCE)
        return [message["id"] for message in answer.json()["messages"]]

    def test_the_demo_is_there_once(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            with Gateway("--demo", "--data", directory) as gateway:
                ids = self.ids(gateway)
                self.assertGreater(len(ids), 25)
                image = httpx.get(gateway.at().url("/api/v1/media/content?url=https://cdn.example.com/demo/lamp.png", scheme="http"), timeout=PATIENCE)
            with Gateway("--demo", "--data", directory) as gateway:
                self.assertEqual(self.ids(gateway), ids)
                again = httpx.get(gateway.at().url("/api/v1/media/content?url=https://cdn.example.com/demo/lamp.png", scheme="http"), timeout=PATIENCE)
                self.assertEqual((again.headers["content-type"], again.content), ("image/png", image.content))
                self.assertIn("demo not used", gateway.log)

    def test_the_variable_does_the_same(self) -> None:
        with Gateway(variables={"PUSHPIT_DEMO": "on"}) as gateway:
            self.assertGreater(len(self.ids(gateway)), 25)
        with Gateway() as gateway:
            self.assertEqual(self.ids(gateway), [])

    def test_a_seed_and_the_demo_exclude_each_other(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            seed = Path(directory) / "seed.json"
            seed.write_text("{}")
            done = subprocess.run(
                [BINARY, "serve", "--demo", "--seed", str(seed), "--listen", "127.0.0.1:0", "--certs", directory], capture_output=True, text=True, timeout=PATIENCE, env=environment())
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn("--demo and --seed both set up the gateway; use one of them", done.stderr)
