"""The media table and the collector: what phones fetch and what apps report, over the control API and by HTTP."""
from __future__ import annotations

import json
import unittest
from typing import Any, ClassVar

import httpx

from control import call
from device_client import Fields, Phone, with_phones
from gateway import PATIENCE, TOPIC, Gateway
from test_devices import send_push, token_of

IMAGE = "https://e.com/a.png"
WITH_IMAGE = {"aps": {"alert": {"title": "T"}, "mutable-content": 1}, "fcm_options": {"image": IMAGE}}


class Media(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def test_what_a_phone_gets(self) -> None:
        async def body(phone: Phone) -> None:
            phone.shows = True
            welcome = await phone.ask(type="hello", device={"platform": "ios", "app": TOPIC, "extension": {"script": "firebase"}})
            for media, outcome in [(None, "skipped"), ({"contentType": "image/png", "size": 2_000_000}, "attached"),
                                   ({"contentType": "image/png", "size": 20_000_000}, "failed"), ({"base64": "AAAA"}, "attached")]:
                if media:
                    self.assertEqual(call(self.gateway, "PUT", "/media", {"url": IMAGE} | media), (204, None))
                self.assertEqual(send_push(self.gateway, token_of(welcome), json.dumps(WITH_IMAGE).encode()), 200)
                seen: list[Fields] = []
                while not seen or seen[-1].get("kind") != "presented":
                    seen.append(await phone.receive())
                (attachment,) = (message for message in seen if message.get("kind") == "attachment")
                self.assertEqual(attachment["data"]["outcome"], outcome)
                self.assertEqual("image" in seen[-1]["data"], outcome == "attached")
        with_phones(self.gateway, body)

    def test_the_table(self) -> None:
        url = "https://e.com/b.jpg?x=1&y=ü"
        self.assertEqual(call(self.gateway, "PUT", "/media", {"url": url, "contentType": "image/jpeg", "status": 404, "size": 5, "delay": "3s"})[0], 204)
        _, said = call(self.gateway, "GET", "/media?limit=1000")
        self.assertIn({"url": url, "contentType": "image/jpeg", "status": 404, "size": 5, "delay": "3s"}, said["media"])
        quoted = httpx.QueryParams({"url": url})
        self.assertEqual(call(self.gateway, "DELETE", f"/media?{quoted}")[0], 204)
        self.assertEqual(call(self.gateway, "DELETE", f"/media?{quoted}")[0], 404)
        for bad, pointer in [({}, "/url"), ({"url": ""}, "/url"), ({"url": "x" * 2049}, "/url"), ({"url": "x", "size": -1}, "/size"),
                             ({"url": "x", "size": 1, "base64": "AA=="}, "/base64"), ({"url": "x", "base64": "A"}, "/base64"),
                             ({"url": "x", "base64": "=AAA"}, "/base64"), ({"url": "x", "status": 99}, "/status"),
                             ({"url": "x", "delay": "soon"}, "/delay"), ({"url": "x", "type": "image/png"}, "/type")]:
            with self.subTest(bad):
                status, said = call(self.gateway, "PUT", "/media", bad)
                self.assertEqual((status, said["error"]["pointer"]), (400, pointer))
        self.assertEqual(call(self.gateway, "DELETE", "/media"), (204, None))
        self.assertEqual(call(self.gateway, "GET", "/media")[1]["media"], [])


class Collector(unittest.TestCase):
    gateway: Gateway

    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())

    def hit(self, query: str, method: str = "GET") -> int:
        # A campaign server's name, not one of ours.
        return httpx.request(
            method, self.gateway.at().url(f"/r/?{query}", scheme="http"), headers={"host": "campaign.example"}, timeout=PATIENCE).status_code

    def tracking(self, query: str = "") -> Any:
        status, said = call(self.gateway, "GET", f"/tracking{query}")
        self.assertEqual(status, 200)
        return said

    def test_hits_of_phones_and_of_others_are_joined(self) -> None:
        async def body(phone: Phone) -> None:
            phone.shows = True
            welcome = await phone.ask(
                type="hello", device={"platform": "ios", "app": TOPIC, "state": {"app": "foreground"}, "tracking": {"profile": "adobe", "ecid": "E"}})
            payload = {"aps": {"alert": {"title": "T"}}, "_mId": "h138a", "_dId": "56c4"}
            self.assertEqual(send_push(self.gateway, token_of(welcome), json.dumps(payload).encode()), 200)
            while (message := await phone.receive()).get("kind") != "presented":
                if message["type"] == "push":
                    push = message["id"]
            self.assertEqual(self.hit("id=h138a,56c4,2&mcId=E"), 200)
            self.assertEqual(self.hit("id=h138a%2C56c4%2C1&mcid=E", "POST"), 200)
            self.assertEqual(self.hit("id=h138a,56c4,1&mcId=E"), 200)
            said = self.tracking()
            self.assertEqual([(hit["action"], hit["flags"]) for hit in said["hits"]], [("7", []), ("2", []), ("1", []), ("1", ["duplicate"])])
            self.assertEqual({hit["push"] for hit in said["hits"]}, {push})
            self.assertEqual(said["pushes"], [{"push": push, "reported": ["7", "2", "1", "1"], "expected": ["7"]}])
            self.assertEqual(self.tracking(f"?push={push}")["pushes"], said["pushes"])
            self.assertEqual(self.tracking("?push=p9999"), {"hits": [], "pushes": []})
        with_phones(self.gateway, body)

    def test_x19_a_rule_beside_the_apps_own_code_counts_twice(self) -> None:
        """The rule's postback is the same hit by another way: only the flag tells it from two openings."""
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(
                type="hello", device={"platform": "ios", "app": TOPIC, "state": {"app": "foreground"}, "tracking": {"profile": "adobe", "ecid": "E"}})
            self.assertEqual(send_push(self.gateway, token_of(welcome), b'{"aps":{"alert":{"title":"T"}},"_mId":"h138b","_dId":"56c4"}'), 200)
            self.assertEqual(self.hit("id=h138b,56c4,7&mcId=E"), 200)
            said = self.tracking()
            self.assertEqual([(hit["action"], hit["flags"]) for hit in said["hits"]], [("7", []), ("7", ["duplicate"])])
            self.assertEqual((said["pushes"][0]["expected"], said["pushes"][0]["reported"]), (["7"], ["7", "7"]))
        with_phones(self.gateway, body)

    def test_what_is_odd_is_said(self) -> None:
        for query, flags in [("id=h1,2,7&mcId=E", ["unknownId"]), ("id=h1,2,1&mcId=E", ["unknownId", "openWithoutClick"]),
                             ("id=h1,2,d57ff5&mcId=E", ["unknownId", "link"]), ("id=,2,7&mcId=E", ["noId"])]:
            self.assertEqual(self.hit(query), 200)
            self.assertEqual(self.tracking()["hits"][-1]["flags"], flags)
        self.assertEqual(self.hit("mcId=E"), 400)

    def test_why_nothing_is_reported(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device={"platform": "ios", "app": TOPIC, "tracking": {"profile": "adobe"}})
            for more in [{"_acsDeliveryTracking": "off"}, {"_mId": 1}]:
                payload = {"aps": {"alert": {"title": "T"}}, "_mId": "h1", "_dId": "2"} | more
                self.assertEqual(send_push(self.gateway, token_of(welcome), json.dumps(payload).encode()), 200)
            self.assertEqual(
                [push["why"] for push in self.tracking()["pushes"]], ["_acsDeliveryTracking is not on", "_mId or _dId is missing, or not a string"])
        with_phones(self.gateway, body)

    def test_the_other_calls_of_the_sdk(self) -> None:
        with httpx.Client(base_url=self.gateway.at().url("", scheme="http"), timeout=PATIENCE) as client:
            body = {"marketingCloudId": "E", "pushPlatform": "apns"}
            self.assertEqual(client.post("/rest/head/mobileAppV5/KEY/subscriptions/E", json=body).status_code, 200)
            self.assertEqual(client.post("/rest/head/mobileAppV5/KEY/locations/", json={}).status_code, 200)
            self.assertEqual(client.post("/rest/head/other/KEY", json={}).status_code, 404)
