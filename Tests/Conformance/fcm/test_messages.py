"""FCM messages in files: send and check take whole requests, bare messages and the old shape; and what is found in them."""
from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

import httpx

from device_client import Phone, with_phones
from gateway import PATIENCE, Gateway, program
from test_fcm import RECORDED, TOKEN
from test_fcm_devices import fcm, hello
from test_tools import Files, Send

SAMPLES = Path(__file__).parents[1] / "fixtures/samples"
# Each sample of the founders: the exit code, and what is said, each with its place.
CHECKED: dict[str, tuple[int, list[str]]] = {
    "adobe-ios.json": (0, [": accepted"]),
    "adobe-ios-tester.json": (0, [": accepted"]),
    "adobe-android.json": (65, [": warning: this message has the format of the API", ":16:14: note: 'badge' is 1817", " as v1: refused: Recipient of the message is not set. [fcm.no-target]"]),
    "adobe-fcm-tester.json": (65, [":2:9: note: 'to' becomes 'message.token'.", ":3:18: note: 'collapseKey' becomes 'message.android.collapse_key'.", '"badge": "1817"', " as v1: refused: The registration token is not a valid FCM registration token [fcm.token-malformed]"]),
    "fcm-image-rest-as-printed.txt": (0, [":24:18: warning: 'image' is not a Web Push header", ": accepted"]),
    "fcm-image-sdk-shape.json": (65, [':8:9: refused: Invalid JSON payload received. Unknown name "imageUrl" at \'message.android.notification\': Cannot find field. [fcm.conversion]']),
}
IMAGE = "https://a.example/b.png"
APS = {"payload": {"aps": {"alert": "x"}}}
# Messages that Google takes, and the findings beside: rule and path.
FOUND: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, []),
    ({"notification": {"image": IMAGE}}, []),
    ({"notification": {"image": "https://foo.bar.pizza-monster.png"}}, [("fcm.image-extension", "/message/notification/image")]),
    ({"notification": {"image": "https://a.example/b?c.png"}}, [("fcm.image-extension", "/message/notification/image")]),
    ({"notification": {"image": "https://a.example/b.png/"}}, [("fcm.image-extension", "/message/notification/image")]),
    ({"notification": {"image": "https://a.example/b%2EPNG#x"}}, []),
    ({"android": {"notification": {"image": "https://a.example/b"}}}, [("fcm.image-extension", "/message/android/notification/image")]),
    ({"apns": APS | {"headers": {"mutable-content": "1"}}, "webpush": {"headers": {"image": IMAGE}}}, [("fcm.mutable-content-misplaced", ""), ("fcm.webpush-image", "")]),
    ({"data": {"media-attachment-url": IMAGE}}, [("fcm.media-in-data", "/message/data/media-attachment-url")]),
    ({"data": {"fcm_options.image": "x", "mutable-content": "1"}}, [("fcm.media-in-data", "/message/data/fcm_options.image"), ("fcm.mutable-content-misplaced", "/message/data/mutable-content")]),
    ({"android": {"data": {"media-attachment-url": IMAGE}}}, [("fcm.media-in-data", "/message/android/data/media-attachment-url")]),
    ({"apns": APS | {"headers": {"mutable-content": "1"}}}, [("fcm.mutable-content-misplaced", "/message/apns/headers/mutable-content")]),
    ({"webpush": {"headers": {"image": IMAGE}}}, [("fcm.webpush-image", "/message/webpush/headers/image")]),
    # X22: the decimal of what _mId has in hexadecimal.
    ({"android": {"collapse_key": "5002"}, "data": {"_mId": "h138a"}}, [("fcm.collapse-key-per-message", "/message/android/collapse_key")]),
    ({"android": {"collapse_key": "5003"}, "data": {"_mId": "h138a"}}, []),
    ({"notification": {"title": "x"}, "android": {"collapse_key": "k"}}, [("fcm.collapse-key-ignored", "/message/android/collapse_key")]),
    ({"data": {"a": "b"}, "android": {"priority": "high"}}, [("fcm.high-priority-data", "/message/android/priority")]),
    ({"apns": {"payload": {"aps": {"content-available": 1}}}}, [("fcm.silent-for-apple", "/message/apns")]),
    ({"apns": {"payload": {"aps": {"content-available": 1}}, "headers": {"apns-priority": "5"}}}, []),
]


class CheckMessages(Files):
    def test_the_samples(self) -> None:
        for name, (code, said) in CHECKED.items():
            done = program("check", str(SAMPLES / name))
            self.assertEqual(done.returncode, code, done.stdout)
            for text in said:
                self.assertIn(text, done.stdout)

    def test_each_finding_beside_what_is_accepted(self) -> None:
        for message, expected in FOUND:
            path = self.file("x.json", json.dumps({"message": {"topic": "t"} | message}).encode())
            done = program("check", path)
            self.assertEqual(done.returncode, 0, done.stdout)
            found = [line.rsplit("[", 1)[1][:-1] for line in done.stdout.splitlines() if line.endswith("]")]
            self.assertEqual(found, [rule for rule, _ in expected], message)

    def test_what_can_only_be_a_message_is_judged_as_one(self) -> None:
        rows: list[tuple[bytes, int, str]] = [
            (b'{"message":{"token":"not-a-token"}}', 65, "[fcm.token-malformed]"), (b'{"mesage":{"topic":"t"}}', 65, 'Unknown name "mesage"'),
            (b'{"message":"x"}', 65, "[fcm.conversion]"), (b'{"validate_only":true}', 65, "[fcm.no-target]"), (b'{"message":', 65, "[fcm.not-json]"),
            (b'{"notification":{"title":"x"', 65, "[fcm.not-json]"), (b'{"topic":"/topics/a"}', 65, "x.json:1:10: refused: Topic name"),
            (b'{"topic":"a","apns":{"headers":{"mutable-content":"1"},"fcm_options":{"image":"https://a.example/b"}}}', 65, "[fcm.mutable-content-misplaced]"),
            (b'{"message":{"topic":"a","data":{"a":"\\ud800"}}}', 65, "x.json:1:38: refused"), (b'{"token":"unregistered:x"}', 0, ": accepted"),
            (b'{"to":"/topics/a","data":{"a":1}}', 0, ": accepted as v1"), (b'{"aps":{"alert":"x"}}', 0, ": accepted"), (b'{"acme":1}', 0, ": accepted"),
        ]
        for body, code, said in rows:
            done = program("check", self.file("x.json", body))
            self.assertEqual((done.returncode, said in done.stdout), (code, True), (body, done.stdout))

    def test_places_are_those_of_the_file(self) -> None:
        bare = b'{\n  "topic": "t",\n  "apns": {\n    "payload": {"aps": {"alert": "x"}},\n    "fcmOptions": {"image": "https://a.example/b.png"}\n  }\n}'
        done = program("check", self.file("bare.json", bare))
        self.assertEqual(done.returncode, 65)
        self.assertIn("bare.json:5:29: refused: A media URL needs 'mutable-content' 1", done.stdout)
        self.assertEqual(program("check", "--validation", "service", self.file("bare.json", bare)).returncode, 0)
        several = b'{"message": {"topic": "t",\n "data": {"a": "b", "c": 5},\n "android": {"ttl": "5", "prio": 1}}}'
        lines = program("check", self.file("several.json", several)).stdout.splitlines()
        self.assertEqual([line.split("several.json", 1)[1].split(": ")[0] for line in lines], [":2:21", ":3:14", ":3:26"])


class SendMessages(Send):
    def test_a_message_is_signed_for_and_sent(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            for scheme in ("https", "http"):
                done = self.send(str(SAMPLES / "adobe-fcm-tester.json"), "--to", token, scheme=scheme)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(b"'to' becomes 'message.token'.\n", done.stdout)
                self.assertIn(b'\n200\n{\n  "name": "projects/pushpit-local/messages/0:', done.stdout)
                push = await phone.receive()
                self.assertEqual((push["payload"]["collapseKey"], push["payload"]["data"]["badge"]), ("1476005", "1817"))
            await phone.ask(type="topic", op="subscribe", name="industry-tech")
            self.assertEqual(self.send(str(SAMPLES / "fcm-image-rest-as-printed.txt")).returncode, 0)
            self.assertEqual((await phone.receive())["payload"]["from"], "/topics/industry-tech")
            dry = self.send(str(SAMPLES / "fcm-image-rest-as-printed.txt"), "--dry-run")
            self.assertEqual((dry.returncode, dry.stdout[:4]), (0, b"200\n"))
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_a_message_that_is_refused_is_explained(self) -> None:
        done = self.send("-", "--to", f"unregistered:{TOKEN}", stdin=b'{"data":{"a":"b"}}')
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (65, b"404"))
        self.assertIn(b"Delete the token", done.stdout)
        prefixed = self.send("-", stdin=b'{"topic":"/topics/a"}').stdout
        self.assertIn(b"fcm.topic-name: Use letters, digits and -_.~% in the topic name, without /topics/.", prefixed)
        bad = self.send("-", "--project", "a b/../c", stdin=b'{"topic":"t"}')
        self.assertEqual((bad.returncode, b"'a b/../c' must be a project id" in bad.stderr), (64, True))
        other = self.send("-", "--project", "other", stdin=b'{"topic":"t"}')
        self.assertEqual((other.returncode, other.stdout.splitlines()[0]), (65, b"403"))
        self.assertIn(b"cloudmessaging.messages.create", other.stdout)
        self.assertIn(b"Send to the project of the service account", other.stdout)
        self.assertEqual(program("send", "--certs", str(self.directory), str(SAMPLES / "adobe-fcm-tester.json")).returncode, 78)


class Requests(unittest.TestCase):
    """What decides before a message is read: query, form, credentials; and the switches."""

    def post(self, gateway: Gateway, path: str = "/v1/projects/demo/messages:send", **rest: Any) -> httpx.Response:
        rest = {"json": {"message": {"topic": "t"}}, "headers": {"authorization": "Bearer x"}} | rest
        return httpx.post(gateway.at().url(path, scheme="http"), timeout=PATIENCE, **rest)

    def test_queries(self) -> None:
        send = "/v1/projects/demo/messages:send"
        rows: list[tuple[str, dict[str, Any], int]] = [
            ("?alt=json&key=k&quotaUser=u&fields=name&callback=f&uploadType=x&upload_protocol=y&$.xgafv=2", {}, 200),
            ("?access_token=x", {"headers": {}}, 200), ("?oauth_token=x", {"headers": {}}, 200), ("?key=k", {"headers": {}}, 401),
            ("?foo=1", {}, 400), ("?prettyPrint=false", {}, 200), ("?%66oo=1", {}, 400), ("?", {}, 200),
        ]
        with Gateway() as gateway:
            for query, rest, status in rows:
                self.assertEqual(self.post(gateway, send + query, **rest).status_code, status, query)
            text = "Invalid JSON payload received. Unknown name \"foo\": Cannot bind query parameter. Field 'foo' could not be found in request message."
            self.assertEqual(self.post(gateway, send + "?foo=1&prettyPrint=true&prettyPrint=false").text.count("\n"), 0)
            self.assertEqual(self.post(gateway, send + "?foo=1").json()["error"]["message"], text)
            self.assertEqual(self.post(gateway, send + "?foo=1&$.xgafv=1").json()["error"]["errors"][0]["reason"], "badRequest")
            form = self.post(gateway, json=None, data={"foo": "1"})
            self.assertEqual((form.status_code, form.json()["error"]["message"]), (400, text))
            gateway.wait_for_log("fcm.form-body")
            for content_type in ("application/json; UTF-8", "text/plain", "application/json; charset=utf-8", ""):
                headers = {"authorization": "Bearer x", "content-type": content_type}
                self.assertEqual(self.post(gateway, headers=headers).status_code, 200, content_type)

    def test_the_old_shape_is_refused_and_shown_as_it_has_to_be(self) -> None:
        sample = (SAMPLES / "adobe-fcm-tester.json").read_bytes()
        with Gateway() as gateway:
            gone = self.post(gateway, "/fcm/send", json=None, content=sample)
            self.assertEqual((gone.status_code, gone.json()), (404, RECORDED["legacy-gone"]["body"]))
            gateway.wait_for_log("rule=fcm.legacy-gone")
            gateway.wait_for_log("As a request for messages:send: {'message':{'token':")
            modern = self.post(gateway, json=None, content=sample)
            self.assertEqual(modern.status_code, 400)
            self.assertIn("Unknown name \"to\": Cannot find field.", modern.json()["error"]["message"])
            self.assertEqual(gateway.log.count("rule=fcm.legacy-shape"), 2)

    def test_choices(self) -> None:
        silent = {"topic": "t", "apns": {"payload": {"aps": {"content-available": 1}}}}
        rows: list[tuple[str, dict[str, Any], int, int]] = [
            ("empty-aps=accept", {"topic": "t", "apns": {"payload": {"aps": {}}}}, 400, 200), ("topic-prefix=strip", {"topic": "/topics/t"}, 400, 200),
            ("topic-size=4096", {"topic": "t", "data": {"p": "x" * 4100}}, 200, 400), ("silent-for-apple=refuse", silent, 200, 400),
        ]
        with Gateway() as plain:
            for choice, message, standard, other in rows:
                with Gateway("--fcm-choice", choice) as gateway:
                    self.assertEqual(self.post(plain, json={"message": message}).status_code, standard, choice)
                    answer = self.post(gateway, json={"message": message})
                    self.assertEqual(answer.status_code, other, choice)
                    if choice.startswith("silent"):
                        self.assertEqual(answer.json(), RECORDED["apns-dataonly-priority"]["body"])
        done = program("serve", "--fcm-choice", "empty-aps=x")
        self.assertEqual((done.returncode, "empty-aps=refuse or empty-aps=accept" in done.stderr), (64, True))

    def test_real_quotas(self) -> None:
        with Gateway("--quotas", "real") as gateway, httpx.Client(timeout=PATIENCE) as client:
            url = gateway.at().url("/v1/projects/123456789012/messages:send", scheme="http")
            answers = [client.post(url, json={"message": {"token": TOKEN}}, headers={"authorization": "Bearer x"}) for _ in range(260)]
            refused = [answer for answer in answers if answer.status_code != 200]
            quota = {"error": RECORDED["quota-mem"]["body"]["error"] | {"details": RECORDED["topic-quota"]["body"]["error"]["details"]}}
            self.assertTrue(0 < len(refused) <= 20)
            self.assertEqual((refused[0].status_code, refused[0].json()), (429, quota))
            self.assertNotIn("retry-after", refused[0].headers)


del Send
