"""The frames of answers: which, how many, in what order, and which requests get an answer."""
from __future__ import annotations

import re
import unittest
from typing import ClassVar

from gateway import TOPIC, Gateway
from h2_client import BODY, Client, FrameType, encode, fields, frames, push

UPPERCASE_ID = re.compile(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}")
LIMIT = 4096
VOIP = ("apns-push-type", "voip")


def body(size: int) -> bytes:
    return b'{"aps":{},"x":"' + b"y" * (size - 17) + b'"}'


def header(stream: int, *extra: tuple[str, str], end: bool = False) -> bytes:
    return frames.headers(stream, encode(fields(*extra)), end_stream=end)


BYTES = [frames.data(1, BODY[i : i + 1], end=False) for i in range(len(BODY))]
# Ways to end the same body.
FRAMINGS: list[tuple[str, list[bytes]]] = [
    ("one frame", [frames.data(1, BODY)]),
    ("an extra empty frame", [frames.data(1, BODY, end=False), frames.data(1, b"")]),
    ("a byte a frame", [*BYTES, frames.data(1, b"")]),
    ("empty frames between", [frames.data(1, b"", end=False), frames.data(1, BODY, end=False), frames.data(1, b"")]),
    ("padding", [frames.data(1, BODY, padding=200)]),
    ("trailers", [frames.data(1, BODY, end=False), frames.headers(1, encode([("x-trailer", "yes")]))]),
]
# Ways to name the host, of which clients use the first three.
NAMES: list[tuple[str, list[tuple[str, str]]]] = [
    (":authority", [(":authority", "localhost")]),
    (":authority with a port", [(":authority", "api.push.apple.com:443")]),
    ("host", [("host", "localhost")]),
    ("both", [(":authority", "localhost"), ("host", "localhost")]),
]


class Answers(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--listen", "apns=127.0.0.1:0"))

    def setUp(self) -> None:
        self.client = self.connected()

    def connected(self) -> Client:
        client = self.enterContext(Client(self.gateway.tls("h2", role="apns", certificate=True)))
        client.start()
        return client

    def test_a_200_is_one_headers_frame_with_end_stream(self) -> None:
        self.client.send(push(1))
        answer = self.client.answer(1)
        self.client.ping()
        self.assertEqual(answer.kinds, [FrameType.HEADERS])
        self.assertTrue(answer.frames[0].ends_stream)
        self.assertEqual((answer.status, set(answer.fields)), (200, {":status", "apns-id"}))

    def test_an_error_is_headers_and_one_data_frame_with_end_stream(self) -> None:
        self.client.send(frames.headers(1, encode([f for f in fields() if f[0] != "apns-topic"]), end_stream=False))
        self.client.send(frames.data(1, BODY))
        answer = self.client.answer(1)
        self.client.ping()
        self.assertEqual(answer.kinds, [FrameType.HEADERS, FrameType.DATA])
        self.assertEqual([frame.ends_stream for frame in answer.frames], [False, True])
        self.assertEqual((answer.status, set(answer.fields)), (400, {":status", "apns-id"}))
        self.assertEqual(answer.body, b'{"reason":"MissingTopic"}')

    def test_a_request_may_end_in_any_way(self) -> None:
        for name, pieces in FRAMINGS:
            with self.subTest(name):
                client = self.connected()
                client.send(header(1), *pieces)
                self.assertEqual(client.answer(1).status, 200)

    def test_a_header_that_ends_the_stream_is_an_empty_body(self) -> None:
        self.client.send(header(1, end=True))
        answer = self.client.answer(1)
        self.assertEqual((answer.status, answer.body), (400, b'{"reason":"PayloadEmpty"}'))

    def test_a_request_may_name_its_host_in_any_way(self) -> None:
        for stream, (name, named) in zip(range(1, 99, 2), NAMES):
            with self.subTest(name):
                block = encode(fields(named=named))
                self.client.send(frames.headers(stream, block, end_stream=False), frames.data(stream, BODY))
                self.assertEqual((self.client.answer(stream).reset, self.client.answer(stream).status), (None, 200))

    def test_pseudo_header_fields_may_come_in_any_order(self) -> None:
        pseudo = [field for field in fields() if field[0].startswith(":")]
        rest = [field for field in fields() if not field[0].startswith(":")]
        for stream, turned in zip(range(1, 99, 2), range(len(pseudo))):
            block = encode([*pseudo[turned:], *pseudo[:turned], *rest])
            self.client.send(frames.headers(stream, block, end_stream=False), frames.data(stream, BODY))
            self.assertEqual(self.client.answer(stream).status, 200, f"turned by {turned}")

    def test_unknown_header_fields_are_ignored(self) -> None:
        extra = [("content-type", "application/x-www-form-urlencoded"), ("interruption-level", "1"), ("te", "trailers")]
        self.client.send(push(1, *extra))
        self.assertEqual(self.client.answer(1).status, 200)

    def test_an_apns_id_is_returned_unchanged(self) -> None:
        lower = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        for stream, (given, topic) in enumerate([(lower, True), (lower.upper(), True), (lower, False)]):
            wanted = fields(("apns-id", given))
            chosen = [field for field in wanted if topic or field[1] != TOPIC]
            number = 2 * stream + 1
            self.client.send(frames.headers(number, encode(chosen), end_stream=False), frames.data(number, BODY))
            self.assertEqual(self.client.answer(number).fields["apns-id"], given)

    def test_a_generated_apns_id_is_random_and_in_upper_case(self) -> None:
        streams = range(1, 129, 2)
        self.client.send(*[push(stream) for stream in streams])
        made = [self.client.answer(stream).fields["apns-id"] for stream in streams]
        for identifier in made:
            self.assertRegex(identifier, UPPERCASE_ID)
        self.assertEqual(len(set(made)), len(made))
        self.assertGreater(len({identifier[14] for identifier in made}), 1, "a version like an RFC 4122 UUID's")

    def test_a_403_has_an_apns_id_too(self) -> None:
        with Client(self.gateway.tls("h2", role="apns")) as client:
            client.start()
            client.send(push(1, bearer=False))
            self.assertEqual(client.answer(1).status, 403)
            self.assertRegex(client.answer(1).fields["apns-id"], UPPERCASE_ID)

    def test_the_body_limits_are_exact(self) -> None:
        voip = (VOIP, ("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b"))
        sizes = [(LIMIT, (), 200), (LIMIT + 1, (), 413), (5120, voip, 200), (5121, voip, 413)]
        for stream, (size, extra, status) in zip(range(1, 99, 2), sizes):
            topic = f"{TOPIC}.voip" if extra else TOPIC
            self.client.send(push(stream, *extra, body=body(size), topic=topic))
            self.assertEqual(self.client.answer(stream).status, status, f"{size} bytes")
