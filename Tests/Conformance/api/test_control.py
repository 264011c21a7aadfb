"""The gateway's clock over HTTP: it begins with the real time, and goes on with it."""
from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone

from control import call, move_clock
from gateway import Gateway


class Clock(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())

    def now(self) -> datetime:
        return datetime.fromisoformat(call(self.gateway, "GET", "/clock")[1]["now"])

    def test_it_moves_stops_and_goes_on(self) -> None:
        start = datetime.now(timezone.utc)
        self.assertLess(abs(self.now() - start), timedelta(seconds=5))
        move_clock(self.gateway, advance="3h")
        self.assertLess(abs(self.now() - start - timedelta(hours=3)), timedelta(seconds=5))
        move_clock(self.gateway, freeze=True)
        stopped = self.now()
        self.assertEqual(self.now(), stopped)
        self.assertEqual(call(self.gateway, "GET", "/clock")[1]["frozen"], True)
        move_clock(self.gateway, set="2030-01-02T03:04:05.678+01:30")
        self.assertEqual(self.now(), datetime(2030, 1, 2, 1, 34, 5, 678_000, timezone.utc))
        move_clock(self.gateway, resume=True)
        self.assertEqual(call(self.gateway, "GET", "/clock")[1]["frozen"], False)
        self.assertLess(self.now() - datetime(2030, 1, 2, 1, 34, 5, 678_000, timezone.utc), timedelta(seconds=5))
