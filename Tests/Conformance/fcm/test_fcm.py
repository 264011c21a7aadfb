"""FCM over the wire: Google's error bodies and header fields, hostile bodies, and tokens."""
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
# The project of the gateway's own service account.
OWN_PROJECT = "pushpit-local"
TOKEN = "dUMMYfirebase_instance:APA91b" + "Ab0-_" * 26
DEAD = "cDEADfirebase_instance:APA91b" + "Zz9-_" * 26
RECORDED = {row["id"]: row for row in map(json.loads, (Path(__file__).parents[1] / "fixtures/fcm-errors.jsonl").read_text().splitlines())}

# The request for each recorded error that a request can cause: the message or a whole body, and other changes.
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
    "quota-device": {"message": {"token": f"quota-exceeded:{TOKEN}"}},
    "auth-missing": {"message": {"topic": "t"}, "headers": {"authorization": ""}},
    "auth-invalid": {"message": {"topic": "t"}, "headers": {"authorization": "Bearer gar{bage}"}},
    "legacy-gone": {"path": "/fcm/send", "body": b"{}"},
}
IMAGE = "https://a.example/b.png"


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
    def test_each_recorded_request_gets_its_recorded_answer(self) -> None:
        for name, asked in REQUESTS.items():
            with self.subTest(name):
                row = RECORDED[name]
                answer = self.post(**asked)
                self.assertEqual((answer.status_code, answer.json()), (row["status"], row["body"]))
                for field, value in row.get("headers", {}).items():
                    self.assertEqual(answer.headers[field], value)

    def test_the_header_fields_are_googles(self) -> None:
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

    def test_http_1_gets_the_same_answers(self) -> None:
        with httpx.Client(timeout=PATIENCE) as client:
            for message in ({"topic": "t"}, {"token": "x"}):
                url = self.gateway.at().url(f"/v1/projects/{PROJECT}/messages:send", scheme="http")
                plain = client.post(url, json={"message": message}, headers={"authorization": "Bearer ya29.x"})
                other = self.post(message)
                self.assertEqual((plain.http_version, plain.status_code), ("HTTP/1.1", other.status_code))
                self.assertEqual(sorted(set(plain.headers) - {"content-length", "transfer-encoding", "connection"}), sorted(set(other.headers) - {"content-length"}))


class Validation(FCM):
    def test_invalid_input_is_answered_and_the_gateway_lives(self) -> None:
        """Each gets its defined answer, and the gateway continues."""
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

    def test_a_grant_gives_an_access_token(self) -> None:
        self.assertEqual(self.grant({"exp": 3601}).json(), RECORDED["oauth-window"]["body"])
        for audience in ("https://oauth2.googleapis.com/token", "https://localhost:2197/token", "http://127.0.0.1:1/token"):
            answer = self.grant({"aud": audience})
            said = answer.json()
            self.assertEqual((answer.status_code, said["expires_in"], said["token_type"]), (200, 3599, "Bearer"))
            self.assertTrue(said["access_token"].startswith("ya29."))
            self.assertIn("no-store", answer.headers["cache-control"])
            self.assertEqual(self.post({"topic": "t"}, headers={"authorization": f"Bearer {said['access_token']}"}).status_code, 200)

    def test_an_access_token_has_an_expiry_and_a_scope(self) -> None:
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
