"""Calls of `expect`: filters that take long, events, sequences, and as many calls as may wait."""
from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from h2_client import frames
from row import APP, Row, Target
from rows_lists import bodies, keeping, posting
from streams import Streams, block, push_many

# As many steps as one call may have, nearly all of which are followed at each letter of a text of letters a.
SLOW = {"regex": "(a?){245}a{245}b"}


def body(**members: Any) -> bytes:
    return json.dumps(members).encode()


def waiting(sent: bytes, resets: bool = False) -> Callable[[Target], None]:
    """As many calls as may wait; with `resets`, they are cancelled one by one and begun again."""

    def attack(target: Target) -> None:
        connection = Streams(target)
        header = block("POST", "/api/v1/expect")
        for _ in range(10):
            connection.post(header, *[sent] * 100)
        while True:
            ids = connection.ids(0)
            if resets:
                connection.send(*(frames.rst_stream(n) for n in range(ids.start - 400, ids.start, 2)))
                connection.post(header, *[sent] * 200)
            else:
                connection.socket.settimeout(0.2)
                try:
                    connection.socket.recv(1)
                except TimeoutError:
                    pass

    return attack


def asking(status: int, **members: Any) -> Callable[[Target], None]:
    """Calls that are answered as soon as the log has been searched."""
    return posting("/api/v1/expect", members | {"within": "0s"}, streams=2, status=status)


def counting(target: Target) -> None:
    """500 calls that count every push, and deletions of a tenth of the pushes."""
    with Streams(target) as waits:
        waits.post(block("POST", "/api/v1/expect"), *[body(match={"app": APP}, atMost=1_000_000, within="1h")] * 500)
        while True:
            push_many(target, bodies(target.scaled(10_000), 100))
            target.ask("DELETE", f"/messages?app={APP}&text=7%20x")
            target.count_sent()


NEVER = {"app": APP, "text": "never"}
POINTERS = {"bodyText": {f"/aps/{'a' * 400}{n}": "v" * 400 for n in range(32)}}
# Each event has to be rendered to be compared.
EVENT = {"event": {"kind": {"regex": "^[a-z]+$"}, "data": {"/nothing": 1}}}
# Each push and each event is the next one.
SEQUENCE = [{}, {"event": {"kind": {"prefix": ""}}}] * 49 + [{"text": {"regex": "never[a-z]{90}"}}]
TOO_LARGE = [{"headers": {f"h{n}": {"regex": "((a{900}){900}|b){900}" * 5} for n in range(32)}}] * 8

ROWS = [
    Row("expect-30k", "`expect` of 30 KB that matches nothing.", asking(417, match=POINTERS), keeping(10_000, 3500)),
    Row("expect-nearest", "`expect` that fails, so that the nearest of 10,000 messages are searched.",
        posting("/api/v1/expect", {"match": {"body": {"/aps/alert": "no"}}, "within": "0s"}, status=417), keeping(10_000, 3500)),
    Row("expect-regex", "Regular expressions as slow as possible, in 100 messages of 3.5 KB that they match nearly everywhere.",
        asking(417, match={"text": SLOW}), keeping(100, 3500, "a")),
    Row("expect-regex-many", "32 slow expressions, in 10,000 messages of 600 bytes.",
        asking(417, match={"body": {"/aps/alert": {"regex": "(x+x+)+y"}}, "headers": {f"h{n}": {"regex": "(a|a)*b"} for n in range(32)}}), keeping(10_000, 600)),
    Row("expect-regex-refused", "Bodies of 30 KB with expressions that are too large.", asking(400, sequence=TOO_LARGE)),
    Row("expect-regex-waiting", "1,000 calls that wait, each with a slow expression that is compared with each push.",
        waiting(body(match={"text": SLOW}, atLeast=2, within="1h"))),
    Row("expect-events", "`expect` of events that fails, with all data of 10,000 messages and their events.", asking(417, match=EVENT), keeping(10_000, 3500)),
    Row("expect-events-waiting", "1,000 calls that wait, and each looks at the data of each event.", waiting(body(match=EVENT, atLeast=2, within="1h"))),
    Row("expect-events-resets", "The same, and they are cancelled and begun again.", waiting(body(match=EVENT, atLeast=2, within="1h"), resets=True)),
    Row("expect-sequences", "Sequences of 99 filters that fail after the 98th.", asking(417, sequence=SEQUENCE), keeping(10_000, 600)),
    Row("expect-sequences-waiting", "1,000 such sequences that wait.", waiting(body(sequence=SEQUENCE, within="1h"))),
    Row("expect-waiting", "1,000 calls of `expect` that wait.", waiting(body(match=NEVER, atLeast=2, within="1h"))),
    Row("expect-waiting-bodies", "The same, and each has to look at each body.", waiting(body(match={"body": {"/aps/alert": "never"}}, atLeast=2, within="1h"))),
    Row("expect-waiting-resets", "The same, and they are cancelled and begun again.", waiting(body(match=NEVER, atLeast=2, within="1h"), resets=True)),
    Row("expect-waiting-counts", "500 calls of `expect` that count each push, and deletions of these pushes.", counting, keeps=False, resets=True),
    Row("expect-waiting-ends", "The same, and all end after a second.", waiting(body(match={"app": APP}, atLeast=2, within="1s"))),
]
