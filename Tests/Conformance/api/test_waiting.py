"""POST /expect, decided by what comes later, over both versions of HTTP."""
from __future__ import annotations

import json
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from api_case import APICase, Fields, post_text, token_of
from gateway import PATIENCE, TOPIC
from http1_client import Connection

LONG = {"within": "60s"}


class Waiting(APICase):
    def setUp(self) -> None:
        super().setUp()
        self.until(lambda: self.stat("waiting") == 0)

    def connected(self) -> Connection:
        return self.enterContext(Connection(self.gateway.at().connect()))

    def wait_for(self, *bodies: Fields) -> list[Connection]:
        """So many calls over HTTP/1.1, all waiting when this returns."""
        before, found = self.stat("waiting"), [self.connected() for _ in bodies]
        for connection, body in zip(found, bodies, strict=True):
            connection.send(post_text("/expect", LONG | body))
        self.until(lambda: self.stat("waiting") == before + len(bodies))
        return found

    def verdict(self, connection: Connection) -> tuple[int, Any]:
        answer = connection.read()
        self.assertEqual(answer["content-type"], "application/json")
        return answer.status, json.loads(answer.body)


class Later(Waiting):
    def test_a_later_push_decides(self) -> None:
        """What is asked for, and the number of the push that ends it, and how."""
        rows: list[tuple[Fields, int, int]] = [
            ({}, 1, 200), ({"count": 2}, 2, 200), ({"atLeast": 3}, 3, 200), ({"never": True}, 1, 417), ({"atMost": 0}, 1, 417), ({"atMost": 2}, 3, 417)]
        waiting = self.wait_for(*(demand | {"match": {"app": TOPIC}} for demand, _, _ in rows))
        self.apple.push(topic="com.example.other", token="5" * 64)
        for number in (1, 2, 3):
            self.assertEqual(self.stat("waiting"), len([row for row in rows if row[1] >= number]))
            self.apple.push()
            ids = self.ids(f"app={TOPIC}")[::-1]
            for connection, (demand, decisive, status) in zip(waiting, rows, strict=True):
                if decisive == number:
                    with self.subTest(demand):
                        said = self.verdict(connection)
                        self.assertEqual((said[0], said[1]["count"], said[1]["messages"]), (status, number, ids))

    def test_what_was_there_before_counts(self) -> None:
        self.apple.push()
        (connection,) = self.wait_for({"count": 2})
        self.apple.push()
        self.assertEqual(self.verdict(connection), (200, {"met": True, "count": 2, "messages": self.ids()[::-1]}))

    def test_what_was_there_before_a_number_does_not_count(self) -> None:
        self.apple.push()
        (connection,) = self.wait_for({"match": {"since": self.newest()["seq"]}})
        self.apple.push()
        self.assertEqual(self.verdict(connection)[1]["messages"], self.ids()[:1])

    def test_what_was_there_before_a_reset_does_not_count(self) -> None:
        self.apple.push()
        (connection,) = self.wait_for({"count": 2})
        self.ask("POST", "/reset")
        self.apple.push()
        self.assertEqual(self.stat("waiting"), 1)
        self.apple.push()
        self.assertEqual(self.verdict(connection)[1]["messages"], self.ids()[::-1])

    def test_one_that_reaches_a_device_counts_once(self) -> None:
        droid = self.device("android", id="droid")
        self.ask("PUT", "/topics/news/devices/droid", status=204)
        device, topic = self.wait_for({"match": {"device": "droid"}, "count": 3}, {"match": {"topic": "news"}, "count": 1})
        self.google.send(topic="news", data={"k": "v"})
        self.assertEqual(self.verdict(topic)[0], 200)
        self.google.send(token=token_of(droid, "fcm"), data={"k": "v"})
        self.ask("PATCH", "/devices/droid", {"state": {"online": False}})
        self.google.send(topic="other", data={"k": "v"})
        self.assertEqual(self.stat("waiting"), 1)
        self.google.send(topic="news", data={"k": "v"})
        self.ask("PATCH", "/devices/droid", {"state": {"online": True}})
        reached = self.ids("device=droid")
        self.assertEqual((self.verdict(device)[1]["messages"], len(reached), len(self.ids())), (reached[::-1], 3, 4))

    def test_by_http_2_through_a_client_of_others(self) -> None:
        with httpx.Client(http1=False, http2=True, verify=self.gateway.context(), base_url=self.gateway.at().url("/api/v1"), timeout=PATIENCE) as client, ThreadPoolExecutor() as threads:
            late = [threads.submit(client.post, "/expect", json=LONG | demand) for demand in ({"count": 1}, {"never": True})]
            self.until(lambda: self.stat("waiting") == 2)
            self.apple.push()
            self.assertEqual([(answer.http_version, answer.status_code, answer.json()["count"]) for answer in (each.result() for each in late)], [("HTTP/2", 200, 1), ("HTTP/2", 417, 1)])

    def test_the_next_call_on_a_connection_waits_for_its_turn(self) -> None:
        connection = self.connected()
        connection.send(post_text("/expect", LONG), post_text("/expect", {"within": "0s", "never": True}))
        self.until(lambda: self.stat("waiting") == 1)
        self.assertTrue(connection.is_silent)
        self.apple.push()
        self.assertEqual([self.verdict(connection)[0] for _ in range(2)], [200, 417])
