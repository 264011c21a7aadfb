"""Many who wait for a push: all woken by one, forgotten where they go, told where the gateway goes."""
from __future__ import annotations

import json
import signal
import time
import unittest

from api_case import Apple, post_frames, post_text, processor_time
from control import call
from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import Client, frames, push
from http1_client import Connection
from test_waiting import LONG, Waiting

MANY = 500


class Many(Waiting):
    def test_one_push_wakes_all_who_cost_nothing_meanwhile(self) -> None:
        match = {"match": {"app": TOPIC}}
        with Client(self.gateway.tls("h2")) as streams:
            streams.start()
            streams.send(*(post_frames(2 * number + 1, "/expect", LONG | match) for number in range(MANY)))
            connections = self.wait_for(*[match] * MANY)
            self.until(lambda: self.stat("waiting") == 2 * MANY)
            used = processor_time(self.gateway)
            self.ask("POST", "/expect", {"match": {"app": "x"}, "never": True, "within": "1s"})
            self.assertLess(processor_time(self.gateway) - used, 0.1, "in a second in which nothing comes")
            self.apple.push()
            expected = (200, {"met": True, "count": 1, "messages": self.ids()})
            self.assertEqual([self.verdict(connection) for connection in connections], [expected] * MANY)
            answers = [streams.answer(2 * number + 1) for number in range(MANY)]
            self.assertEqual([(answer.status, json.loads(answer.body)) for answer in answers], [expected] * MANY)
        self.assertEqual(self.stat("waiting"), 0)

    def test_who_goes_is_forgotten(self) -> None:
        with Client(self.gateway.tls("h2")) as streams:
            streams.start()
            streams.send(*(post_frames(stream, "/expect", LONG) for stream in (1, 3, 5)), post_frames(7, "/stats", {}))
            self.assertEqual(streams.answer(7).status, 405, "the connection is free for other calls")
            self.assertEqual(self.stat("waiting"), 3)
            streams.send(frames.rst_stream(3))
            self.until(lambda: self.stat("waiting") == 2)
            self.apple.push()
            self.assertEqual((streams.answer(1).status, streams.answer(5).status), (200, 200))
            self.assertNotIn(3, streams.answers)
            streams.send(post_frames(9, "/expect", LONG | {"count": 9}))
            self.until(lambda: self.stat("waiting") == 1)
        self.until(lambda: self.stat("waiting") == 0)

    def test_who_goes_is_forgotten_over_http_1(self) -> None:
        first, second = self.wait_for({}, {})
        first.socket.close()
        self.until(lambda: self.stat("waiting") == 1)
        self.apple.push()
        self.assertEqual(self.verdict(second)[0], 200)

    def test_the_time_of_one_who_went_costs_nothing(self) -> None:
        """Its end would have been the next; somebody else waits on."""
        short, long = {"match": {"app": "x"}, "within": "1s"}, {"match": {"app": "y"}, "within": "60s"}
        (gone,) = self.wait_for(short)
        self.wait_for(long)
        self.until(lambda: self.stat("waiting") == 2)
        gone.socket.close()
        self.until(lambda: self.stat("waiting") == 1)
        self.ask("POST", "/expect", {"match": {"app": "z"}, "never": True, "within": "1500ms"})
        used = processor_time(self.gateway)
        self.ask("POST", "/expect", {"match": {"app": "z"}, "never": True, "within": "1s"})
        self.assertLess(processor_time(self.gateway) - used, 0.2, "in a second in which nothing comes")


class Ends(unittest.TestCase):
    def test_who_waits_is_told_that_the_gateway_goes(self) -> None:
        with Gateway("--drain-timeout", "60s") as gateway, Connection(gateway.at().connect()) as first, Client(gateway.tls("h2")) as second:
            second.start()
            first.send(post_text("/expect", LONG))
            second.send(post_frames(1, "/expect", LONG))
            while call(gateway, "GET", "/stats")[1]["waiting"] < 2:
                second.ping()
            gateway.process.send_signal(signal.SIGTERM)
            answers = [(first.read(), "1.1"), (second.answer(1), "2")]
            for answer, version in answers:
                self.assertEqual((answer.status, json.loads(answer.body)["error"]["code"]), (503, "goingDown"), version)
            second.socket.close()
            self.assertEqual(gateway.process.wait(PATIENCE), 0)

    def test_no_time_out_of_a_connection_ends_it(self) -> None:
        with Gateway("--keep-alive-timeout", "500ms", "--stall-timeout", "500ms", "--head-timeout", "500ms") as gateway:
            with Connection(gateway.at().connect()) as first, Client(gateway.tls("h2")) as second:
                second.start()
                begun = time.monotonic()
                body = {"never": True, "within": "2500ms"}
                first.send(post_text("/expect", body))
                second.send(post_frames(1, "/expect", body))
                self.assertEqual((first.read().status, second.answer(1).status), (200, 200))
                self.assertGreater(time.monotonic() - begun, 2.4)

    def test_where_the_deciding_push_is_the_last_of_its_connection(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as waiting:
            waiting.send(post_text("/expect", LONG))
            with Apple(gateway) as apple:
                apple.client.send(push(1, token=TOKEN))
                apple.client.ping()
            self.assertEqual(waiting.read().status, 200)
