"""What is judged without being sent, as it would be if it were; rules and counts."""
from __future__ import annotations

import json
import unittest
from typing import Any

import requests

from api_case import APICase, Fields, token_of
from gateway import PATIENCE, TOKEN, TOPIC, Gateway, program
from h2_client import provider_token

IMAGE = {"aps": {"alert": "x"}, "fcm_options": {"image": "https://a.example/b.png"}}
# Fields beside apns-topic, the body, and the device token.
PUSHES: list[tuple[Fields, Any, str]] = [
    ({}, {"aps": {"alert": "x"}}, TOKEN), ({"apns-priority": "7"}, {"aps": {"alert": "x"}}, TOKEN), ({"apns-push-type": "voip"}, {"aps": {}}, TOKEN), ({"apns-topic": "a b"}, {"aps": {}}, TOKEN),
    ({"apns-expiration": "soon"}, {"aps": {}}, TOKEN), ({"apns-id": "x"}, {"aps": {}}, TOKEN), ({"apns-collapse-id": "c" * 65}, {"aps": {}}, TOKEN), ({}, {"aps": {"badge": "1"}}, TOKEN),
    ({}, {"aps": {"alert": "x" * 4096}}, TOKEN), ({}, IMAGE, TOKEN), ({}, IMAGE | {"aps": {"alert": "x", "mutable-content": 1}}, TOKEN), ({}, b'{"aps":', TOKEN), ({}, b"", TOKEN),
    ({}, {"aps": {}}, "x"), ({}, {"aps": {}}, ""), ({}, {"aps": {}}, "dead0410" + "0" * 56), ({}, {"aps": {}}, "dead0503" + "0" * 56), ({"apns-push-type": "background"}, {"aps": {"content-available": 1}}, TOKEN),
    ({"authorization": "bearer x"}, {"aps": {}}, TOKEN),
]
MESSAGES: list[Any] = [
    {"message": {"topic": "t"}}, {"message": {"topic": "t", "notification": {"image": "https://a.example/b?c.png"}}}, {"message": {}}, {"message": {"topic": "a/b"}}, {"message": {"token": "x"}},
    {"message": {"topic": "t", "dat": 1}}, {"message": {"topic": "t", "data": {"n": 7}}}, {"message": {"topic": "t", "data": {"from": "x"}}}, {"topic": "t"}, [], b"", b"{", b"{message:{'topic':'t',},}",
    {"message": {"topic": "t", "apns": {"payload": IMAGE}}}, {"message": {"topic": "t", "data": {"k": "x" * 5000}}}, {"message": {"condition": "'a' in topic"}}, {"validate_only": True, "message": {"topic": "t"}},
    {"message": {"topic": "t", "android": {"ttl": "5"}}},
]
BAD: list[tuple[str, Any, str]] = [
    ("apns", [], ""), ("apns", {"header": {}}, "/header"), ("apns", {"headers": []}, "/headers"), ("apns", {"headers": {"apns-topic": 7}}, "/headers/apns-topic"), ("apns", {"headers": {"": "x"}}, "/headers/"),
    ("apns", {"headers": {"a/b": None}}, "/headers/a~1b"), ("apns", {"headers": {"x": "y" * 8001}}, "/headers/x"),
]


class Checks(APICase):
    def verdict(self, said: Fields) -> tuple[str, int, str | None, str | None, list[str]]:
        """Of what was checked or sent, but for the findings about who sent it and whom it reaches."""
        rules = [finding["rule"] for finding in said["findings"]]
        rule = said.get("rule") or said.get("why")
        return (said["outcome"], said["status"], said["reason"], rule if said["outcome"] == "refused" else None,
                [name for name in rules if not name.startswith("auth.") and name != "fcm.no-subscribers"])

    def nothing_was_sent(self) -> None:
        self.assertEqual((self.stat("messages"), self.stat("devices")), (0, 0))

    def test_a_push_is_judged_as_if_it_were_sent(self) -> None:
        for changes, body, token in PUSHES:
            with self.subTest(changes=changes, body=body, token=token):
                self.ask("POST", "/reset")
                headers, path = {"apns-topic": TOPIC} | changes, f"/3/device/{token}"
                checked = self.ask("POST", "/check/apns", {"headers": headers | {":path": path}, "body": body.decode() if isinstance(body, bytes) else body})
                self.nothing_was_sent()
                answer = self.apple.call("POST", path, *headers.items(), body=body if isinstance(body, bytes) else json.dumps(body).encode())
                self.assertEqual((checked["status"], checked["reason"]), (answer.status, json.loads(answer.body)["reason"] if answer.body else None))
                self.assertEqual(self.verdict(checked), self.verdict(self.newest()))
                self.assertEqual("message" in checked, checked["outcome"] == "refused")

    def test_a_push_without_a_path_is_to_some_device(self) -> None:
        bearer = f"bearer {provider_token(self.gateway)}"
        for headers in ({"apns-topic": TOPIC}, {"Apns-Topic": TOPIC, "Authorization": bearer}):
            self.assertEqual(self.ask("POST", "/check/apns", {"headers": headers, "body": {"aps": {"alert": "x"}}}), {"outcome": "accepted", "status": 200, "reason": None, "findings": []})
        self.assertEqual(self.ask("POST", "/check/apns", {})["reason"], "MissingTopic")
        self.assertEqual(self.ask("POST", "/check/apns", {"headers": {"apns-topic": TOPIC, "authorization": f"bearer {provider_token(self.gateway, age=4000)}"}, "body": {}})["reason"], "ExpiredProviderToken")

    def test_a_push_to_a_device_that_is_known(self) -> None:
        phone = self.device(id="phone")
        wanted = {":path": f"/3/device/{token_of(phone)}", "apns-topic": TOPIC}
        for changes, reason in (({}, None), ({"apns-topic": "com.example.other"}, "DeviceTokenNotForTopic")):
            self.assertEqual(self.ask("POST", "/check/apns", {"headers": wanted | changes, "body": {"aps": {}}})["reason"], reason)
        self.ask("POST", "/devices/phone/act", {"kind": "uninstall"})
        self.assertEqual(self.ask("POST", "/check/apns", {"headers": wanted, "body": {"aps": {}}})["reason"], "Unregistered")

    def test_a_message_is_judged_as_if_it_were_sent(self) -> None:
        headers = {"authorization": "Bearer x", "content-type": "application/json"}
        for body in MESSAGES:
            with self.subTest(body):
                self.ask("POST", "/reset")
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                checked = self.ask("POST", "/check/fcm", raw)
                self.nothing_was_sent()
                answer = self.google.send(body=raw, headers=headers)
                self.assertEqual((checked["status"], self.verdict(checked)), (answer.status_code, self.verdict(self.newest())))
                if checked["outcome"] == "refused":
                    self.assertEqual(checked["message"], answer.json()["error"]["message"])

    def test_a_message_to_a_magic_token(self) -> None:
        for word in ("unregistered", "quota-exceeded", "internal"):
            token = f"{word}:APA91b" + "x" * 134
            sent = self.google.send(token=token)
            checked = self.ask("POST", "/check/fcm", {"message": {"token": token}})
            self.assertEqual((checked["status"], checked["reason"]), (sent.status_code, self.newest()["reason"]))

    def test_what_is_no_question(self) -> None:
        for path, body, pointer in BAD:
            with self.subTest(body):
                self.assertEqual(self.problem("POST", f"/check/{path}", body), ("badField", pointer))
        self.assertEqual(self.problem("POST", "/check/apns", b"{")[0], "notJSON")
        for method, path, status in (("POST", "/check/huawei", 404), ("GET", "/check/apns", 405), ("POST", "/check/fcm?x=1", 400)):
            self.problem(method, path, {}, status)

    def test_the_rules_are_those_of_the_program(self) -> None:
        found, cursor = [], "0"
        while cursor is not None:
            page = self.ask("GET", f"/rules?limit=100&cursor={cursor}")
            found, cursor = found + page["rules"], page["next"]
        self.assertEqual(found, json.loads(program("rules", "--json").stdout))
        self.assertEqual(len(self.ask("GET", "/rules")["rules"]), 50)
        for query in ("limit=0", "cursor=x", "rule=fcm"):
            self.assertEqual(self.problem("GET", f"/rules?{query}")[0], "badQuery")

    def test_what_is_counted(self) -> None:
        before = self.ask("GET", "/stats")
        self.assertEqual(set(before), {"accepted", "refused", "malformed", "messages", "events", "devices", "faults", "connections", "waiting", "readers"})
        self.apple.push()
        self.apple.push(token="x")
        self.google.send(topic="t")
        self.google.send(dat={})
        self.ask("POST", "/faults", {"effect": {"silence": True}, "after": 1000}, 201)
        after = self.ask("GET", "/stats")
        self.assertEqual({key: after[key] - before[key] for key in before}, {
            "accepted": 2, "refused": 2, "malformed": 0, "messages": 4, "events": 7, "devices": 1, "faults": 1, "connections": 0, "waiting": 0, "readers": 0})
        self.problem("GET", "/stats?app=x")


class Choices(unittest.TestCase):
    def test_the_choices_of_the_gateway_hold_for_checks_too(self) -> None:
        body = {"message": {"topic": "t", "apns": {"payload": {"aps": {}}}}}
        with Gateway("--fcm-choice", "empty-aps=accept", "--validation", "service") as gateway:
            answers = [requests.post(gateway.at().url(path, scheme="http"), json=body, headers={"authorization": "Bearer x"}, timeout=PATIENCE)
                       for path in ("/v1/projects/shop/messages:send", "/api/v1/check/fcm")]
            self.assertEqual([answers[0].status_code, answers[1].json()["status"]], [200, 200])


if __name__ == "__main__":
    unittest.main()
