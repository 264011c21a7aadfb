"""FCM over the wire: Google's own error bodies, framing, validation and tokens."""
from __future__ import annotations

import json
import time
import unittest
from pathlib import Path
from typing import Any, ClassVar

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from control import move_clock
from gateway import PATIENCE, Gateway

PROJECT = "demo"
# The one of the gateway's own service account.
OWN_PROJECT = "pushpit-local"
TOKEN = "dUMMYfirebase_instance:APA91b" + "Ab0-_" * 26
DEAD = "cDEADfirebase_instance:APA91b" + "Zz9-_" * 26
RECORDED = {row["id"]: row for row in map(json.loads, (Path(__file__).parents[1] / "fixtures/fcm-errors.jsonl").read_text().splitlines())}

# The request for each recorded body that can be built: the message, or a whole body; further changes of the request.
REQUESTS: dict[str, dict[str, Any]] = {
    "no-target": {"message": {"notification": {"title": "x"}}},
    "bad-token": {"message": {"token": "not-a-real-fcm-registration-token"}},
    "bad-condition": {"message": {"condition": "'a' in topics &&"}},
    "too-large": {"message": {"topic": "t", "data": {"p": "x" * 8192}}},
    "unknown-key": {"message": {"topic": "t", "key": "x"}},
    "unknown-tokens": {"message": {"topic": "t", "tokens": ["x"]}},
    "unknown-toen": {"message": {"topic": "t", "toen": "x"}},
    "unknown-link": {"message": {"topic": "t", "fcm_options": {"link": "x"}}},
    "unknown-in-data-object": {"message": {"topic": "t", "data": {"aps": {"content-available": 1}}}},
    "unknown-notification-multi": {"message": {"topic": "t", "notification": {"icon": "a", "badge": 1, "tag": "b", "clickAction": "c"}}},
    "data-int-android": {"message": {"topic": "t", "android": {"data": {"a": "1", "b": "2", "message-count": 1}}}},
    "not-repeating": {"message": {"topic": "t", "notification": []}},
    "aps-badge-type": {"message": {"topic": "t", "apns": {"payload": {"aps": {"badge": "1"}}}}},
    "aps-missing": {"message": {"topic": "t", "apns": {"payload": {"x": 1}}}},
    "aps-empty-format1": {"message": {"topic": "t", "apns": {"payload": {"aps": {}}}}, "headers": {"x-goog-api-format-version": "1"}},
    "oneof-target": {"message": {"token": TOKEN, "topic": "t"}},
    "ttl-no-s": {"message": {"topic": "t", "android": {"ttl": "3600"}}},
    "sender-mismatch": {"message": {"token": f"sender-id-mismatch:{TOKEN}"}},
    "apns-token-not-for-topic": {"message": {"token": f"invalid-argument.apns:{TOKEN}"}},
    "third-party-auth-apns": {"message": {"token": f"third-party-auth-error.apns:{TOKEN}"}},
    "unregistered-apns": {"message": {"token": f"unregistered.apns:{TOKEN}"}},
    "internal": {"message": {"token": f"internal:{TOKEN}"}},
    "topic-quota": {"message": {"token": f"quota-exceeded:{TOKEN}"}},
    "auth-missing": {"message": {"topic": "t"}, "headers": {"authorization": ""}},
    "auth-invalid": {"message": {"topic": "t"}, "headers": {"authorization": "Bearer gar{bage}"}},
    "legacy-gone": {"path": "/fcm/send", "body": b"{}"},
}
IMAGE = "https://a.example/b.png"
APNS = {"payload": {"aps": {"alert": "x", "mutable-content": 1}}, "fcm_options": {"image": IMAGE}}
# What Apple's side could not use: the apns block, and the field of the violation.
MEDIA: list[tuple[dict[str, Any], str | None]] = [
    (APNS, None),
    (APNS | {"payload": {"aps": {"alert": "x"}}}, "message.apns.fcm_options.image"),
    (APNS | {"payload": {"aps": {"alert": "x", "mutable-content": True}}}, "message.apns.payload.aps.mutable-content"),
    (APNS | {"payload": {"aps": {"alert": "x", "mutable-content": 1.0}}}, None),
    (APNS | {"payload": {"aps": {"alert": "x", "mutable-content": 2}}}, "message.apns.payload.aps.mutable-content"),
    (APNS | {"fcm_options": {"image": "https://foo.bar.pizza-monster.png"}}, "message.apns.fcm_options.image"),
    (APNS | {"fcm_options": {"image": "https://a.example/b?c.png"}}, "message.apns.fcm_options.image"),
    (APNS | {"fcm_options": {"image": "https://a.example/b#c.png"}}, "message.apns.fcm_options.image"),
    (APNS | {"fcm_options": {"image": "https://a.example/b.png/"}}, "message.apns.fcm_options.image"),
    (APNS | {"fcm_options": {"image": "https://a.example/b%2epng"}}, None),
    (APNS | {"fcm_options": {"image": "https://a.example/b.PNG?x"}}, None),
    (APNS | {"fcm_options": {"image": "https://a.example/b.webp"}}, "message.apns.fcm_options.image"),
    (APNS | {"fcm_options": {"image": ""}}, "message.apns.fcm_options.image"),
    ({"payload": {"aps": {"alert": "x"}, "media-attachment-url": IMAGE}}, "message.apns.payload.media-attachment-url"),
    ({"payload": {"aps": {"alert": "x"}, "fcm_options": {"image": IMAGE}}}, "message.apns.payload.fcm_options.image"),
    ({"payload": {"aps": {"alert": "x"}}}, None),
]
# Those that are wrong by Google's own types, with --validation service too.
REFUSED_BY_GOOGLE = [apns for apns, _ in MEDIA if apns["payload"]["aps"].get("mutable-content") is True]
# Messages with a fault behind the converter, the field and the text.
FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"topic": "a/b"}, "message", "Topic name contains invalid characters."),
    ({"topic": "/topics/a"}, "message", "Topic name contains invalid characters."),
    ({"topic": "x" * 901}, "message", "Topic name contains invalid characters."),
    ({"topic": "t", "webpush": {"headers": {"TTL": "-1"}}}, "message.webpush.headers.TTL", "TTL must be a non-negative integer."),
    ({"topic": "t", "data": {"from": "x"}}, "message.data", "Invalid data payload key: from"),
    ({"topic": "t", "data": {"google.x": "x"}}, "message.data", "Invalid data payload key: google.x"),
    ({"topic": "t", "android": {"data": {"gcm": "x"}}}, "message.android.data", "Invalid data payload key: gcm"),
    ({"topic": "t", "apns": {"payload": {"aps": {}}}}, "message.apns.payload.aps", "Value of [aps] must be a non-empty dictionary."),
    ({"topic": "t", "apns": {"payload": {"aps": {"alert": {"title": 1}}}}}, "message.apns.payload.aps.alert.title", "Value type for APS key [title] is a String."),
    ({"topic": "t", "android": {}, "android_v2": {}}, "message.android_v2", "Request contains an invalid argument."),
    ({"topic": "t", "android": {"ttl": "2419201s"}}, "message.android.ttl", "Request contains an invalid argument."),
    ({"topic": "t", "android": {"ttl": "-1s"}}, "message.android.ttl", "Request contains an invalid argument."),
    ({"topic": "t", "android": {"notification": {"color": "red"}}}, "message.android.notification.color", "Request contains an invalid argument."),
    ({"topic": "t", "android": {"ttl": "-0.5s"}}, "message.android.ttl", "Request contains an invalid argument."),
    ({"topic": "t", "android": {"notification": {"vibrate_timings": ["0s", "-1s"]}}}, "message.android.notification.vibrate_timings", "Request contains an invalid argument."),
    ({"topic": "t", "android": {"notification": {"light_settings": {"color": {}}}}}, "message.android.notification.light_settings", "Request contains an invalid argument."),
    ({"topic": "t", "android_v2": {}}, "message.android_v2", "Request contains an invalid argument."),
    ({"topic": "t", "android_v2": {"backgroundSync": {}, "remoteNotification": {}}}, "message.android_v2", "Request contains an invalid argument."),
    ({"topic": "t", "android_v2": {"backgroundSync": {}, "ttl": "2419201s"}}, "message.android_v2.ttl", "Request contains an invalid argument."),
    ({"topic": "t", "android_v2": {"remoteNotification": {"notification": {"image": "http://a.example/b.png"}}}}, "message.android_v2.remote_notification.notification.image", "Request contains an invalid argument."),
    ({"topic": "t", "android_v2": {"remoteNotification": {"notification": {"color": "red"}}}}, "message.android_v2.remote_notification.notification.color", "Request contains an invalid argument."),
    ({"topic": "t", "apns": {"payload": {"aps": {"badge": True}}}}, "message.apns.payload.aps.badge", "Value type for APS key [badge] is a number."),
    ({"topic": "t", "apns": {"payload": {"aps": {"alert": 1}}}}, "message.apns.payload.aps.alert", "Request contains an invalid argument."),
    ({"apns": {"liveActivityToken": "ab"}}, "message", "Recipient of the message is not set."),
    ({"topic": "t", "fcm_options": {"analytics_label": "a b"}}, "message.fcm_options.analytics_label", "Request contains an invalid argument."),
]
CONDITIONS = [
    ("'a' in topics", True), ("'a' in topics && ('b' in topics || 'c' in topics)", True), ("!('a' in topics)", True),
    ("'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics", True), ("  'a' in topics  ", True),
    ("'a' in topics || 'b' in topics || 'c' in topics || 'd' in topics || 'e' in topics || 'f' in topics", False),
    ("", False), ("a in topics", False), ("'a' in topic", False), ("('a' in topics", False), ("'a' in topics)", False),
    ("'a' in topics & 'b' in topics", False), ("'a'in topics", True), ("'a' intopics", False), (f"'{'x' * 900}' in topics", True), (f"'{'x' * 901}' in topics", False), ("(" * 10_000, False), ("!" * 10_000 + "'a' in topics", True), ("'a/b' in topics", False),
]


class FCM(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        cls.client = cls.enterClassContext(httpx.Client(http2=True, verify=cls.gateway.context(), timeout=PATIENCE))

    def post(self, message: Any = None, path: str | None = None, headers: dict[str, str] | None = None, body: bytes | None = None, **rest: Any) -> httpx.Response:
        sent = {"authorization": "Bearer ya29.x", "content-type": "application/json"} | (headers or {})
        content = body if body is not None else json.dumps({"message": message} | rest).encode()
        url = self.gateway.at().url(path or f"/v1/projects/{PROJECT}/messages:send")
        return self.client.post(url, content=content, headers={name: value for name, value in sent.items() if value})


class Answers(FCM):
    def test_recorded_bodies_are_answered(self) -> None:
        for name, asked in REQUESTS.items():
            with self.subTest(name):
                row = RECORDED[name]
                answer = self.post(**asked)
                self.assertEqual((answer.status_code, answer.json()), (row["status"], row["body"]))
                for field, value in row.get("headers", {}).items():
                    self.assertEqual(answer.headers[field], value)

    def test_the_framing_is_googles(self) -> None:
        answer = self.post({"topic": "t"})
        self.assertRegex(answer.text, r'\A\{\n  "name": "projects/demo/messages/\d{19}"\n\}\n\Z')
        self.assertEqual(answer.headers.get_list("vary"), ["Origin", "X-Origin", "Referer"])
        self.assertEqual(answer.headers["content-type"], "application/json; charset=UTF-8")
        self.assertIn("date", answer.headers)
        self.assertNotIn("alt-svc", answer.headers)
        refused = self.post({"token": "x"})
        expected = json.dumps(RECORDED["bad-token"]["body"], indent=2) + "\n"
        self.assertEqual(refused.text, expected)
        compact = self.post({"topic": "t"}, path=f"/v1/projects/{PROJECT}/messages:send?prettyPrint=false")
        self.assertRegex(compact.text, r'\A\{"name":"projects/demo/messages/\d{19}"\}\Z')

    def test_names_tell_the_platform(self) -> None:
        phone = TOKEN.replace("dUMMY", "ePHONE")
        rows = [({"token": TOKEN, "data": {"a": "b"}}, r"0:\d{16}%[0-9a-f]{8}f9fd7ecd"), ({"token": TOKEN, "notification": {"title": "x"}}, r"0:\d{16}%([0-9a-f]{8})\1"),
                ({"token": TOKEN, "android": {"notification": {"title": "x"}}}, r"0:\d{16}%([0-9a-f]{8})\1"),
                ({"token": phone, "apns": {"payload": {"aps": {"alert": "x"}}}}, r"\d{16}"), ({"token": phone, "notification": {"title": "x"}}, r"\d{16}"),
                ({"condition": "'a' in topics"}, r"\d{19}")]
        for message, pattern in rows:
            self.assertRegex(self.post(message).json()["name"], rf"\Aprojects/demo/messages/{pattern}\Z")
        self.assertEqual(self.post({"token": TOKEN}, validate_only=True).json(), {"name": "projects/demo/messages/fake_message_id"})

    def test_paths(self) -> None:
        for path in ("/v1/projects/demo/messages%3Asend", "/v1/projects/123456/messages:send"):
            self.assertEqual(self.post({"topic": "t"}, path=path).status_code, 200)
        for path in ("/v1/projects/demo/messages", "/v1/projects//messages:send", "/v1/projects/a/b/messages:send", "/batch", "/v1/other"):
            answer = self.post({"topic": "t"}, path=path)
            self.assertEqual((answer.status_code, answer.headers["content-type"]), (404, "text/html; charset=UTF-8"))

    def test_http_1_says_the_same(self) -> None:
        with httpx.Client(timeout=PATIENCE) as client:
            for message in ({"topic": "t"}, {"token": "x"}):
                url = self.gateway.at().url(f"/v1/projects/{PROJECT}/messages:send", scheme="http")
                plain = client.post(url, json={"message": message}, headers={"authorization": "Bearer ya29.x"})
                other = self.post(message)
                self.assertEqual((plain.http_version, plain.status_code), ("HTTP/1.1", other.status_code))
                self.assertEqual(sorted(set(plain.headers) - {"content-length", "transfer-encoding", "connection"}), sorted(set(other.headers) - {"content-length"}))

    def test_credentials(self) -> None:
        rows = [("Bearer ya29.ok", 200), ("bearer x", 200), ("Basic x", 401), ("Bearer", 401), ("Bearer eyJhbGciOiJSUzI1NiJ9.e30.sig", 401)]
        for value, status in rows:
            self.assertEqual(self.post({"topic": "t"}, headers={"authorization": value}).status_code, status)
        with Gateway("--auth", "off") as gateway:
            url = gateway.at().url(f"/v1/projects/{PROJECT}/messages:send", scheme="http")
            self.assertEqual(httpx.post(url, json={"message": {"topic": "t"}}).status_code, 200)


class Validation(FCM):
    def violation(self, answer: httpx.Response) -> tuple[int, str, str]:
        detail = answer.json()["error"]["details"][0]["fieldViolations"][0]
        return answer.status_code, detail["field"], detail["description"]

    def test_media(self) -> None:
        for apns, field in MEDIA:
            with self.subTest(apns):
                answer = self.post({"token": TOKEN, "apns": apns})
                if field is None:
                    self.assertEqual(answer.status_code, 200)
                else:
                    status, found, text = self.violation(answer)
                    self.assertEqual((status, found), (400, field))
                    self.assertIn("Value type for APS key [mutable-content] is a number." if any(apns is row for row in REFUSED_BY_GOOGLE) else "Google answers 200", text)
        with Gateway("--validation", "service") as gateway:
            url = gateway.at().url(f"/v1/projects/{PROJECT}/messages:send", scheme="http")
            for apns, _ in MEDIA:
                body = {"message": {"token": TOKEN, "apns": apns}}
                self.assertEqual(httpx.post(url, json=body, headers={"authorization": "Bearer x"}).status_code, 400 if any(apns is row for row in REFUSED_BY_GOOGLE) else 200)

    def test_what_is_refused_behind_the_converter(self) -> None:
        for message, field, text in FAULTS:
            with self.subTest(message):
                self.assertEqual(self.violation(self.post(message)), (400, field, text))

    def test_sizes(self) -> None:
        for message, status in [({"topic": "t", "data": {"p": "x" * 4505}}, 200), ({"topic": "t", "data": {"p": "x" * 4506}}, 400),
                                ({"token": TOKEN, "data": {"p": "x" * 4095}}, 200), ({"token": TOKEN, "data": {"p": "x" * 4096}}, 400)]:
            self.assertEqual(self.post(message).status_code, status)

    def test_conditions(self) -> None:
        for condition, is_good in CONDITIONS:
            with self.subTest(condition[:60]):
                self.assertEqual(self.post({"condition": condition}).status_code, 200 if is_good else 400)

    def test_targets(self) -> None:
        for message, status in [({"token": TOKEN}, 200), ({"token": "INVALID_TOKEN"}, 400), ({"fid": "d" + "a" * 21}, 200),
                                ({"fid": "INVALID_FID"}, 404), ({"token": None, "topic": "t"}, 200), ({"topic": "t"}, 200)]:
            self.assertEqual(self.post(message).status_code, status)
        with Gateway("--unknown-devices", "reject") as gateway:
            url = gateway.at().url(f"/v1/projects/{PROJECT}/messages:send", scheme="http")
            answer = httpx.post(url, json={"message": {"token": DEAD}}, headers={"authorization": "Bearer x"})
            self.assertEqual((answer.status_code, answer.json()["error"]["details"][0]["errorCode"]), (404, "UNREGISTERED"))

    def test_the_readers_own_faults(self) -> None:
        """Text and mark, as Google's reader says them; what is JSON and stands for nothing among them."""
        deep = '{"k":' * 101 + "1" + "}" * 101
        rows = [
            (r'{"a":"\ud800"}', "Missing low surrogate.", r'\ud800'), (r'{"a":"\ud800\u0041"}', "Invalid low surrogate.", r'\ud800'),
            (r'{"a":"\udc00"}', "Invalid unicode code point.", r'\udc00'), ('{"a":1e999}', "Number exceeds the range of double.", "1e999"),
            ('{"a":' + "9" * 400 + "}", "Number exceeds the range of double.", "9"), (deep, "Message too deep. Max recursion depth reached for key 'k'", "{"),
            ("{'a b':[[[" + "[" * 100 + "]" * 100, "Message too deep. Max recursion depth reached for key 'a b'", "["),
        ]
        for body, reason, at in rows:
            error = self.post(body=body.encode()).json()["error"]
            first, before, mark = error["message"].split("\n")
            self.assertEqual((first, error["details"][0]["fieldViolations"]), (f"Invalid JSON payload received. {reason}", [{"description": error["message"]}]))
            self.assertTrue(before[mark.index("^"):].startswith(at[0]), (before, mark))

    def test_each_project_is_answered_by_its_own_name(self) -> None:
        """What was remembered of the message before is nobody else's."""
        for project in ("demo", "other", "demo", "demo", "123456", "other"):
            for message in ({"topic": "t"}, {"topic": "t"}, {"topic": "u"}):
                self.assertRegex(self.post(message, path=f"/v1/projects/{project}/messages:send").text, rf'\A\{{\n  "name": "projects/{project}/messages/\d{{19}}"\n\}}\n\Z')
            self.assertEqual(self.post({"topic": "a/b"}, path=f"/v1/projects/{project}/messages:send").status_code, 400)

    def test_markup_is_escaped(self) -> None:
        answer = self.post({"topic": "t", "a<b>&'c": 1})
        self.assertIn(r"Unknown name \"a\u003cb\u003e\u0026'c\"", answer.text)
        name = self.post({"topic": "t"}, path="/v1/projects/a&b'c/messages:send")
        self.assertIn(r'"name": "projects/a\u0026b\'c/messages/'.replace("\\'", "'"), name.text)

    def test_what_would_stay_in_memory_is_bounded(self) -> None:
        long = "p" * 300
        self.assertEqual(self.post({"topic": "t"}, path=f"/v1/projects/{long}/messages:send").status_code, 404)
        token = TOKEN.replace("dUMMY", "fLONGN")
        self.assertEqual(self.post({"token": token, "android": {"restricted_package_name": "x" * 100_000}}).status_code, 200)

    def test_bad_input(self) -> None:
        """A defined answer to each, and the gateway lives."""
        deep = b'{"message":{"topic":"t","apns":{"payload":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}}}"
        rows = [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b'{"message":{"topic":"t\x00"}}', deep, b"[" * 10_000, b'{"message":{"topic":"\\ud800"}}',
                b'{"message":{"data":{' + b",".join(b'"k%d":%d' % (n, n) for n in range(10_000)) + b"}}}", b"x" * (2 << 20),
                b'{"message":{"android":{"notification":{"notification_count":1e999}}}}',
                b'{"message":{"topic":"t","android":{"notification":{"notification_priority":-9223372036854775808}}}}',
                b'{"message":{"topic":"t","android":{"priority":"99999999999"}}}', b'{"message":{"topic":"t","validate_only":' + b"1," * 400_000 + b"}"]
        for seconds in ("-9223372036854775808", "9223372036854775807", "-1", "0"):
            message = {"topic": "t", "apns": {"headers": {"apns-expiration": seconds, "apns-priority": seconds}, "payload": {"aps": {"alert": "x"}}}}
            self.assertEqual(self.post(message).status_code, 200)
        for body in rows:
            answer = self.post(body=body)
            self.assertEqual((answer.status_code, answer.json()["error"]["status"]), (400, "INVALID_ARGUMENT"), body[:40])
        self.assertEqual(self.post(body=b"{'message':{topic:'t',data:{a:'b',},},}").status_code, 200)


OAUTH_CLAIMS = {"aud": "https://oauth2.googleapis.com/token", "scope": "https://www.googleapis.com/auth/firebase.messaging"}
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
# Changes of the claims or of the form, and the error.
REFUSED_GRANTS: list[tuple[dict[str, Any], str, str]] = [
    ({"form": {"grant_type": "password"}}, "unsupported_grant_type", "Invalid grant_type: password"),
    ({"form": {"assertion": "x.y"}}, "invalid_grant", "Bad Request"), ({"form": {"assertion": ""}}, "invalid_grant", "Bad Request"),
    ({"key": "other"}, "invalid_grant", "Invalid JWT Signature."),
    *(({"claims": {"aud": audience}}, "invalid_grant", "Invalid JWT: Failed audience check.") for audience in (
        "https://other.example/", "https://evil.example/token", "https://localhost.evil.example/token", "https://localhost:1/x/token", "localhost/token")),
    ({"claims": {"exp": -10, "iat": 0}}, "invalid_grant", RECORDED["oauth-window"]["body"]["error_description"]),
    ({"claims": {"scope": "foo"}}, "invalid_scope", "Invalid OAuth scope or ID token audience provided."),
    ({"claims": {"exp": 3601}}, "invalid_grant", RECORDED["oauth-window"]["body"]["error_description"]),
    ({"claims": {"iat": -4000, "exp": -400}}, "invalid_grant", RECORDED["oauth-window"]["body"]["error_description"]),
    ({"claims": {"iat": 400, "exp": 500}}, "invalid_grant", RECORDED["oauth-window"]["body"]["error_description"]),
    ({"claims": {"exp": None}}, "invalid_grant", RECORDED["oauth-window"]["body"]["error_description"]),
    ({"claims": {"scope": ""}}, "invalid_scope", "Invalid OAuth scope or ID token audience provided."),
]


class Tokens(FCM):
    def grant(self, claims: dict[str, Any] | None = None, form: dict[str, str] | None = None, key: str = "", gateway: Gateway | None = None) -> httpx.Response:
        gateway = gateway or self.gateway
        account = json.loads((gateway.certificates / "service-account.json").read_text())
        now = int(time.time())
        said: dict[str, Any] = {"iss": account["client_email"], "iat": 0, "exp": 3600} | OAUTH_CLAIMS | (claims or {})
        said = {name: now + value if name in ("iat", "exp") else value for name, value in said.items() if value is not None}
        pem = rsa.generate_private_key(65537, 2048) if key else account["private_key"]
        assertion = jwt.encode(said, pem, "RS256", headers={"kid": account["private_key_id"]})
        data = {"grant_type": GRANT, "assertion": assertion} | (form or {})
        return httpx.post(gateway.at().url("/token", scheme="http"), data=data, timeout=PATIENCE)

    def test_a_grant_gives_a_bearer(self) -> None:
        for audience in ("https://oauth2.googleapis.com/token", "https://localhost:2197/token", "http://127.0.0.1:1/token"):
            answer = self.grant({"aud": audience})
            said = answer.json()
            self.assertEqual((answer.status_code, said["expires_in"], said["token_type"]), (200, 3599, "Bearer"))
            self.assertTrue(said["access_token"].startswith("ya29."))
            self.assertIn("no-store", answer.headers["cache-control"])
            self.assertEqual(self.post({"topic": "t"}, headers={"authorization": f"Bearer {said['access_token']}"}).status_code, 200)

    def test_each_refusal(self) -> None:
        for changes, error, text in REFUSED_GRANTS:
            with self.subTest(changes):
                answer = self.grant(**changes)
                self.assertEqual((answer.status_code, answer.json()), (400, {"error": error, "error_description": text}))

    def test_a_bearer_has_its_time_and_its_scope(self) -> None:
        with Gateway("--auth", "strict") as gateway:
            def send(bearer: str, project: str = OWN_PROJECT) -> httpx.Response:
                url = gateway.at().url(f"/v1/projects/{project}/messages:send", scheme="http")
                return httpx.post(url, json={"message": {"topic": "t"}}, headers={"authorization": f"Bearer {bearer}"})
            other = self.grant({"scope": "https://www.googleapis.com/auth/datastore"}, gateway=gateway).json()["access_token"]
            refused = send(other)
            self.assertEqual((refused.status_code, refused.json()), (403, RECORDED["scope-insufficient"]["body"]))
            self.assertEqual(refused.headers["www-authenticate"], RECORDED["scope-insufficient"]["headers"]["WWW-Authenticate"])
            self.assertEqual(send("ya29.unknown").status_code, 401)
            good = self.grant(gateway=gateway).json()["access_token"]
            self.assertEqual(send(good).status_code, 200)
            denied = send(good, "736705283357")
            self.assertEqual((denied.status_code, denied.json()), (403, RECORDED["iam-denied"]["body"]))
            move_clock(gateway, advance="61m")
            late = send(good)
            self.assertEqual((late.status_code, late.json()["error"]["details"][0]["reason"]), (401, "ACCESS_TOKEN_EXPIRED"))
            unknown = self.grant({"iss": "who@example.com"}, gateway=gateway)
            self.assertEqual((unknown.status_code, unknown.json()["error_description"]), (400, "Invalid grant: account not found"))
