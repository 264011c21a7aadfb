"""Surplus streams, bursts before the ACK, and bodies over the limit do not end the connection."""
from __future__ import annotations

import time
import unittest
from collections.abc import Iterator
from typing import ClassVar

from gateway import PATIENCE, Gateway
from h2_client import Client, Code, FrameType, encode, fields, frames, get, push

ROLES = ["--listen", "any=127.0.0.1:0", "--listen", "apns=127.0.0.1:0", "--listen", "fcm=127.0.0.1:0"]
# The role, whether the client has a certificate, and the limit after its acknowledgement.
LIMITS = [("apns", False, 1), ("apns", True, 1000), ("fcm", False, 100), ("any", False, 1000)]
BURST = 500
PART = 16_384
DISCARDED = 1 << 20


def ids(count: int, first: int = 1) -> range:
    return range(first, first + 2 * count, 2)


def opened(stream: int) -> bytes:
    """The header of a push whose body is not sent yet."""
    return frames.headers(stream, encode(fields()), end_stream=False)


class Streams(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway(*ROLES, "--log-level", "none"))

    def client(self, role: str = "apns", certificate: bool = False, acknowledge: bool = True) -> Client:
        client = self.enterContext(Client(self.gateway.tls("h2", role=role, certificate=certificate)))
        client.start(acknowledge)
        return client

    def assert_alive(self, client: Client, stream: int) -> None:
        """A PING is answered, a further request is served, and no GOAWAY has come."""
        client.ping()
        client.send(get(stream))
        self.assertIn(client.answer(stream).status, (200, 404))
        self.assertNotIn(FrameType.GOAWAY, [frame.kind for frame in client.frames])

    def test_a_surplus_stream_is_refused_and_the_connection_stays(self) -> None:
        for role, certificate, limit in LIMITS:
            with self.subTest(role=role, certificate=certificate):
                client = self.client(role, certificate)
                client.send(*[opened(stream) for stream in ids(limit)])
                surplus = 2 * limit + 1
                client.send(get(surplus), get(surplus + 2))
                self.assertEqual(client.answer(surplus).reset, Code.REFUSED_STREAM)
                self.assertEqual(client.answer(surplus + 2).reset, Code.REFUSED_STREAM)
                client.ping()
                self.assertEqual(set(client.answers), {surplus, surplus + 2})
                client.send(frames.rst_stream(1))
                self.assert_alive(client, surplus + 4)

    def test_a_refused_push_does_not_affect_the_one_before(self) -> None:
        client = self.client()
        client.send(opened(1), push(3))
        self.assertEqual(client.answer(3).kinds[0], FrameType.RST_STREAM)
        self.assertEqual(client.answer(3).reset, Code.REFUSED_STREAM)
        client.send(frames.data(1, b"{}"))
        self.assertEqual(client.answer(1).status, 200)
        self.assert_alive(client, 5)

    def test_bodies_of_refused_pushes_do_not_use_up_the_window(self) -> None:
        client = self.client()
        client.send(opened(1))
        sent = 0
        for stream in ids(60, first=3):
            client.wait(lambda: client.window - sent >= 4000)
            client.send(push(stream, body=b"x" * 4000))
            sent += 4000
        self.assertGreater(sent, 3 * frames.DEFAULT_WINDOW)
        self.assertEqual({client.answer(stream).reset for stream in ids(60, first=3)}, {Code.REFUSED_STREAM})
        client.send(frames.data(1, b"{}"))
        self.assertEqual(client.answer(1).status, 200)

    def test_a_burst_before_the_acknowledgement_is_served_entirely(self) -> None:
        client = self.client(acknowledge=False)
        client.send(*[push(stream) for stream in ids(BURST)])
        self.assertEqual([client.answer(stream).status for stream in ids(BURST)], [200] * BURST)
        client.acknowledge()
        self.assert_alive(client, 2 * BURST + 1)

    def test_a_burst_in_one_write_with_the_preface_is_served_entirely(self) -> None:
        client = self.enterContext(Client(self.gateway.tls("h2", role="apns")))
        client.send(frames.PREFACE, frames.settings(), *[push(stream) for stream in ids(BURST)])
        self.assertEqual([client.answer(stream).status for stream in ids(BURST)], [200] * BURST)

    def test_the_limit_counts_from_its_own_acknowledgement(self) -> None:
        """The first limit is in force until the second SETTINGS frame, with the raised limit, is acknowledged."""
        client = self.client()
        client.send(push(1))
        self.assertEqual(client.answer(1).status, 200)
        client.send(opened(3), get(5))
        self.assertEqual(client.answer(5).reset, Code.REFUSED_STREAM)
        client.acknowledge()
        client.send(get(7))
        self.assertEqual(client.answer(7).reset, None)

    def send_body(self, client: Client, stream: int, size: int, sent: int = 0) -> Iterator[int]:
        """Sends the body up to `size` within both windows and without END_STREAM; yields the sent size after each frame."""
        while sent < size:
            part = min(PART, size - sent)
            client.wait(lambda: min(client.window, client.stream_window(stream)) - sent >= part)
            client.send(frames.data(stream, b"x" * part, end=False))
            sent += part
            yield sent

    def test_a_body_over_the_limit_is_answered_immediately_and_the_rest_is_ignored(self) -> None:
        client = self.client("apns", certificate=True)
        client.send(opened(1), frames.data(1, b"x" * 4097, end=False))
        answer = client.answer(1)
        self.assertEqual((answer.status, answer.body), (413, b'{"reason":"PayloadTooLarge"}'))
        for sent in self.send_body(client, 1, DISCARDED, sent=4097):
            if sent == 4097 + 8 * PART:
                self.assert_alive(client, 3)
        client.send(frames.data(1, b""))
        self.assert_alive(client, 5)
        self.assertIsNone(client.answers[1].reset)
        client.send(push(7))
        self.assertEqual(client.answer(7).status, 200)

    def test_a_body_over_all_limits_is_reset_with_no_error(self) -> None:
        client = self.client("apns", certificate=True)
        client.send(opened(1))
        for _ in self.send_body(client, 1, DISCARDED + 3 * PART):
            if client.answers.get(1) and client.answers[1].reset is not None:
                break
        client.wait(lambda: client.answers[1].reset is not None)
        self.assertEqual((client.answers[1].status, client.answers[1].reset), (413, Code.NO_ERROR))
        self.assert_alive(client, 3)

    def push_until_reset(self, client: Client, stream: int) -> int:
        """Sends pushes one after the other until that stream is reset, and returns the next free stream."""
        deadline = time.monotonic() + PATIENCE
        following = stream + 2
        while stream not in client.answers or client.answers[stream].reset is None:
            self.assertLess(time.monotonic(), deadline, "the stream was never reset")
            client.send(push(following))
            self.assertEqual(client.answer(following).status, 200)
            following += 2
        return following

    def test_a_stalled_body_is_reset_while_other_streams_are_active(self) -> None:
        with Gateway("--stall-timeout", "300ms") as gateway, Client(gateway.tls("h2", certificate=True)) as client:
            client.start()
            client.send(opened(1), frames.data(1, b"x", end=False))
            self.assert_alive(client, self.push_until_reset(client, 1))
            self.assertEqual((client.answers[1].status, client.answers[1].reset), (0, Code.CANCEL))

    def test_an_unread_answer_is_reset_while_other_streams_are_active(self) -> None:
        with Gateway("--stall-timeout", "300ms") as gateway, Client(gateway.tls("h2", certificate=True)) as client:
            client.start()
            # No window for the refusal's body.
            client.send(frames.settings((frames.Setting.INITIAL_WINDOW_SIZE, 0)), push(1, token="zz"))
            self.push_until_reset(client, 1)
            self.assertEqual((client.answers[1].status, client.answers[1].reset), (400, Code.CANCEL))
