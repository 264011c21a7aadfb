"""The control API: errors that name what is wrong, the clock, keys."""
from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from control import call, move_clock
from gateway import Gateway
from h2_client import Client, provider_token, push

SOME_KEY = ec.generate_private_key(ec.SECP256R1())


def pem(key: Any, is_public: bool = False) -> str:
    if is_public:
        return key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


KEY = {"keyId": "ABCDE12345", "teamId": "TEAM567890", "key": pem(SOME_KEY)}
# Path, body, and where the error points to.
BAD_CALLS: list[tuple[str, Any, str]] = [
    ("/faults", {}, "/effect"), ("/faults", [], ""), ("/faults", {"effect": {}}, "/effect"),
    ("/faults", {"effect": {"silence": True, "reset": "CANCEL"}}, "/effect"),
    ("/faults", {"effect": {"dance": 1}}, "/effect"), ("/faults", {"effect": [{"silence": True}, 7]}, "/effect/1"),
    ("/faults", {"effect": {"wire": "dance"}}, "/effect/wire"), ("/faults", {"effect": {"delay": "5"}}, "/effect/delay"),
    ("/faults", {"effect": {"delay": None}}, "/effect/delay"), ("/faults", {"effect": {"reset": "X"}}, "/effect/reset"),
    ("/faults", {"effect": {"streamLimit": -1}}, "/effect/streamLimit"),
    ("/faults", {"effect": {"deliver": 11}}, "/effect/deliver"), ("/faults", {"effect": {"close": "x"}}, "/effect/close"),
    ("/faults", {"effect": {"answer": {}}}, "/effect/answer/status"),
    ("/faults", {"effect": {"answer": {"status": 100}}}, "/effect/answer/status"),
    ("/faults", {"effect": {"answer": {"status": 400, "reason": "x", "body": "y"}}}, "/effect/answer/body"),
    ("/faults", {"effect": {"answer": {"status": 400, "headers": {"a b": "c"}}}}, "/effect/answer/headers/a b"),
    ("/faults", {"effect": {"answer": {"status": 400, "headers": {"a": "\r\n"}}}}, "/effect/answer/headers/a"),
    ("/faults", {"effect": {"goAway": {"code": 7}}}, "/effect/goAway/code"),
    ("/faults", {"effect": {"goAway": {"last": -7}}}, "/effect/goAway/last"),
    ("/faults", {"effect": {"goAway": {"debug": "x" * 16_001}}}, "/effect/goAway/debug"),
    ("/faults", {"effect": {"silence": 1}}, "/effect/silence"), ("/faults", {"effect": []}, "/effect"),
    ("/faults", {"effect": {"silence": False}}, "/effect"), ("/faults", {"effect": {"sticky": True}}, "/effect"),
    ("/faults", {"effect": {"silence": True}, "a/b~c": 1}, "/a~1b~0c"),
    ("/faults", {"effect": {"reset": []}}, "/effect/reset"), ("/faults", {"effect": {"reset": ["CANCEL", "X"]}}, "/effect/reset"),
    ("/faults", {"effect": {"answer": {"status": 204, "body": "x"}}}, "/effect/answer/status"),
    ("/faults", {"effect": {"answer": {"status": 400, "headers": {"Transfer-Encoding": "x"}}}}, "/effect/answer/headers/Transfer-Encoding"),
    ("/faults", {"effect": {"answer": {"status": 400, "headers": {f"a{n}": "b" for n in range(33)}}}}, "/effect/answer/headers"),
    ("/faults", {"effect": {"tls": "alert"}, "match": {"app": "a"}}, "/match"),
    ("/faults", {"effect": {"tls": "alert"}, "per": "connection"}, "/match"),
    ("/faults", {"effect": [{"tls": "alert"}, {"delay": "1s"}]}, "/effect"),
    ("/faults", {"effect": {"silence": True}, "idle": "1s"}, "/effect"),
    ("/faults", {"effect": {"wire": "goawayIdle"}, "idle": "1s", "match": {"app": "a"}}, "/match"),
    ("/faults", {"effect": {"silence": True}, "nth": 0}, "/nth"), ("/faults", {"effect": {"silence": True}, "nth": "1"}, "/nth"),
    ("/faults", {"effect": {"silence": True}, "probability": 2}, "/probability"),
    ("/faults", {"effect": {"silence": True}, "for": "1"}, "/for"), ("/faults", {"effect": {"silence": True}, "per": "x"}, "/per"),
    ("/faults", {"effect": {"silence": True}, "colour": "red"}, "/colour"),
    ("/faults", {"effect": {"silence": True}, "match": {"colour": "red"}}, "/match/colour"),
    ("/faults", {"effect": {"silence": True}, "match": 7}, "/match"),
    ("/clock", {}, ""), ("/clock", {"advance": "1h", "freeze": True}, ""), ("/clock", {"advance": "-1h"}, "/advance"),
    ("/clock", {"advance": "4000000000h"}, "/advance"), ("/clock", {"set": "tomorrow"}, "/set"),
    ("/clock", {"set": "2026-02-30T00:00:00Z"}, "/set"), ("/clock", {"set": "2026-02-30T00:00:00+01:00"}, "/set"),
    ("/clock", {"set": "9999-01-01T00:00:00Z"}, "/set"), ("/clock", {"set": "1969-12-31T23:59:59Z"}, "/set"),
    ("/clock", {"freeze": "yes"}, "/freeze"), ("/clock", {"stop": True}, "/stop"),
    ("/credentials/apns-keys", {}, "/keyId"), ("/credentials/apns-keys", KEY | {"keyId": "short"}, "/keyId"),
    ("/credentials/apns-keys", KEY | {"teamId": 7}, "/teamId"), ("/credentials/apns-keys", KEY | {"key": "x"}, "/key"),
    ("/credentials/apns-keys", {k: v for k, v in KEY.items() if k != "key"}, "/key"),
    ("/credentials/apns-keys", KEY | {"key": pem(rsa.generate_private_key(65537, 2048))}, "/key"),
    ("/credentials/apns-keys", KEY | {"key": pem(ec.generate_private_key(ec.SECP384R1()))}, "/key"),
    ("/credentials/apns-keys", KEY | {"environment": "moon"}, "/environment"),
    ("/credentials/apns-keys", KEY | {"topics": []}, "/topics"), ("/credentials/apns-keys", KEY | {"topics": [1]}, "/topics"),
    ("/credentials/apns-keys", KEY | {"secret": 1}, "/secret"), ("/credentials/apns-keys", KEY | {"related": "x"}, "/related"),
    ("/credentials/apns-keys", KEY | {"topics": ["x" * 256]}, "/topics"),
]


class Control(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def test_what_is_wrong_is_named_with_its_place(self) -> None:
        for path, body, pointer in BAD_CALLS:
            with self.subTest(path=path, pointer=pointer):
                status, said = call(self.gateway, "POST", path, body)
                self.assertEqual((status, said["error"]["pointer"]), (400, pointer), said)
                self.assertTrue(said["error"]["code"] and said["error"]["message"])
        self.assertEqual(call(self.gateway, "GET", "/faults")[1], {"faults": [], "next": None})

    def test_what_is_no_call(self) -> None:
        rows = [("GET", "/nothing", 404), ("GET", "/", 404), ("GET", "/faults/f1/x", 404), ("PUT", "/faults", 405),
                ("GET", "/faults/f1", 405), ("DELETE", "/faults/f99", 404), ("DELETE", "/clock", 405)]
        for method, path, expected in rows:
            with self.subTest(method=method, path=path):
                status, said = call(self.gateway, method, path)
                self.assertEqual((status, sorted(said["error"])), (expected, ["code", "message"]))

    def test_a_body_that_is_no_json_or_too_long(self) -> None:
        for raw in (b"", b"{", b"\xff", b'{"a":1} x', b"[" * 20_000):
            status, said = call(self.gateway, "POST", "/faults", raw=raw)
            self.assertEqual((status, said["error"]["code"]), (400, "notJSON"))
        status, said = call(self.gateway, "POST", "/faults", {"effect": {"answer": {"status": 400, "body": "x" * 70_000}}})
        self.assertEqual((status, said["error"]["code"]), (413, "tooLong"))

    def test_a_list_comes_in_pages(self) -> None:
        ids = [call(self.gateway, "POST", "/faults", {"effect": {"silence": True}, "match": {"app": "x"}})[1]["id"] for _ in range(60)]
        found, cursor = [], "0"
        while cursor is not None:
            status, page = call(self.gateway, "GET", f"/faults?limit=25&cursor={cursor}")
            self.assertEqual((status, len(page["faults"])), (200, 25 if cursor in ("0", "25") else 10))
            found += [fault["id"] for fault in page["faults"]]
            cursor = page["next"]
        self.assertEqual(found, ids)
        self.assertEqual(len(call(self.gateway, "GET", "/faults")[1]["faults"]), 50)
        for query in ("limit=0", "limit=1001", "limit=x", "cursor=-1", "colour=red", "limit"):
            self.assertEqual(call(self.gateway, "GET", f"/faults?{query}")[0], 400)
        self.assertEqual(call(self.gateway, "DELETE", "/faults"), (204, None))

    def test_there_are_only_so_many_faults(self) -> None:
        never = {"effect": {"silence": True}, "match": {"app": "nobody"}}
        for _ in range(1000):
            self.assertEqual(call(self.gateway, "POST", "/faults", never)[0], 201)
        self.assertEqual(call(self.gateway, "POST", "/faults", never)[0], 409)
        self.assertEqual(call(self.gateway, "DELETE", "/faults"), (204, None))
        self.assertEqual(call(self.gateway, "POST", "/faults", never)[0], 201)
        self.assertEqual(call(self.gateway, "DELETE", "/faults"), (204, None))


class Clock(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())

    def now(self) -> datetime:
        return datetime.fromisoformat(call(self.gateway, "GET", "/clock")[1]["now"])

    def test_it_moves_stops_and_goes_on(self) -> None:
        start = datetime.now(timezone.utc)
        self.assertLess(abs(self.now() - start), timedelta(seconds=5))
        move_clock(self.gateway, advance="3h")
        self.assertLess(abs(self.now() - start - timedelta(hours=3)), timedelta(seconds=5))
        move_clock(self.gateway, freeze=True)
        stopped = self.now()
        self.assertEqual(self.now(), stopped)
        self.assertEqual(call(self.gateway, "GET", "/clock")[1]["frozen"], True)
        move_clock(self.gateway, set="2030-01-02T03:04:05.678+01:30")
        self.assertEqual(self.now(), datetime(2030, 1, 2, 1, 34, 5, 678_000, timezone.utc))
        move_clock(self.gateway, resume=True)
        self.assertEqual(call(self.gateway, "GET", "/clock")[1]["frozen"], False)
        self.assertLess(self.now() - datetime(2030, 1, 2, 1, 34, 5, 678_000, timezone.utc), timedelta(seconds=5))

    def test_a_provider_token_grows_old_in_no_time(self) -> None:
        client = self.enterContext(Client(self.gateway.at().connect()))
        client.start()
        bearer = provider_token(self.gateway)
        found = []
        for stream, step in [(1, "0s"), (3, "59m"), (5, "2m")]:
            move_clock(self.gateway, advance=step)
            client.send(push(stream, bearer=bearer))
            answer = client.answer(stream)
            found.append((answer.status, answer.body))
        self.assertEqual(found, [(200, b""), (200, b""), (403, b'{"reason":"ExpiredProviderToken"}')])


class Keys(unittest.TestCase):
    def statuses(self, key: Any, is_public: bool = False, **changes: Any) -> list[tuple[int, bytes]]:
        """Of pushes signed with the key: before it is known, and after, on the same connection and a new one."""
        with Gateway("--auth", "strict") as gateway:
            issued = int(datetime.now().timestamp())
            token = jwt.encode({"iss": KEY["teamId"], "iat": issued}, key, "ES256", headers={"kid": KEY["keyId"]})
            with Client(gateway.at().connect()) as first, Client(gateway.at().connect()) as second:
                found = []
                for client in (first, second):
                    client.start()
                first.send(push(1, bearer=token))
                found.append(first.answer(1))
                status, said = call(gateway, "POST", "/credentials/apns-keys", KEY | {"key": pem(SOME_KEY, is_public)} | changes)
                self.assertEqual((status, said), (201, {"keyId": KEY["keyId"], "teamId": KEY["teamId"]} | changes))
                for client, stream in ((first, 3), (second, 1)):
                    client.send(push(stream, bearer=token))
                    found.append(client.answer(stream))
                return [(answer.status, answer.body) for answer in found]

    def test_a_key_is_good_from_the_next_push_on(self) -> None:
        refused = (403, b'{"reason":"InvalidProviderToken"}')
        for is_public in (False, True):
            self.assertEqual(self.statuses(SOME_KEY, is_public), [refused, (200, b""), (200, b"")])
        other = ec.generate_private_key(ec.SECP256R1())
        self.assertEqual(self.statuses(other), [refused] * 3)

    def test_a_key_is_good_for_what_it_is_for(self) -> None:
        refused = (403, b'{"reason":"InvalidProviderToken"}')
        elsewhere = (403, b'{"reason":"BadEnvironmentKeyInToken"}')
        self.assertEqual(self.statuses(SOME_KEY, environment="sandbox"), [refused, elsewhere, elsewhere])
        disallowed = (400, b'{"reason":"TopicDisallowed"}')
        self.assertEqual(self.statuses(SOME_KEY, topics=["com.example.other"]), [refused, disallowed, disallowed])


if __name__ == "__main__":
    unittest.main()
