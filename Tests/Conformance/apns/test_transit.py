"""From an accepted push to a device: what waits, what is dropped, and broadcasts to those who hear a channel."""
from __future__ import annotations

import base64
import json
import re
import time
import unittest
from typing import Any

import http1_client
from device_client import IPHONE, Fields, Phone, token_of, with_phones
from gateway import TOPIC, Gateway
from h2_client import BEARER, Answer, Client, push
from frames import data, headers
from header_block import encode

LATER = ("apns-expiration", str(int(time.time()) + 3600))
HOUR_AGO = ("apns-expiration", str(int(time.time()) - 3600))
NOW_OR_NEVER = ("apns-expiration", "0")
CALM = ("apns-priority", "5")
OFFLINE = {"online": False}
ONLINE = {"online": True, "lowPower": False, "locked": False}

STORED = ("stored", "apns.stored-offline", "Stored - Device Offline")
FROM_STORAGE = ("delivered", "apns.delivered-from-storage", "Delivered to Device (From Storage)")
DELIVERED = ("delivered", "apns.delivered", "Delivered to Device")
EXPIRED = ("dropped", "apns.discarded-expired", "Discarded - Expired")
DISABLED = ("dropped", "apns.discarded-disabled", "Discarded - Disabled")
FOR_POWER = ("stored", "apns.stored-power", "Stored - Power Considerations")

# State, the push's fields, what is told of it at once, what is told when the device is well again.
WAYS: list[tuple[str, Fields, list[tuple[str, str]], tuple[str, str, str], list[tuple[str, str, str]]]] = [
    ("online", {}, [], DELIVERED, []),
    ("online and not to be stored", {}, [NOW_OR_NEVER], DELIVERED, []),
    ("online and too late", {}, [HOUR_AGO], EXPIRED, []),
    ("offline", OFFLINE, [], STORED, [FROM_STORAGE]),
    ("offline, with time", OFFLINE, [LATER], STORED, [FROM_STORAGE]),
    ("offline and not to be stored", OFFLINE, [NOW_OR_NEVER], EXPIRED, []),
    ("saving power", {"lowPower": True}, [CALM], FOR_POWER, [FROM_STORAGE]),
    ("saving power, at once", {"lowPower": True}, [], DELIVERED, []),
    ("locked, never to wake", {"locked": True}, [("apns-priority", "1")], FOR_POWER, [FROM_STORAGE]),
    ("not allowed", {"permission": "denied"}, [], DISABLED, []),
    ("not allowed, and not to be shown", {"permission": "denied"}, [("apns-push-type", "background"), CALM], DELIVERED, []),
]


def told(frame: Fields) -> tuple[str, str, str]:
    return frame["kind"], frame["why"], frame["data"]["outcome"]


class Provider:
    """One connection that pushes and makes channels."""

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

    def send_broadcasts(self, channel: str, count: int) -> None:
        """All in one write, whose answers nobody waits for."""
        pseudo = [(":method", "POST"), (":scheme", "https"), (":path", f"/4/broadcasts/apps/{TOPIC}"), (":authority", "localhost")]
        more = [("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", "0")]
        body = b'{"aps":{"event":"update","timestamp":1,"content-state":{}}}'
        pieces = []
        for _ in range(count):
            self.stream += 2
            pieces += [headers(self.stream, encode([*pseudo, BEARER, *more]), end_stream=False), data(self.stream, body)]
        self.client.send(*pieces)


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
    def test_each_way_is_told_with_its_outcome(self) -> None:
        for name, state, fields, at_once, later in WAYS:
            async def body(phone: Phone) -> None:
                token = token_of(await phone.ask(**hello(wants=["event"])))
                if state:
                    await self.set(phone, state)
                self.assertEqual(self.provider.push(token, *fields, body={"aps": {"content-available": 1}}
                                                    if ("apns-push-type", "background") in fields else None), 200)
                self.assertEqual(told(await phone.receive()), at_once)
                await self.set(phone, ONLINE)
                for expected in later:
                    self.assertEqual(told(await phone.receive()), expected)
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            with self.subTest(name):
                with_phones(self.gateway, body)

    def test_one_push_waits_and_says_for_how_long(self) -> None:
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
            self.assertEqual((told(event), event["data"]["storedFor"]), (FROM_STORAGE, frame["storedFor"]))
            self.assertEqual(event["seq"], frame["seq"])
        with_phones(self.gateway, body)

    def test_the_same_collapse_id_is_told_apart(self) -> None:
        async def body(phone: Phone) -> None:
            token = token_of(await phone.ask(**hello(device=IPHONE | {"state": OFFLINE})))
            for _ in range(2):
                self.assertEqual(self.provider.push(token, ("apns-collapse-id", "score")), 200)
            said = [await phone.receive() for _ in range(3)]
            self.assertEqual([event["kind"] for event in said], ["stored", "stored", "collapsed"])
            self.assertEqual(said[2]["why"], "apns.collapsed")
        with_phones(self.gateway, body)

    def test_a_socket_may_be_the_phone(self) -> None:
        """Without it the device is offline; a push waits for its return."""
        async def first(phone: Phone) -> None:
            welcome = await phone.ask(**hello(offlineWhenDisconnected=True))
            self.device, self.token = welcome["device"]["id"], token_of(welcome)
        with_phones(self.gateway, first)
        self.assertEqual(self.provider.push(self.token), 200)

        async def second(phone: Phone) -> None:
            welcome = await phone.ask(**hello(device={"id": self.device}, offlineWhenDisconnected=True, ref="h"))
            self.assertEqual(welcome["ref"], "h")
            self.assertTrue(welcome["device"]["state"]["online"])
            said = [await phone.receive() for _ in range(3)]
            self.assertEqual([(frame["type"], frame.get("kind")) for frame in said], [
                ("event", "state"), ("push", None), ("event", "delivered")])
            self.assertTrue(all(frame["seq"] > welcome["seq"] for frame in said), "all that comes is newer than the welcome")
            self.assertEqual(await phone.ask(type="ping", ref=1), {"type": "pong", "ref": 1})
        with_phones(self.gateway, second)

    def test_an_app_that_goes_while_its_device_is_offline(self) -> None:
        """The service hears of it when the device is back, and answers 410 from then on."""
        async def body(phone: Phone) -> None:
            token = token_of(await phone.ask(**hello(wants=["event"])))
            await self.set(phone, OFFLINE)
            self.assertEqual((await phone.ask(type="uninstall"))["type"], "ok")
            self.assertEqual((await phone.receive())["kind"], "unregistered")
            self.assertEqual(self.provider.push(token), 200)
            self.assertEqual(told(await phone.receive()), STORED)
            await self.set(phone, ONLINE)
            self.assertEqual((await phone.receive())["why"], "apns.discarded-unregistered-from-storage")
            self.assertEqual(self.provider.push(token), 410)
        with_phones(self.gateway, body)

    def test_what_is_told_of_a_state_is_no_longer_than_it(self) -> None:
        """Blanks and repetitions of a patch are not kept, nor shown to others."""
        async def body(phone: Phone) -> None:
            await phone.ask(**hello())
            text = '{"type":"state","set":{"locale":"de", ' + '"online":true,' * 20_000 + " " * 400_000 + '"locked":true}}'
            await phone.socket.send(text)
            self.assertEqual((await phone.receive())["type"], "ok")
            event = await phone.socket.recv()
            self.assertLess(len(event), 300)
            self.assertEqual(json.loads(event)["data"], {"online": True, "locked": True, "locale": "de"})
        with_phones(self.gateway, body)

    def test_raw_is_the_body_as_it_was_sent(self) -> None:
        async def body(plain: Phone, raw: Phone) -> None:
            welcome = await plain.ask(**hello(wants=["push"]))
            await raw.ask(**hello(device={"id": welcome["device"]["id"]}, wants=["raw"]))
            self.assertEqual(self.provider.push(token_of(welcome)), 200)
            frames = [await plain.receive(), await raw.receive()]
            self.assertEqual(base64.b64decode(frames[1].pop("raw")), b'{"aps": {"alert": "x"}}')
            self.assertEqual(frames[0], frames[1])
        with_phones(self.gateway, body, count=2)

    def test_what_is_wrong_with_a_message_is_named(self) -> None:
        async def body(phone: Phone) -> None:
            self.assertEqual((await phone.ask(type="state", set={}))["code"], "noHello")
            for changes, pointer in [({"wants": "push"}, "/wants"), ({"wants": ["all"]}, "/wants"),
                                     ({"offlineWhenDisconnected": 1}, "/offlineWhenDisconnected"),
                                     ({"device": IPHONE | {"state": {"online": 1}}}, "/device/state/online")]:
                self.assertEqual((await phone.ask(**hello(**changes)))["pointer"], pointer)
            await phone.ask(**hello())
            for message, pointer in [({"type": "state"}, "/set"), ({"type": "state", "set": {"x": 1}}, "/set/x"),
                                     ({"type": "channel"}, "/op"), ({"type": "channel", "op": "subscribe"}, "/id"),
                                     ({"type": "channel", "op": "subscribe", "id": "none"}, "/id"),
                                     ({"type": "channel", "op": "unsubscribe", "id": "none"}, "/id")]:
                answer = await phone.ask(**message, ref=7)
                self.assertEqual((answer["type"], answer["ref"], answer["pointer"]), ("error", 7, pointer))
        with_phones(self.gateway, body)


class Channels(Devices):
    async def hear(self, phone: Phone, channel: str, op: str = "subscribe") -> None:
        self.assertEqual((await phone.ask(type="channel", op=op, id=channel))["type"], "ok")
        event = await phone.receive()
        self.assertEqual((event["kind"], event["data"]), (op + "d", {"channel": channel}))

    def test_a_broadcast_reaches_those_who_hear_the_channel(self) -> None:
        channel, other = self.provider.channel(0), self.provider.channel(0)

        async def body(first: Phone, second: Phone, stranger: Phone) -> None:
            for phone, heard in [(first, channel), (second, channel), (stranger, other)]:
                await phone.ask(**hello())
                await self.hear(phone, heard)
            self.assertEqual(self.provider.broadcast(channel, 1, "0"), 200)
            for phone in (first, second):
                frame, event = await phone.receive(), await phone.receive()
                self.assertEqual(frame["payload"]["aps"]["content-state"], {"n": 1})
                self.assertEqual(frame["headers"]["apns-channel-id"], channel)
                self.assertEqual(told(event), DELIVERED)
            self.assertEqual(await stranger.ask(type="ping"), {"type": "pong"})
            await self.hear(first, channel, "unsubscribe")
            self.assertEqual(self.provider.broadcast(channel, 2, "0"), 200)
            self.assertEqual((await second.receive())["type"], "push")
            self.assertEqual(await first.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body, count=3)

    def test_the_newest_message_waits_where_the_channel_keeps_one(self) -> None:
        for policy, expiration, expected in [(0, "0", None), (1, LATER[1], 2), (1, "0", None)]:
            channel = self.provider.channel(policy)

            async def body(phone: Phone) -> None:
                await phone.ask(**hello())
                await self.hear(phone, channel)
                await self.set(phone, OFFLINE)
                for number in (1, 2):
                    self.assertEqual(self.provider.broadcast(channel, number, expiration), 200)
                kinds = [(await phone.receive())["kind"] for _ in range(3 if expected else 2)]
                self.assertEqual(kinds, ["stored", "stored", "dropped"] if expected else ["dropped", "dropped"])
                await self.set(phone, ONLINE)
                if expected:
                    self.assertEqual((await phone.receive())["payload"]["aps"]["content-state"], {"n": expected})
                    self.assertEqual(told(await phone.receive()), FROM_STORAGE)
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            with self.subTest(policy=policy, expiration=expiration):
                with_phones(self.gateway, body)

    def test_who_may_hear(self) -> None:
        channel = self.provider.channel(0)

        async def body(android: Phone, gone: Phone, twice: Phone) -> None:
            await android.ask(**hello(device={"platform": "android", "app": TOPIC}))
            await gone.ask(**hello(wants=["push"]))
            self.assertEqual((await gone.ask(type="uninstall"))["type"], "ok")
            await twice.ask(**hello())
            await self.hear(twice, channel)
            for phone in (android, gone, twice):
                self.assertEqual((await phone.ask(type="channel", op="subscribe", id=channel))["pointer"], "/id")
        with_phones(self.gateway, body, count=3)

    def test_channels_that_are_deleted_take_no_place(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(**hello(wants=["push"]))
            for _ in range(120):
                channel = self.provider.channel(0)
                self.assertEqual((await phone.ask(type="channel", op="subscribe", id=channel))["type"], "ok")
                answer = self.provider.call("DELETE", f"/1/apps/{TOPIC}/channels", ("apns-channel-id", channel))
                self.assertEqual(answer.status, 204)
        with_phones(self.gateway, body)

    def test_a_broadcast_reaches_hundreds(self) -> None:
        channel = self.provider.channel(0)

        async def body(*phones: Phone) -> None:
            for phone in phones:
                await phone.ask(**hello(wants=["push"]))
                self.assertEqual((await phone.ask(type="channel", op="subscribe", id=channel))["type"], "ok")
            self.assertEqual(self.provider.broadcast(channel, 1, "0"), 200)
            for phone in phones:
                self.assertEqual((await phone.receive())["payload"]["aps"]["content-state"], {"n": 1})
        with_phones(self.gateway, body, count=300)

    def test_other_work_goes_on_between_its_slices(self) -> None:
        """Sixty broadcasts to 300 devices are 18,000 deliveries; who asks meanwhile is answered in the middle of them."""
        channel = self.provider.channel(0)

        async def body(*phones: Phone) -> None:
            for phone in phones:
                await phone.ask(**hello())
                self.assertEqual((await phone.ask(type="channel", op="subscribe", id=channel))["type"], "ok")
        with_phones(self.gateway, body, count=300)
        with http1_client.Connection(self.gateway.at().connect()) as other:
            def events() -> int:
                page = other.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
                return int(re.search(r"^pushpit_events_total (\d+)$", page, re.MULTILINE).group(1))  # type: ignore[union-attr]
            final = events() + 60 + 60 * 300
            self.provider.send_broadcasts(channel, 60)
            found = [events()]
            while found[-1] < final:
                found.append(events())
        self.assertGreater(len(set(found)), 4, f"{found} of {final}")
