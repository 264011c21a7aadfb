"""How a device socket is opened: the handshake, its subprotocols, and the answer to a page of another server."""
from __future__ import annotations

import asyncio
import unittest
from typing import ClassVar

from websockets.exceptions import InvalidStatus

from device_client import PROTOCOL, handshake, opened
from gateway import PATIENCE, Gateway
from http1_client import Answer, Connection

OURS = str(PROTOCOL)
# The offered subprotocols and the chosen one; a number is the status of a refusal.
OFFERS: list[tuple[list[str], str | int | None]] = [
    ([], None),
    ([OURS], OURS),
    (["chat", OURS], OURS),
    ([OURS, "pushpit.device.v2"], OURS),
    (["chat"], 400),
    (["pushpit.device.v2", "chat"], 400),
    (["pushpit.device.v1x"], 400),
    (["PUSHPIT.DEVICE.V1"], 400),
]
# Invalid opening handshakes (RFC 6455, 4.2.1) and their statuses.
NO_HANDSHAKES: list[tuple[str, str, list[int]]] = [
    ("no upgrade at all", handshake(upgrade=None, connection=None), [426]),
    ("an upgrade to something else", handshake(upgrade="h2c"), [426]),
    ("an upgrade that Connection does not name", handshake(connection="keep-alive"), [400, 426]),
    ("HTTP/1.0", handshake("GET /devices/socket HTTP/1.0"), [400, 426]),
    ("an older version", handshake(sec_websocket_version="8"), [426]),
    ("no version", handshake(sec_websocket_version=None), [400, 426]),
    ("no key", handshake(sec_websocket_key=None), [400]),
    ("a short key", handshake(sec_websocket_key="c2hvcnQ="), [400]),
    ("a key that is not base64", handshake(sec_websocket_key="!" * 22 + "=="), [400]),
]


class Handshake(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def ask(self, text: str) -> Answer:
        with Connection(self.gateway.at().connect()) as connection:
            return connection.ask(text)

    def test_the_handshake_follows_the_rfc(self) -> None:
        answer = self.ask(handshake())
        self.assertEqual((answer.line, answer["upgrade"].lower()), ("HTTP/1.1 101 Switching Protocols", "websocket"))
        self.assertEqual((answer["connection"].lower(), answer["sec-websocket-protocol"]), ("upgrade", OURS))
        self.assertEqual(answer["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        self.assertEqual(answer["content-length"] + answer["transfer-encoding"] + answer["sec-websocket-extensions"], "")

    def test_the_spellings_of_browsers_are_accepted(self) -> None:
        for changes in ({"connection": "keep-alive, Upgrade"}, {"upgrade": "WebSocket"},
                        {"sec_websocket_extensions": "permessage-deflate; client_max_window_bits"}):
            answer = self.ask(handshake(**changes))
            self.assertEqual((answer.status, answer["sec-websocket-extensions"]), (101, ""), changes)

    def test_the_subprotocol(self) -> None:
        async def choose(offer: list[str]) -> str | int | None:
            try:
                async with asyncio.timeout(PATIENCE), opened(self.gateway, protocols=offer) as socket:
                    return socket.subprotocol
            except InvalidStatus as refused:
                return refused.response.status_code
        for offer, expected in OFFERS:
            with self.subTest(offer):
                self.assertEqual(asyncio.run(choose(offer)), expected)

    def test_a_client_that_offers_no_subprotocol_gets_none(self) -> None:
        answer = self.ask(handshake(sec_websocket_protocol=None))
        self.assertEqual((answer.status, answer["sec-websocket-protocol"]), (101, ""))

    def test_subprotocols_in_several_fields(self) -> None:
        answer = self.ask(handshake(sec_websocket_protocol="chat") + f"\nsec-websocket-protocol: {OURS}")
        self.assertEqual((answer.status, answer["sec-websocket-protocol"]), (101, OURS))

    def test_a_refused_page_gets_the_reason(self) -> None:
        self.assertIn(b"http://evil.example", self.ask(handshake(origin="http://evil.example")).body)
        self.assertIn(b"--allow-host", self.ask(handshake(host="evil.example")).body)

    def test_an_invalid_handshake_is_refused(self) -> None:
        for name, text, statuses in NO_HANDSHAKES:
            with self.subTest(name):
                answer = self.ask(text)
                self.assertIn(answer.status, statuses)
                self.assertTrue(answer.body.endswith(b".\n"))

    def test_a_426_names_what_to_upgrade_to(self) -> None:
        """RFC 9110, 15.5.22 and 7.8; RFC 6455, 4.4."""
        for text in (handshake(upgrade=None, connection=None), handshake(sec_websocket_version="8")):
            answer = self.ask(text)
            self.assertEqual((answer.status, answer["upgrade"]), (426, "websocket"))
            self.assertIn("upgrade", answer["connection"].lower())
        self.assertEqual(answer["sec-websocket-version"], "13")
