"""The event log as a stream to a real HTTP client: server-sent events and lines, over both versions of HTTP."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx

from api_case import LINES, APICase, Fields
from gateway import PATIENCE, TOPIC

OTHER = "com.example.other"


def blocks(lines: Iterator[str]) -> Iterator[Fields]:
    """Server-sent events, each as its fields, without comments."""
    block: Fields = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, value = re.fullmatch(r"(\w+): (.*)", line).groups()
            block[name] = value
        elif block:
            yield block | {"data": json.loads(block["data"])}
            block = {}


class Events(APICase):
    def make(self, *apps: str) -> list[Fields]:
        """Creates a device for each app, and returns all events so far."""
        before = self.stat("events")
        for app in apps:
            self.device("web", app)
        return [event for event in self.events() if event["seq"] > before]

    def follow(self, query: str = "", client: httpx.Client | None = None, **headers: str) -> tuple[httpx.Response, Iterator[str]]:
        answer = self.enterContext((client or self.api).stream("GET", f"/events?{query}", headers={name.replace("_", "-"): value for name, value in headers.items()}))
        self.assertEqual(answer.status_code, 200)
        self.assertEqual(answer.headers["cache-control"], "no-store")
        return answer, answer.iter_lines()

    def test_new_events_arrive_immediately(self) -> None:
        with httpx.Client(http1=False, http2=True, verify=self.gateway.context(), base_url=self.gateway.at().url("/api/v1"), timeout=PATIENCE) as second:
            for client in (None, second):
                self.make(OTHER)
                answer, lines = self.follow(client=client)
                self.assertEqual(answer.headers["content-type"], "text/event-stream")
                stream = blocks(lines)
                for event in self.make(TOPIC, OTHER):
                    self.assertEqual(next(stream), {"id": str(event["seq"]), "event": "registered", "data": event})
                answer, lines = self.follow(client=client, **LINES)
                self.assertEqual(answer.headers["content-type"], "application/x-ndjson")
                for event in self.make(TOPIC, OTHER):
                    self.assertEqual(json.loads(next(lines)), event)
                if client:
                    self.assertEqual(answer.http_version, "HTTP/2")
