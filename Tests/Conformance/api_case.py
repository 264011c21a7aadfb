"""What tests of the control API share: a gateway that is reset before each test, and senders of APNs and FCM pushes."""
from __future__ import annotations

import json
import select
import time
import unittest
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar, Self

import httpx

from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import BEARER, Answer, Client, Field, encode, frames, push

LINES = {"accept": "application/x-ndjson"}
Fields = dict[str, Any]


class Apple:
    """Pushes to APNs on one connection, with a provider token or the gateway's own client certificate."""

    def __init__(self, gateway: Gateway, certificate: bool = False) -> None:
        self.client = Client(gateway.tls("h2", certificate=certificate))
        self.bearer = not certificate
        self.stream = -1

    def __enter__(self) -> Self:
        self.client.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.client.socket.close()

    def push(self, *extra: Field, token: str = TOKEN, topic: str = TOPIC, body: Any = None) -> Answer:
        """A body that is not `bytes` is sent as JSON."""
        self.stream += 2
        raw = body if isinstance(body, bytes) else json.dumps(body or {"aps": {"alert": "Hello"}}).encode()
        self.client.send(push(self.stream, *extra, token=token, topic=topic, body=raw, bearer=self.bearer))
        return self.client.answer(self.stream)

    def call(self, method: str, path: str, *extra: Field, body: bytes = b"", authority: str = "localhost") -> Answer:
        """Any other request, with a provider token unless the fields have one."""
        self.stream += 2
        bearer = [] if any(name == "authorization" for name, _ in extra) else [BEARER]
        block = encode([(":method", method), (":scheme", "https"), (":path", path), (":authority", authority), *bearer, *extra])
        self.client.send(frames.headers(self.stream, block, end_stream=not body), frames.data(self.stream, body) if body else b"")
        return self.client.answer(self.stream)


class Google:
    """Sends to FCM over HTTP/1.1 with an access token that was never issued."""

    def __init__(self, gateway: Gateway) -> None:
        self.client = httpx.Client(timeout=PATIENCE, base_url=gateway.at().url("", scheme="http"))

    def send(self, project: str = "shop", query: str = "", body: Any = None, headers: Fields | None = None, **message: Any) -> httpx.Response:
        """Sends a message with these members, or a whole body as bytes or JSON."""
        sent: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body or {"message": message}}
        return self.client.post(
            f"/v1/projects/{project}/messages:send{query}", headers={"authorization": "Bearer x"} if headers is None else headers, **sent)


class APICase(unittest.TestCase):
    """One gateway for all tests of a class, reset before each test."""

    arguments: ClassVar[tuple[str, ...]] = ()
    gateway: ClassVar[Gateway]
    api: ClassVar[httpx.Client]
    apple: ClassVar[Apple]
    google: ClassVar[Google]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway(*cls.arguments))
        cls.api = cls.enterClassContext(httpx.Client(base_url=cls.gateway.at().url("/api/v1", scheme="http"), timeout=PATIENCE))
        cls.apple = cls.enterClassContext(Apple(cls.gateway))
        cls.google = Google(cls.gateway)
        cls.enterClassContext(cls.google.client)

    def setUp(self) -> None:
        self.ask("POST", "/reset")

    def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Returns the JSON of the answer, which must have this status."""
        sent: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {} if body is None else {"json": body}
        answer = self.api.request(method, path, **sent)
        self.assertEqual(answer.status_code, status, f"{method} {path} {body}: {answer.text[:500]}")
        if not answer.content:
            return None
        self.assertEqual(answer.headers["content-type"], "application/json")
        return answer.json()

    def problem(self, method: str, path: str, body: Any = None, status: int = 400) -> tuple[str, str | None]:
        """Code and pointer of a refusal, which must also have a message."""
        error = self.ask(method, path, body, status)["error"]
        self.assertLessEqual(set(error), {"code", "message", "pointer"})
        self.assertTrue(error["message"], error)
        return error["code"], error.get("pointer")

    def device(self, platform: str = "ios", app: str = TOPIC, **spec: Any) -> Fields:
        (made,) = self.ask("POST", "/devices", {"platform": platform, "app": app} | spec, 201)["devices"]
        return made

    def newest(self) -> Fields:
        return self.ask("GET", "/messages?limit=1")["messages"][0]

    def ids(self, query: str = "") -> list[str]:
        return [message["id"] for message in self.ask("GET", f"/messages?{query}")["messages"]]

    def events(self, query: str = "") -> list[Fields]:
        """The existing events."""
        answer = self.api.get(f"/events?since=0&follow=false&{query}", headers=LINES)
        self.assertEqual((answer.status_code, answer.headers["content-type"]), (200, "application/x-ndjson"), answer.text)
        return [json.loads(line) for line in answer.text.splitlines()]

    def stat(self, name: str) -> int:
        return self.ask("GET", "/stats")[name]

    def until(self, condition: Callable[[], bool]) -> None:
        """Waits for an effect of another connection. There is no event to wait for, so the condition is checked often."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline, "the condition never became true")
            select.select([], [], [], 0.002)


def token_of(device: Fields, provider: str = "apns") -> str:
    return device["tokens"][provider]["token"]
