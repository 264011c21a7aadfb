"""Devices that the control API makes, one by one or by the thousand, and lists."""
from __future__ import annotations

import unittest
from typing import Any

from api_case import APICase, Fields, token_of
from device_client import IPHONE
from gateway import TOPIC

STATE = {
    "app": "background", "permission": "authorized", "online": True, "locked": False, "focus": False, "doze": False, "lowPower": False, "backgroundRefresh": True,
    "forceStopped": False, "directBoot": False, "locale": "en-US"}
# What makes no device, and where.
BAD_SPECS: list[tuple[Any, str]] = [
    ([], ""), ({}, "/platform"), ({"platform": "palm", "app": "a"}, "/platform"), ({"platform": "ios"}, "/app"), (IPHONE | {"app": ""}, "/app"), (IPHONE | {"app": "x" * 257}, "/app"),
    (IPHONE | {"colour": "red"}, "/colour"), (IPHONE | {"id": ""}, "/id"), (IPHONE | {"id": 7}, "/id"), (IPHONE | {"count": 0}, "/count"), (IPHONE | {"count": 10_001}, "/count"),
    (IPHONE | {"count": "2"}, "/count"), (IPHONE | {"environment": "moon"}, "/environment"), (IPHONE | {"state": 7}, "/state"), (IPHONE | {"state": {"online": 1}}, "/state/online"),
    (IPHONE | {"state": {"colour": 1}}, "/state/colour"), (IPHONE | {"extension": {"script": "x"}}, "/extension/script"), (IPHONE | {"categories": 7}, "/categories"),
    (IPHONE | {"tracking": {"profile": "x"}}, "/tracking/profile"),
]
# The same one level down: a member that nobody knows.
BAD_PARTS: list[tuple[Fields, str]] = [
    ({"extension": {"scrip": "echo"}}, "/extension/scrip"), ({"tracking": {"profil": "adobe"}}, "/tracking/profil"), ({"categories": [{"id": "a", "x": 1}]}, "/categories/0/x"),
    ({"categories": [{"id": "a", "actions": [{"id": "b", "title": "B", "x": 1}]}]}, "/categories/0/actions/0/x"),
]


class Made(APICase):
    def test_each_platform_has_its_tokens(self) -> None:
        for platform, kinds in (("ios", {"apns", "fcm", "liveActivity"}), ("android", {"fcm"}), ("web", {"fcm"})):
            device = self.device(platform, id=platform)
            tokens = device.pop("tokens")
            self.assertEqual(device, {"id": platform, "platform": platform, "app": TOPIC, "name": platform, "state": STATE, "badge": 0, "shade": [], "connected": False, "installed": True})
            self.assertEqual(set(tokens), kinds)
            self.assertEqual(set(tokens["fcm"]), {"token", "fid", "senderId"})
            self.assertEqual(self.ask("GET", f"/devices/{platform}"), device | {"tokens": tokens})
        self.assertEqual([event["kind"] for event in self.events("kind=registered&app=" + TOPIC)[-3:]], ["registered"] * 3)

    def test_what_is_said_is_so(self) -> None:
        device = self.device(id="a/b c?ü", name="Ann's", project="shop", environment="sandbox", locale="de-DE", osVersion="18.1", state={"online": False, "app": "foreground"})
        self.assertEqual((device["name"], device["tokens"]["fcm"]["project"], device["tokens"]["apns"]["environment"], device["tokens"]["apns"]["topic"]), ("Ann's", "shop", "sandbox", TOPIC))
        self.assertEqual(device["state"], STATE | {"online": False, "app": "foreground", "locale": "de-DE"})
        self.assertEqual(self.ask("GET", "/devices/a%2Fb%20c%3F%C3%BC"), device)
        self.assertRegex(self.device()["id"], r"\Ad\d+\Z")

    def test_a_member_that_is_wrong_is_named(self) -> None:
        for body, pointer in BAD_SPECS:
            with self.subTest(body):
                self.assertEqual(self.problem("POST", "/devices", body), ("badField", pointer))
        self.assertEqual(self.ask("GET", "/devices")["devices"], [])

    def test_a_member_of_a_part_that_nobody_knows_is_named(self) -> None:
        for part, pointer in BAD_PARTS:
            with self.subTest(part):
                self.assertEqual(self.problem("POST", "/devices", IPHONE | part), ("badField", pointer))

    def test_there_is_one_of_a_name(self) -> None:
        self.device(id="one")
        self.assertEqual(self.problem("POST", "/devices", IPHONE | {"id": "one"}, 409), ("conflict", "/id"))
        self.ask("POST", "/devices", IPHONE | {"id": "many-2"}, 201)
        self.assertEqual(self.problem("POST", "/devices", IPHONE | {"id": "many", "count": 3}, 409), ("conflict", "/id"))
        self.assertEqual([device["id"] for device in self.ask("GET", "/devices")["devices"]].count("many-1"), 0, "all or none")

    def test_ten_thousand_at_once_and_page_by_page(self) -> None:
        made = self.ask("POST", "/devices", IPHONE | {"id": "many", "count": 10_000}, 201)["devices"]
        self.device("android", "com.example.droid", id="droid")
        self.assertEqual([device["id"] for device in made], [f"many-{number}" for number in range(1, 10_001)])
        for provider in ("apns", "fcm"):
            self.assertEqual(len({token_of(device, provider) for device in made}), 10_000)
        found, cursor, pages = [], "", 0
        while cursor is not None:
            page = self.ask("GET", f"/devices?limit=1000&app={TOPIC}{cursor and f'&cursor={cursor}'}")
            found, cursor, pages = found + page["devices"], page["next"], pages + 1
        self.assertEqual((len(found), pages), (10_000, 10))
        self.assertTrue({device["id"]: device for device in found} == {device["id"]: device for device in made})
        self.assertEqual(self.apple.push(token=token_of(made[-1])).status, 200)
        self.assertEqual(self.newest()["devices"], ["many-10000"])
        self.assertEqual([device["id"] for device in self.ask("GET", "/devices?platform=android")["devices"]], ["droid"])

    def test_lists(self) -> None:
        for name, app, project in (("a", "x", "p"), ("b", "x", "q"), ("c", "y", "q")):
            self.device("web", app, id=name, project=project)
        for query, expected in (("", "abc"), ("app=x", "ab"), ("app=q", "bc"), ("app=z", ""), ("platform=ios", ""), ("platform=web&limit=3&app=x", "ab")):
            self.assertEqual("".join(sorted(device["id"] for device in self.ask("GET", f"/devices?{query}")["devices"])), expected, query)
        for query in ("platform=palm", "limit=0", "cursor=x", "name=a"):
            self.assertEqual(self.problem("GET", f"/devices?{query}")[0], "badQuery")

    def test_a_list_begins_with_the_oldest(self) -> None:
        for name in "abc":
            self.device(id=name)
        self.ask("DELETE", "/devices/b", status=204)
        self.device(id="d")
        self.assertEqual([device["id"] for device in self.ask("GET", "/devices")["devices"]], ["a", "c", "d"])


if __name__ == "__main__":
    unittest.main()
