"""The device protocol with a real WebSocket client: hello, pings, resuming, and the end."""
from __future__ import annotations

import asyncio
import signal
import unittest
from typing import ClassVar

from device_client import IPHONE, Phone, token_of, with_phones
from gateway import TOPIC, Gateway
from h2_client import Client, push


def send_push(gateway: Gateway, token: str, body: bytes) -> int:
    """The status of a push to that device."""
    with Client(gateway.tls("h2", certificate=True)) as client:
        client.start()
        client.send(push(1, token=token, body=body))
        return client.answer(1).status


class Messages(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def test_hello_is_answered_by_welcome(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE | {"name": "Ann's"})
            device = welcome["device"]
            self.assertEqual((welcome["type"], welcome["resumed"], welcome["missed"]), ("welcome", False, 0))
            self.assertEqual((device["platform"], device["app"], device["name"]), ("ios", TOPIC, "Ann's"))
            self.assertTrue(device["connected"])
            self.assertRegex(token_of(welcome), r"\A[0-9a-f]{64}\Z")
            self.assertRegex(welcome["serverTime"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
        for scheme in ("ws", "wss"):
            with_phones(self.gateway, body, scheme=scheme)

    def test_ping_as_a_message_and_as_a_frame(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device=IPHONE)
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            async with asyncio.timeout(10):
                await (await phone.socket.ping(b"are you there?"))
        with_phones(self.gateway, body)


class Pushes(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def test_a_device_stays_and_its_client_resumes(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE, wants=["push"])
            await first.socket.close()
            for number in range(3):
                self.assertEqual(send_push(self.gateway, token_of(welcome), b'{"aps":{},"n":%d}' % number), 200)
            again = await second.ask(
                type="hello", device={"id": welcome["device"]["id"]}, wants=["push"], resume={"after": welcome["seq"]})
            self.assertEqual((again["type"], again["resumed"], again["missed"]), ("welcome", True, 0))
            frames = [await second.receive() for _ in range(3)]
            self.assertEqual([(frame["payload"]["n"], frame["attempt"]) for frame in frames], [(0, 1), (1, 1), (2, 1)])
        with_phones(self.gateway, body, count=2)


class EndOfGateway(unittest.TestCase):
    def test_sigterm_closes_device_sockets_with_1001(self) -> None:
        with Gateway("--drain-timeout", "60s") as gateway:
            async def body(greeted: Phone, silent: Phone) -> None:
                await greeted.ask(type="hello", device=IPHONE)
                gateway.process.send_signal(signal.SIGTERM)
                self.assertEqual(await greeted.receive(), {"type": "bye", "reason": "the gateway is shutting down", "reconnect": True})
                self.assertEqual([await greeted.closed(), await silent.closed()], [1001, 1001])
            with_phones(gateway, body, count=2)
            self.assertEqual(gateway.process.wait(10), 0)
