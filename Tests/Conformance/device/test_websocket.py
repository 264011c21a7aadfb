"""Autobahn's cases, run by kosoku against the echo socket."""
from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import httpx

from gateway import Gateway

KOSOKU = Path(sys.executable).parent / "kosoku"
# Compression, which is not offered.
LEFT_OUT = ("12.*", "13.*")


class Autobahn(unittest.TestCase):
    def test_every_case_passes(self) -> None:
        with Gateway("--test-endpoints", "--log-level", "none") as gateway, tempfile.TemporaryDirectory() as reports:
            url = gateway.at().url("/devices/echo", scheme="ws")
            left_out = [part for case in LEFT_OUT for part in ("-x", case)]
            subprocess.run([KOSOKU, "-o", reports, *left_out, url], check=True, capture_output=True, timeout=300)
            (cases,) = json.loads((Path(reports) / "index.json").read_text()).values()
            self.assertGreaterEqual(len(cases), 300)
            bad = {name: row for name, row in cases.items() if not {row["behavior"], row["behaviorClose"]} <= {"OK", "INFORMATIONAL"}}
            self.assertEqual(bad, {})
            self.assertTrue(gateway.is_running)

    def test_without_the_flag_there_is_no_echo(self) -> None:
        with Gateway() as gateway:
            headers = {"upgrade": "websocket", "connection": "upgrade", "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
            self.assertEqual(httpx.get(gateway.at().url("/devices/echo", scheme="http"), headers=headers).status_code, 404)
