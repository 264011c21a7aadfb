"""Delays, fixed and drawn, measured on a clock that stands still between its steps; and seeds."""
from __future__ import annotations

import json
import math
import unittest
from typing import Any

import httpx

from control import call, move_clock, set_fault
from device_client import Fields
from gateway import PATIENCE, Gateway
from h2_client import Client, push
from test_fcm_faults import Provider, request

COUNT = 400
UNIFORM = {"uniform": ["1s", "3s"]}
SPREAD = {"uniform": ["0s", "10s"]}
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
        """Of so many pushes at once, how many were answered after each of these steps."""
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
    def test_a_fixed_one_is_the_same_for_all(self) -> None:
        self.assertEqual(self.answered("2s", [1999, 1]), [0, COUNT])
        self.assertEqual(self.answered({"uniform": ["2s", "2s"]}, [1999, 1]), [0, COUNT])
        self.assertEqual(self.answered({"median": "2s", "sigma": 0}, [1999, 1]), [0, COUNT])

    def test_a_uniform_one_keeps_within_its_bounds_and_fills_them(self) -> None:
        found = self.answered(UNIFORM, [999, *[250] * 8, 1], seed=1)
        self.assertEqual((found[0], found[-1]), (0, COUNT))
        parts = [later - earlier for earlier, later in zip(found, found[1:-1], strict=False)]
        self.assertEqual(len(parts), 8)
        for part in parts:
            self.assertAlmostEqual(part, COUNT / 8, delta=COUNT / 16)

    def test_a_log_normal_one_has_its_median_and_strays(self) -> None:
        """Between the median by e^-sigma and by e^sigma are 68 %, by e^(2 sigma) 95 %; half a sigma where none is said."""
        for sigma in (0.5, 1.0):
            marks = [1000 * math.exp(power * sigma) for power in (-2, -1, 0, 1, 2)]
            steps = [round(marks[0]), *(round(later) - round(earlier) for earlier, later in zip(marks, marks[1:], strict=False))]
            said = {"median": "1s"} | ({} if sigma == 0.5 else {"sigma": sigma})
            found = [count / COUNT for count in self.answered(said, steps, seed=2)]
            for share, wanted in zip(found, (0.023, 0.159, 0.5, 0.841, 0.977), strict=True):
                self.assertAlmostEqual(share, wanted, delta=0.06)

    def test_over_http_1_each_connection_has_its_own(self) -> None:
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


class Seeds(Times):
    def order(self, **rest: Any) -> tuple[list[int], int]:
        """Of fifty pushes, in which order their answers came, as they came to be due; and the fault's seed."""
        fault = set_fault(self.gateway, {"delay": SPREAD}, **rest)
        streams = [self.push() for _ in range(50)]
        self.client.ping()
        self.advance(10_000)
        seed = self.listed(fault)["seed"]
        call(self.gateway, "DELETE", "/faults")
        came = [stream for stream in self.client.answers if stream in streams]
        self.assertEqual(sorted(came), streams)
        return [streams.index(stream) for stream in came], seed

    def test_the_same_seed_gives_the_same_delays(self) -> None:
        first, seed = self.order(seed=7)
        self.assertEqual((self.order(seed=7)[0], seed), (first, 7))
        self.assertNotEqual(self.order(seed=8)[0], first)
        self.assertNotEqual(first, sorted(first), "out of order")

    def test_a_seed_that_was_drawn_is_told_and_can_be_said_again(self) -> None:
        first, seed = self.order()
        again, other = self.order(seed=seed)
        self.assertEqual((again, other), (first, seed))
        found, another = self.order()
        self.assertNotEqual((found, another), (first, seed))

    def test_hits_and_delays_of_one_seed(self) -> None:
        def run(**rest: Any) -> tuple[list[bool], int]:
            fault = set_fault(self.gateway, HIT, probability=0.5, **rest)
            hits = [self.status() == 503 for _ in range(40)]
            seed = self.listed(fault)["seed"]
            call(self.gateway, "DELETE", "/faults")
            return hits, seed
        first, seed = run()
        self.assertEqual(run(seed=seed), (first, seed))
        self.assertTrue(4 < sum(first) < 36)
        self.assertEqual(len({run()[1] for _ in range(5)} | {seed}), 6, "each draws its own")
