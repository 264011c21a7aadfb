"""HTTP/1.1 as clients use it: persistent connections, pipelining, chunked bodies, 100 Continue."""
from __future__ import annotations

import unittest
from typing import ClassVar

from gateway import Gateway
from http1_client import Answer, Connection

GET = "GET {} HTTP/1.1\r\nhost: localhost\r\n\r\n"
# Any method may have a body; this path accepts only GET.
BEGIN = "GET /livez HTTP/1.1\r\nhost: localhost\r\n"
CHUNKED = BEGIN + "transfer-encoding: chunked\r\n\r\n"
# A chunked body in every allowed form.
CHUNKS = [
    ("one", "5\r\nhello\r\n0\r\n\r\n"),
    ("several", "1\r\nh\r\n4\r\nello\r\n0\r\n\r\n"),
    ("none", "0\r\n\r\n"),
    ("capitals and zeros", "000A\r\nhellohello\r\n000\r\n\r\n"),
    ("an extension", "5;a=b;c=\"d\"\r\nhello\r\n0;e\r\n\r\n"),
    ("trailers", "5\r\nhello\r\n0\r\nx-sum: 1\r\nx-more: 2\r\n\r\n"),
]
# The request line and fields, and whether the connection stays open.
STAYING = [
    ("GET /livez HTTP/1.1\nhost: localhost", True),
    ("GET /livez HTTP/1.1\nhost: localhost\nconnection: keep-alive", True),
    ("GET /livez HTTP/1.1\nhost: localhost\nconnection: close", False),
    ("GET /livez HTTP/1.1\nhost: localhost\nconnection: Close", False),
    ("GET /livez HTTP/1.1\nhost: localhost\nconnection: foo, close", False),
    ("GET /livez HTTP/1.0", False),
    ("GET /livez HTTP/1.0\nhost: localhost\nconnection: keep-alive", True),
]


class HTTP1(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def setUp(self) -> None:
        self.connection = self.connected()

    def connected(self) -> Connection:
        return self.enterContext(Connection(self.gateway.at().connect()))

    def assert_lives(self, connection: Connection | None = None) -> None:
        connection = connection or self.connection
        self.assertEqual(connection.ask("GET /livez HTTP/1.1\nhost: localhost").status, 200)

    def assert_whole(self, answer: Answer, status: int = 200) -> None:
        self.assertEqual((answer.status, int(answer["content-length"])), (status, len(answer.body)))
        self.assertRegex(answer["date"], r"\A\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\Z")

    def test_a_connection_stays_open_or_closes_as_requested(self) -> None:
        for text, stays in STAYING:
            with self.subTest(text):
                connection = self.connected()
                answer = connection.ask(text)
                self.assert_whole(answer)
                if stays:
                    self.assertNotIn("close", answer["connection"])
                    self.assert_lives(connection)
                else:
                    self.assertEqual(connection.read_to_end(), b"")

    def test_the_last_answer_says_connection_close(self) -> None:
        answer = self.connection.ask("GET /livez HTTP/1.1\nhost: localhost\nconnection: close")
        self.assertEqual(answer["connection"], "close")

    def test_an_http_1_0_client_can_keep_its_connection(self) -> None:
        answer = self.connection.ask("GET /livez HTTP/1.0\nconnection: keep-alive")
        self.assertEqual(answer["connection"].lower(), "keep-alive")

    def test_a_hundred_requests_on_one_connection(self) -> None:
        for _ in range(100):
            self.assert_lives()

    def test_pipelined_requests_are_answered_in_order(self) -> None:
        self.connection.send(GET.format("/livez"), GET.format("/nowhere"), GET.format("/metrics"))
        answers = [self.connection.read() for _ in range(3)]
        for answer, status in zip(answers, (200, 404, 200)):
            self.assert_whole(answer, status)
        self.assertTrue(answers[2].body.startswith(b"# HELP"))
        self.assert_lives()

    def test_pipelined_requests_with_bodies_may_be_split_anywhere(self) -> None:
        row = (BEGIN + "content-length: 5\r\n\r\nhello" + CHUNKED + CHUNKS[1][1] + GET.format("/nowhere")).encode()
        for size in (1, 7, 64):
            connection = self.connected()
            for start in range(0, len(row), size):
                connection.send(row[start : start + size])
            self.assertEqual([connection.read().status for _ in range(3)], [200, 200, 404])

    def test_nothing_after_a_close_is_answered(self) -> None:
        self.connection.send("GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", GET.format("/metrics"))
        self.assertEqual(self.connection.read_to_end().count(b"HTTP/1.1 "), 1)

    def test_chunked_bodies(self) -> None:
        for name, chunks in CHUNKS:
            with self.subTest(name):
                self.connection.send(CHUNKED, chunks)
                self.assert_whole(self.connection.read())
        self.assert_lives()

    def test_a_request_is_answered_after_its_last_chunk(self) -> None:
        self.connection.send(CHUNKED, "5\r\nhello\r\n")
        self.assert_lives(self.connected())
        self.assertTrue(self.connection.is_silent)
        self.connection.send("0\r\n\r\n")
        self.assert_whole(self.connection.read())

    def test_100_continue_comes_before_the_body_is_sent(self) -> None:
        for word in ("100-continue", "100-Continue"):
            for length, body in (("content-length: 5", "hello"), ("transfer-encoding: chunked", CHUNKS[0][1])):
                with self.subTest(length, word=word):
                    self.connection.send(BEGIN, f"{length}\r\nexpect: {word}\r\n\r\n")
                    self.assertEqual(self.connection.read().line, "HTTP/1.1 100 Continue")
                    self.connection.send(body)
                    self.assert_whole(self.connection.read())
        self.assert_lives()

    def test_no_100_continue_without_a_body(self) -> None:
        self.connection.send(BEGIN, "content-length: 0\r\nexpect: 100-continue\r\n\r\n")
        self.assert_whole(self.connection.read())

    def test_another_expectation_is_refused(self) -> None:
        self.connection.send(BEGIN, "content-length: 5\r\nexpect: something\r\n\r\n")
        self.assertEqual(self.connection.read().status, 417)

    def test_head_has_the_length_and_no_body(self) -> None:
        for path in ("/livez", "/", "/nowhere"):
            with self.subTest(path):
                self.connection.send(GET.format(path))
                whole = self.connection.read()
                self.connection.send(GET.format(path).replace("GET", "HEAD"))
                head = self.connection.read("HEAD")
                self.assertEqual(head.status, whole.status)
                self.assertEqual(int(head["content-length"]), len(whole.body))
                self.assertEqual(head["content-type"], whole["content-type"])
        self.assert_lives()

    def test_an_absolute_target_names_the_host(self) -> None:
        answer = self.connection.ask("GET http://localhost/metrics HTTP/1.1\nhost: localhost")
        self.assert_whole(answer)
        foreign = self.connection.ask("GET http://evil.example/metrics HTTP/1.1\nhost: localhost")
        self.assertEqual(foreign.status, 403)

    def test_a_query_is_no_part_of_the_path(self) -> None:
        self.assert_whole(self.connection.ask("GET /livez?a=b HTTP/1.1\nhost: localhost"))

    def test_a_slow_head_gets_408_after_the_timeout(self) -> None:
        with Gateway("--head-timeout", "200ms") as gateway, Connection(gateway.at().connect()) as connection:
            connection.send("GET /livez HT")
            self.assertEqual(connection.read().status, 408)
            self.assertEqual(connection.read_to_end(), b"")
