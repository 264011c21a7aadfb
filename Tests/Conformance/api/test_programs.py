"""Messages that are exported as programs: each program runs as it is, and sends the same push."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import Any

from api_case import APICase, Apple, Fields, token_of
from gateway import PATIENCE, TOPIC
from h2_client import Field

PHONE = "5" * 64
# What could end a string, a line or a comment in Python or JavaScript, or hide what follows.
TEXTS = [
    "\"; import os; os.abort() #", "'; process.abort(); //", "\"\"\"", "'''", "`${process.exit(7)}`", "{CERTIFICATES} {0} %s", "back\\slash \\", "\\\" \\' \\n",
    "two\nlines\r\n\ttab", "\u2028 and \u2029", "\u202e\u2066 bidi \u2069", "\x00\x01\x7f\x85", "Brötchen \u00ad 📱 日本 \U000e0041", "*/ <!-- </script>", "__proto__",
]
SAME = ("provider", "app", "project", "environment", "target", "pushType", "priority", "collapseId", "outcome", "status", "reason")
TOO_DEEP = '{"aps":{"alert":"x"},"deep":' + "[" * 100 + "]" * 100 + "}"


def normal(value: Any) -> Any:
    """firebase-admin writes durations and times with all their digits."""
    if isinstance(value, dict):
        return {key: normal(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [normal(inner) for inner in value]
    return re.sub(r"(\d)(\.\d*?)0+(?=[sZ]$)", r"\1\2", value).replace(".s", "s") if isinstance(value, str) else value


class Programs(APICase):
    def export(self, shape: str, status: int = 200) -> str:
        answer = self.api.get(f"/messages/{self.newest()['id']}/export?as={shape}")
        self.assertEqual(answer.status_code, status, answer.text)
        if status == 200:
            self.assertEqual(answer.headers["content-type"], "text/plain; charset=utf-8")
        return answer.text

    def run_program(self, shape: str) -> str:
        """Runs the newest push's program in an empty environment, and compares what arrives."""
        code, before = self.export(shape), self.newest()
        self.assertNotRegex(code, "[\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u2000-\u206f]", "characters that hide something")
        command = [shutil.which("node") or "node", "-"] if shape == "node" else [sys.executable, "-"]
        done = subprocess.run(command, input=code, capture_output=True, text=True, timeout=4 * PATIENCE, env={"PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, code + done.stderr)
        after = self.newest()
        self.assertNotEqual(after["id"], before["id"], code + done.stdout + done.stderr)
        self.assertEqual([after.get(key) for key in SAME], [before.get(key) for key in SAME], code)
        self.assertEqual(*(normal(message["request"]["body"]) for message in (after, before)), code)
        return done.stdout

    def push(self, *fields: Field, **given: Any) -> None:
        self.apple.push(*fields, token=PHONE, **given)

    def test_payloads_stay_in_their_strings(self) -> None:
        for text in TEXTS:
            body = {"aps": {"alert": {"title": text, "body": "b"}}, text: [text, {text: 1}]}
            for shape in ("node", "aioapns"):
                with self.subTest(text, shape=shape):
                    self.push(body=body)
                    self.assertIn("200", self.run_program(shape))
            with self.subTest(text, shape="firebase-admin"):
                aps = {"alert": {"title": text, "own": text}, "sound": {"name": "s", "critical": 1}, text: text}
                self.google.send(topic="t", notification={"title": text}, data={text.replace("\x00", "") or "k": text}, apns={"payload": {"aps": aps, text: [text]}})
                self.run_program("firebase-admin")

    def test_fields_of_a_push(self) -> None:
        later = "1900000000"
        rows: list[tuple[list[Field], Any]] = [
            ([("apns-push-type", "background"), ("apns-priority", "5"), ("apns-collapse-id", "it's \"c\" \\")], {"aps": {"content-available": 1}}),
            ([("apns-push-type", "alert"), ("apns-expiration", "0"), ("apns-id", "3e1b2a80-0000-4000-8000-000000000001")], {"aps": {"alert": "x"}}),
            ([("apns-expiration", later), ("apns-priority", "1")], {"aps": {"alert": "x", "badge": 1.5}, "n": [1, -2, 0.1, 1e20, 12345678901234567890, None, True]}),
            ([("apns-priority", "high")], {"aps": {"alert": "x"}}), ([], {"aps": {"badge": "1"}}),
        ]
        for shape in ("node", "aioapns"):
            for fields, body in rows:
                with self.subTest(shape, fields=fields):
                    self.push(*fields, body=body)
                    self.run_program(shape)
                    after, before = self.ask("GET", "/messages?limit=2")["messages"]
                    self.assertAlmostEqual(int(after["expiration"] or 0), int(before["expiration"] or 0), delta=2)

    def test_a_push_without_a_token_and_for_any_app_is_signed_with_the_key(self) -> None:
        body = {"provider": "apns", "token": PHONE, "headers": {"apns-topic": "com.example.other"}, "body": {"aps": {"alert": "x"}}}
        for shape in ("node", "aioapns"):
            self.ask("POST", "/messages", body, 201)
            self.assertIn("200", self.run_program(shape))
            self.assertEqual((self.newest()["outcome"], self.newest()["app"]), ("accepted", "com.example.other"))

    def test_a_push_to_the_sandbox(self) -> None:
        for shape in ("node", "aioapns"):
            self.apple.call("POST", f"/3/device/{PHONE}", ("apns-topic", TOPIC), body=b'{"aps":{"alert":"x"}}', authority="api.sandbox.push.apple.com")
            self.run_program(shape)
            self.assertEqual(self.newest()["environment"], "sandbox")

    def test_node_sends_what_is_no_object(self) -> None:
        """Bodies that JavaScript would write in another way are sent as they were."""
        for body in (b"no JSON \"\\ \xe2\x80\xa8", b"\xff\x00", b'{"aps":{"alert":"x"},"big":123456789012345678901234567890}', TOO_DEEP.encode(), b'{"aps":{"alert":"\\ud800"}}', b""):
            with self.subTest(body):
                self.push(body=body)
                self.run_program("node")
                raw = [self.api.get(f"/messages/{name}/raw").content.split(b"\r\n\r\n", 1)[1] for name in self.ids("limit=2")]
                self.assertEqual(raw, [body, body])

    def test_node_sends_broadcasts_and_fields_of_ones_own(self) -> None:
        self.push(("x-mine", "it's"), ("x-mine", "\"b\" \\"), ("x-empty", ""), body={"aps": {"alert": "x"}, "__proto__": {"a": 1}})
        self.run_program("node")
        fields = self.newest()["request"]["headers"]
        self.assertEqual([value for name, value in fields if name == "x-mine"], ["it's", "\"b\" \\"])

    def test_every_field_of_firebase_admin(self) -> None:
        light = {"color": {"red": 1, "green": 0, "blue": 0.2, "alpha": 1}, "light_on_duration": "0.500s", "light_off_duration": "2s"}
        notification = {
            "title": "t", "body_loc_key": "k", "body_loc_args": ["a"], "color": "#ff0000", "sticky": True, "event_time": "2026-01-02T03:04:05.678Z",
            "notification_priority": "PRIORITY_HIGH", "vibrate_timings": ["0.1s", "2s"], "light_settings": light, "visibility": "PUBLIC", "notification_count": 3, "proxy": "DENY",
        }
        android = {"collapse_key": "c", "priority": "high", "ttl": "3.500000000s", "data": {"a": "b"}, "notification": notification, "direct_boot_ok": True}
        web: Fields = {
            "headers": {"TTL": "5"}, "data": {"a": "b"}, "fcm_options": {"link": "https://e.com"},
            "notification": {"title": "t", "dir": "rtl", "actions": [{"action": "a", "title": "A"}], "requireInteraction": True, "vibrate": [1, 2], "own": {"x": [1]}},
        }
        aps = {"alert": {"title": "t", "loc-key": "k", "loc-args": ["a"]}, "badge": 0, "sound": "s", "content-available": 1, "mutable-content": "1", "thread-id": "t", "relevance-score": 0.5}
        apns = {"headers": {"apns-priority": "5"}, "payload": {"aps": aps, "own": {"x": None}}, "fcm_options": {"image": "https://e.com/a.png"}}
        phone = token_of(self.device("android"), "fcm")
        for message in (
            {"token": phone, "android": android}, {"token": phone, "webpush": web}, {"topic": "t", "apns": apns, "fcm_options": {"analytics_label": "l"}},
            {"condition": "'a' in topics", "data": {"k": "v"}, "notification": {"title": "t", "body": "b", "image": "https://e.com/i.png"}}, {"token": "unregistered:x", "data": {"k": "v"}},
        ):
            with self.subTest(message):
                self.google.send(project="other", **message)
                self.run_or_refuse()
        self.google.send(body={"validateOnly": True, "message": {"topic": "t", "android": {"collapseKey": "c"}}})
        self.assertIn("dry_run=True", self.export("firebase-admin"))

    def run_or_refuse(self) -> None:
        """A message that the gateway refuses makes firebase-admin raise its error."""
        if self.newest()["outcome"] == "accepted":
            self.run_program("firebase-admin")
        else:
            self.assertIn("messaging.send(message)", self.export("firebase-admin"))

    def test_what_a_client_cannot_send_is_a_conflict(self) -> None:
        self.push()
        self.assertIn("as=aioapns", self.export("firebase-admin", 409))
        for fields, body in (
            ([("apns-push-type", "pushtotalk")], None), ([("apns-expiration", "soon")], None), ([], b"no JSON"), ([], TOO_DEEP.encode()),
            ([], b'{"aps":{"alert":"\\ud800"}}'), ([], b'{"aps":{"alert":"x"},"n":1e400}'),
        ):
            with self.subTest(fields, body=body):
                self.push(*fields, body=body)
                self.assertIn("as=node", self.export("aioapns", 409))
        self.push(topic="")
        self.assertIn("as=node", self.export("aioapns", 409))
        self.google.send(topic="t")
        for shape in ("node", "aioapns"):
            self.assertIn("as=firebase-admin", self.export(shape, 409))
        for place, message in {
            "/message/android/bypass_proxy_notification": {"android": {"bypass_proxy_notification": True}}, "/message/android/ttl": {"android": {"ttl": "0.0000001s"}},
            "/message/data/k": {"data": {"k": 1}}, "/message/apns/payload/own": {"apns": {"payload": {"own": {}}}}, "/message/name": {"name": "n"},
            "/message/webpush/notification/actions": {"webpush": {"notification": {"actions": 1}}}, "/message/apns/payload/aps/badge": {"apns": {"payload": {"aps": {"badge": "1"}}}},
        }.items():
            with self.subTest(place):
                self.google.send(topic="t", **message)
                self.assertIn(place.removesuffix("/k"), self.export("firebase-admin", 409))
