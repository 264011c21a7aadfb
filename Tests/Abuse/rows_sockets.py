"""Device sockets and event streams: floods of frames, readers that do not read, replays."""
from __future__ import annotations

import json
from collections.abc import Callable

from device_client import handshake
from http1_client import Connection
from pour import discard, flood
from row import APP, Row, Target
from rows_lists import bodies, keeping
from streams import push_many
from websocket_frames import CLOSE, CONTINUATION, MASK, PING, PONG, TEXT, frame, read_frame

TOKEN = "0" * 64
DEVICE = {"platform": "ios", "app": APP}


def message(**said: object) -> bytes:
    return frame(TEXT, json.dumps(said).encode())


OPENING = handshake().replace("\n", "\r\n").encode() + b"\r\n\r\n" + message(type="hello", device=DEVICE)


def filled(size: int, byte: int) -> bytes:
    """A text of equal bytes, which is masked at once."""
    return frame(TEXT, claims=size) + bytes(byte ^ key for key in MASK) * (size // 4)


def socket_flood(raw: bytes, reads: bool = True) -> Callable[[Target], None]:
    return flood(raw, OPENING, reads=reads)


def hellos(target: Target) -> None:
    """A new device on each of many sockets."""
    for connected in target.connections(200, OPENING):
        connected.recv(65_536)
        connected.close()


def known_device(target: Target) -> None:
    """A device with 10,000 pushes in the log."""
    target.ask("POST", "/devices", DEVICE | {"id": "replayed", "tokens": {"apns": {"token": TOKEN}}}, 201)
    push_many(target, bodies(target.scaled(10_000), 600), TOKEN)


RESUME = {"type": "hello", "device": {"id": "replayed"}, "resume": {"after": 0}, "wants": ["push", "event", "raw"]}


def resumed(target: Target, receive_buffer: int = 0) -> Connection:
    connection = Connection(target.connect(receive_buffer))
    connection.ask(handshake())
    connection.send(message(**RESUME))
    target.count_sent()
    return connection


def replays(target: Target) -> None:
    """Twenty sockets that resume after the first event, and read everything."""
    for connection in [resumed(target) for _ in range(20)]:
        with connection:
            discard(connection.socket, 0.2)


def unread_replays(target: Target) -> None:
    connections = [resumed(target, 4096) for _ in range(100)]
    while True:
        for connection in connections:
            connection.send(frame(PONG))
        connections[0].socket.settimeout(0.5)
        read_frame(connections[0])


def watchers(target: Target) -> None:
    """100 sockets that watch one device, which gets pushes without a pause."""
    connections = [resumed(target) for _ in range(100)]
    while True:
        push_many(target, bodies(100, 600), TOKEN)
        target.count_sent(100)
        for connection in connections:
            discard(connection.socket, 0)


def events(count: int, query: str, reads: bool, kind: str = "application/x-ndjson") -> Callable[[Target], None]:
    """So many readers of events at once."""
    request = f"GET /api/v1/events?{query} HTTP/1.1\r\nHost: localhost\r\nAccept: {kind}\r\n\r\n".encode()

    def attack(target: Target) -> None:
        readers = target.connections(count, request, 0 if reads else 4096)
        if not reads:
            readers[0].settimeout(None)
            while readers[0].recv(1):
                pass
        while reads:
            for reader in list(readers):
                try:
                    discard(reader, 0)
                except EOFError:
                    readers.remove(reader)
            reads_on = "follow=false" not in query or bool(readers)
            if not reads_on:
                return

    return attack


ACT = message(type="act", notification="n1", kind="open")
STATE = message(type="state", set={"online": False}) + message(type="state", set={"online": True})
TOPIC = message(type="topic", op="subscribe", name="a") + message(type="topic", op="unsubscribe", name="a")
ROTATE = message(type="token", op="rotate", provider="apns")
DEEP = filled(100_000, 0x5B)

ROWS = [
    Row("socket-pings", "WebSocket pings.", socket_flood(frame(PING, b"x" * 100) * 50_000)),
    Row("socket-pings-unread", "Pings, whose answers are not read.", socket_flood(frame(PING, b"x" * 100) * 100_000, reads=False)),
    Row("socket-tiny", "Tiny messages, each with an answer.", socket_flood(message(type="ping") * 50_000)),
    Row("socket-nonsense", "Messages that are not JSON.", socket_flood(frame(TEXT, b"x") * 50_000)),
    Row("socket-empty-fragments", "Empty fragments of one message.",
        socket_flood(frame(TEXT, b"", final=False) + frame(CONTINUATION, b"", final=False) * 60_000)),
    Row("socket-one-byte-fragments", "Fragments of one byte.",
        socket_flood(frame(TEXT, b"x", final=False) + frame(CONTINUATION, b"x", final=False) * 100_000)),
    Row("socket-huge", "A message of 16 MB.", socket_flood(filled(16 << 20, 0x78))),
    Row("socket-megabyte", "Messages of just under 1 MiB.", socket_flood(filled((1 << 20) - 8, 0x20) * 16)),
    Row("socket-deep", "Messages of 100,000 brackets.", socket_flood(DEEP * 50)),
    Row("socket-closes", "Close frames.", socket_flood(frame(CLOSE, b"\x03\xe8") * 10_000)),
    Row("socket-acts", "Acts on a notification that does not exist.", socket_flood(ACT * 20_000)),
    Row("socket-states", "A phone that goes offline and online.", socket_flood(STATE * 10_000), keeps=False),
    Row("socket-topics", "A device that joins and leaves a topic.", socket_flood(TOPIC * 10_000), keeps=False),
    Row("socket-tokens", "A device whose token changes.", socket_flood(ROTATE * 10_000), keeps=False, resets=True),
    Row("socket-hellos", "New sockets with a new device each.", hellos, resets=True, keeps=False, workers=2),
    Row("replays", "Sockets that resume after the first of 10,000 pushes.", replays, known_device, workers=2, keeps=False),
    Row("replays-unread", "100 such sockets that do not read.", unread_replays, known_device, keeps=False),
    Row("watchers", "100 sockets that watch one device, which gets pushes.", watchers, known_device, keeps=False, resets=True),
    Row("events-unread", "900 readers of all events that do not read.", events(900, "since=0", reads=False), keeping(10_000, 600)),
    Row("events-lines", "100 readers of all events, again and again.",
        events(100, "since=0&follow=false", reads=True), keeping(10_000, 600), workers=2),
    Row("events-follow", "500 readers that follow the events.", events(500, "kind=accepted", reads=True, kind="text/event-stream")),
]
