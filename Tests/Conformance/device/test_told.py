"""Frames are written over the last of their kind: whatever changes from one push to the next, each says what is its own."""
from __future__ import annotations

import base64
import json
import unittest
from typing import Any, ClassVar

from device_client import IPHONE, Fields, Phone, with_phones
from gateway import Gateway
from h2_client import Client, push

COUNT = 130
BODIES = [b'{"aps":{"alert":"one"}}', b'{"aps":{"alert":{"title":"T","body":"two"},"sound":"s"}}', b'{"aps":{"alert":"thr\\u00e9e"},"k":[1,"x"]}']
PRIORITIES: list[str | None] = [None, "5", "10"]


def variant(number: int) -> tuple[bytes, str | None]:
    """Runs of the same, then another body, other fields, or both."""
    return BODIES[number // 5 % 3], PRIORITIES[number // 7 % 3]


class Told(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def send_all(self, tokens: list[str]) -> None:
        with Client(self.gateway.tls("h2", certificate=True)) as client:
            client.start()
            for number in range(COUNT):
                body, priority = variant(number)
                fields = [("apns-priority", priority)] if priority else []
                client.send(push(2 * number + 1, *fields, token=tokens[number % len(tokens)], body=body))
                self.assertEqual(client.answer(2 * number + 1).status, 200)

    async def frames(self, phone: Phone, count: int) -> list[Fields]:
        phone.shows = True
        return [await phone.receive() for _ in range(count)]

    def check(self, frames: list[Fields], numbers: range, attempt: int = 1) -> None:
        """Three frames a push: it, that it came, and that it is shown."""
        seqs = [frame["seq"] for frame in frames]
        self.assertEqual(seqs, sorted(seqs))
        ids: list[str] = []
        for place, number in enumerate(numbers):
            told, delivered, presented = frames[3 * place:3 * place + 3]
            body, priority = variant(number)
            payload: Any = json.loads(body)
            self.assertEqual((told["type"], delivered["kind"], presented["kind"]), ("push", "delivered", "presented"))
            self.assertEqual((told["payload"], told["headers"].get("apns-priority")), (payload, priority))
            self.assertEqual((told["attempt"], told["storedFor"], told["seq"]), (attempt, 0, delivered["seq"]))
            self.assertEqual(delivered["data"], {"outcome": "Delivered to Device"})
            data, alert = presented["data"], payload["aps"]["alert"]
            self.assertEqual({told["id"]}, {delivered["push"], presented["push"], data["push"]})
            self.assertEqual((data["key"], data["time"]), (f"n{place + 1}", presented["time"]))
            self.assertEqual((data["title"], data["body"]), (alert["title"], alert["body"]) if isinstance(alert, dict) else ("", alert))
            ids.append(told["id"])
        self.assertEqual(len(set(ids)), len(numbers))

    def test_each_frame_says_what_is_its_own(self) -> None:
        async def body(one: Phone, other: Phone, raw: Phone) -> None:
            welcomes = [await phone.ask(type="hello", device=IPHONE | {"name": "n"}) for phone in (one, other)]
            again = await raw.ask(type="hello", device={"id": welcomes[1]["device"]["id"]}, wants=["raw"])
            self.assertEqual(again["device"]["id"], welcomes[1]["device"]["id"])
            self.send_all([welcome["device"]["tokens"]["apns"]["token"] for welcome in welcomes])
            self.check(await self.frames(one, 3 * COUNT // 2), range(0, COUNT, 2))
            self.check(await self.frames(other, 3 * COUNT // 2), range(1, COUNT, 2))
            for number in range(1, COUNT, 2):
                told = await raw.receive()
                self.assertEqual(base64.b64decode(told["raw"]), variant(number)[0])
                self.assertEqual(told["payload"], json.loads(variant(number)[0]))
        with_phones(self.gateway, body, count=3)

    def test_what_is_told_again_is_the_same_but_for_the_attempt(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE)
            self.send_all([welcome["device"]["tokens"]["apns"]["token"]])
            told = await self.frames(first, 3 * COUNT)
            self.check(told, range(COUNT))
            await second.ask(type="hello", device={"id": welcome["device"]["id"]}, resume={"after": welcome["seq"]})
            again = await self.frames(second, 3 * COUNT)
            self.check(again, range(COUNT), attempt=2)
            self.assertEqual([frame | {"attempt": 1} if "attempt" in frame else frame for frame in again], told)
        with_phones(self.gateway, body, count=2)
