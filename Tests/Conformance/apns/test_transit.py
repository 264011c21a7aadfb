"""From an accepted push to the device: a waiting push, and a broadcast."""
from __future__ import annotations

import json
import unittest
from typing import Any

from device_client import IPHONE, Fields, Phone, token_of, with_phones
from gateway import TOPIC, Gateway
from h2_client import BEARER, Answer, Client, push
from frames import data, headers
from header_block import encode

OFFLINE = {"online": False}
ONLINE = {"online": True, "lowPower": False, "locked": False}

FROM_STORAGE = ("delivered", "apns.delivered-from-storage", "Delivered to Device (From Storage)")
DELIVERED = ("delivered", "apns.delivered", "Delivered to Device")


def summary(frame: Fields) -> tuple[str, str, str]:
    return frame["kind"], frame["why"], frame["data"]["outcome"]


class Provider:
    """One connection that sends pushes and creates channels."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.stream = -1
        client.start()

    def push(self, device: str, *fields: tuple[str, str], body: Any = None) -> int:
        self.stream += 2
        text = json.dumps({"aps": {"alert": "x"}} if body is None else body).encode()
        self.client.send(push(self.stream, *fields, token=device, body=text))
        return self.client.answer(self.stream).status

    def call(self, method: str, path: str, *fields: tuple[str, str], body: Any = None) -> Answer:
        self.stream += 2
        pseudo = [(":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost")]
        block = encode([*pseudo, BEARER, *fields])
        self.client.send(headers(self.stream, block, end_stream=body is None))
        if body is not None:
            self.client.send(data(self.stream, json.dumps(body).encode()))
        return self.client.answer(self.stream)

    def channel(self, policy: int) -> str:
        body = {"message-storage-policy": policy, "push-type": "LiveActivity"}
        return self.call("POST", f"/1/apps/{TOPIC}/channels", body=body).fields["apns-channel-id"]

    def broadcast(self, channel: str, number: int, expiration: str) -> int:
        aps = {"event": "update", "timestamp": 1, "content-state": {"n": number}}
        fields = [("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", expiration)]
        return self.call("POST", f"/4/broadcasts/apps/{TOPIC}", *fields, body={"aps": aps}).status


def hello(**changes: Any) -> Fields:
    return {"type": "hello", "device": IPHONE} | changes


class Devices(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.provider = Provider(self.enterContext(Client(self.gateway.at().connect())))

    async def set(self, phone: Phone, state: Fields) -> None:
        self.assertEqual(await phone.ask(type="state", set=state, ref=1), {"type": "ok", "ref": 1})
        event = await phone.receive()
        self.assertEqual((event["type"], event["kind"], event["data"]), ("event", "state", state))


class Transit(Devices):
    def test_one_push_waits_and_its_frame_says_how_long(self) -> None:
        async def body(phone: Phone) -> None:
            token = token_of(await phone.ask(**hello()))
            await self.set(phone, OFFLINE)
            for number in range(3):
                self.assertEqual(self.provider.push(token, body={"aps": {"alert": str(number)}}), 200)
            said = [await phone.receive() for _ in range(5)]
            self.assertEqual([(event["kind"], event["push"]) for event in said], [
                ("stored", said[0]["push"]), ("stored", said[1]["push"]), ("dropped", said[0]["push"]),
                ("stored", said[3]["push"]), ("dropped", said[1]["push"])])
            self.assertEqual((said[2]["why"], said[2]["data"]), ("apns.overwritten", {"by": said[1]["push"]}))
            await self.set(phone, ONLINE)
            frame, event = await phone.receive(), await phone.receive()
            self.assertEqual((frame["type"], frame["payload"]), ("push", {"aps": {"alert": "2"}}))
            self.assertGreaterEqual(frame["storedFor"], 0)
            self.assertEqual((summary(event), event["data"]["storedFor"]), (FROM_STORAGE, frame["storedFor"]))
            self.assertEqual(event["seq"], frame["seq"])
        with_phones(self.gateway, body)


class Channels(Devices):
    async def subscribe(self, phone: Phone, channel: str, op: str = "subscribe") -> None:
        self.assertEqual((await phone.ask(type="channel", op=op, id=channel))["type"], "ok")
        event = await phone.receive()
        self.assertEqual((event["kind"], event["data"]), (op + "d", {"channel": channel}))

    def test_a_broadcast_reaches_the_subscribers_of_its_channel(self) -> None:
        channel, other = self.provider.channel(0), self.provider.channel(0)

        async def body(first: Phone, second: Phone, stranger: Phone) -> None:
            for phone, heard in [(first, channel), (second, channel), (stranger, other)]:
                await phone.ask(**hello())
                await self.subscribe(phone, heard)
            self.assertEqual(self.provider.broadcast(channel, 1, "0"), 200)
            for phone in (first, second):
                frame, event = await phone.receive(), await phone.receive()
                self.assertEqual(frame["payload"]["aps"]["content-state"], {"n": 1})
                self.assertEqual(frame["headers"]["apns-channel-id"], channel)
                self.assertEqual(summary(event), DELIVERED)
            self.assertEqual(await stranger.ask(type="ping"), {"type": "pong"})
            await self.subscribe(first, channel, "unsubscribe")
            self.assertEqual(self.provider.broadcast(channel, 2, "0"), 200)
            self.assertEqual((await second.receive())["type"], "push")
            self.assertEqual(await first.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body, count=3)
