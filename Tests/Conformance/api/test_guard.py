"""Who may call the control API: a token on every route, no strange web pages, no strange names; and what calls there are at all."""
from __future__ import annotations

import unittest
from typing import Any, ClassVar

import httpx

from gateway import PATIENCE, Gateway
from test_device_door import HOSTS, ORIGINS

TOKEN = {"authorization": "Bearer open-sesame"}
# Every call in docs/api.md, with values for its path parameters.
CALLS = """
GET /messages; DELETE /messages; GET /messages/p1; GET /messages/p1/raw; GET /messages/p1/export; POST /expect; POST /devices; GET /devices; GET /devices/d1; PATCH /devices/d1
DELETE /devices/d1; GET /devices/d1/shade; GET /devices/d1/pending; POST /devices/d1/act; POST /devices/d1/tokens; PUT /media; GET /media; DELETE /media; GET /topics
PUT /topics/t/devices/d1; DELETE /topics/t/devices/d1; POST /faults; GET /faults; DELETE /faults; DELETE /faults/f1; GET /scenarios; POST /scenarios/s1; DELETE /scenarios/s1; GET /clock; POST /clock; GET /tracking; POST /check/apns
POST /check/fcm; GET /rules; GET /stats; GET /credentials; POST /credentials/apns-keys; POST /credentials/service-accounts; GET /events; POST /reset
""".replace("\n", ";").split(";")


class Guard(unittest.TestCase):
    gateway: ClassVar[Gateway]
    client: ClassVar[httpx.Client]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--api-token", "open-sesame"))
        cls.client = cls.enterClassContext(httpx.Client(base_url=cls.gateway.at().url("", scheme="http"), timeout=PATIENCE))

    def calls(self) -> list[tuple[str, str]]:
        """Each call's method and path."""
        pairs = [(text.split()[0], f"/api/v1{text.split()[1]}") for text in CALLS if text.strip()]
        return [*pairs, ("GET", "/openapi.json"), ("GET", "/docs")]

    def ask(self, method: str, path: str, body: Any = b"[]", **headers: str) -> httpx.Response:
        return self.client.request(method, path, content=None if method == "GET" else body, headers=headers)

    def test_every_call_asks_for_the_token(self) -> None:
        for method, path in self.calls():
            with self.subTest(f"{method} {path}"):
                for bearer in (None, "Bearer wrong", "open-sesame", "Basic open-sesame", "Bearer open-sesame2", "Bearer"):
                    answer = self.ask(method, path, **({"authorization": bearer} if bearer else {}))
                    self.assertEqual((answer.status_code, answer.headers.get("www-authenticate")), (401, "Bearer"), bearer)
                if path != "/api/v1/events":
                    self.assertNotIn(self.ask(method, path, **TOKEN).status_code, (401, 403))

    def test_no_call_is_for_strange_web_pages_or_names(self) -> None:
        for method, path in self.calls():
            for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"host": "evil.example"}):
                with self.subTest(f"{method} {path}", headers=headers):
                    answer = self.ask(method, path, **TOKEN, **headers)
                    self.assertEqual((answer.status_code, "access-control-allow-origin" in answer.headers), (403, False))
                    self.assertIn([*headers.values()][0], answer.text)

    def test_which_pages_and_names_are_let_in(self) -> None:
        for origin, status in ORIGINS:
            with self.subTest(origin=origin):
                self.assertEqual(self.ask("GET", "/api/v1/clock", host="localhost", origin=origin, **TOKEN).status_code, 200 if status == 101 else status)
        for host, status in HOSTS:
            with self.subTest(host=host):
                self.assertEqual(self.ask("GET", "/api/v1/clock", host=host, **TOKEN).status_code, 200 if status == 101 else status)

    def test_what_keeps_somebody_out_is_json_too(self) -> None:
        for headers, status in (({}, 401), ({"host": "evil.example"} | TOKEN, 403), ({"origin": "http://evil.example"} | TOKEN, 403)):
            with self.subTest(headers):
                answer = self.ask("GET", "/api/v1/clock", **headers)
                self.assertEqual((answer.status_code, answer.headers["content-type"]), (status, "application/json"))
                self.assertLessEqual({"code", "message"}, set(answer.json()["error"]))

    def test_a_body_that_is_far_too_long_is_refused_in_json_too(self) -> None:
        for size in (70_000, 33 << 20):
            with self.subTest(size):
                answer = self.ask("POST", "/api/v1/expect", b" " * size, **TOKEN)
                self.assertEqual((answer.status_code, answer.headers["content-type"]), (413, "application/json"))

    def test_who_is_kept_out_changes_nothing(self) -> None:
        made = self.ask("POST", "/api/v1/devices", b'{"platform":"web","app":"a","id":"d"}', **TOKEN)
        self.assertEqual(made.status_code, 201)
        for headers in ({}, TOKEN | {"origin": "http://evil.example"}, TOKEN | {"host": "evil.example"}):
            for method, path in (("POST", "/api/v1/reset"), ("DELETE", "/api/v1/devices/d")):
                self.assertIn(self.ask(method, path, b"", **headers).status_code, (401, 403))
        self.assertEqual(self.ask("GET", "/api/v1/devices/d", **TOKEN).status_code, 200)

    def test_these_are_the_calls_that_are_described(self) -> None:
        described = {(method.upper(), path) for path, methods in self.ask("GET", "/openapi.json", **TOKEN).json()["paths"].items() for method in methods}
        named = {(method, path.removeprefix("/api/v1").replace("/p1", "/{id}").replace("/d1", "/{id}").replace("/f1", "/{id}").replace("/t/", "/{name}/").replace("/s1", "/{name}")) for method, path in self.calls() if path.startswith("/api")}
        self.assertEqual(named - described, set())
        page = self.ask("GET", "/docs", **TOKEN).text
        for method, path in described:
            self.assertIn(f"<b>{method}</b> <code>/api/v1{path}</code>", page)


class Loopback(unittest.TestCase):
    def test_another_listener_needs_a_token(self) -> None:
        with self.assertRaisesRegex(AssertionError, "--api-token"):
            with Gateway("--listen", "0.0.0.0:0"):
                pass
        with Gateway("--listen", "0.0.0.0:0", "--api-token", "open-sesame") as gateway:
            url = f"http://127.0.0.1:{gateway.addresses[0].port}/api/v1/clock"
            self.assertEqual([httpx.get(url, headers=headers).status_code for headers in ({}, TOKEN)], [401, 200])

    def test_a_host_that_is_allowed_is_let_in_with_its_pages(self) -> None:
        with Gateway("--allow-host", "box.example") as gateway:
            url = gateway.at().url("/api/v1/clock", scheme="http")
            rows = [({"host": "box.example"}, 200), ({"host": "box.example", "origin": "http://box.example:3000"}, 200), ({"host": "box.example", "origin": "http://evil.example"}, 403), ({"host": "evil.example"}, 403)]
            self.assertEqual([httpx.get(url, headers=headers).status_code for headers, _ in rows], [status for _, status in rows])
