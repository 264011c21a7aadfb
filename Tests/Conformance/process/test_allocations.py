"""The number of allocations per push is at most the committed threshold."""
from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import provider_token
from preload import preload

HERE = Path(__file__).parents[2] / "Allocations"
WARM, PUSHES = 12_000, 20_000


class Allocations(unittest.TestCase):
    def test_a_push_needs_no_more_allocations_than_the_threshold(self) -> None:
        threshold = float((HERE / "threshold").read_text())
        counter = preload(HERE / "count.c", Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))))
        with Gateway("--log-level", "none", variables=counter) as gateway:
            self.push(gateway, WARM)
            self.reported(gateway, 1)
            self.push(gateway, PUSHES)
            each = self.reported(gateway, 2) / PUSHES
        print(f"allocations a push: {each:.2f} (threshold {threshold})")
        self.assertLessEqual(each, threshold)
        self.assertGreater(each, 1, "the counter does not count")

    def push(self, gateway: Gateway, count: int) -> None:
        body = gateway.directory / "body"
        body.write_text('{"aps":{"alert":"' + "x" * 179 + '"}}')
        shown = subprocess.run(
            ["h2load", "-n", str(count), "-c", "1", "-m", "100", "-t", "1", "-d", str(body),
             "-H", f"authorization: bearer {provider_token(gateway)}", "-H", f"apns-topic: {TOPIC}", gateway.at().url(f"/3/device/{TOKEN}")],
            capture_output=True, text=True, check=True, timeout=60).stdout
        self.assertIn(f"{count} 2xx", shown)

    def reported(self, gateway: Gateway, times: int) -> int:
        """The next figure of the counter, which writes to the log file."""
        os.kill(gateway.process.pid, signal.SIGUSR2)
        deadline = time.monotonic() + PATIENCE
        while len(found := re.findall(r"^allocations (\d+)$", gateway.log, re.MULTILINE)) < times:
            self.assertLess(time.monotonic(), deadline, "the counter said nothing")
            select.select([], [], [], 0.005)
        return int(found[-1])
