"""Access to the control API: a token for every route, and the options for other listeners and hosts."""
from __future__ import annotations

import re
import socket
import unittest
from typing import Any, ClassVar

import httpx

from gateway import PATIENCE, Gateway

TOKEN = {"authorization": "Bearer open-sesame"}


class Access(unittest.TestCase):
    gateway: ClassVar[Gateway]
    client: ClassVar[httpx.Client]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--api-token", "open-sesame"))
        cls.client = cls.enterClassContext(httpx.Client(base_url=cls.gateway.at().url("", scheme="http"), timeout=PATIENCE))

    def calls(self) -> list[tuple[str, str]]:
        """Method and path of every call that the OpenAPI document describes, with values for the path's parameters."""
        described = self.client.get("/openapi.json", headers=TOKEN).json()["paths"]
        pairs = [(method.upper(), re.sub(r"{\w+}", "x1", path)) for path, calls in described.items() for method in calls]
        self.assertGreater(len(pairs), 30)
        return [*pairs, ("GET", "/openapi.json"), ("GET", "/docs")]

    def ask(self, method: str, path: str, body: Any = b"[]", **headers: str) -> httpx.Response:
        return self.client.request(method, path, content=None if method == "GET" else body, headers=headers)

    def test_every_call_requires_the_token(self) -> None:
        for method, path in self.calls():
            with self.subTest(f"{method} {path}"):
                for bearer in (None, "Bearer wrong", "open-sesame", "Basic open-sesame", "Bearer open-sesame2", "Bearer"):
                    answer = self.ask(method, path, **({"authorization": bearer} if bearer else {}))
                    challenges = [value.split()[0] for value in answer.headers.get_list("www-authenticate")]
                    wanted = ["Bearer", "Basic"] if path in ("/docs", "/openapi.json") else ["Bearer"]
                    self.assertEqual((answer.status_code, challenges), (401, wanted), bearer)
                if path != "/api/v1/events":
                    self.assertNotIn(self.ask(method, path, **TOKEN).status_code, (401, 403))


class Loopback(unittest.TestCase):
    def test_another_listener_needs_a_token(self) -> None:
        with self.assertRaisesRegex(AssertionError, "--api-token"):
            with Gateway("--listen", "0.0.0.0:0"):
                pass
        with Gateway("--listen", "0.0.0.0:0", "--api-token", "open-sesame") as gateway:
            url = f"http://127.0.0.1:{gateway.addresses[0].port}/api/v1/clock"
            self.assertEqual([httpx.get(url, headers=headers).status_code for headers in ({}, TOKEN)], [401, 200])

    def test_allowed_hosts_and_web_pages_are_accepted(self) -> None:
        with Gateway("--allow-host", "box.example", "--allow-origin", "http://box.example:3000") as gateway:
            url = gateway.at().url("/livez", scheme="http")
            rows = [
                ({"host": "box.example"}, 200), ({"host": "box.example", "origin": "http://box.example"}, 200),
                ({"host": "box.example", "origin": "http://box.example:3000"}, 200), ({"host": "box.example", "origin": "http://box.example:3001"}, 403),
                ({"host": "box.example", "origin": "http://evil.example"}, 403), ({"host": "evil.example"}, 403)]
            self.assertEqual([httpx.get(url, headers=headers).status_code for headers, _ in rows], [status for _, status in rows])

    def test_the_names_in_the_certificate_are_the_gateways(self) -> None:
        with Gateway() as gateway:
            url = gateway.at().url("/api/v1/clock", scheme="http")
            self.assertEqual([httpx.get(url, headers={"host": host}).status_code for host in (socket.gethostname(), "evil.example")], [200, 403])
