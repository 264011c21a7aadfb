"""Those who read the events: too slowly, in silence, and until the gateway goes."""
from __future__ import annotations

import json
import unittest
from collections.abc import Iterator

import httpx

from api_case import LINES
from gateway import PATIENCE, Gateway
from h2_client import Client, encode, frames
from test_events import blocks


class Readers(unittest.TestCase):
    def test_one_that_reads_too_slowly_is_told_what_it_has_missed(self) -> None:
        """The log keeps 40,000 events; an HTTP/2 stream whose window is full takes none."""
        with Gateway() as gateway, Client(gateway.at().connect()) as client, httpx.Client(base_url=gateway.at().url("/api/v1", scheme="http"), timeout=60) as api:
            client.start()
            client.send(frames.headers(1, encode([
                (":method", "GET"), (":scheme", "http"), (":path", "/api/v1/events?since=0"), (":authority", "localhost"), ("accept", "application/x-ndjson")])))
            client.wait(lambda: 1 in client.answers)
            for _ in range(4):
                self.assertEqual(api.post("/devices", json={"platform": "web", "app": "a", "count": 10_000}).status_code, 201)
                self.assertEqual(api.post("/reset").status_code, 200)
            client.send(frames.window_update(0, 1 << 30), frames.window_update(1, 1 << 30))
            newest = b'{"seq":80000,'
            client.wait(lambda: newest in client.answers[1].frames[-1].payload)
            client.ping()
            events = [json.loads(line) for line in client.answers[1].body.splitlines()]
            (gap,) = [index for index, event in enumerate(events) if event["kind"] == "missed"]
            numbers = [event.get("seq") for event in events]
            self.assertEqual((numbers[:gap], numbers[gap + 1:]), ([*range(1, gap + 1)], [*range(numbers[gap + 1], 80_001)]))
            self.assertEqual(events[gap], {"kind": "missed", "count": numbers[gap + 1] - gap - 1})
            late = api.get("/events?since=7&follow=false", headers=LINES).text.splitlines()
            self.assertEqual(json.loads(late[0]), {"kind": "missed", "count": 80_000 - 40_000 - 7})
            self.assertEqual(len(late), 40_001)

    def test_a_silent_stream_is_kept_alive(self) -> None:
        with Gateway("--heartbeat", "1s", "--keep-alive-timeout", "500ms", "--stall-timeout", "500ms") as gateway:
            with httpx.Client(base_url=gateway.at().url("/api/v1", scheme="http"), timeout=PATIENCE) as client, client.stream("GET", "/events") as answer:
                lines: Iterator[str] = (line for line in answer.iter_lines() if line)
                self.assertEqual([next(lines) for _ in range(3)], [":"] * 3)

    def test_the_gateways_end_is_the_streams(self) -> None:
        with Gateway() as gateway, httpx.Client(base_url=gateway.at().url("/api/v1", scheme="http"), timeout=PATIENCE) as client:
            with client.stream("GET", "/events?since=0") as answer:
                gateway.process.terminate()
                self.assertEqual([*blocks(answer.iter_lines())], [])
            self.assertEqual(gateway.process.wait(PATIENCE), 0)
