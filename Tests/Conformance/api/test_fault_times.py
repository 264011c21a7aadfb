"""Fixed and random delays, tested with a clock that the test moves, and seeds."""
from __future__ import annotations

import json
import unittest
from typing import Any

import httpx

from control import call, move_clock, set_fault
from device_client import Fields
from fcm_faults import Provider, request
from gateway import PATIENCE, Gateway
from h2_client import Client, push

COUNT = 400
UNIFORM = {"uniform": ["1s", "3s"]}
HIT = {"answer": {"status": 503, "reason": "UNAVAILABLE"}}


class Times(unittest.TestCase):
    """Without provider tokens, whose age follows the clock too."""

    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway("--auth", "off"))
        move_clock(self.gateway, freeze=True)
        self.client = self.enterContext(Client(self.gateway.at().connect()))
        self.client.start()
        self.stream = -1
        self.http = self.enterContext(httpx.Client(base_url=self.gateway.at().url("", scheme="http"), verify=False, timeout=PATIENCE))

    def push(self, token: str = "ab" * 32, *fields: tuple[str, str], **body: Any) -> int:
        self.stream += 2
        self.client.send(push(self.stream, *fields, token=token, bearer=False, body=json.dumps({"aps": {"alert": "x"}} | body).encode()))
        return self.stream

    def status(self, *arguments: Any, **body: Any) -> int:
        return self.client.answer(self.push(*arguments, **body)).status

    def post(self, **message: Any) -> httpx.Response:
        return self.http.post("/v1/projects/demo/messages:send", json={"message": message})

    def advance(self, milliseconds: float) -> None:
        move_clock(self.gateway, advance=f"{milliseconds:.0f}ms")
        self.client.ping()

    def listed(self, fault: str) -> Fields:
        return next(row for row in call(self.gateway, "GET", "/faults")[1]["faults"] if row["id"] == fault)

    def answered(self, delay: Any, steps: list[int], count: int = COUNT, **rest: Any) -> list[int]:
        """Sends `count` pushes at once and returns how many were answered after each of these steps."""
        fault = set_fault(self.gateway, {"delay": delay}, **rest)
        streams = [self.push() for _ in range(count)]
        self.client.ping()
        found = []
        for step in steps:
            self.advance(step)
            found.append(len([stream for stream in streams if stream in self.client.answers]))
        self.assertEqual((self.listed(fault)["fired"], call(self.gateway, "DELETE", "/faults")), (count, (204, None)))
        self.assertEqual({self.client.answers[stream].status for stream in streams if stream in self.client.answers}, {200})
        return found


class Delays(Times):
    def test_a_fixed_delay_is_the_same_for_all_pushes(self) -> None:
        self.assertEqual(self.answered("2s", [1999, 1]), [0, COUNT])
        self.assertEqual(self.answered({"uniform": ["2s", "2s"]}, [1999, 1]), [0, COUNT])
        self.assertEqual(self.answered({"median": "2s", "sigma": 0}, [1999, 1]), [0, COUNT])

    def test_over_http_1_each_connection_has_its_own_delay(self) -> None:
        set_fault(self.gateway, [{"delay": UNIFORM}, HIT], seed=3)
        connections = [self.enterContext(Provider(self.gateway.at().connect())) for _ in range(40)]
        for number, connection in enumerate(connections, 1):
            connection.send(request())
            self.assertIn(number, (call(self.gateway, "GET", "/faults")[1]["faults"][0]["fired"] for _ in range(1000)))
        counts = []
        for step in (999, 1001, 1000):
            self.advance(step)
            counts.append(sum(not connection.is_silent for connection in connections))
        self.assertEqual((counts[0], 10 < counts[1] < 30, counts[2]), (0, True, 40))
        self.assertEqual({connection.read().status for connection in connections}, {503})
