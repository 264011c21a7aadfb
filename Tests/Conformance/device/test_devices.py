"""The device protocol on an open socket: hello and its answers, pushes to whom they concern, ends."""
from __future__ import annotations

import asyncio
import signal
import time
import unittest
from typing import Any, ClassVar

from device_client import IPHONE, Phone, token_of, with_phones
from gateway import TOPIC, Gateway
from h2_client import Client, push

# What is no message.
BAD_MESSAGES: list[tuple[str, str]] = [
    ("not JSON", "hello"), ("half of it", '{"type":'), ("nothing", ""), ("a list", "[]"), ("a string", '"hello"'),
    ("no type", "{}"), ("a type that is no string", '{"type":1}'), ("more behind it", '{"type":"ping"} x'),
    ("very deep", "[" * 100_000),
]
# What is no device, and where the error points to.
BAD_DEVICES: list[tuple[Any, str]] = [
    ({"platform": "palm", "app": TOPIC}, "/device/platform"), ({"platform": 1, "app": TOPIC}, "/device/platform"),
    ({"platform": "ios", "app": ""}, "/device/app"), ({"platform": "ios", "app": 7}, "/device/app"),
    ({"platform": "ios", "app": TOPIC, "id": 7}, "/device/id"), ([], "/device"), ("iphone", "/device"), (None, "/device"),
]


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

    def test_a_hello_in_fragments(self) -> None:
        async def body(phone: Phone) -> None:
            text = '{"type":"hello","device":{"platform":"ios","app":"com.example.app","name":"Ünï 📱"}}'
            await phone.socket.send([text[:1], text[1:20], "", text[20:70], text[70:]])
            self.assertEqual((await phone.receive())["device"]["name"], "Ünï 📱")
        with_phones(self.gateway, body)

    def test_ping_as_a_message_and_as_a_frame(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device=IPHONE)
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            async with asyncio.timeout(10):
                await (await phone.socket.ping(b"are you there?"))
        with_phones(self.gateway, body)

    def test_an_unknown_type_is_an_error_with_its_ref(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device=IPHONE)
            for ref in ("r-1", 17, None):
                answer = await phone.ask(type="dance", **({} if ref is None else {"ref": ref}))
                self.assertEqual((answer["type"], answer.get("ref")), ("error", ref))
                self.assertTrue(answer["code"])
                self.assertIn("dance", answer["message"])
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_what_is_no_message_is_an_error_and_no_end(self) -> None:
        async def body(phone: Phone) -> None:
            for name, text in BAD_MESSAGES:
                with self.subTest(name):
                    await phone.socket.send(text)
                    answer = await phone.receive()
                    self.assertEqual(answer["type"], "error")
                    self.assertTrue(answer["code"] and answer["message"])
            self.assertEqual((await phone.ask(type="hello", device=IPHONE))["type"], "welcome")
        with_phones(self.gateway, body)

    def test_a_bad_device_is_an_error_with_a_pointer(self) -> None:
        for device, pointer in BAD_DEVICES:
            async def body(phone: Phone) -> None:
                answer = await phone.ask(type="hello", device=device, ref="h")
                self.assertEqual((answer["type"], answer.get("pointer"), answer["ref"]), ("error", pointer, "h"))
                self.assertEqual((await phone.ask(type="hello", device=IPHONE))["type"], "welcome")
            with self.subTest(device):
                with_phones(self.gateway, body)

    def test_a_second_hello_is_an_error(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device=IPHONE)
            answer = await phone.ask(type="hello", device=IPHONE, ref="again")
            self.assertEqual((answer["type"], answer["ref"]), ("error", "again"))
        with_phones(self.gateway, body)

    def test_an_unknown_device_is_4001(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.send(type="hello", device={"id": "nobody"})
            self.assertEqual(await phone.closed(), 4001)
        with_phones(self.gateway, body)

    def test_no_hello_in_time_is_4000(self) -> None:
        """A ping does not put it off."""
        async def body(phone: Phone) -> None:
            begun = time.monotonic()
            await phone.socket.ping()
            self.assertEqual(await phone.closed(), 4000)
            self.assertGreater(time.monotonic() - begun, 4)
        with_phones(self.gateway, body)


class Pushes(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    async def push(self, token: str, body: bytes = b'{"aps":{"alert":"Hello"}}') -> int:
        return await asyncio.to_thread(send_push, self.gateway, token, body)

    def test_every_socket_of_a_device_gets_it_and_no_other(self) -> None:
        async def body(first: Phone, second: Phone, other: Phone) -> None:
            made = await first.ask(type="hello", device=IPHONE)
            again = await second.ask(type="hello", device={"id": made["device"]["id"]})
            self.assertEqual(token_of(again), token_of(made))
            self.assertNotEqual(token_of(await other.ask(type="hello", device=IPHONE)), token_of(made))
            self.assertEqual(await self.push(token_of(made)), 200)
            frames = [await phone.receive() for phone in (first, second)]
            self.assertEqual(frames[0], frames[1])
            self.assertEqual((frames[0]["type"], frames[0]["provider"], frames[0]["app"]), ("push", "apns", TOPIC))
            self.assertEqual(frames[0]["payload"], {"aps": {"alert": "Hello"}})
            self.assertEqual(await other.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body, count=3)

    def test_pushes_come_in_their_order_with_growing_numbers(self) -> None:
        async def body(phone: Phone) -> None:
            token = token_of(await phone.ask(type="hello", device=IPHONE, wants=["push"]))
            for number in range(20):
                self.assertEqual(await self.push(token, b'{"n":%d}' % number), 200)
            frames = [await phone.receive() for _ in range(20)]
            self.assertEqual([frame["payload"]["n"] for frame in frames], list(range(20)))
            numbers = [frame["seq"] for frame in frames]
            self.assertEqual(numbers, sorted(set(numbers)))
        with_phones(self.gateway, body)

    def test_a_refused_push_makes_no_frame(self) -> None:
        async def body(phone: Phone) -> None:
            token = token_of(await phone.ask(type="hello", device=IPHONE))
            self.assertEqual(await self.push(token, b"x" * 5000), 413)
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_one_socket_ends_and_the_other_still_gets_it(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            made = await first.ask(type="hello", device=IPHONE)
            await second.ask(type="hello", device={"id": made["device"]["id"]})
            await first.socket.close()
            self.assertEqual(await self.push(token_of(made)), 200)
            self.assertEqual((await second.receive())["type"], "push")
        with_phones(self.gateway, body, count=2)


class Ends(unittest.TestCase):
    def test_sigterm_is_1001(self) -> None:
        with Gateway("--drain-timeout", "60s") as gateway:
            async def body(greeted: Phone, silent: Phone) -> None:
                await greeted.ask(type="hello", device=IPHONE)
                gateway.process.send_signal(signal.SIGTERM)
                self.assertEqual(await greeted.receive(), {"type": "bye", "reason": "the gateway is shutting down", "reconnect": True})
                self.assertEqual([await greeted.closed(), await silent.closed()], [1001, 1001])
            with_phones(gateway, body, count=2)
            self.assertEqual(gateway.process.wait(10), 0)
