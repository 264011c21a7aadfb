"""A Firefox with a backlog: it acknowledges what it never got, and connects again without acknowledging anything."""
from __future__ import annotations

import json

from autopush_client import AutopushSocket, channel, hello, message, register
from receiving import pipelined, request
from row import Row, Target

# The client and the path of its endpoint.
agent: dict[str, str] = {}
path = [""]


def waiting(count: int, size: int):
    """A client with so many pushes that it has got and not acknowledged."""

    def prepare(target: Target) -> None:
        with AutopushSocket(target.connect()) as client:
            agent["uaid"] = client.ask(hello())["uaid"]
            path[0] = "/wpush/" + client.ask(register(1))["pushEndpoint"].partition("/wpush/")[2]
            push = request("POST", path[0], b"x" * size, ("ttl", "3600"), ("content-encoding", "aes128gcm"))
            for answer in pipelined(target, (push for _ in range(count))):
                if answer.status != 201:
                    raise AssertionError(f"a push was answered {answer.line} {answer.body!r}")
            for _ in range(count):
                client.receive()

    return prepare


def acknowledgement(number: int) -> bytes:
    """An acknowledgement of 1,000 pushes that do not exist."""
    updates = [{"channelID": channel(1), "version": f"{number:016x}{index:016x}", "code": 100} for index in range(1000)]
    return message(messageType="ack", updates=updates)


ACKS = [acknowledgement(number) for number in range(20)]


def wrong_acks(target: Target) -> None:
    with AutopushSocket(target.connect()) as client:
        client.send(hello(**agent))
        while True:
            for raw in ACKS:
                client.send(raw)
                target.count_sent()


def reconnects(target: Target) -> None:
    """The client reads everything at each connection. The whole backlog has to come."""
    for _ in range(20):
        with AutopushSocket(target.connect()) as client:
            client.ask(hello(**agent))
            for _ in range(BACKLOG):
                if client.receive()["messageType"] != "notification":
                    raise AssertionError("no notification")
            target.count_sent()


BACKLOG = 400

ROWS = [
    Row("autopush-acks-waiting", "Messages that acknowledge 1,000 unknown pushes, of a client with 1,000 others.", wrong_acks, waiting(1000, 10),
        keeps=False),
    Row("autopush-reconnects", "A client that connects again and again, and to which 400 pushes of 4 KB are sent each time.", reconnects,
        waiting(BACKLOG, 4000), keeps=False),
]
