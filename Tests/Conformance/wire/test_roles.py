"""How a connection gets its protocol and role: with or without ALPN, by SNI, and Apple's answer to HTTP/1.1."""
from __future__ import annotations

import socket
import ssl
import unittest
from typing import ClassVar

from gateway import PATIENCE, Gateway
from h2_client import Client, FrameType, frames, get, push

ROLES = ["--listen", "any=127.0.0.1:0", "--listen", "apns=127.0.0.1:0", "--listen", "fcm=127.0.0.1:0"]
# The listener's role, the host name in SNI, and the offered streams: the listener's role wins over the name.
NAMES = [
    ("any", "localhost", 1000),
    ("any", "api.push.apple.com", 1), ("any", "api.sandbox.push.apple.com", 1),
    ("any", "api.development.push.apple.com", 1),
    ("any", "fcm.googleapis.com", 100), ("any", "oauth2.googleapis.com", 100),
    ("apns", "fcm.googleapis.com", 1), ("fcm", "api.push.apple.com", 100),
]
OLD_PUSH = b"POST /3/device/" + b"a1b2c3d4" * 8 + b" HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}"
# Apple's recorded SETTINGS, then GOAWAY with last stream 0, PROTOCOL_ERROR, Netty's text and the first 24 bytes.
SETTINGS_HEX = "00001e040000000000" "000100001000" "000300000001" "00040000ffff" "000500004000" "000600001f40"
GOAWAY_HEX = "000086" "070000000000" "00000000" "00000001"
SENTENCE = "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: "
FIRST_24 = "504f5354202f332f6465766963652f613162326333643461"


def read_all(connected: socket.socket) -> bytes:
    """All bytes up to the end of the connection."""
    connected.settimeout(PATIENCE)
    raw_bytes = b""
    while chunk := connected.recv(65_536):
        raw_bytes += chunk
    return raw_bytes


class Roles(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway(*ROLES))

    def tls(self, *protocols: str, role: str = "any", name: str = "localhost") -> ssl.SSLSocket:
        return self.enterContext(self.gateway.tls(*protocols, role=role, name=name))

    def test_h2_without_alpn(self) -> None:
        for role, limit in [("any", 1000), ("apns", 1), ("fcm", 100)]:
            with self.subTest(role):
                connected = self.tls(role=role)
                self.assertIsNone(connected.selected_alpn_protocol())
                client = Client(connected)
                client.start()
                client.send(push(1) if role == "apns" else get(1))
                self.assertEqual((client.limits[0], client.answer(1).status), (limit, 200))

    def test_an_apns_listener_speaks_first_without_alpn_too(self) -> None:
        client = Client(self.tls(role="apns"))
        client.wait(lambda: bool(client.frames))
        self.assertEqual((client.frames[0].kind, client.limits), (FrameType.SETTINGS, [1]))

    def test_h2_in_clear_text(self) -> None:
        for role, limit in [("any", 1000), ("apns", 1), ("fcm", 100)]:
            with self.subTest(role):
                client = self.enterContext(Client(self.gateway.at(role).connect()))
                client.start()
                client.send(push(1) if role == "apns" else get(1))
                self.assertEqual((client.limits[0], client.answer(1).status), (limit, 200))

    def test_http_1_without_alpn_and_with_it(self) -> None:
        for protocols in ((), ("http/1.1",), ("http/1.1", "unknown")):
            for role in ("any", "fcm"):
                with self.subTest(protocols=protocols, role=role):
                    connected = self.tls(*protocols, role=role)
                    connected.sendall(b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                    self.assertTrue(read_all(connected).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_h2_is_chosen_if_both_are_offered(self) -> None:
        for role in ("any", "apns", "fcm"):
            self.assertEqual(self.tls("http/1.1", "h2", role=role).selected_alpn_protocol(), "h2")

    def test_the_requested_name_decides_the_behaviour(self) -> None:
        for role, name, limit in NAMES:
            with self.subTest(role=role, name=name):
                client = Client(self.tls("h2", role=role, name=name))
                client.start()
                self.assertEqual(client.limits, [limit])

    def test_a_connection_for_an_apple_host_changes_its_stream_limit(self) -> None:
        client = Client(self.tls("h2", name="api.push.apple.com"))
        client.start()
        client.send(push(1))
        self.assertEqual((client.answer(1).status, client.limits), (200, [1, 1000]))

    def test_http_1_on_role_apns_gets_the_bytes_of_the_real_service(self) -> None:
        wanted = SETTINGS_HEX + GOAWAY_HEX + (SENTENCE.encode().hex() + FIRST_24.encode().hex())
        for name, connected in [("clear text", self.gateway.at("apns").connect()), ("TLS", self.tls(role="apns"))]:
            with self.subTest(name), connected:
                connected.sendall(OLD_PUSH)
                self.assertEqual(read_all(connected).hex(), wanted)

    def test_the_answer_to_a_short_http_1_request_on_role_apns_quotes_all_of_it(self) -> None:
        with self.gateway.at("apns").connect() as connected:
            connected.sendall(b"GET /\r\n")
            raw_bytes = bytearray(read_all(connected))
        settings, goaway = frames.take_frame(raw_bytes), frames.take_frame(raw_bytes)
        assert settings and goaway
        self.assertEqual((settings.kind, goaway.kind, goaway.code, bytes(raw_bytes)), (4, 7, 1, b""))
        self.assertEqual(goaway.payload[8:].decode(), SENTENCE + b"GET /\r\n".hex())
