"""A message taken out of the control API and sent again: its raw request, a file for `pushpit send`, a call for the shell, JSON for FCM."""
from __future__ import annotations

import json
import os
import subprocess
import unittest
from typing import Any

from api_case import APICase, Apple, token_of
from gateway import BINARY, PATIENCE, TOPIC, environment
from h2_client import Field, provider_token

PHONE = "5" * 64
# Payloads that a shell, JSON or a header could break on.
TEXTS = ["Breakfast", "it's \"out\"", "$HOME `id` $(id) \\ \\n !1", "two\nlines\tand ü 📱", "-X DELETE' -d 'x", "%41 %s {0}", "ends in '"]
# What lies beside the payload.
EXTRAS: list[list[Field]] = [[], [("apns-push-type", "alert"), ("apns-collapse-id", "it's $c"), ("apns-expiration", "1900000000")], [("x-mine", "a: \"b\" 'c'")]]


class Exports(APICase):
    def export(self, shape: str, name: str | None = None, status: int = 200) -> str:
        answer = self.api.get(f"/messages/{name or self.newest()['id']}/export?as={shape}")
        self.assertEqual(answer.status_code, status, answer.text)
        return answer.text

    def program(self, *arguments: str, stdin: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([BINARY, *arguments], input=stdin, capture_output=True, text=True, timeout=PATIENCE, env=environment())

    def shell(self, script: str, token: str) -> int:
        """The status of what a shell makes of an exported call."""
        done = subprocess.run(
            ["bash", "-c", f"set -u; {script.rstrip()} -o /dev/null -w '%{{http_code}}'"], capture_output=True, text=True, timeout=PATIENCE, env=os.environ | {"TOKEN": token})
        self.assertEqual((done.returncode, done.stderr), (0, ""), script)
        return int(done.stdout)

    def again(self, expected: int = 200, token: str = "x") -> None:
        """The newest, sent once more by its call: what arrives is the same."""
        before = self.newest()
        self.assertEqual((before["status"], self.shell(self.export("curl"), token)), (expected, expected))
        after = self.newest()
        self.assertNotEqual(after["id"], before["id"])
        same = ("provider", "app", "target", "pushType", "collapseId", "expiration", "outcome", "reason")
        self.assertEqual([after[key] for key in same], [before[key] for key in same])
        self.assertEqual(after["request"]["body"], before["request"]["body"])
        bodies = [self.api.get(f"/messages/{message['id']}/raw").content.split(b"\r\n\r\n", 1)[1] for message in (before, after)]
        self.assertEqual(bodies[0], bodies[1])
        kept = {name: value for name, value in before["request"]["headers"] if name not in ("authorization", "content-length", "host", "connection")}
        self.assertLessEqual(kept.items(), dict(after["request"]["headers"]).items())

    def test_a_call_for_the_shell_sends_the_same_again(self) -> None:
        token = provider_token(self.gateway)
        for text in TEXTS:
            for extra in EXTRAS:
                with self.subTest(text, extra=extra):
                    self.apple.push(*extra, token=PHONE, body={"aps": {"alert": text}})
                    self.again(token=token)
            with self.subTest(text, provider="fcm"):
                self.google.send(topic="t", data={"k": text})
                self.again()
        self.apple.push(token=PHONE, body={"aps": {"badge": "1"}})
        self.again(400, token)

    def test_a_call_for_the_shell_without_a_content_type(self) -> None:
        self.google.send(body=b'{"message":{"topic":"t"}}')
        self.again()

    def test_a_call_for_the_shell_with_a_bearer_in_its_query(self) -> None:
        self.google.send(query="?access_token=x", headers={}, topic="t")
        self.again()

    def test_a_call_for_the_shell_with_a_certificate(self) -> None:
        with Apple(self.gateway, certificate=True) as provider:
            provider.push(token=PHONE)
        self.again()

    def test_a_call_for_the_shell_reads_no_file(self) -> None:
        self.apple.push(token=PHONE, body=b"@/etc/hostname")
        self.again(400, provider_token(self.gateway))

    def test_a_call_for_the_shell_with_an_empty_field(self) -> None:
        self.apple.push(("x-empty", ""), token=PHONE)
        self.again(token=provider_token(self.gateway))

    def test_a_file_is_taken_by_send_and_check(self) -> None:
        for text in TEXTS:
            self.apple.push(token=PHONE, body={"aps": {"alert": text}, "own": [1.5, {"x": None}]})
            name, file = self.newest()["id"], self.export("apns")
            self.assertEqual(json.loads(file), {"Simulator Target Bundle": TOPIC, "aps": {"alert": text}, "own": [1.5, {"x": None}]})
            self.assertEqual(self.program("check", "-", stdin=file).returncode, 0)
            done = self.program("send", "--certs", str(self.gateway.certificates), "--url", self.gateway.at().url(""), "-", "--to", PHONE, stdin=file)
            self.assertEqual((done.returncode, done.stdout[:4]), (0, "200\n"), done.stderr)
            newest = self.newest()
            self.assertNotEqual(newest["id"], name)
            body = newest["request"]["body"]
            self.assertEqual((newest["app"], body["aps"], body["own"]), (TOPIC, {"alert": text}, [1.5, {"x": None}]))

    def test_a_message_of_fcm_as_a_file_for_an_iphone(self) -> None:
        phone = self.device()
        self.google.send(token=token_of(phone, "fcm"), notification={"title": "T"}, data={"k": "v"}, apns={"payload": {"aps": {"badge": 3}}})
        file = json.loads(self.export("apns"))
        self.assertEqual((file["Simulator Target Bundle"], file["aps"], file["k"]), (TOPIC, {"alert": {"title": "T"}, "badge": 3}, "v"))

    def test_json_for_fcm_is_sent_again(self) -> None:
        droid, phone = self.device("android"), self.device()
        sent: dict[str, Any] = {"token": token_of(droid, "fcm"), "data": {"k": TEXTS[1]}, "android": {"ttl": "3.5s"}}
        self.google.send(**sent)
        first = json.loads(self.export("fcm"))
        self.assertEqual(first, {"message": sent})
        self.apple.push(("apns-priority", "5"), token=token_of(phone), body={"aps": {"alert": TEXTS[2]}, "own": 1})
        second = json.loads(self.export("fcm"))
        payload = {"aps": {"alert": TEXTS[2]}, "own": 1}
        self.assertEqual(second, {"message": {"token": token_of(phone, "fcm"), "apns": {"headers": {"apns-priority": "5"}, "payload": payload}}})
        for body, device in ((first, droid), (second, phone)):
            self.assertEqual(self.google.send(body=body).status_code, 200)
            self.assertEqual(self.newest()["devices"], [device["id"]])
        self.assertEqual(self.program("check", "-", stdin=json.dumps(second)).returncode, 0)
        self.apple.push(token=PHONE)
        self.assertEqual(json.loads(self.export("fcm"))["message"]["token"], "REGISTRATION_TOKEN", "it has none of Google's")

    def test_what_has_no_such_form_is_refused(self) -> None:
        self.apple.push(token=PHONE, body=b"[1]")
        for shape in ("apns", "fcm"):
            self.assertEqual(json.loads(self.export(shape, status=409))["error"]["code"], "conflict")
        self.google.send(dat={})
        self.assertEqual(json.loads(self.export("apns", status=409))["error"]["code"], "conflict")
        for query in ("", "?as=", "?as=xml", "?as=curl&to=x"):
            self.assertEqual(self.problem("GET", f"/messages/{self.newest()['id']}/export{query}")[0], "badQuery")

    def test_the_raw_request(self) -> None:
        self.apple.push(("x-mine", "a:  b"), token=PHONE, body=b'{"aps" : {} ,\xff}')
        self.google.send(body=b"{'message':{topic:'t'},}", headers={"authorization": "Bearer x", "X-Mine": "1"}, query="?alt=json")
        raw = [self.api.get(f"/messages/{name}/raw") for name in self.ids()]
        self.assertEqual({answer.headers["content-type"] for answer in raw}, {"application/http"})
        (google, body), (apple, payload) = (answer.content.split(b"\r\n\r\n", 1) for answer in raw)
        self.assertEqual((body, payload), (b"{'message':{topic:'t'},}", b'{"aps" : {} ,\xff}'))
        self.assertEqual(google.split(b"\r\n")[0], b"POST /v1/projects/shop/messages:send?alt=json HTTP/1.1")
        self.assertIn(b"\r\nx-mine: 1\r\n", google + b"\r\n")
        lines = apple.decode().split("\r\n")
        self.assertEqual(lines[:3], [f"POST /3/device/{PHONE} HTTP/2", "host: localhost", f"apns-topic: {TOPIC}"])
        self.assertEqual(lines[-1], "x-mine: a:  b")


if __name__ == "__main__":
    unittest.main()
