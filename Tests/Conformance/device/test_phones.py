"""What a simulated phone tells of a push that has reached it, over its socket."""
from __future__ import annotations

import json
import unittest
from typing import Any, ClassVar

import httpx

from device_client import Fields, Phone, token_of, with_phones
from gateway import PATIENCE, TOPIC, Gateway
from test_devices import send_push

ALERT = {"aps": {"alert": {"title": "T", "body": "B"}, "sound": "default", "badge": 3, "category": "ASK"}}
CATEGORIES = [{"id": "ASK", "customDismissAction": True, "actions": [{"id": "YES", "title": "Yes"}]}]


def apple(**more: Any) -> Fields:
    return {"platform": "ios", "app": TOPIC, "categories": CATEGORIES} | more


class Shown(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def push(self, welcome: Fields, body: Fields) -> None:
        self.assertEqual(send_push(self.gateway, token_of(welcome), json.dumps(body).encode()), 200)

    def message(self, welcome: Fields, **message: Any) -> None:
        token = welcome["device"]["tokens"]["fcm"]["token"]
        answer = httpx.post(
            self.gateway.at().url("/v1/projects/demo/messages:send", scheme="http"), timeout=PATIENCE,
            headers={"authorization": "Bearer x"}, json={"message": {"token": token} | message})
        self.assertEqual(answer.status_code, 200, answer.text)

    async def greeted(self, phone: Phone, device: Fields) -> Fields:
        phone.shows = True
        return await phone.ask(type="hello", device=device)

    async def told(self, phone: Phone, *kinds: str) -> list[Fields]:
        """The next events, which must be of these kinds; frames of other types come between them."""
        events: list[Fields] = []
        while len(events) < len(kinds):
            message = await phone.receive()
            if message["type"] == "event":
                events.append(message)
        self.assertEqual([event["kind"] for event in events], list(kinds))
        return events

    def test_an_iphone(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, apple())
            self.push(welcome, ALERT)
            _, shown, badge = await self.told(phone, "delivered", "presented", "badge")
            self.assertEqual(shown["why"], "ios.shown")
            entry = shown["data"]
            self.assertEqual((entry["title"], entry["body"], entry["category"]), ("T", "B", "ASK"))
            self.assertEqual(entry["actions"], [{"id": "YES", "title": "Yes"}])
            self.assertEqual(entry["surfaces"], ["banner", "list", "sound"])
            self.assertEqual(badge["data"], {"badge": 3})
            await phone.send(type="act", notification=entry["key"], kind="open", ref=1)
            opened, state, answered = await self.told(phone, "opened", "state", "callback")
            self.assertEqual(opened["push"], shown["push"])
            self.assertEqual(state["data"]["app"], "foreground")
            self.assertEqual(answered["data"], {
                "name": "didReceiveResponse", "actionIdentifier": "com.apple.UNNotificationDefaultActionIdentifier"})
            # In front it is the app that gets the next one.
            self.push(welcome, ALERT)
            _, callback, shown = await self.told(phone, "delivered", "callback", "presented")
            self.assertEqual((callback["data"]["name"], shown["why"]), ("willPresent", "ios.foreground"))
        with_phones(self.gateway, body)

    def test_the_shade_is_there_for_the_next_viewer(self) -> None:
        async def body(phone: Phone, other: Phone) -> None:
            welcome = await self.greeted(phone, apple())
            for title in "12":
                self.push(welcome, {"aps": {"alert": {"title": title, "body": "B"}, "badge": int(title)}})
                await self.told(phone, "delivered", "presented", "badge")
            device = (await self.greeted(other, {"id": welcome["device"]["id"]}))["device"]
            self.assertEqual([entry["title"] for entry in device["shade"]], ["2", "1"])
            self.assertEqual(device["badge"], 2)
            await phone.send(type="clearAll")
            await self.told(phone, "dismissed", "dismissed")
        with_phones(self.gateway, body, count=2)

    def test_an_android(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, {"platform": "android", "app": "com.example.droid", "channels": [{"id": "news", "importance": "high"}]})
            self.message(welcome, data={"a": "1"})
            _, callback = await self.told(phone, "delivered", "callback")
            self.assertEqual((callback["why"], callback["data"]), ("android.data", {"name": "onMessageReceived"}))
            self.message(welcome, notification={"title": "T", "body": "B"}, android={"notification": {"channel_id": "news", "image": "https://e.com/a.png"}})
            _, attachment, shown = await self.told(phone, "delivered", "attachment", "presented")
            self.assertEqual(attachment["data"], {"url": "https://e.com/a.png", "outcome": "skipped"})
            self.assertEqual((shown["data"]["group"], shown["data"]["surfaces"]), ("news", ["banner", "list", "sound"]))
        with_phones(self.gateway, body)

    def test_a_browser(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, {"platform": "web", "app": "https://e.com"})
            self.message(welcome, notification={"title": "T", "body": "B"})
            _, shown, callback = await self.told(phone, "delivered", "presented", "callback")
            self.assertEqual((shown["data"]["title"], callback["data"]["name"]), ("T", "onBackgroundMessage"))
            await phone.send(type="state", set={"app": "foreground"})
            await self.told(phone, "state")
            self.message(welcome, notification={"title": "T"})
            _, callback = await self.told(phone, "delivered", "callback")
            self.assertEqual(callback["data"]["name"], "onMessage")
        with_phones(self.gateway, body)

    def test_a_developer_s_own_extension(self) -> None:
        mutable = {"aps": {"alert": {"title": "T", "body": "B"}, "mutable-content": 1}}

        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, apple(extension={"script": "remote"}))
            for answer, title in [({"content": {"title": "X"}}, "X"), ({"crash": True}, "T"), ({"timeout": True}, "T")]:
                self.push(welcome, mutable)
                _, started = await self.told(phone, "delivered", "extension")
                await phone.send(type="extensionResult", push=started["push"], **answer)
                _, shown = await self.told(phone, "extension", "presented")
                self.assertEqual(shown["data"]["title"], title)
            error = await self.answer(phone, type="extensionResult", push="p999", crash=True)
            self.assertEqual((error["type"], error["pointer"]), ("error", "/push"))
        with_phones(self.gateway, body)

    async def answer(self, phone: Phone, **message: Any) -> Fields:
        await phone.send(ref="r", **message)
        while True:
            answer = await phone.receive()
            if answer.get("ref") == "r":
                return answer

    def test_a_slow_extension_on_a_moved_clock(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, apple(extension={"script": "slow", "seconds": 40}))
            self.push(welcome, {"aps": {"alert": {"title": "T", "body": "B"}, "mutable-content": 1}})
            await self.told(phone, "delivered", "extension")
            said = httpx.post(self.gateway.at().url("/api/v1/clock", scheme="http"), json={"advance": "30s"}, timeout=PATIENCE)
            self.assertEqual(said.status_code, 200)
            late, shown = await self.told(phone, "extension", "presented")
            self.assertEqual((late["why"], shown["data"]["title"]), ("ios.extension-timeout", "T"))
        with_phones(self.gateway, body)

    def test_what_can_t_be_done_is_told(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, apple())
            self.push(welcome, ALERT)
            _, shown, _ = await self.told(phone, "delivered", "presented", "badge")
            key = shown["data"]["key"]
            for message, pointer in [
                ({"notification": "n99", "kind": "open"}, "/notification"), ({"kind": "open"}, "/notification"),
                ({"notification": key, "kind": "eat"}, "/kind"), ({"notification": key, "kind": "action"}, "/actionId"),
                ({"notification": key, "kind": "action", "actionId": "NO"}, "/actionId"),
                ({"notification": key, "kind": "action", "actionId": "YES", "text": "hi"}, "/text"),
                ({"notification": key, "kind": "action", "actionId": "YES", "text": 7}, "/text"),
            ]:
                with self.subTest(message):
                    error = await self.answer(phone, type="act", **message)
                    self.assertEqual((error["type"], error["code"], error["pointer"]), ("error", "badMessage", pointer))
        with_phones(self.gateway, body)

    def test_an_app_that_was_ended(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, apple())
            await phone.send(type="forceQuit")
            await self.told(phone, "state")
            self.push(welcome, {"aps": {"content-available": 1}})
            _, kept = await self.told(phone, "delivered", "suppressed")
            self.assertEqual(kept["why"], "ios.force-quit")
            await phone.send(type="launch")
            await self.told(phone, "state")
            self.push(welcome, {"aps": {"content-available": 1}})
            _, callback = await self.told(phone, "delivered", "callback")
            self.assertEqual(callback["data"], {"name": "didReceiveRemoteNotification", "state": "active"})
        with_phones(self.gateway, body)

    def test_adobe_hears_of_it(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.greeted(phone, apple(tracking={"profile": "adobe", "ecid": "E"}))
            self.push(welcome, ALERT | {"_mId": "h138a", "_dId": "56c4"})
            _, shown, _ = await self.told(phone, "delivered", "presented", "badge")
            await phone.send(type="act", notification=shown["data"]["key"], kind="open")
            *_, click, opening = await self.told(phone, "opened", "state", "callback", "tracking", "tracking")
            self.assertEqual(click["data"], {"action": "2", "broadlogId": "h138a", "deliveryId": "56c4", "mcId": "E"})
            self.assertEqual(opening["data"]["action"], "1")
        with_phones(self.gateway, body)
