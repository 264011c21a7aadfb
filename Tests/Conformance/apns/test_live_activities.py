"""Live Activities by tokens of their own: one starts them, each that goes on has another, and it dies with it."""
from __future__ import annotations

import json
import signal
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Any, ClassVar

from api_case import LINES, Apple
from control import call, move_clock
from device_client import IPHONE, Fields, Phone, with_phones
from gateway import PATIENCE, TOPIC, Gateway
from h2_client import Answer

SUFFIX = ".push-type.liveactivity"
OPEN = {"message-storage-policy": 0, "push-type": "LiveActivity"}


def event(name: str, second: int, **more: Any) -> dict[str, Any]:
    whole = {"attributes-type": "Trip", "attributes": {}, "alert": {"title": "T", "body": "b"}} if name == "start" else {}
    return {"aps": {"event": name, "timestamp": second, "content-state": {}, **whole, **more}}


def said(answer: Answer) -> tuple[int, str]:
    return answer.status, json.loads(answer.body)["reason"] if answer.body else ""


def change(apple: Apple, token: str, body: dict[str, Any]) -> tuple[int, str]:
    return said(apple.push(("apns-push-type", "liveactivity"), token=token, topic=TOPIC + SUFFIX, body=body))


class Tokens(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    async def told(self, phone: Phone, kind: str) -> Fields:
        """The next event of that kind."""
        while (frame := await phone.receive()).get("kind") != kind:
            pass
        return frame

    def test_a_token_starts_it_and_another_changes_and_ends_it(self) -> None:
        async def body(phone: Phone) -> None:
            phone.shows = True
            device = (await phone.ask(type="hello", device=IPHONE))["device"]
            own, tokens = device["tokens"]["apns"]["token"], device["tokens"]["liveActivity"]
            self.assertEqual((tokens["topic"], tokens["updates"]), (TOPIC + SUFFIX, {}))
            self.assertRegex(tokens["start"], r"\A[0-9a-f]{160}\Z")
            with Apple(self.gateway) as apple:
                # Each token has its own topic, and no other.
                self.assertEqual(change(apple, own, event("start", 1)), (400, "DeviceTokenNotForTopic"))
                self.assertEqual(said(apple.push(token=tokens["start"])), (400, "DeviceTokenNotForTopic"))
                self.assertEqual(change(apple, tokens["start"], event("start", 1)), (200, ""))
                shown = await self.told(phone, "presented")
                self.assertEqual(shown["data"], {"activity": "Trip", "event": "start", "title": "T", "body": "b"})
                given = await phone.receive()
                self.assertEqual((given["type"], given["provider"], given["cause"], given["activity"]), ("token", "apns", "liveActivity", "Trip"))
                self.assertEqual((await self.told(phone, "token"))["data"]["new"], given["new"])
                status, seen = call(self.gateway, "GET", f"/devices/{device['id']}")
                self.assertEqual((status, seen["tokens"]["liveActivity"]["updates"]), (200, {"Trip": given["new"]}))
                self.assertEqual(change(apple, given["new"], event("update", 2)), (200, ""))
                self.assertEqual((await self.told(phone, "presented"))["data"]["activity"], "Trip")
                # A second start: the first one's token is good no more.
                self.assertEqual(change(apple, tokens["start"], event("start", 3)), (200, ""))
                second = await self.told(phone, "token")
                self.assertEqual(second["data"]["old"], given["new"])
                self.assertEqual(change(apple, given["new"], event("update", 4)), (410, "Unregistered"))
                self.assertEqual(change(apple, second["data"]["new"], event("end", 5)), (200, ""))
                self.assertEqual((await self.told(phone, "presented"))["data"]["event"], "end")
                self.assertEqual(change(apple, second["data"]["new"], event("update", 6)), (410, "Unregistered"))
                move_clock(self.gateway, advance="4h")
                gone = await self.told(phone, "removed")
                self.assertEqual((gone["why"], gone["data"]), ("ios.live-activity-dismissed", {"activity": "Trip"}))
        with_phones(self.gateway, body)

    def test_a_start_may_name_a_channel_to_hear(self) -> None:
        async def body(phone: Phone) -> None:
            phone.shows = True
            device = (await phone.ask(type="hello", device=IPHONE))["device"]
            with Apple(self.gateway) as apple:
                made = apple.call("POST", f"/1/apps/{TOPIC}/channels", body=json.dumps(OPEN).encode())
                channel = made.fields["apns-channel-id"]
                start = device["tokens"]["liveActivity"]["start"]
                self.assertEqual(change(apple, start, event("start", 1, **{"input-push-channel": channel})), (200, ""))
                self.assertEqual((await self.told(phone, "subscribed"))["data"]["channel"], channel)
                sent = apple.call(
                    "POST", f"/4/broadcasts/apps/{TOPIC}", ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", "0"),
                    body=json.dumps(event("update", 2)).encode())
                self.assertEqual(said(sent), (200, ""))
                self.assertEqual((await self.told(phone, "presented"))["data"], {"activity": "Trip", "event": "update"})
        with_phones(self.gateway, body)

    def test_they_are_kept_with_their_tokens(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            data = Path(place)
            with Gateway("--data", place, certificates=data / "certs") as gateway, Apple(gateway) as apple:
                _, made = call(gateway, "POST", "/devices", IPHONE | {"id": "phone"})
                start = made["devices"][0]["tokens"]["liveActivity"]["start"]
                soon = {"stale-date": int(time.time()) + 3600}
                self.assertEqual(change(apple, start, event("start", 1, **soon)), (200, ""))
                # An answer of the API does not wait for the disk; the next push does.
                change(apple, start, event("update", 2, **soon))
                _, before = call(gateway, "GET", "/devices/phone")
                gateway.process.send_signal(signal.SIGKILL)
                gateway.process.wait(PATIENCE)
            with Gateway("--data", place, certificates=data / "certs") as gateway, Apple(gateway) as apple:
                _, after = call(gateway, "GET", "/devices/phone")
                self.assertEqual(after["tokens"], before["tokens"])
                self.assertEqual(change(apple, after["tokens"]["liveActivity"]["updates"]["Trip"], event("update", 1)), (200, ""))
                move_clock(gateway, advance="2h")
                with urllib.request.urlopen(urllib.request.Request(gateway.at().url("/api/v1/events?since=0&follow=false&kind=state", scheme="http"), headers=LINES)) as lines:
                    stale = [json.loads(line) for line in lines]
                self.assertEqual([(told["why"], told["data"]["activity"]) for told in stale], [("ios.live-activity-stale", "Trip")])
