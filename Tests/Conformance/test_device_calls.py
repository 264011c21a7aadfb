"""A device's life over the control API: what waits, what it shows, what a person does with it, other tokens, its end."""
from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

from api_case import APICase, Fields, token_of
from device_client import IPHONE, Phone, with_phones
from gateway import TOPIC
from test_devices_api import STATE

BAD_PATCHES: list[tuple[Any, str]] = [
    ([], ""), ({}, "/state"), ({"state": None}, "/state"), ({"state": []}, "/state"), ({"state": {"online": "no"}}, "/state/online"), ({"state": {"app": "open"}}, "/state/app"),
    ({"state": {"online": False, "x": 1}}, "/state/x"), ({"state": {}, "name": "n"}, "/name"), ({"state": {"locale": ""}}, "/state/locale"),
]
BAD_ACTS: list[tuple[Any, str]] = [
    ([], ""), ({}, "/kind"), ({"kind": "dance"}, "/kind"), ({"kind": "open"}, "/notification"), ({"kind": "open", "notification": "none"}, "/notification"),
    ({"kind": "open", "notification": 1}, "/notification"), ({"kind": "action", "notification": "{key}"}, "/actionId"), ({"kind": "action", "notification": "{key}", "actionId": "x"}, "/actionId"),
    ({"kind": "launch", "app": "x"}, "/app"),
]
BAD_TOKENS: list[tuple[Any, str]] = [
    ([], ""), ({}, "/op"), ({"op": "swap", "provider": "fcm"}, "/op"), ({"op": "rotate"}, "/provider"), ({"op": "rotate", "provider": "x"}, "/provider"), ({"op": "rotate", "provider": "fcm", "x": 1}, "/x"),
]


class Lives(APICase):
    def test_a_device_that_is_not_there(self) -> None:
        for method, path, body in [("GET", "", None), ("PATCH", "", {"state": {}}), ("DELETE", "", None), ("GET", "/shade", None), ("GET", "/pending", None),
                                   ("POST", "/act", {"kind": "launch"}), ("POST", "/tokens", {"op": "rotate", "provider": "fcm"})]:
            self.assertEqual(self.problem(method, f"/devices/nobody{path}", body, 404), ("notFound", None), path)
        self.problem("PUT", "/devices/nobody", status=405)

    def test_what_waits_comes_when_it_is_back(self) -> None:
        phone = self.device(id="phone")
        self.assertFalse(self.ask("PATCH", "/devices/phone", {"state": {"online": False}})["state"]["online"])
        soon = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(hours=1)
        self.apple.push(("apns-collapse-id", "c"), ("apns-expiration", f"{soon.timestamp():.0f}"), token=token_of(phone), body={"aps": {"alert": {"title": "T", "body": "B"}, "badge": 3}})
        (waits,) = self.ask("GET", "/devices/phone/pending")["pending"]
        push = self.newest()
        self.assertEqual(waits, {"id": push["id"], "since": push["time"], "expires": f"{soon:%Y-%m-%dT%H:%M:%S}.000Z", "collapseId": "c"})
        self.assertEqual(self.ask("GET", "/devices/phone/shade"), {"shade": [], "badge": 0})
        device = self.ask("PATCH", "/devices/phone", {"state": {"online": True}})
        (entry,) = device["shade"]
        self.assertEqual((entry["key"], entry["push"], entry["title"], entry["body"], device["badge"]), ("c", push["id"], "T", "B", 3))
        self.assertEqual(self.ask("GET", "/devices/phone/shade"), {"shade": [entry], "badge": 3})
        self.assertEqual(self.ask("GET", "/devices/phone/pending"), {"pending": [], "next": None})
        droid = self.device("android", id="droid", state={"online": False})
        for number in range(3):
            self.google.send(token=token_of(droid, "fcm"), data={"n": str(number)})
        self.assertEqual([each["id"] for each in self.ask("GET", "/devices/droid/pending")["pending"]], self.ids()[2::-1], "the oldest first")

    def test_what_waits_by_a_collapse_key_says_so(self) -> None:
        droid = self.device("android", id="droid", state={"online": False})
        self.google.send(token=token_of(droid, "fcm"), data={"k": "v"}, android={"collapse_key": "order"})
        self.assertEqual([each["collapseId"] for each in self.ask("GET", "/devices/droid/pending")["pending"]], ["order"])

    def test_a_shade_begins_with_the_newest(self) -> None:
        phone = self.device(id="phone")
        for name in "abc":
            self.apple.push(("apns-collapse-id", name), token=token_of(phone))
        self.assertEqual([entry["key"] for entry in self.ask("GET", "/devices/phone/shade")["shade"]], ["c", "b", "a"])

    def test_a_patch_that_is_wrong_changes_nothing(self) -> None:
        self.device(id="phone")
        for body, pointer in BAD_PATCHES:
            with self.subTest(body):
                self.assertEqual(self.problem("PATCH", "/devices/phone", body), ("badField", pointer))
        self.assertEqual(self.ask("GET", "/devices/phone")["state"], STATE)
        patch = {key: not value if isinstance(value, bool) else value for key, value in STATE.items()} | {"app": "suspended", "permission": "provisional", "locale": "fr-FR"}
        self.assertEqual(self.ask("PATCH", "/devices/phone", {"state": patch})["state"], patch)

    def test_a_person_does_something(self) -> None:
        """Each act, and the kinds of events that come of it."""
        phone = self.device(id="phone", categories=[{"id": "NEWS", "customDismissAction": True, "actions": [{"id": "LATER", "title": "Later"}, {"id": "SAY", "title": "Say", "text": True}]}])
        rows: list[tuple[Fields, list[str], str]] = [
            ({"kind": "open", "notification": "n"}, ["opened", "state", "callback"], "foreground"), ({"kind": "dismiss", "notification": "n"}, ["dismissed", "callback"], "background"),
            ({"kind": "action", "notification": "n", "actionId": "LATER"}, ["action", "callback"], "background"),
            ({"kind": "action", "notification": "n", "actionId": "SAY", "text": "Hi"}, ["action", "callback"], "background"), ({"kind": "clearAll"}, ["dismissed", "callback"], "background"),
            ({"kind": "launch"}, ["state"], "foreground"), ({"kind": "forceQuit"}, ["state"], "forceQuit"), ({"kind": "uninstall"}, ["unregistered", "removed"], "background")]
        for act, kinds, state in rows:
            with self.subTest(act):
                self.ask("PATCH", "/devices/phone", {"state": {"app": "background"}})
                self.apple.push(("apns-collapse-id", "n"), token=token_of(phone), body={"aps": {"alert": "x", "category": "NEWS"}})
                before = self.stat("events")
                device = self.ask("POST", "/devices/phone/act", act)
                found = [event["kind"] for event in self.events() if event["seq"] > before and event["kind"] != "badge"]
                self.assertEqual((found, device["state"]["app"]), (kinds, state))
                self.assertEqual(bool(device["shade"]), act["kind"] in ("launch", "forceQuit"))
        self.assertEqual(self.apple.push(token=token_of(phone)).status, 410)
        self.assertFalse(self.ask("GET", "/devices/phone")["installed"])
        for kind in ("launch", "forceQuit", "uninstall"):
            self.assertEqual(self.ask("POST", "/devices/phone/act", {"kind": kind}, 400)["error"]["pointer"], "/type")

    def test_tokens_are_chosen(self) -> None:
        tokens = {"apns": {"token": "0a" * 32}, "fcm": {"token": "cChosen:APA91bIt"}}
        phone = self.device(id="chosen", tokens=tokens)
        self.assertEqual((token_of(phone), token_of(phone, "fcm"), phone["tokens"]["fcm"]["fid"]), ("0a" * 32, "cChosen:APA91bIt", "cChosen"))
        self.assertEqual((self.apple.push(token="0A" * 32).status, self.google.send(token="cChosen:APA91bIt").status_code), (200, 200))
        self.assertEqual([message["devices"] for message in self.ask("GET", "/messages")["messages"]], [["chosen"], ["chosen"]])
        rows: list[tuple[Fields, str]] = [
            ({"tokens": tokens}, "/tokens/apns"), ({"tokens": {"apns": {"token": "xy"}}}, "/tokens/apns/token"), ({"tokens": {"apns": 7}}, "/tokens/apns"),
            ({"tokens": {"fcm": {"token": "cChosen:other"}}}, "/tokens/fcm"), ({"tokens": {"fcm": {"token": "a b"}}}, "/tokens/fcm/token"),
            ({"tokens": []}, "/tokens"), ({"tokens": {"apple": {}}}, "/tokens/apple"), ({"tokens": {"apns": {"tokn": ""}}}, "/tokens/apns/tokn"),
            ({"tokens": {"apns": {"token": "0b" * 32}}, "count": 2}, "/tokens"), ({"tokens": {"apns": {"token": "0b" * 32}}, "platform": "android"}, "/tokens/apns")]
        for spec, pointer in rows:
            with self.subTest(spec):
                self.assertEqual(self.problem("POST", "/devices", {"platform": "ios", "app": TOPIC} | spec)[1], pointer)
        # What is left out is minted.
        self.assertEqual(token_of(self.device(tokens={"apns": {"token": "0c" * 50}})), "0c" * 50)

    def test_an_app_is_installed_anew(self) -> None:
        """All of its tokens are others, what it had learnt and shown is gone, and pushes come again."""
        phone = self.device(id="again")
        self.ask("PUT", "/topics/t/devices/again", status=204)
        self.apple.push(token=token_of(phone), body={"aps": {"alert": "x", "badge": 3}})
        self.assertEqual(self.ask("POST", "/devices/again/act", {"kind": "install"}, 400)["error"]["message"], "The app is on the device.")
        self.ask("POST", "/devices/again/act", {"kind": "uninstall"})
        self.assertNotIn("t", [topic["name"] for topic in self.ask("GET", "/topics")["topics"]])
        before = self.stat("events")
        back = self.ask("POST", "/devices/again/act", {"kind": "install"})
        told = [event for event in self.events() if event["seq"] > before]
        self.assertEqual([event["kind"] for event in told], ["registered", "token", "token"])
        self.assertEqual([event["data"]["cause"] for event in told[1:]], ["install", "install"])
        self.assertEqual((back["installed"], back["shade"], back["badge"]), (True, [], 0))
        tokens = [(device["tokens"]["apns"]["token"], device["tokens"]["liveActivity"]["start"], device["tokens"]["fcm"]["token"], device["tokens"]["fcm"]["fid"]) for device in (phone, back)]
        self.assertFalse(set(tokens[0]) & set(tokens[1]), tokens)
        self.assertEqual([self.apple.push(token=token).status for token in (token_of(phone), token_of(back))], [410, 200])
        self.assertEqual(len(self.ask("GET", "/devices/again")["shade"]), 1)

    def test_an_act_that_is_wrong_does_nothing(self) -> None:
        phone = self.device(id="phone")
        self.apple.push(("apns-collapse-id", "key"), token=token_of(phone))
        before = self.stat("events")
        for body, pointer in BAD_ACTS:
            with self.subTest(body):
                said = {name: value.format(key="key") for name, value in body.items()} if pointer == "/actionId" else body
                self.assertEqual(self.problem("POST", "/devices/phone/act", said), ("badField", pointer))
        self.assertEqual(self.stat("events"), before)

    def test_tokens_change(self) -> None:
        phone = self.device(id="phone")
        for provider in ("apns", "fcm"):
            changed = self.ask("POST", "/devices/phone/tokens", {"op": "rotate", "provider": provider})
            self.assertNotEqual(token_of(changed, provider), token_of(phone, provider))
        self.assertEqual((self.apple.push(token=token_of(phone)).status, self.apple.push(token=token_of(changed)).status), (410, 200))
        self.assertEqual([self.google.send(token=token_of(device, "fcm")).status_code for device in (phone, changed)], [404, 200])
        changed = self.ask("POST", "/devices/phone/tokens", {"op": "delete", "provider": "fcm"})
        self.assertEqual(set(changed["tokens"]), {"apns", "liveActivity"})
        events = [event["data"] | {"old": "", "new": ""} for event in self.events("kind=token") if event["device"] == "phone"]
        self.assertEqual(events, [{"provider": provider, "cause": cause, "old": "", "new": ""} for provider, cause in (("apns", "rotate"), ("fcm", "rotate"), ("fcm", "delete"))])
        self.assertEqual(self.problem("POST", "/devices/phone/tokens", {"op": "delete", "provider": "fcm"}, 409)[0], "conflict")
        self.device("android", id="droid")
        self.assertEqual(self.problem("POST", "/devices/droid/tokens", {"op": "rotate", "provider": "apns"}, 409)[0], "conflict")
        for body, pointer in BAD_TOKENS:
            self.assertEqual(self.problem("POST", "/devices/phone/tokens", body), ("badField", pointer))

    def test_a_device_that_is_deleted_is_gone_with_what_waited(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE | {"id": "phone"}, wants=[])
            await second.ask(type="hello", device={"id": "phone"}, wants=[])
            self.assertTrue(self.ask("GET", "/devices/phone")["connected"])
            self.ask("PUT", "/topics/news/devices/phone", status=204)
            self.ask("PATCH", "/devices/phone", {"state": {"online": False}})
            self.apple.push(token=token_of(welcome["device"]))
            self.ask("DELETE", "/devices/phone", status=204)
            self.assertEqual([await first.closed(), await second.closed()], [4003, 4003])
            told = [(event["kind"], event.get("push"), event["why"]) for event in self.events("kind=dropped,unregistered")[-2:]]
            self.assertEqual(told, [("dropped", self.newest()["id"], "devices.deleted"), ("unregistered", None, "devices.deleted")])
            self.problem("DELETE", "/devices/phone", status=404)
            self.assertEqual(self.ask("GET", "/topics")["topics"], [])
            self.assertEqual(self.apple.push(token=token_of(welcome["device"])).status, 200, "by now it is a token that nobody knows")
            self.assertNotEqual(self.newest()["devices"], ["phone"])
        with_phones(self.gateway, body, count=2)


if __name__ == "__main__":
    unittest.main()
