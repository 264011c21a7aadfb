"""The event log as a stream: server-sent events and lines, from a number on, of some kinds, of one app, to the end or for good."""
from __future__ import annotations

import json
import re
import unittest
from collections.abc import Iterator

import httpx

from api_case import LINES, APICase, Fields, token_of
from gateway import PATIENCE, TOPIC
from h2_client import Client, encode, frames
from http1_client import Connection

OTHER = "com.example.other"


def blocks(lines: Iterator[str]) -> Iterator[Fields]:
    """Server-sent events, each as its fields; comments are passed over."""
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
        """An event for each; all that there are since."""
        before = self.stat("events")
        for app in apps:
            self.device("web", app)
        return [event for event in self.events() if event["seq"] > before]

    def follow(self, query: str = "", client: httpx.Client | None = None, **headers: str) -> tuple[httpx.Response, Iterator[str]]:
        answer = self.enterContext((client or self.api).stream("GET", f"/events?{query}", headers={name.replace("_", "-"): value for name, value in headers.items()}))
        self.assertEqual(answer.status_code, 200)
        self.assertEqual(answer.headers["cache-control"], "no-store")
        return answer, answer.iter_lines()

    def test_new_ones_come_as_they_happen(self) -> None:
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

    def test_a_stream_goes_on_after_a_number(self) -> None:
        made = self.make(*[TOPIC] * 5)
        for query, headers in [(f"since={made[1]['seq']}", {}), ("", {"last_event_id": str(made[1]["seq"])}), (f"since={made[1]['seq']}", {"last_event_id": "1"})]:
            _, lines = self.follow(query, **headers)
            made += self.make(OTHER)
            self.assertEqual([event["data"] for _, event in zip(made[2:], blocks(lines))], made[2:])
        for word in ("", "x", "-1", "9" * 30):
            _, lines = self.follow(last_event_id=word)
            (event,) = self.make(TOPIC)
            self.assertEqual(next(blocks(lines))["data"], event, "what is no number is none")
        _, lines = self.follow("since=9007199254740992")
        self.assertEqual(self.make(TOPIC), [next(blocks(lines))["data"]], "what is yet to come is told")

    def test_kinds_and_apps_are_chosen(self) -> None:
        _, lines = self.follow(f"app={OTHER}&kind=registered")
        self.make(TOPIC)
        (event,) = self.make(OTHER)
        self.assertEqual(next(blocks(lines))["data"], event)

    def test_a_project_is_an_app_as_well(self) -> None:
        droid = self.device("android", "com.example.droid", id="droid", project="shop")
        self.google.send(token=token_of(droid, "fcm"), data={"k": "v"})
        self.assertIn("accepted", [event["kind"] for event in self.events("app=shop")])

    def test_it_ends_with_what_is_there(self) -> None:
        made = self.make(*[TOPIC] * 3)
        answer = self.api.get(f"/events?since={made[0]['seq'] - 1}&follow=false")
        self.assertEqual([event["data"] for event in blocks(iter(answer.text.splitlines()))], made)
        self.assertEqual(self.stat("readers"), 0)

    def test_it_ends_at_once_where_nothing_is_there(self) -> None:
        answer = self.api.get(f"/events?since={self.stat('events')}&follow=false", timeout=2)
        self.assertEqual(answer.text, "")

    def test_who_goes_is_forgotten(self) -> None:
        request = frames.headers(1, encode([(":method", "GET"), (":scheme", "https"), (":path", "/api/v1/events"), (":authority", "localhost")]))
        self.until(lambda: self.stat("readers") == 0)
        with Client(self.gateway.tls("h2")) as client:
            client.start()
            client.send(request)
            self.until(lambda: self.stat("readers") == 1)
            client.send(frames.rst_stream(1))
            self.until(lambda: self.stat("readers") == 0)
            client.send(frames.headers(3, request[9:]))
            self.until(lambda: self.stat("readers") == 1)
        self.until(lambda: self.stat("readers") == 0)

    def test_who_goes_is_forgotten_over_http_1(self) -> None:
        self.until(lambda: self.stat("readers") == 0)
        with Connection(self.gateway.at().connect()) as connection:
            connection.send("GET /api/v1/events?since=0 HTTP/1.1\r\nhost: localhost\r\n\r\n")
            self.until(lambda: self.stat("readers") == 1)
            while not connection.is_silent:
                connection.buffer = connection.socket.recv(65_536)[:0]
        self.until(lambda: self.stat("readers") == 0)
