"""Calls of the control API that look at many messages, or whose answers are long."""
from __future__ import annotations

import json
import select
from collections.abc import Callable

from h2_client import frames
from http1_client import Connection
from row import Row, Target, Verdict
from streams import Streams, block, push_many

TEXT_SEARCH_TOTAL = 50


def bodies(count: int, size: int, filler: str = "x") -> list[bytes]:
    """Different pushes of about this size."""
    rest = filler * ((size - 40) // len(filler))
    return [b'{"aps":{"alert":"%d %s"}}' % (number, rest.encode()) for number in range(count)]


def keeping(count: int, size: int, filler: str = "x") -> Callable[[Target], None]:
    def prepare(target: Target) -> None:
        push_many(target, bodies(target.scaled(count), size, filler))
        # The first search completes the index of the messages.
        target.ask("GET", "/messages?text=nothing-has-this")

    return prepare


def asking(*paths: str, streams: int = 8) -> Callable[[Target], None]:
    """Asks for these paths without a pause, with so many requests at once."""

    def attack(target: Target) -> None:
        headers = [block("GET", path) for path in paths]
        with Streams(target) as connection:
            while True:
                for header in headers:
                    connection.request(header, streams)
                connection.wait()
                connection.require(200)

    return attack


def posting(path: str, *sent: object, streams: int = 8, status: int = 200) -> Callable[[Target], None]:
    def attack(target: Target) -> None:
        header = block("POST", path)
        texts = [json.dumps(body).encode() for body in sent]
        with Streams(target) as connection:
            while True:
                connection.post(header, *texts * streams)
                connection.wait()
                connection.require(status)

    return attack


def search_is_quick(target: Target, verdict: Verdict) -> None:
    """The median of five searches that match nothing, each for another text."""
    times = sorted(target.timed("GET", f"/messages?text=never-{letter}") for letter in "abcde")
    verdict.bound("a search by text takes", times[2], TEXT_SEARCH_TOTAL)


def thousand_lists(window: int, receive_buffer: int = 0, reads: bool = True) -> Callable[[Target], None]:
    def attack(target: Target) -> None:
        with Streams(target, window, receive_buffer) as connection:
            connection.request(block("GET", "/api/v1/messages?limit=1000"), 1000)
            if reads:
                connection.wait()
            else:
                select.select([], [], [], 30)

    return attack


def overflowing_windows(target: Target) -> None:
    """A thousand lists, whose windows then overflow one after the other."""
    with Streams(target) as connection:
        ids = connection.ids(1000)
        header = block("GET", "/api/v1/messages?limit=1000")
        connection.send(*(frames.headers(stream, header) for stream in ids))
        connection.send(*(frames.window_update(stream, frames.MAX_WINDOW) for stream in ids))
        target.count_sent(1000)
        connection.wait()


def pipelined(target: Target) -> None:
    request = b"GET /api/v1/messages?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with Connection(target.connect()) as connection:
        connection.send(request * 500)
        target.count_sent(500)
        for _ in range(500):
            connection.read()


def exports(target: Target) -> None:
    """The newest message of `keeping`."""
    newest = target.ask("GET", "/messages?app=com.example.attack&limit=1")["messages"][0]["id"]
    pages = ("export?as=apns", "export?as=curl", "raw")
    asking(*(f"/api/v1/messages/{newest}/{page}" for page in pages), streams=300)(target)


POINTERS = "&".join(f"/aps/alert{'/x' * 20}{n}=1" for n in range(32))
HUNDRED_THOUSAND = ("--keep-messages", "120000", "--keep-mib", "512")

ROWS = [
    Row("search-text", "Searches by text in 100,000 messages of 600 bytes; none matches.",
        asking(*(f"/api/v1/messages?text=no-{letter}" for letter in "abcdefgh"), streams=4),
        keeping(100_000, 600), search_is_quick, HUNDRED_THOUSAND),
    Row("search-text-escaped", "The same in 10,000 messages of 3.5 KB with \\u escapes.",
        asking("/api/v1/messages?text=never", streams=8), keeping(10_000, 3500, "\\u00e4\\u0062")),
    Row("search-text-near", "A text of 1,000 bytes that nearly matches everywhere.",
        asking("/api/v1/messages?text=" + "x" * 900 + "y", streams=8), keeping(10_000, 3500)),
    Row("search-pointers", "32 pointers that no message has.",
        asking("/api/v1/messages?" + POINTERS, streams=8), keeping(10_000, 3500)),
    Row("lists-normal", "1,000 lists of 1,000 messages on one connection, with the usual windows.",
        thousand_lists(frames.DEFAULT_WINDOW), keeping(10_000, 1000)),
    Row("lists-open", "The same with windows as large as possible.",
        thousand_lists(frames.MAX_WINDOW), keeping(10_000, 1000)),
    Row("lists-overflow", "The same, and each window overflows.", overflowing_windows, keeping(10_000, 1000)),
    Row("lists-unread", "The same, and the client never reads.",
        thousand_lists(frames.MAX_WINDOW, receive_buffer=4096, reads=False), keeping(10_000, 1000), workers=4),
    Row("lists-pipelined", "500 lists on one HTTP/1.1 connection.", pipelined, keeping(10_000, 1000)),
    Row("lists-many", "1,000 long lists of rules, scenarios and documents at once.",
        asking("/openapi.json", "/docs", "/api/v1/rules?limit=1000", "/api/v1/scenarios?limit=1000", streams=200)),
    Row("lists-cheap", "Small pages without a pause.", asking("/metrics", "/api/v1/stats", "/livez", streams=300), workers=2),
    Row("exports", "Exports and raw requests of one message.", exports, keeping(10_000, 3500)),
]
