"""The events of a simulated iPhone that gets a push."""
from __future__ import annotations

import json
import unittest
from typing import Any, ClassVar


from device_client import Fields, Phone, token_of, with_phones
from gateway import TOPIC, Gateway
from test_devices import send_push

ALERT = {"aps": {"alert": {"title": "T", "body": "B"}, "sound": "default", "badge": 3, "category": "ASK"}}
CATEGORIES = [{"id": "ASK", "customDismissAction": True, "actions": [{"id": "YES", "title": "Yes"}]}]


def apple(**more: Any) -> Fields:
    return {"platform": "ios", "app": TOPIC, "categories": CATEGORIES} | more


class Notifications(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def push(self, welcome: Fields, body: Fields) -> None:
        self.assertEqual(send_push(self.gateway, token_of(welcome), json.dumps(body).encode()), 200)

    async def say_hello(self, phone: Phone, device: Fields) -> Fields:
        phone.shows = True
        return await phone.ask(type="hello", device=device)

    async def next_events(self, phone: Phone, *kinds: str) -> list[Fields]:
        """The next events, which must have these kinds; frames of other types are skipped."""
        events: list[Fields] = []
        while len(events) < len(kinds):
            message = await phone.receive()
            if message["type"] == "event":
                events.append(message)
        self.assertEqual([event["kind"] for event in events], list(kinds))
        return events

    def test_an_iphone_reports_what_it_shows(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await self.say_hello(phone, apple())
            self.push(welcome, ALERT)
            _, shown, badge = await self.next_events(phone, "delivered", "presented", "badge")
            self.assertEqual(shown["why"], "ios.shown")
            entry = shown["data"]
            self.assertEqual((entry["title"], entry["body"], entry["category"]), ("T", "B", "ASK"))
            self.assertEqual(entry["actions"], [{"id": "YES", "title": "Yes"}])
            self.assertEqual(entry["surfaces"], ["banner", "list", "sound"])
            self.assertEqual(badge["data"], {"badge": 3})
            await phone.send(type="act", notification=entry["key"], kind="open", ref=1)
            opened, state, answered = await self.next_events(phone, "opened", "state", "callback")
            self.assertEqual(opened["push"], shown["push"])
            self.assertEqual(state["data"]["app"], "foreground")
            self.assertEqual(answered["data"], {
                "name": "didReceiveResponse", "actionIdentifier": "com.apple.UNNotificationDefaultActionIdentifier"})
            # The app in the foreground gets the next push itself.
            self.push(welcome, ALERT)
            _, callback, shown = await self.next_events(phone, "delivered", "callback", "presented")
            self.assertEqual((callback["data"]["name"], shown["why"]), ("willPresent", "ios.foreground"))
        with_phones(self.gateway, body)
