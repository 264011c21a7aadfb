"""A device's life: sockets that come and go, what they have received, tokens that change."""
from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
import unittest
from typing import Any, ClassVar

import httpx

from control import call, move_clock
from device_client import IPHONE, Fields, Phone, opened, token_of, with_phones
from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import BEARER, Client, push
from test_devices import send_push

ALERT = b'{"aps":{"alert":"x"}}'


def known(welcome: Fields, **more: Any) -> Fields:
    return {"type": "hello", "device": {"id": welcome["device"]["id"]}} | more


class Life(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def push(self, welcome: Fields, count: int = 1) -> None:
        for _ in range(count):
            self.assertEqual(send_push(self.gateway, token_of(welcome), ALERT), 200)

    async def pushes(self, phone: Phone, count: int) -> list[tuple[int, int]]:
        """Numbers and attempts of the next pushes."""
        seen = []
        while len(seen) < count:
            message = await phone.receive()
            if message["type"] == "push":
                seen.append((int(message["id"][1:]), message["attempt"]))
        return seen

    def test_a_device_lives_on_and_its_client_resumes(self) -> None:
        async def body(first: Phone, second: Phone, third: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE)
            self.assertEqual((welcome["resumed"], welcome["missed"]), (False, 0))
            self.push(welcome)
            ((one, _),) = await self.pushes(first, 1)
            seen = (await first.receive())["seq"]
            await first.socket.close()
            self.push(welcome, 2)
            again = await second.ask(**known(welcome, resume={"after": seen}))
            self.assertEqual((again["type"], again["resumed"], again["missed"]), ("welcome", True, 0))
            # Nobody has got them before.
            self.assertEqual([attempt for _, attempt in await self.pushes(second, 2)], [1, 1])
            # And what comes now comes behind them.
            self.push(welcome)
            ((four, attempt),) = await self.pushes(second, 1)
            self.assertEqual(attempt, 1)
            # From the beginning: whatever was sent is marked.
            await third.ask(**known(welcome, resume={"after": 0}))
            numbers = await self.pushes(third, 4)
            self.assertEqual((numbers[0], numbers[-1]), ((one, 2), (four, 2)))
        with_phones(self.gateway, body, count=3)

    def test_a_number_that_has_not_been_yet_is_not_resumed(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE)
            again = await second.ask(**known(welcome, resume={"after": welcome["seq"] + 1}))
            self.assertEqual((again["type"], again["resumed"], again["missed"]), ("welcome", False, 0))
        with_phones(self.gateway, body, count=2)

    def test_what_nothing_is_made_of_is_named(self) -> None:
        async def body(first: Phone, second: Phone, third: Phone) -> None:
            spec = IPHONE | {"extention": {"script": "firebase"}, "a/b": 1, "name": "n", "osVersion": "18.0"}
            welcome = await first.ask(type="hello", device=spec, manualack=True, ref=1)
            self.assertEqual(welcome["ignored"], ["/manualack", "/device/extention", "/device/a~1b"])
            # A device that is there is as it is; what is said of it as it is goes without a word.
            other = {"id": welcome["device"]["id"], "platform": "android", "app": IPHONE["app"], "extension": {"script": "firebase"}}
            self.assertEqual((await second.ask(type="hello", device=other))["ignored"], ["/device/platform", "/device/extension"])
            same = {key: value for key, value in welcome["device"].items() if key != "state"}
            self.assertNotIn("ignored", await third.ask(type="hello", device=same))
        with_phones(self.gateway, body, count=3)

    def test_events_are_resumed_with_their_pushes_in_order(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            for phone in (first, second):
                phone.shows = True
            welcome = await first.ask(type="hello", device=IPHONE)
            self.push(welcome, 3)
            live = [await first.receive() for _ in range(9)]
            await second.ask(**known(welcome, resume={"after": welcome["seq"]}))
            replayed = [await second.receive() for _ in range(9)]
            for message in live + replayed:
                message.pop("attempt", None)
            self.assertEqual(live, replayed)
        with_phones(self.gateway, body, count=2)

    def test_what_is_not_acknowledged_comes_again(self) -> None:
        async def body(*phones: Phone) -> None:
            welcome = await phones[0].ask(type="hello", device=IPHONE, manualAck=True)
            self.push(welcome, 4)
            numbers = [number for number, _ in await self.pushes(phones[0], 4)]
            await phones[0].send(type="ack", ids=[f"p{numbers[1]}"])
            self.assertEqual((await self.answered(phones[0], type="nack", id=f"p{numbers[3]}", code=301))["type"], "ok")
            await phones[0].socket.close()
            await phones[1].ask(**known(welcome, manualAck=True))
            self.assertEqual(await self.pushes(phones[1], 2), [(numbers[0], 2), (numbers[2], 2)])
            await phones[1].socket.close()
            newest = (await phones[2].ask(**known(welcome, manualAck=True)))["seq"]
            self.assertEqual(await self.pushes(phones[2], 2), [(numbers[0], 3), (numbers[2], 3)])
            self.assertEqual((await self.answered(phones[2], type="ack", upTo=newest))["type"], "ok")
            await phones[2].socket.close()
            await phones[3].ask(**known(welcome, manualAck=True))
            self.push(welcome)
            ((_, attempt),) = await self.pushes(phones[3], 1)
            self.assertEqual(attempt, 1)
        with_phones(self.gateway, body, count=4)

    def test_what_was_to_be_told_when_the_socket_closed_comes_again(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE, manualAck=True)
            with Client(self.gateway.at().connect()) as client:
                client.start()
                # Both are there at once, and more pushes than one turn tells.
                os.kill(self.gateway.process.pid, signal.SIGSTOP)
                client.send(*(push(stream, token=token_of(welcome), body=ALERT) for stream in range(1, 400, 2)))
                first.socket.transport.abort()
                os.kill(self.gateway.process.pid, signal.SIGCONT)
                self.assertEqual({client.answer(stream).status for stream in range(1, 400, 2)}, {200})
            await second.ask(**known(welcome, manualAck=True))
            numbers = [number for number, _ in await self.pushes(second, 200)]
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 200)))
        with_phones(self.gateway, body, count=2)

    async def answered(self, phone: Phone, **message: Any) -> Fields:
        await phone.send(ref="r", **message)
        while (answer := await phone.receive()).get("ref") != "r":
            pass
        return answer

    def test_what_is_no_acknowledgement(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device=IPHONE)
            for message, pointer in [({"type": "ack"}, "/ids"), ({"type": "ack", "ids": "p1"}, "/ids"), ({"type": "ack", "ids": [1]}, "/ids"),
                                     ({"type": "ack", "ids": ["x1"]}, "/ids"), ({"type": "ack", "upTo": 1, "code": 7}, "/code"),
                                     ({"type": "nack", "id": "p1", "code": 1}, "/code"), ({"type": "nack", "code": 301}, "/id")]:
                with self.subTest(message):
                    self.assertEqual((await self.answered(phone, **message))["pointer"], pointer)
        with_phones(self.gateway, body)

    def test_a_hello_that_can_t_be(self) -> None:
        async def body(phone: Phone) -> None:
            for more, pointer in [({"resume": {"after": -1}}, "/resume/after"), ({"resume": 1}, "/resume/after"), ({"resume": {"after": "1"}}, "/resume/after"),
                                  ({"manualAck": 1}, "/manualAck"), ({"exclusive": "yes"}, "/exclusive")]:
                with self.subTest(more):
                    error = await phone.ask(type="hello", device=IPHONE, **more)
                    self.assertEqual((error["type"], error["pointer"]), ("error", pointer))
            self.assertEqual((await phone.ask(type="hello", device=IPHONE))["type"], "welcome")
        with_phones(self.gateway, body)

    def test_a_client_that_wants_the_device_for_itself(self) -> None:
        async def body(first: Phone, second: Phone, third: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE)
            await second.ask(**known(welcome))
            await third.ask(**known(welcome, exclusive=True))
            self.assertEqual((await first.closed(), await second.closed()), (4002, 4002))
            self.push(welcome)
            await self.pushes(third, 1)
        with_phones(self.gateway, body, count=3)

    def test_dropped_messages_are_told_to_a_client_that_resumes(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            android = {"platform": "android", "app": TOPIC}
            welcome = await first.ask(type="hello", device=android, offlineWhenDisconnected=True)
            await first.socket.close()
            token = welcome["device"]["tokens"]["fcm"]["token"]
            with httpx.Client(base_url=self.gateway.at().url("", scheme="http"), timeout=PATIENCE) as client:
                for number in range(103):
                    body = {"message": {"token": token, "data": {"n": str(number)}}}
                    self.assertEqual(client.post("/v1/projects/p/messages:send", json=body, headers={"authorization": "Bearer x"}).status_code, 200)
            await second.ask(**known(welcome, resume={"after": welcome["seq"]}, offlineWhenDisconnected=True, wants=["push"]))
            while (told := await second.receive())["type"] != "deleted":
                pass
            self.assertEqual(told["count"], 101)
        with_phones(self.gateway, body, count=2)

    def test_what_others_hear_is_not_owed_to_a_client_that_acknowledges(self) -> None:
        async def body(first: Phone, second: Phone, third: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE, manualAck=True)
            self.push(welcome)
            owed = await self.pushes(first, 1)
            await first.socket.close()
            await second.ask(**known(welcome))
            self.push(welcome, 3)
            await self.pushes(second, 3)
            await third.ask(**known(welcome, manualAck=True))
            self.push(welcome)
            again = await self.pushes(third, 2)
            self.assertEqual((again[0], again[1][1]), ((owed[0][0], 2), 1))
        with_phones(self.gateway, body, count=3)

    def test_what_the_log_has_forgotten_is_counted(self) -> None:
        async def body(first: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE)
            (self.gateway.directory / "body").write_bytes(ALERT)
            # Three events each, and the log keeps 40,000.
            load = await asyncio.create_subprocess_exec(
                "h2load", "-n", "15000", "-c", "2", "-m", "50", "-d", str(self.gateway.directory / "body"), "-H", ": ".join(BEARER),
                "-H", f"apns-topic: {TOPIC}", self.gateway.at().url(f"/3/device/{TOKEN}", scheme="http"), stdout=subprocess.DEVNULL)
            self.assertEqual(await load.wait(), 0)
            async with opened(self.gateway) as socket:
                again = await Phone(socket).ask(**known(welcome, resume={"after": welcome["seq"]}))
            self.assertFalse(again["resumed"])
            self.assertGreater(again["missed"], 1000)
        with_phones(self.gateway, body)


class Forgetting(unittest.TestCase):
    """The log does not keep all that a client has missed."""

    def test_what_it_has_still_is_told(self) -> None:
        with Gateway("--keep-messages", "20") as gateway:
            async def body(first: Phone, second: Phone) -> None:
                welcome = await first.ask(type="hello", device=IPHONE)
                await first.socket.close()
                with Client(gateway.tls("h2", certificate=True)) as client:
                    client.start()
                    for number in range(60):
                        client.send(push(2 * number + 1, token=token_of(welcome), body=ALERT))
                        client.answer(2 * number + 1)
                again = await second.ask(**known(welcome, resume={"after": welcome["seq"]}))
                self.assertFalse(again["resumed"])
                told = []
                while not told or told[-1]["seq"] < again["seq"]:
                    second.shows = True
                    told.append(await second.receive())
                self.assertLessEqual(told[0]["seq"] - (welcome["seq"] + again["missed"]), 3)
                self.assertEqual((await second.ask(type="ping"))["type"], "pong")
            with_phones(gateway, body, count=2)

    def test_a_log_that_has_forgotten_all_is_resumed(self) -> None:
        with Gateway("--keep-for", "1s") as gateway:
            async def body(first: Phone, second: Phone, third: Phone) -> None:
                welcome = await first.ask(type="hello", device=IPHONE, manualAck=True)
                self.assertEqual(send_push(gateway, token_of(welcome), ALERT), 200)
                self.assertEqual((await first.receive())["type"], "push")
                move_clock(gateway, advance="10s")
                # What the gateway looks after twice a second has no event to wait for, so it is looked at often.
                deadline = time.monotonic() + PATIENCE
                while call(gateway, "GET", "/messages")[1]["messages"]:
                    self.assertLess(time.monotonic(), deadline, "the log forgets nothing")
                self.assertEqual((await second.ask(**known(welcome, resume={"after": 1})))["type"], "welcome")
                self.assertEqual((await third.ask(**known(welcome, manualAck=True)))["type"], "welcome")
                self.assertEqual((await third.ask(type="ping"))["type"], "pong")
            with_phones(gateway, body, count=3)


class Replay(unittest.TestCase):
    """Much that was missed, told to a client while more comes."""
    gateway: Gateway

    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.client = self.enterContext(Client(self.gateway.at().connect()))
        self.client.start()

    def send(self, token: str, begin: int, count: int, filler: str = "") -> None:
        for first in range(begin, begin + count, 100):
            numbers = range(first, min(first + 100, begin + count))
            body = '{"aps":{"alert":"x"},"n":%d,"filler":"' + filler + '"}'
            self.client.send(*(push(2 * number + 1, token=token, body=(body % number).encode()) for number in numbers))
            self.assertEqual({self.client.answer(2 * number + 1).status for number in numbers}, {200})

    def test_what_is_pushed_meanwhile_comes_behind_it(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE, wants=["push"])
            await first.socket.close()
            self.send(token_of(welcome), 0, 2000)
            await second.send(**known(welcome, wants=["push"], resume={"after": welcome["seq"]}))
            await asyncio.to_thread(self.send, token_of(welcome), 2000, 100)
            again = await second.receive()
            self.assertEqual((again["resumed"], again["missed"]), (True, 0))
            self.assertEqual([(await second.receive())["payload"]["n"] for _ in range(2100)], list(range(2100)))
        with_phones(self.gateway, body, count=2)

    def test_more_than_may_wait_for_a_client_that_reads(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE)
            await first.socket.close()
            self.send(token_of(welcome), 0, 2000, "x" * 3000)
            await second.send(**known(welcome, wants=["push"], resume={"after": welcome["seq"]}))
            # It begins to read late.
            await asyncio.to_thread(self.send, token_of(welcome), 2000, 200, "x" * 3000)
            await second.receive()
            self.assertEqual([(await second.receive())["payload"]["n"] for _ in range(2200)], list(range(2200)))
        with_phones(self.gateway, body, count=2)


class Tokens(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def message(self, token: str) -> int:
        return httpx.post(
            self.gateway.at().url("/v1/projects/demo/messages:send", scheme="http"), timeout=PATIENCE, headers={"authorization": "Bearer x"},
            json={"message": {"token": token, "data": {"a": "1"}}}).status_code

    def test_an_apns_token_is_replaced(self) -> None:
        async def body(phone: Phone) -> None:
            old = token_of(await phone.ask(type="hello", device=IPHONE))
            frame = await phone.ask(type="token", op="rotate", provider="apns")
            frames = {frame["type"]: frame} | {message["type"]: message for message in [await phone.receive(), await phone.receive()]}
            self.assertEqual(frames.keys(), {"ok", "token", "event"})
            new = frames["token"]["new"]
            self.assertEqual((frames["token"]["old"], frames["token"]["cause"]), (old, "rotate"))
            self.assertEqual(frames["event"]["kind"], "token")
            self.assertEqual(send_push(self.gateway, old, ALERT), 410)
            self.assertEqual(send_push(self.gateway, new, ALERT), 200)
            await phone.send(type="token", op="delete", provider="apns")
            while (frame := await phone.receive())["type"] != "token":
                pass
            self.assertEqual((frame["old"], frame.get("new"), frame["cause"]), (new, None, "delete"))
            self.assertEqual(send_push(self.gateway, new, ALERT), 410)
        with_phones(self.gateway, body)

    def test_an_fcm_token_is_replaced_and_the_installation_stays(self) -> None:
        async def body(phone: Phone) -> None:
            tokens = (await phone.ask(type="hello", device={"platform": "android", "app": "com.example.droid"}))["device"]["tokens"]["fcm"]
            await phone.send(type="token", op="rotate", provider="fcm")
            while (frame := await phone.receive())["type"] != "token":
                pass
            self.assertTrue(frame["new"].startswith(tokens["fid"] + ":"))
            self.assertEqual([self.message(token) for token in (tokens["token"], frame["new"], tokens["fid"])], [404, 200, 200])
        with_phones(self.gateway, body)

    def test_what_can_t_be_changed(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device={"platform": "web", "app": "https://e.com"})
            for message, pointer in [({"op": "rotate", "provider": "apns"}, "/provider"), ({"op": "rotate"}, "/provider"),
                                     ({"op": "delete", "provider": "apns"}, "/provider"), ({"op": "burn", "provider": "fcm"}, "/op")]:
                with self.subTest(message):
                    error = await phone.ask(type="token", **message)
                    self.assertEqual((error["type"], error["pointer"]), ("error", pointer))
        with_phones(self.gateway, body)
