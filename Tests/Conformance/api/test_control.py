"""The control API over HTTP: bodies that are too long, and the gateway's clock."""
from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone

from control import call, move_clock
from gateway import Gateway
from h2_client import Client, provider_token, push


class Bodies(unittest.TestCase):
    def test_a_body_that_is_no_json_or_too_long(self) -> None:
        gateway = self.enterContext(Gateway())
        for raw in (b"", b"{", b"\xff", b'{"a":1} x', b"[" * 20_000):
            status, said = call(gateway, "POST", "/faults", raw=raw)
            self.assertEqual((status, said["error"]["code"]), (400, "notJSON"))
        status, said = call(gateway, "POST", "/faults", {"effect": {"answer": {"status": 400, "body": "x" * 70_000}}})
        self.assertEqual((status, said["error"]["code"]), (413, "tooLong"))


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

    def test_a_provider_token_grows_old_in_no_time(self) -> None:
        client = self.enterContext(Client(self.gateway.at().connect()))
        client.start()
        bearer = provider_token(self.gateway)
        found = []
        for stream, step in [(1, "0s"), (3, "59m"), (5, "2m")]:
            move_clock(self.gateway, advance=step)
            client.send(push(stream, bearer=bearer))
            answer = client.answer(stream)
            found.append((answer.status, answer.body))
        self.assertEqual(found, [(200, b""), (200, b""), (403, b'{"reason":"ExpiredProviderToken"}')])
