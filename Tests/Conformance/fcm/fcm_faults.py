"""What tests of faults on Google's calls share."""
from __future__ import annotations

import select
import time
from typing import Any

import httpx

from control import call
from gateway import PATIENCE
from h2_client import Client, encode, frames
from http1_client import Answer, Connection
from test_topics import Topics

SEND = "/v1/projects/demo/messages:send"
HIT = {"answer": {"status": 503, "reason": "UNAVAILABLE"}}
FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


def request(body: str = '{"message":{"topic":"t"}}', path: str = SEND) -> str:
    return f"POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer x\r\ncontent-length: {len(body)}\r\n\r\n{body}"


def message(stream: int) -> bytes:
    block = encode([(":method", "POST"), (":scheme", "https"), (":path", SEND), (":authority", "localhost"), ("authorization", "Bearer x")])
    return frames.headers(stream, block, end_stream=False) + frames.data(stream, b'{"message":{"topic":"t"}}')


class Provider(Connection):
    """A connection that also reads chunked answers."""

    def read(self, method: str = "GET") -> Answer:
        line, fields, body = self.line(), [], b""
        while text := self.line():
            name, _, value = text.partition(": ")
            fields.append((name.lower(), value))
        answer = Answer(line, fields, b"")
        if answer["transfer-encoding"] != "chunked":
            return Answer(line, fields, self.take(int(answer["content-length"])))
        while count := int(self.line(), 16):
            body += self.take(count)
            self.line()
        self.line()
        return Answer(line, fields, body)

    def line(self) -> str:
        text = b""
        while not text.endswith(b"\r\n"):
            text += self.take(1)
        return text[:-2].decode()


class Faults(Topics):
    def post(self, project: str = "demo", headers: dict[str, str] | None = None, **message: Any) -> httpx.Response:
        return self.client.post(f"/v1/projects/{project}/messages:send", json={"message": message or {"topic": "t"}}, headers=headers)

    def connection(self) -> Provider:
        return self.enterContext(Provider(self.gateway.at().connect()))

    def h2(self) -> Client:
        client = self.enterContext(Client(self.gateway.at().connect()))
        client.start()
        return client

    def fired(self, fault: str) -> int:
        return next(row["fired"] for row in call(self.gateway, "GET", "/faults")[1]["faults"] if row["id"] == fault)

    def wait_for(self, fault: str) -> None:
        """Waits until the fault has hit a request."""
        deadline = time.monotonic() + PATIENCE
        while self.fired(fault) == 0:
            self.assertLess(time.monotonic(), deadline, f"{fault} never hit")
            select.select([], [], [], 0.002)

    def metric(self, name: str) -> int:
        page = self.client.get("/metrics", headers={"host": "localhost"}).text
        return int(next(line.split()[1] for line in page.splitlines() if line.startswith(f"pushpit_{name} ")))
