"""Faults with real HTTP/2 frames."""
from __future__ import annotations

import ssl
import struct
import unittest
from typing import Any

from control import call, move_clock, set_fault
from device_client import IPHONE, Phone, with_phones
from gateway import TOPIC, Gateway
from h2_client import BODY, Answer, Client, Code, Frame, FrameType, frames, provider_token, push

# The GOAWAYs of a fault that hits the second request (code, last stream, text), and whether that request is answered.
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
        """All frames up to the end of the connection."""
        with self.assertRaises(EOFError):
            client.wait(lambda: False)
        return client.frames


class Wire(Faults):

    def test_goaway_ends_the_connection(self) -> None:
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

    def test_a_black_hole_sends_nothing_more(self) -> None:
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

    def test_requests_after_a_fault_in_one_write_are_ignored(self) -> None:
        """Earlier answers are sent, later requests are ignored."""
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

    def test_goaway_names_the_newest_served_request(self) -> None:
        client = self.client()
        client.send(push(1)[:-len(frames.data(1, BODY))], push(3))
        self.assertEqual(client.answer(3).status, 200)
        set_fault(self.gateway, {"wire": "goawayShutdown"}, times=1)
        client.send(push(5))
        said = self.end(client)
        self.assertEqual([goaway(frame) for frame in said if frame.kind == FrameType.GOAWAY], [(Code.NO_ERROR, 3, SHUTDOWN)])

    def test_a_surplus_stream_is_reset_twice(self) -> None:
        set_fault(self.gateway, {"wire": "refusedStream"}, times=1)
        client = self.client()
        client.send(push(1))
        client.wait(lambda: len(client.answers.get(1, Answer()).frames) == 2)
        self.assertEqual([frame.code for frame in client.answers[1].frames], [Code.REFUSED_STREAM, Code.STREAM_CLOSED])

    def test_a_silent_stream_does_not_stop_others(self) -> None:
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

    def test_a_delayed_answer_arrives_in_real_time(self) -> None:
        """Other answers are not delayed, and the stream does not count as stalled."""
        client = self.client()
        set_fault(self.gateway, [{"streamLimit": 1}, {"delay": "400ms"}], times=1)
        client.send(push(1), push(3))
        self.assertEqual(client.answer(3).status, 200)
        self.assertNotIn(1, client.answers)
        self.assertEqual(client.answer(1).status, 200)
        self.assertEqual(client.limits, [1000, 1, 1000])

    def test_a_delayed_answer_follows_the_gateways_clock(self) -> None:
        set_fault(self.gateway, {"wire": "slowResponse"}, times=1)
        client = self.client()
        client.send(push(1), push(3))
        self.assertEqual(client.answer(3).status, 200)
        for step in ("699s", "1s"):
            self.assertNotIn(1, client.answers)
            move_clock(self.gateway, advance=step)
            client.ping()
        self.assertEqual(client.answer(1).status, 200)

    def test_tls(self) -> None:
        for name, problem in [("tlsHandshakeFail", "alert handshake failure"), ("certRotation", "certificate verify failed")]:
            with self.subTest(name):
                set_fault(self.gateway, {"wire": name}, times=1)
                with self.assertRaisesRegex(ssl.SSLError, f"(?i){problem}"):
                    self.gateway.tls("h2")
                with self.gateway.tls("h2") as tls:
                    self.assertEqual(tls.version(), "TLSv1.3")
