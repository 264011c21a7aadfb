"""The gateway's clock over HTTP: it starts at the real time and runs with it."""
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

    def assert_ahead_by(self, difference: timedelta) -> None:
        """The gateway's time minus the difference is between two readings of our clock, give or take a second."""
        before = datetime.now(timezone.utc)
        shown = self.now() - difference
        after = datetime.now(timezone.utc)
        self.assertLessEqual(before - timedelta(seconds=1), shown)
        self.assertLessEqual(shown, after + timedelta(seconds=1))

    def test_it_can_be_moved_stopped_and_started(self) -> None:
        self.assert_ahead_by(timedelta(0))
        move_clock(self.gateway, advance="3h")
        self.assert_ahead_by(timedelta(hours=3))
        move_clock(self.gateway, freeze=True)
        stopped = self.now()
        self.assertEqual(self.now(), stopped)
        self.assertEqual(call(self.gateway, "GET", "/clock")[1]["frozen"], True)
        move_clock(self.gateway, set="2030-01-02T03:04:05.678+01:30")
        self.assertEqual(self.now(), datetime(2030, 1, 2, 1, 34, 5, 678_000, timezone.utc))
        move_clock(self.gateway, resume=True)
        self.assertEqual(call(self.gateway, "GET", "/clock")[1]["frozen"], False)
        self.assertLessEqual(datetime(2030, 1, 2, 1, 34, 5, 678_000, timezone.utc), self.now())
