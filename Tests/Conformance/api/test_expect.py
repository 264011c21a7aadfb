"""How long POST /expect waits, in real time."""
from __future__ import annotations

import time
import unittest
from typing import Any

from api_case import APICase, Fields


class Expect(APICase):
    def expect(self, status: int, match: Fields | None = None, within: str = "0s", **demand: Any) -> Fields:
        return self.ask("POST", "/expect", {"match": match or {}, "within": within} | demand, status)


class Times(Expect):
    def test_what_does_not_come_is_waited_for_as_long_as_was_said(self) -> None:
        for demand, status in (({"never": True}, 200), ({"atMost": 0}, 200), ({"count": 1}, 417), ({"atLeast": 1}, 417)):
            begun = time.monotonic()
            self.expect(status, {"app": "nobody"}, "300ms", **demand)
            self.assertTrue(0.29 < time.monotonic() - begun < 3, demand)

    def test_the_gateways_clock_does_not_end_it(self) -> None:
        self.ask("POST", "/clock", {"advance": "1h"})
        begun = time.monotonic()
        self.expect(200, {"app": "nobody"}, "200ms", never=True)
        self.assertGreater(time.monotonic() - begun, 0.19)
