"""Every fault of the reference through real frames, and when a fault hits."""
from __future__ import annotations

import json
import re
import ssl
import struct
import time
import unittest
from typing import Any

import http1_client
from control import call, move_clock, set_fault
from device_client import IPHONE, Phone, with_phones
from gateway import TOKEN, TOPIC, Gateway
from h2_client import BODY, Answer, Client, Code, Frame, FrameType, frames, provider_token, push

# What answers are, by the fault's name: status and body.
ANSWERS: list[tuple[str, int, bytes]] = [
    ("503Shutdown", 503, b'{"reason":"Shutdown"}'),
    ("503ServiceUnavailable", 503, b'{"reason":"ServiceUnavailable"}'),
    ("500InternalServerError", 500, b'{"reason":"InternalServerError"}'),
    ("429TooManyRequests", 429, b'{"reason":"TooManyRequests"}'),
    ("badJSONBody", 400, b'{"reason":"Bad'),
    ("htmlBody", 502, b"<html><body><h1>502 Bad Gateway</h1></body></html>"),
    ("emptyErrorBody", 500, b""),
]
# GOAWAYs of a fault that hits the second request: code, last stream, words. Then whether the request is answered.
SHUTDOWN, IDLE, CERTIFICATE = (b'{"reason":"%s"}' % word for word in (b"Shutdown", b"IdleTimeout", b"BadCertificateEnvironment"))
ENDS: list[tuple[str, list[tuple[int, int, bytes]], bool]] = [
    ("goawayShutdown", [(Code.NO_ERROR, 1, SHUTDOWN)], False),
    ("goawayIdle", [(Code.NO_ERROR, 3, IDLE)], True),
    ("goawayCert", [(Code.NO_ERROR, 0, CERTIFICATE), (Code.NO_ERROR, 0, b"")], False),
    ("goawayPlainText", [(Code.REFUSED_STREAM, 1, b"Maximum active streams violated for this endpoint.")], False),
]
RESETS: list[tuple[str, int, bool]] = [
    ("refusedStream", Code.REFUSED_STREAM, False), ("duplicateDelivery", Code.REFUSED_STREAM, True),
    ("lostResponse", Code.INTERNAL_ERROR, True),
]


def goaway(frame: Frame) -> tuple[int, int, bytes]:
    last, code = struct.unpack(">II", frame.payload[:8])
    return code, last, frame.payload[8:]


class Faults(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway("--listen", "127.0.0.1:0", "--listen", "apns=127.0.0.1:0"))

    def client(self, role: str = "any") -> Client:
        client = self.enterContext(Client(self.gateway.at(role).connect()))
        client.start()
        return client

    def ask(self, client: Client, stream: int, **changes: Any) -> Answer:
        client.send(push(stream, **changes))
        return client.answer(stream)

    def end(self, client: Client) -> list[Frame]:
        """Everything up to the end of the connection."""
        with self.assertRaises(EOFError):
            client.wait(lambda: False)
        return client.frames


class Wire(Faults):
    def test_answers(self) -> None:
        for name, status, body in ANSWERS:
            with self.subTest(name):
                fault = set_fault(self.gateway, {"wire": name}, times=1)
                client = self.client()
                answer = self.ask(client, 1)
                self.assertEqual((answer.status, answer.body), (status, body))
                self.assertRegex(answer.fields["apns-id"], r"\A[0-9A-F-]{36}\Z")
                self.assertEqual(answer.fields.get("content-type"), "text/html" if name == "htmlBody" else None)
                self.assertEqual(self.ask(client, 3).status, 200, "once is enough")
                self.assertEqual(call(self.gateway, "DELETE", f"/faults/{fault}"), (204, None))

    def test_an_end_with_goaway(self) -> None:
        for name, goaways, is_answered in ENDS:
            with self.subTest(name):
                client = self.client()
                self.assertEqual(self.ask(client, 1).status, 200)
                set_fault(self.gateway, {"wire": name}, times=1)
                client.send(push(3), push(5))
                said = self.end(client)
                self.assertEqual([goaway(frame) for frame in said if frame.kind == FrameType.GOAWAY], goaways)
                self.assertEqual(3 in client.answers, is_answered)
                self.assertNotIn(5, client.answers)
                self.assertEqual(self.ask(self.client(), 1).status, 200)

    def test_a_reset_with_and_without_delivery(self) -> None:
        for name, code, is_delivered in RESETS:
            async def body(phone: Phone) -> None:
                welcome = await phone.ask(type="hello", device=IPHONE, wants=["push"])
                token = welcome["device"]["tokens"]["apns"]["token"]
                client = self.client()
                set_fault(self.gateway, {"wire": name}, times=1)
                answer = self.ask(client, 1, token=token)
                self.assertEqual((answer.reset, answer.fields), (code, {}))
                if is_delivered:
                    self.assertEqual((await phone.receive())["type"], "push")
                self.assertEqual(self.ask(client, 3, token=token).status, 200)
                self.assertEqual((await phone.receive())["type"], "push")
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            with self.subTest(name):
                with_phones(self.gateway, body)

    def test_what_sticks_until_the_client_connects_anew(self) -> None:
        for name, status in [("wedged500", 500), ("stickyTokenUpdates", 429)]:
            with self.subTest(name):
                client = self.client()
                self.assertEqual(self.ask(client, 1).status, 200)
                set_fault(self.gateway, {"wire": name}, times=1)
                self.assertEqual([self.ask(client, stream).status for stream in (3, 5, 7)], [status] * 3)
                self.assertEqual(self.ask(self.client(), 1).status, 200)
                self.assertEqual(call(self.gateway, "DELETE", "/faults"), (204, None))
                self.assertEqual(self.ask(client, 9).status, 200, "what is taken away sticks to nothing")

    def test_a_black_hole_says_nothing_any_more(self) -> None:
        client = self.client()
        self.assertEqual(self.ask(client, 1).status, 200)
        set_fault(self.gateway, {"wire": "blackHole"}, times=1)
        count = len(client.frames)
        client.send(push(3))
        self.assertEqual(self.ask(self.client(), 1).status, 200)
        client.send(frames.ping(b"12345678"), push(5))
        client.socket.settimeout(0.3)
        with self.assertRaises(TimeoutError):
            client.socket.recv(1)
        self.assertEqual(len(client.frames), count)

    def test_what_came_in_one_piece_is_cut_at_the_fault(self) -> None:
        """Answers before it go out, requests behind it are not looked at."""
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE, wants=["push"])
            token = welcome["device"]["tokens"]["apns"]["token"]
            client = self.client()
            client.send(*(push(stream, token=token) for stream in (1, 3, 5, 7)))
            self.assertEqual(client.answer(1).status, 200)
            self.assertEqual((await phone.receive())["type"], "push")
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            self.assertEqual(self.ask(self.client(), 1).status, 200)
        for name in ("blackHole", "goawayShutdown"):
            with self.subTest(name):
                set_fault(self.gateway, {"wire": name}, nth=2, times=1)
                with_phones(self.gateway, body)
                call(self.gateway, "DELETE", "/faults")

    def test_goaway_names_the_newest_that_was_served(self) -> None:
        client = self.client()
        client.send(push(1)[:-len(frames.data(1, BODY))], push(3))
        self.assertEqual(client.answer(3).status, 200)
        set_fault(self.gateway, {"wire": "goawayShutdown"}, times=1)
        client.send(push(5))
        said = self.end(client)
        self.assertEqual([goaway(frame) for frame in said if frame.kind == FrameType.GOAWAY], [(Code.NO_ERROR, 3, SHUTDOWN)])

    def test_a_connection_where_nothing_happens_is_ended(self) -> None:
        set_fault(self.gateway, {"wire": "goawayIdle"}, idle="700ms", times=1)
        client, other = self.client(), self.client()
        self.assertEqual(self.ask(client, 1).status, 200)
        del other
        said = self.end(client)
        self.assertEqual([goaway(frame) for frame in said if frame.kind == FrameType.GOAWAY], [(Code.NO_ERROR, 1, IDLE)])

    def test_a_surplus_stream_is_reset_twice(self) -> None:
        set_fault(self.gateway, {"wire": "refusedStream"}, times=1)
        client = self.client()
        client.send(push(1))
        client.wait(lambda: len(client.answers.get(1, Answer()).frames) == 2)
        self.assertEqual([frame.code for frame in client.answers[1].frames], [Code.REFUSED_STREAM, Code.STREAM_CLOSED])

    def test_silence_and_nothing_else(self) -> None:
        client = self.client()
        set_fault(self.gateway, {"wire": "silentAfterExpired"}, match={"reason": "ExpiredProviderToken", "app": TOPIC})
        old = provider_token(self.gateway, age=4000)
        client.send(push(1, bearer=old))
        self.assertEqual(self.ask(client, 3).status, 200)
        client.ping()
        self.assertNotIn(1, client.answers)

    def test_a_connection_is_reset(self) -> None:
        set_fault(self.gateway, {"wire": "resetConnection"}, times=1)
        client = self.client()
        client.send(push(1))
        with self.assertRaises(ConnectionResetError):
            client.wait(lambda: False)
        self.assertFalse(any(frame.kind == FrameType.GOAWAY for frame in client.frames))

    def test_the_stream_limit_drops(self) -> None:
        client = self.client("apns")
        self.assertEqual(self.ask(client, 1).status, 200)
        self.assertEqual(client.limits, [1, 1000])
        client.acknowledge()
        set_fault(self.gateway, {"wire": "streamLimitDrop"}, times=1)
        self.assertEqual(self.ask(client, 3).status, 200)
        self.assertEqual(client.limits, [1, 1000, 1])
        self.assertEqual(self.ask(client, 5).status, 200)
        self.assertEqual(client.limits, [1, 1000, 1, 1000])

    def test_a_slow_answer_comes(self) -> None:
        """Others pass it by, and no time-out takes it for a stalled stream."""
        client = self.client()
        set_fault(self.gateway, [{"streamLimit": 1}, {"delay": "400ms"}], times=1)
        begun = time.monotonic()
        client.send(push(1), push(3))
        self.assertEqual(client.answer(3).status, 200)
        self.assertNotIn(1, client.answers)
        self.assertEqual(client.answer(1).status, 200)
        self.assertGreaterEqual(time.monotonic() - begun, 0.39)
        self.assertEqual(client.limits, [1000, 1, 1000])

    def test_what_is_refused_anyway_has_faults_too(self) -> None:
        client = self.client()
        set_fault(self.gateway, [{"streamLimit": 7}, {"delay": "100ms"}], times=1)
        client.send(push(1, token="bad"), push(3))
        self.assertEqual(client.answer(3).status, 200)
        self.assertNotIn(1, client.answers)
        self.assertEqual((client.answer(1).status, client.answer(1).body), (400, b'{"reason":"BadDeviceToken"}'))
        self.assertEqual(client.limits, [1000, 7, 1000])
        lines = [line for line in self.gateway.log.splitlines() if "BadDeviceToken" in line]
        self.assertEqual(len(lines), 1, "its refusal is a line beside the fault's")

    def test_a_slow_answer_follows_the_clock(self) -> None:
        set_fault(self.gateway, {"wire": "slowResponse"}, times=1)
        client = self.client()
        client.send(push(1), push(3))
        self.assertEqual(client.answer(3).status, 200)
        for step in ("699s", "1s"):
            self.assertNotIn(1, client.answers)
            move_clock(self.gateway, advance=step)
            client.ping()
        self.assertEqual(client.answer(1).status, 200)

    def test_a_client_that_leaves_is_not_waited_for(self) -> None:
        set_fault(self.gateway, {"delay": "100ms"}, times=1)
        with Client(self.gateway.at().connect()) as client:
            client.start()
            client.send(push(1))
            client.ping()
        other = self.client()
        set_fault(self.gateway, {"delay": "200ms"}, times=1)
        self.assertEqual(self.ask(other, 1).status, 200)

    def test_410_by_chance(self) -> None:
        def run(seed: int) -> list[int]:
            fault = set_fault(self.gateway, {"wire": "410Fuzzy"}, probability=0.5, seed=seed)
            client = self.client()
            found = [self.ask(client, stream).status for stream in range(1, 81, 2)]
            call(self.gateway, "DELETE", f"/faults/{fault}")
            return found
        first = run(7)
        self.assertEqual(set(first), {200, 410})
        self.assertEqual(run(7), first)
        self.assertNotEqual(run(8), first)

    def test_410_has_its_time(self) -> None:
        set_fault(self.gateway, {"wire": "410Fuzzy"}, times=1)
        said = json.loads(self.ask(self.client(), 1).body)
        self.assertEqual(said["reason"], "Unregistered")
        self.assertAlmostEqual(said["timestamp"] / 1000, time.time(), delta=60)

    def test_tls(self) -> None:
        for name, problem in [("tlsHandshakeFail", "alert handshake failure"), ("certRotation", "certificate verify failed")]:
            with self.subTest(name):
                set_fault(self.gateway, {"wire": name}, times=1)
                with self.assertRaisesRegex(ssl.SSLError, f"(?i){problem}"):
                    self.gateway.tls("h2")
                with self.gateway.tls("h2") as tls:
                    self.assertEqual(tls.version(), "TLSv1.3")

    def test_every_name_is_known(self) -> None:
        """A row of the table for each of the reference's."""
        names = {name for name, *_ in ANSWERS} | {name for name, *_ in ENDS} | {name for name, *_ in RESETS} | {
            "wedged500", "stickyTokenUpdates", "blackHole", "silentAfterExpired", "resetConnection", "streamLimitDrop",
            "slowResponse", "410Fuzzy", "tlsHandshakeFail", "certRotation"}
        _, said = call(self.gateway, "POST", "/faults", {"effect": {"wire": "none"}})
        listed = said["error"]["message"].removeprefix("'wire' must be one of ").removesuffix(".").split(", ")
        self.assertEqual(sorted(listed), sorted(names))


class When(Faults):
    def statuses(self, client: Client, count: int, first: int = 1) -> list[int]:
        return [self.ask(client, stream).status for stream in range(first, first + 2 * count, 2)]

    def test_which_requests_and_how_often(self) -> None:
        rows: list[tuple[dict[str, Any], list[int]]] = [
            ({}, [503] * 6), ({"times": 2}, [503, 503, 200, 200, 200, 200]),
            ({"nth": 3}, [200, 200, 503, 200, 200, 200]), ({"every": 2}, [200, 503] * 3),
            ({"every": 2, "times": 1}, [200, 503, 200, 200, 200, 200]), ({"probability": 0}, [200] * 6),
            ({"probability": 1}, [503] * 6), ({"match": {"app": TOPIC}}, [503] * 6),
            ({"match": {"app": "other"}}, [200] * 6), ({"match": {"provider": "fcm"}}, [200] * 6),
            ({"match": {"token": TOKEN.upper()}}, [503] * 6), ({"match": {"token": "00" * 32}}, [200] * 6),
            ({"match": {"topic": TOPIC, "environment": "production", "reason": "accepted"}}, [503] * 6),
            ({"match": {"pushType": "alert"}}, [200] * 6), ({"match": {"environment": "sandbox"}}, [200] * 6),
        ]
        for rest, expected in rows:
            with self.subTest(rest):
                fault = set_fault(self.gateway, {"wire": "503Shutdown"}, **rest)
                self.assertEqual(self.statuses(self.client(), 6), expected)
                listed = next(f for f in call(self.gateway, "GET", "/faults")[1]["faults"] if f["id"] == fault)
                self.assertEqual(listed["fired"], expected.count(503))
                self.assertEqual({key: listed[key] for key in rest}, rest)
                self.assertEqual(call(self.gateway, "DELETE", f"/faults/{fault}"), (204, None))

    def test_the_nth_of_each_connection(self) -> None:
        set_fault(self.gateway, {"wire": "refusedStream"}, nth=2, per="connection")
        for _ in range(2):
            client = self.client()
            self.assertEqual([self.ask(client, stream).reset for stream in (1, 3, 5)], [None, Code.REFUSED_STREAM, None])

    def test_a_rate_for_each_token(self) -> None:
        set_fault(self.gateway, {"wire": "429TooManyRequests"}, after=2, per="token")
        client = self.client()
        tokens = ["aa" * 32, "bb" * 32]
        found = [self.ask(client, 1 + 2 * number, token=tokens[number % 2]).status for number in range(8)]
        self.assertEqual(found, [200] * 4 + [429] * 4)

    def test_it_ends_with_its_time(self) -> None:
        set_fault(self.gateway, {"wire": "503Shutdown"}, **{"for": "1h"})
        self.assertEqual(self.ask(self.client(), 1).status, 503)
        move_clock(self.gateway, advance="61m")
        self.assertEqual(self.ask(self.client(), 1, bearer=provider_token(self.gateway, age=-3660)).status, 200)

    def test_deliveries_by_number(self) -> None:
        for count in (0, 1, 2):
            async def body(phone: Phone) -> None:
                welcome = await phone.ask(type="hello", device=IPHONE, wants=["push"])
                token = welcome["device"]["tokens"]["apns"]["token"]
                set_fault(self.gateway, [{"deliver": count}, {"answer": {"status": 500, "reason": "InternalServerError"}}], times=1)
                answer = self.ask(self.client(), 1, token=token)
                self.assertEqual((answer.status, answer.body), (500, b'{"reason":"InternalServerError"}'))
                ids = {(await phone.receive())["id"] for _ in range(count)}
                self.assertEqual(len(ids), min(count, 1))
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            with self.subTest(count):
                with_phones(self.gateway, body)

    def test_two_deliveries_to_who_is_away_are_one_that_waits(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE | {"state": {"online": False}})
            set_fault(self.gateway, {"deliver": 2}, times=1)
            self.assertEqual(self.ask(self.client(), 1, token=welcome["device"]["tokens"]["apns"]["token"]).status, 200)
            self.assertEqual((await phone.receive())["kind"], "stored")
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_what_is_counted_is_what_was_answered(self) -> None:
        def counts() -> list[str]:
            with http1_client.Connection(self.gateway.at().connect()) as asking:
                page = asking.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
            return re.findall(r"^pushpit_pushes_(?:accepted|refused)_total (\d+)$", page, re.MULTILINE)
        client = self.client()
        for stream, effect, expected in [(1, {"answer": {"status": 200}}, ["1", "0"]), (3, {"reset": "CANCEL"}, ["1", "1"]),
                                         (5, [{"deliver": 1}, {"answer": {"status": 500}}], ["2", "1"])]:
            set_fault(self.gateway, effect, times=1)
            self.ask(client, stream)
            self.assertEqual(counts(), expected)

    def test_an_answer_alone_delivers_nothing(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE)
            set_fault(self.gateway, {"answer": {"status": 200}}, times=1)
            answer = self.ask(self.client(), 1, token=welcome["device"]["tokens"]["apns"]["token"])
            self.assertEqual(answer.status, 200)
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_fields_of_an_answer(self) -> None:
        set_fault(self.gateway, {"answer": {"status": 429, "reason": "TooManyRequests", "headers": {"Retry-After": "5"}}}, times=1)
        self.assertEqual(self.ask(self.client(), 1).fields["retry-after"], "5")

    def test_broadcasts_have_faults_too(self) -> None:
        from test_transit import Provider
        provider = Provider(self.enterContext(Client(self.gateway.at().connect())))
        channel = provider.channel(0)
        set_fault(self.gateway, {"wire": "503Shutdown"}, times=1)
        self.assertEqual([provider.broadcast(channel, n, "0") for n in (1, 2)], [503, 200])
        path = f"/1/apps/{TOPIC}/channels"
        set_fault(self.gateway, {"answer": {"status": 400, "reason": "BroadcastFeatureNotEnabled"}}, times=1)
        refused = provider.call("POST", path, body={"message-storage-policy": 0, "push-type": "LiveActivity"})
        self.assertEqual((refused.status, refused.body), (400, b'{"reason":"BroadcastFeatureNotEnabled"}'))
        self.assertRegex(refused.fields["apns-request-id"], r"\A[0-9A-F-]{36}\Z")
        listed = provider.call("GET", f"/1/apps/{TOPIC}/all-channels")
        self.assertEqual(json.loads(listed.body), {"channels": [channel]}, "none was made")
