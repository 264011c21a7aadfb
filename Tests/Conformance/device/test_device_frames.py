"""Frames that a correct client never sends on a device socket, and how each ends the socket."""
from __future__ import annotations

import json
import unittest
from typing import ClassVar

from device_client import handshake
from gateway import Gateway
from h2_client import Client, push
from http1_client import Connection
from websocket_frames import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Frame, frame, read_frame

LIMIT = 1 << 20
SAY_PING = b'{"type":"ping"}'


def closing(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, code.to_bytes(2, "big") + reason)


# The sent bytes and the close code (RFC 6455, 7.4.1, and the device protocol).
ENDS: list[tuple[str, bytes, int]] = [
    ("a binary message", frame(BINARY, b"\x00\x01"), 1003),
    ("an empty binary message", frame(BINARY), 1003),
    ("a binary message in fragments", frame(BINARY, b"a", final=False) + frame(CONTINUATION, b"b"), 1003),
    ("a frame without a mask", frame(TEXT, SAY_PING, masked=False), 1002),
    ("a reserved bit", frame(TEXT, SAY_PING, reserved=4), 1002),
    ("a reserved opcode", frame(3, b""), 1002),
    ("a reserved control opcode", frame(11, b""), 1002),
    ("a continuation of nothing", frame(CONTINUATION, SAY_PING), 1002),
    ("a message within a message", frame(TEXT, b"{", final=False) + frame(TEXT, b"}"), 1002),
    ("a ping in fragments", frame(PING, b"x", final=False), 1002),
    ("a ping that is too long", frame(PING, b"x" * 126), 1002),
    ("text that is not UTF-8", frame(TEXT, b'{"type":"\xff"}'), 1007),
    ("a surrogate", frame(TEXT, b'"\xed\xa0\x80"'), 1007),
    ("half a character at the end", frame(TEXT, b'"\xe2\x82'), 1007),
    ("a length of more than the limit, before any of it", frame(TEXT, claims=LIMIT + 1), 1009),
    ("a length of 63 bits", frame(TEXT, claims=(1 << 63) - 1), 1009),
    ("fragments of more than the limit", frame(TEXT, b" " * LIMIT, final=False) + frame(CONTINUATION, b" "), 1009),
    ("a length with its highest bit set", frame(TEXT, claims=1 << 63), 1002),
    ("a length in too many bytes", b"\x81\xfe\x00\x05" + frame(TEXT, b"hello")[2:], 1002),
    ("a close of one byte", frame(CLOSE, b"\x03"), 1002),
    ("a close with 1005", closing(1005), 1002),
    ("a close with 999", closing(999), 1002),
    ("a close with a bad reason", closing(1000, b"\xff"), 1007),
]
# The codes after which the gateway waits for the client's Close frame; after others it disconnects (7.1.7).
POLITE = {1003}
# A Close frame and the code in the answer.
ECHOES = [
    (closing(1000), 1000), (closing(1000, b"bye"), 1000), (closing(1001), 1001), (closing(3000), 3000), (closing(4999), 4999),
]


class Frames(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def opened(self) -> Connection:
        connection = self.enterContext(Connection(self.gateway.at().connect()))
        self.assertEqual(connection.ask(handshake()).status, 101)
        return connection

    def assert_pong(self, connection: Connection) -> None:
        found = read_frame(connection)
        self.assertEqual((found.opcode, json.loads(found.payload)), (TEXT, {"type": "pong"}))

    def assert_ends(self, connection: Connection, code: int) -> None:
        found = read_frame(connection)
        self.assertEqual((found.opcode, found.code), (CLOSE, code))
        found.payload[2:].decode()
        if code in POLITE:
            connection.send(closing(code))
        self.assertEqual(connection.read_to_end(), b"")

    def test_each_invalid_frame_ends_the_socket_with_its_code(self) -> None:
        for name, raw_bytes, code in ENDS:
            with self.subTest(name):
                connection = self.opened()
                connection.send(raw_bytes)
                self.assert_ends(connection, code)

    def test_a_close_is_echoed_and_the_connection_ends(self) -> None:
        for raw_bytes, code in ECHOES:
            with self.subTest(code):
                connection = self.opened()
                connection.send(raw_bytes)
                self.assert_ends(connection, code)

    def test_a_close_without_a_code_is_answered(self) -> None:
        connection = self.opened()
        connection.send(frame(CLOSE))
        found = read_frame(connection)
        self.assertEqual(found.opcode, CLOSE)
        self.assertIn(found.payload, (b"", (1000).to_bytes(2, "big")))
        self.assertEqual(connection.read_to_end(), b"")

    def test_a_client_that_never_answers_a_close_is_disconnected(self) -> None:
        connection = self.opened()
        connection.send(frame(BINARY, b"x"))
        self.assertEqual(read_frame(connection).code, 1003)
        self.assertEqual(connection.read_to_end(), b"")

    def test_nothing_after_a_close_is_answered(self) -> None:
        connection = self.opened()
        connection.send(closing(1000), frame(TEXT, SAY_PING), frame(PING, b"x"))
        self.assert_ends(connection, 1000)

    def test_a_ping_between_fragments_is_answered_at_once(self) -> None:
        connection = self.opened()
        connection.send(frame(TEXT, SAY_PING[:4], final=False), frame(PING, b"now"))
        self.assertEqual(read_frame(connection), Frame(PONG, b"now"))
        connection.send(frame(CONTINUATION, SAY_PING[4:]))
        self.assert_pong(connection)

    def test_pings_of_every_length_are_answered_completely(self) -> None:
        connection = self.opened()
        for length in (0, 1, 124, 125):
            connection.send(frame(PING, b"x" * length))
            self.assertEqual(read_frame(connection), Frame(PONG, b"x" * length))

    def test_an_unexpected_pong_is_ignored(self) -> None:
        connection = self.opened()
        connection.send(frame(PONG, b"unasked"), frame(TEXT, SAY_PING))
        self.assert_pong(connection)

    def test_a_message_as_long_as_the_limit_is_read(self) -> None:
        connection = self.opened()
        connection.send(frame(TEXT, SAY_PING + b" " * (LIMIT - len(SAY_PING))))
        self.assert_pong(connection)

    def test_frames_byte_by_byte(self) -> None:
        connection = self.opened()
        for byte in frame(TEXT, SAY_PING):
            connection.send(bytes([byte]))
        self.assert_pong(connection)

    def test_a_client_that_does_not_read_is_disconnected_and_logged(self) -> None:
        with Gateway() as gateway:
            connection = self.enterContext(Connection(gateway.at().connect()))
            self.assertEqual(connection.ask(handshake()).status, 101)
            connection.send(frame(TEXT, b'{"type":"hello","device":{"id":"sloth","platform":"ios","app":"com.example.app"}}'))
            token = json.loads(read_frame(connection).payload)["device"]["tokens"]["apns"]["token"]
            with Client(gateway.tls("h2", certificate=True)) as client:
                client.start()
                # The system buffers some megabytes for a socket; each of these pushes has eight kilobytes.
                for number in range(4000):
                    client.send(push(2 * number + 1, token=token, body=b'{"aps":{"alert":"' + b"x" * 4000 + b'"}}'))
                    self.assertEqual(client.answer(2 * number + 1).status, 200)
                    if "does not read" in gateway.log:
                        break
            self.assertRegex(gateway.log, r"socket closed.*code=4004.*device=sloth")

    def test_a_message_in_the_same_write_as_the_handshake(self) -> None:
        connection = self.enterContext(Connection(self.gateway.at().connect()))
        connection.send(handshake().replace("\n", "\r\n"), "\r\n\r\n", frame(TEXT, SAY_PING), frame(PING, b"x"))
        self.assertEqual(connection.read().status, 101)
        self.assert_pong(connection)
        self.assertEqual(read_frame(connection), Frame(PONG, b"x"))

    def test_the_gateway_survives_sockets_that_vanish(self) -> None:
        for raw_bytes in (b"", frame(TEXT, b"{", final=False), frame(TEXT, claims=1000)):
            connection = self.opened()
            connection.send(raw_bytes)
            connection.socket.close()
        connection = self.opened()
        connection.send(frame(TEXT, SAY_PING))
        self.assert_pong(connection)
