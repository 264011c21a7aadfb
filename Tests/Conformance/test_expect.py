"""What tests wait for: POST /expect, decided at once or by a later push, and what it says where it is not so."""
from __future__ import annotations

import time
import unittest
from typing import Any

from api_case import APICase, Fields, token_of
from gateway import TOPIC

ALL = {"app": TOPIC}
# What is asked of three pushes, and the status; `within` is longer than any test may take.
AT_ONCE: list[tuple[Fields, int]] = [
    ({"count": 3}, 200), ({"count": 2}, 417), ({"count": 0}, 417), ({"atLeast": 1}, 200), ({"atLeast": 3}, 200), ({"atLeast": 0}, 200), ({}, 200),
    ({"atMost": 2}, 417), ({"atMost": 0}, 417), ({"never": True}, 417), ({"never": False}, 200), ({"count": 3, "never": False}, 200),
]
# The same where nothing is waited for.
AT_THE_END: list[tuple[Fields, int]] = [
    *AT_ONCE, ({"count": 4}, 417), ({"atLeast": 4}, 417), ({"atMost": 3}, 200), ({"atMost": 9}, 200),
]
BODY = {"aps": {"alert": {"title": "T", "body": "B"}, "badge": 1}, "list": [1, {"x": None}], "a/b~c": "odd", "big": 9007199254740993}
# What matches a push with that body, and what does not.
MATCHES: list[tuple[Fields, bool]] = [
    ({"body": {"/aps/alert/title": "T", "/aps/badge": 1}}, True), ({"body": {"/aps/alert/title": "T", "/aps/badge": 2}}, False),
    ({"body": {"/aps/badge": 1.0}}, True), ({"body": {"/aps/badge": "1"}}, False), ({"body": {"/aps/badge": True}}, False),
    ({"body": {"/list/1/x": None}}, True), ({"body": {"/nothing": None}}, False), ({"body": {"/list": [1, {"x": None}]}}, True), ({"body": {"/list/0": 1}}, True),
    ({"body": {"/list/-": 1}}, False), ({"body": {"/a~1b~0c": "odd"}}, True), ({"body": {"/big": 9007199254740993}}, True), ({"body": {"/big": 9007199254740992}}, False),
    ({"body": {"": BODY}}, True), ({"body": {"/aps/alert": {"title": "T", "body": "B"}}}, True), ({"body": {"/aps/alert": {"title": "T"}}}, False), ({"body": {}}, True),
    ({"headers": {"apns-topic": TOPIC}}, True), ({"headers": {"APNS-Topic": TOPIC}}, True), ({"headers": {"apns-topic": "com"}}, False), ({"headers": {"x": ""}}, False),
    ({"headers": {"x-mine": "b"}}, True), ({"headers": {"x-mine": "a", "apns-topic": TOPIC}}, True), ({"status": 200}, True), ({"status": "200"}, True), ({"status": 400}, False),
    ({"text": "t"}, True), ({"text": "nowhere"}, False), ({"since": 0}, True), ({"since": 10**9}, False), ({"until": "2026-01-01T00:00:00Z"}, False),
    ({"since": "2026-01-01T00:00:00.000Z"}, True), ({}, True),
]
# What is no question, and where.
BAD: list[tuple[Any, str]] = [
    ([], ""), ({"macth": {}}, "/macth"), ({"match": 7}, "/match"), ({"match": {"colour": 1}}, "/match/colour"), ({"match": {"provider": "x"}}, "/match/provider"),
    ({"match": {"app": 7}}, "/match/app"), ({"match": {"outcome": "met"}}, "/match/outcome"), ({"match": {"status": 1.5}}, "/match/status"), ({"match": {"body": []}}, "/match/body"),
    ({"match": {"headers": {"a": 1}}}, "/match/headers"), ({"match": {"since": {}}}, "/match/since"), ({"count": -1}, "/count"), ({"count": "1"}, "/count"), ({"count": 1.5}, "/count"),
    ({"atLeast": 10**7}, "/atLeast"), ({"atMost": None, "count": True}, "/count"), ({"never": "yes"}, "/never"), ({"count": 1, "atMost": 2}, ""), ({"atLeast": 0, "never": True}, ""),
    ({"within": 5}, "/within"), ({"within": "5"}, "/within"), ({"within": "-1s"}, "/within"), ({"within": "25h"}, "/within"), ({"since": 1}, "/since"),
    ({"match": {"app": None}}, "/match/app"), ({"match": {"body": None}}, "/match/body"), ({"match": {"status": "x"}}, "/match/status"),
]


class Expect(APICase):
    def expect(self, status: int, match: Fields | None = None, within: str = "0s", **demand: Any) -> Fields:
        return self.ask("POST", "/expect", {"match": match or {}, "within": within} | demand, status)


class Decisions(Expect):
    def test_what_can_be_decided_is_decided_at_once(self) -> None:
        for _ in range(3):
            self.apple.push()
        for within, rows in (("60s", AT_ONCE), ("0s", AT_THE_END)):
            for demand, status in rows:
                with self.subTest(demand, within=within):
                    said = self.expect(status, ALL, within, **demand)
                    self.assertEqual((said["met"], said["count"], said["messages"]), (status == 200, 3, self.ids()[::-1]))
                    self.assertEqual("nearest" in said, status == 417)
        for demand in ({"never": True}, {"count": 0}, {"atMost": 1}):
            self.assertEqual(self.expect(200, {"app": "x"}, **demand), {"met": True, "count": 0, "messages": []})
        self.assertEqual(self.expect(200, {"app": "x"}, "60s", count=0)["count"], 0)

    def test_what_matches(self) -> None:
        self.apple.push(("x-mine", "a"), ("x-mine", "b"), body=BODY)
        for match, is_meant in MATCHES:
            with self.subTest(match):
                self.assertEqual(self.expect(200 if is_meant else 417, match)["count"], int(is_meant))

    def test_what_matches_of_a_message_to_fcm(self) -> None:
        droid = self.device("android", id="droid", project="shop")
        self.ask("PUT", "/topics/news/devices/droid", status=204)
        self.google.send(body=b"{message:{'topic':'news',data:{n:'7',},},}")
        for match in ({"body": {"/message/data/n": "7"}}, {"topic": "news"}, {"device": "droid"}, {"app": "shop"}, {"provider": "fcm", "outcome": "accepted", "text": "7"}):
            self.assertEqual(self.expect(200, match, count=1)["count"], 1, match)
        for match in ({"body": {"/message/data/n": 7}}, {"token": token_of(droid, "fcm")}, {"device": "d"}, {"app": TOPIC}):
            self.assertEqual(self.expect(417, match)["count"], 0, match)

    def test_members_of_an_object_have_no_order(self) -> None:
        self.apple.push(body=BODY)
        self.expect(200, {"body": {"/aps/alert": {"body": "B", "title": "T"}}})

    def test_what_is_no_question_is_named_with_its_place(self) -> None:
        for body, pointer in BAD:
            with self.subTest(body):
                self.assertEqual(self.problem("POST", "/expect", body), ("badField", pointer))
        for raw in (b"", b"{", b"\xff"):
            self.assertEqual(self.problem("POST", "/expect", raw), ("notJSON", ""))
        self.problem("GET", "/expect", status=405)
        self.assertEqual(self.stat("waiting"), 0)

    def test_what_is_wrong_below_match_has_its_place_there(self) -> None:
        for match, pointer in [({"since": "yesterday"}, "/match/since"), ({"until": "x"}, "/match/until"), ({"body": {"no-pointer": 1}}, "/match/body"),
                               ({"body": {"/a~2": 1}}, "/match/body")]:
            with self.subTest(match):
                self.assertEqual((self.problem("POST", "/expect", {"match": match})[1] or "")[:len(pointer)], pointer)


class Misses(Expect):
    def misses(self, match: Fields) -> list[tuple[str, list[tuple[str, Any, Any]]]]:
        said = self.expect(417, match)
        return [(miss["message"], [(each["at"], each["expected"], each["got"]) for each in miss["differs"]]) for miss in said["nearest"]]

    def test_the_nearest_come_first_and_say_what_differs(self) -> None:
        self.apple.push(("apns-push-type", "alert"), body={"aps": {"alert": "Lunch"}})
        self.apple.push(topic="com.example.other", token="5" * 64, body={"aps": {"alert": "Tea"}})
        self.apple.push(body={"aps": {"badge": "x"}})
        self.google.send(topic="news", data={"k": "v"})
        fcm, wrong, tea, lunch = self.ids()
        title = "/aps/alert"
        self.assertEqual(self.misses({"provider": "apns", "app": TOPIC, "body": {title: "Breakfast"}}), [
            (wrong, [(title, "Breakfast", None)]), (lunch, [(title, "Breakfast", "Lunch")]), (tea, [("app", TOPIC, "com.example.other"), (title, "Breakfast", "Tea")])])
        self.assertEqual(self.misses({"pushType": "voip", "outcome": "accepted", "app": TOPIC})[0], (lunch, [("pushType", "voip", "alert")]))
        self.assertEqual(self.misses({"topic": "new", "provider": "fcm"}), [
            (fcm, [("topic", "new", "news")]), (wrong, [("provider", "fcm", "apns"), ("topic", "new", TOPIC)]), (tea, [("provider", "fcm", "apns"), ("topic", "new", "com.example.other")])])
        self.assertEqual(self.misses({"headers": {"Apns-Priority": "5"}, "app": "com.example.other"})[0], (tea, [("headers/apns-priority", "5", None)]))
        self.assertEqual([name for name, _ in self.misses({"text": "Supper"})], [fcm, wrong, tea])

    def test_a_device_was_not_reached(self) -> None:
        phone = self.device(id="phone")
        self.apple.push(token=token_of(phone))
        self.assertEqual(self.misses({"device": "other"}), [(self.newest()["id"], [("device", "other", "phone")])])

    def test_what_is_too_much_is_named(self) -> None:
        for _ in range(2):
            self.apple.push()
        said = self.expect(417, ALL, never=True)
        self.assertEqual((said["count"], said["messages"], said["nearest"]), (2, self.ids()[::-1], []))

    def test_a_value_is_named_once(self) -> None:
        self.google.send(topic="t")
        self.assertEqual(self.misses({"app": "x"})[0][1], [("app", "x", "shop")])

    def test_a_bound_that_is_not_kept_is_the_one_that_is_named(self) -> None:
        self.apple.push()
        message = self.newest()
        self.assertEqual(self.misses({"since": 0, "until": 0}), [(message["id"], [("until", 0, message["seq"])])])


class Times(Expect):
    def test_what_does_not_come_is_waited_for_as_long_as_was_said(self) -> None:
        for demand, status in (({"never": True}, 200), ({"atMost": 0}, 200), ({"count": 1}, 417), ({"atLeast": 1}, 417)):
            begun = time.monotonic()
            self.expect(status, {"app": "nobody"}, "300ms", **demand)
            self.assertTrue(0.29 < time.monotonic() - begun < 3, demand)

    def test_the_gateways_clock_does_not_end_it(self) -> None:
        self.ask("POST", "/clock", {"advance": "1h"})
        begun = time.monotonic()
        self.expect(200, {"app": "nobody"}, "200ms", never=True)
        self.assertGreater(time.monotonic() - begun, 0.19)


if __name__ == "__main__":
    unittest.main()
