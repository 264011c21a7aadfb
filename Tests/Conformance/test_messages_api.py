"""The messages of the control API: what a push looks like there, and each filter."""
from __future__ import annotations

import unittest
from typing import Any, ClassVar

from api_case import APICase, Fields, token_of
from gateway import TOKEN, TOPIC

BREAD = {"aps": {"alert": {"title": "Breakfast", "body": "The bread is out"}}, "order": 7, "it's": [True, None]}
# What is asked for, and the pushes of `Filters`, the newest first.
FILTERS: list[tuple[str, str]] = [
    ("", "odd condition topic token broadcast voip wrong alert"), ("provider=apns", "broadcast voip wrong alert"),
    ("provider=fcm", "odd condition topic token"), (f"app={TOPIC}", "broadcast wrong alert"), ("app=com.example.other", "voip"),
    ("app=shop", "condition topic token"), ("app=com.example.droid", "token"), ("app=com.example", ""), ("token={phone}", "wrong alert"),
    (f"token={TOKEN.upper()}", "voip"), ("token={droid}", "token"), ("device=phone", "alert"), ("device=droid", "condition topic token"),
    ("topic=news", "topic"), ("topic=com.example.other.voip", "voip"), ("pushType=voip", "voip"), ("pushType=liveactivity", "broadcast"),
    ("outcome=refused", "odd wrong"), ("outcome=accepted&provider=apns", "broadcast voip alert"), ("status=400", "odd wrong"), ("status=410", ""),
    ("reason=InvalidPayload", "wrong"), ("reason=INVALID_ARGUMENT", "odd"), ("rule=aps.wrong-type", "wrong"), ("rule=fcm.conversion", "odd"),
    ("rule=auth.unknown-bearer", "odd condition topic token"), ("text=BREAD", "alert"), ("text=bread%20is", "alert"), ("text=the+bread", "alert"),
    ("text=in+topics", "condition"), ("text=order", ""), ("/order=7", "alert"), ("%2Forder=7.0", "alert"), ("/order=%227%22", ""),
    ("/aps/alert/title=Breakfast", "alert"), ("%2Faps%2Falert%2Ftitle=%22Breakfast%22", "alert"), ("/aps/alert/title=breakfast", ""),
    ("/message/data/n=%227%22", "topic token"), ("/it's/0=true", "alert"), ("/it's/1=null", "alert"), ("/it's=[true,null]", "alert"), ("/nothing=1", ""),
    ("/message/notification/title=Hi&topic=news", "topic"), ("/order=7&/aps/alert/title=Lunch", ""), ("since={voip}", "odd condition topic token broadcast"),
    ("until={voip}", "voip wrong alert"), ("since={wrong}&until={token}&provider=apns", "broadcast voip"), ("since=2026-01-01T00:00:00Z&app=shop", "condition topic token"),
    ("until=2026-01-01T00:00:00Z", ""), ("until={time}", "alert"), ("app=shop&outcome=refused", ""),
]
# What is no filter, and what the answer names.
BAD_QUERIES = [
    ("colour=red", "colour"), ("outcome=maybe", "outcome"), ("provider=huawei", "provider"), ("limit=0", "limit"), ("limit=1001", "limit"), ("limit=x", "limit"),
    ("cursor=x", "cursor"), ("cursor=-1", "cursor"), ("since=yesterday", "since"), ("until=", "until"), ("since=-1", "since"), ("/a~2=1", "/a~2"),
]


class Filters(APICase):
    """All pushes are there before the first test, and nothing is taken away."""

    named: ClassVar[dict[str, Fields]]
    words: ClassVar[dict[str, Any]]

    def setUp(self) -> None:
        if not hasattr(type(self), "named"):
            type(self).named, type(self).words = self.populate()

    def populate(self) -> tuple[dict[str, Fields], dict[str, Any]]:
        phone, droid = self.device(id="phone"), self.device("android", "com.example.droid", id="droid", project="shop")
        self.ask("PUT", "/topics/news/devices/droid", status=204)
        channels = f"/1/apps/{TOPIC}/channels"
        channel = self.apple.call("POST", channels, body=b'{"message-storage-policy":1,"push-type":"LiveActivity"}').fields["apns-channel-id"]
        self.apple.push(("apns-push-type", "alert"), ("apns-collapse-id", "c1"), ("apns-priority", "10"), token=token_of(phone), body=BREAD)
        self.api.post("/clock", json={"freeze": True})
        self.api.post("/clock", json={"advance": "1s"})
        self.apple.push(token=token_of(phone), body={"aps": {"alert": "x", "badge": "1"}})
        self.apple.push(("apns-push-type", "voip"), topic="com.example.other.voip")
        self.apple.call("POST", f"/4/broadcasts/apps/{TOPIC}", ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", "1900000000"),
                        body=b'{"aps":{"event":"update","timestamp":1,"content-state":{}}}')
        self.google.send(token=token_of(droid, "fcm"), data={"n": "7"}, notification={"title": "Hi"}, android={"priority": "high", "ttl": "60s", "collapse_key": "k"})
        self.google.send(topic="news", data={"n": "7"}, notification={"title": "Hi"})
        self.google.send(condition="'news' in topics")
        self.google.send("other", token="x", dat={})
        names = ["odd", "condition", "topic", "token", "broadcast", "voip", "wrong", "alert"]
        named = dict(zip(names, self.ask("GET", "/messages")["messages"], strict=True))
        words = {name: message["seq"] for name, message in named.items()}
        return named, words | {"phone": token_of(phone), "droid": token_of(droid, "fcm"), "time": named["alert"]["time"], "channel": channel, "token": words["token"]}

    def test_each_filter_finds_what_it_means(self) -> None:
        for query, expected in FILTERS:
            with self.subTest(query):
                self.assertEqual(self.ids(query.format(**self.words)), [self.named[name]["id"] for name in expected.split()])

    def test_an_unknown_filter_is_named_and_nothing_is_deleted(self) -> None:
        for query, name in BAD_QUERIES:
            for method in ("GET", "DELETE"):
                with self.subTest(query, method=method):
                    self.problem(method, f"/messages?{query}")
                    self.assertIn(f"'{name}", self.ask(method, f"/messages?{query}", status=400)["error"]["message"])
        self.assertEqual(len(self.ids()), len(self.named))

    def test_a_device_push(self) -> None:
        message, token = self.named["alert"], self.words["phone"]
        self.assertRegex(message["time"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
        (finding,) = message["findings"]
        self.assertEqual((finding["rule"], finding["severity"], finding["path"]), ("auth.unknown-key", "note", "headers/authorization"))
        request = message["request"]
        self.assertEqual(request | {"headers": dict(request["headers"])}, {
            "method": "POST", "path": f"/3/device/{token}", "body": BREAD, "headers": {
                "apns-topic": TOPIC, "apns-push-type": "alert", "apns-collapse-id": "c1", "apns-priority": "10", "authorization": dict(request["headers"])["authorization"]}})
        self.assertEqual({key: message[key] for key in message if key not in ("id", "seq", "time", "findings", "request")}, {
            "provider": "apns", "app": TOPIC, "environment": "production", "target": {"token": token}, "devices": ["phone"], "pushType": "alert",
            "priority": "10", "expiration": None, "collapseId": "c1", "outcome": "accepted", "status": 200, "reason": None, "why": "apns.received"})

    def test_who_is_meant_and_who_is_reached(self) -> None:
        rows: dict[str, tuple[str, Fields, list[str]]] = {
            "voip": ("com.example.other", {"token": TOKEN}, ["d1"]), "broadcast": (TOPIC, {"channel": self.words["channel"]}, []),
            "wrong": (TOPIC, {"token": self.words["phone"]}, []), "token": ("com.example.droid", {"token": self.words["droid"]}, ["droid"]),
            "topic": ("shop", {"topic": "news"}, ["droid"]), "condition": ("shop", {"condition": "'news' in topics"}, ["droid"]), "odd": ("other", {"token": "x"}, [])}
        for name, expected in rows.items():
            message = self.named[name]
            self.assertEqual((message["app"], message["target"], message["devices"]), expected, name)
            self.assertEqual(message.get("project"), {"odd": "other"}.get(name, "shop") if message["provider"] == "fcm" else None)
        message = self.named["token"]
        self.assertEqual((message["priority"], message["expiration"], message["collapseId"], message["pushType"]), ("high", "60s", "k", None))
        wrong = self.named["wrong"]
        self.assertEqual((wrong["outcome"], wrong["status"], wrong["reason"], wrong["why"]), ("refused", 400, "InvalidPayload", "aps.wrong-type"))
        self.assertEqual(wrong["findings"][-1] | {"message": ""}, {"rule": "aps.wrong-type", "severity": "error", "path": "/aps/badge", "message": ""})

    def test_one_is_as_it_is_in_the_list(self) -> None:
        for message in self.named.values():
            self.assertEqual(self.ask("GET", f"/messages/{message['id']}"), message)
        for name in ("p999", "zzz", "p", "p18446744073709551616", "%2F"):
            for path in ("", "/raw", "/export?as=fcm"):
                self.assertEqual(self.problem("GET", f"/messages/{name}{path}", status=404)[0], "notFound", name)


if __name__ == "__main__":
    unittest.main()
