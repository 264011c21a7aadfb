"""Sends every row of the tables of malformed input to one gateway, which must continue to serve."""
from __future__ import annotations

import unittest
from typing import ClassVar

import malformed_http1
import malformed_http2
from gateway import Gateway
from h2_client import Client, Code, FrameType, encode, fields, frames, get, push
from malformed import LIVE, Log, exchange, is_live, statuses
from malformed_http2 import Reaction


class Malformed(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        cls.pid = cls.gateway.process.pid

    def assert_others_are_served(self) -> None:
        """Asserts that the same process still serves other connections."""
        self.assertTrue(is_live(self.gateway))
        self.assertEqual((self.gateway.process.poll(), self.gateway.process.pid), (None, self.pid))

    def test_http_1_gets_its_status_and_rule_and_is_closed_or_kept(self) -> None:
        """A valid request follows each row. It is answered only if the connection stays open."""
        log = Log(self.gateway)
        for row in malformed_http1.ROWS:
            with self.subTest(row.name):
                answer, end = exchange(self.gateway, row.raw_bytes + LIVE)
                self.assert_others_are_served()
                rules = log.rules()
                wanted = [row.status] if row.status else []
                self.assertEqual(statuses(answer), wanted if row.closes else [*wanted, "200 OK"])
                self.assertEqual(end, "closed")
                self.assertEqual(rules, [row.rule] if row.rule else [])
                if row.rule and row.status:
                    self.assertIn(b"\r\nconnection: close\r\n", answer)

    def test_http_2_gets_its_goaway_reset_or_status(self) -> None:
        for row in malformed_http2.ROWS:
            with self.subTest(row.name), Client(self.gateway.at().connect()) as client:
                client.send(row.raw_bytes)
                if row.fate is Reaction.CLOSED:
                    with self.assertRaises(EOFError):
                        client.wait(lambda: False)
                    self.assertEqual(goaways(client), [row.code])
                else:
                    answer = client.answer(1)
                    self.assertEqual(answer.reset if row.fate is Reaction.RESET else answer.status, row.code)
                    client.acknowledge()
                    client.ping()
                    client.send(get(99))
                    self.assertEqual((client.answer(99).status, goaways(client)), (200, []))
                self.assert_others_are_served()

    def test_overlong_fields_of_a_push_reset_its_stream(self) -> None:
        seen = len(self.gateway.log)
        with Client(self.gateway.at().connect()) as client:
            client.send(malformed_http2.START, OVERLONG)
            self.assertEqual(client.answer(1).reset, Code.PROTOCOL_ERROR)
            client.send(push(3))
            self.assertEqual(client.answer(3).status, 200)
        self.assertIn("rule=http2.header-too-large", self.gateway.log[seen:])

    def test_overlong_fields_can_be_answered_with_an_apns_id(self) -> None:
        """Some clients wait forever for an answer with their id."""
        with Gateway("--overlong-fields", "431") as gateway, Client(gateway.at().connect()) as client:
            client.send(malformed_http2.START, OVERLONG)
            self.assertEqual((client.answer(1).status, set(client.answer(1).fields)), (431, {":status", "apns-id"}))
            client.ping()
            self.assertRegex(gateway.log, r"rule=http2\.header-too-large status=431")


OVERLONG = frames.headers(1, encode(fields(("x", "y" * 8000))))


def goaways(client: Client) -> list[int]:
    return [frame.code for frame in client.frames if frame.kind == FrameType.GOAWAY]
