"""A message that is exported by the control API and sent again: by a shell with curl, and by `pushpit send` and `pushpit check`."""
from __future__ import annotations

import json
import os
import subprocess

from api_case import APICase, Apple, token_of
from gateway import BINARY, PATIENCE, TOPIC, environment
from h2_client import Field, provider_token

PHONE = "5" * 64
# Payloads with characters that need quoting in a shell, in JSON or in a header field.
TEXTS = ["Breakfast", "it's \"out\"", "$HOME `id` $(id) \\ \\n !1", "two\nlines\tand ü 📱", "-X DELETE' -d 'x", "%41 %s {0}", "ends in '"]
# The members of an export besides the payload.
EXTRAS: list[list[Field]] = [[], [("apns-push-type", "alert"), ("apns-collapse-id", "it's $c"), ("apns-expiration", "1900000000")], [("x-mine", "a: \"b\" 'c'")]]


class Exports(APICase):
    def export(self, shape: str, name: str | None = None, status: int = 200) -> str:
        answer = self.api.get(f"/messages/{name or self.newest()['id']}/export?as={shape}")
        self.assertEqual(answer.status_code, status, answer.text)
        return answer.text

    def program(self, *arguments: str, stdin: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([BINARY, *arguments], input=stdin, capture_output=True, text=True, timeout=PATIENCE, env=environment())

    def shell(self, script: str, token: str | None) -> int:
        """Runs an exported command and returns the status of the answer."""
        done = subprocess.run(
            ["bash", "-c", f"set -u; {script.rstrip()} -o /dev/null -w '%{{http_code}}'"], capture_output=True, text=True, timeout=PATIENCE, env=os.environ | ({"TOKEN": token} if token else {}))
        self.assertEqual((done.returncode, done.stderr), (0, ""), script)
        return int(done.stdout)

    def send_again(self, expected: int = 200, token: str | None = "x") -> None:
        """Sends the newest push again with its exported command, and compares what arrives."""
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

    def test_an_exported_shell_command_sends_the_same_push(self) -> None:
        token = provider_token(self.gateway)
        for text in TEXTS:
            for extra in EXTRAS:
                with self.subTest(text, extra=extra):
                    self.apple.push(*extra, token=PHONE, body={"aps": {"alert": text}})
                    self.send_again(token=token)
            with self.subTest(text, provider="fcm"):
                self.google.send(topic="t", data={"k": text})
                self.send_again()
        self.apple.push(token=PHONE, body={"aps": {"badge": "1"}})
        self.send_again(400, token)

    def test_an_exported_shell_command_needs_no_token(self) -> None:
        self.apple.push(token=PHONE)
        self.send_again(token=None)
        self.google.send(topic="t", data={"k": "v"})
        self.send_again(token=None)
        other = {"provider": "apns", "token": "7" * 64, "headers": {"apns-topic": "com.example.other"}, "body": {"aps": {"alert": "x"}}}
        self.ask("POST", "/messages", other, 201)
        self.send_again(token=None)

    def test_an_exported_shell_command_without_a_content_type(self) -> None:
        self.google.send(body=b'{"message":{"topic":"t"}}')
        self.send_again()

    def test_an_exported_shell_command_with_a_bearer_in_its_query(self) -> None:
        self.google.send(query="?access_token=x", headers={}, topic="t")
        self.send_again()

    def test_an_exported_shell_command_with_a_certificate(self) -> None:
        with Apple(self.gateway, certificate=True) as provider:
            provider.push(token=PHONE)
        self.send_again(token=None)

    def test_an_exported_shell_command_reads_no_file(self) -> None:
        self.apple.push(token=PHONE, body=b"@/etc/hostname")
        self.send_again(400, provider_token(self.gateway))

    def test_an_exported_shell_command_with_an_empty_field(self) -> None:
        self.apple.push(("x-empty", ""), token=PHONE)
        self.send_again(token=provider_token(self.gateway))

    def test_send_and_check_accept_an_exported_file(self) -> None:
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

    def test_check_accepts_exported_json_for_fcm(self) -> None:
        self.apple.push(("apns-priority", "5"), token=token_of(self.device()), body={"aps": {"alert": TEXTS[2]}, "own": 1})
        self.assertEqual(self.program("check", "-", stdin=self.export("fcm")).returncode, 0)
