"""Clients that send or read slowly."""
from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable

from h2_client import frames
from pour import OPENING, discard
from row import Row, Target, Verdict
from rows_frames import begun
from streams import block

HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: "
POST = b"POST /3/device/" + b"0" * 64 + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n"

# Seconds between two pieces.
PACE = 0.1


def drip(count: int, opening: bytes, piece: bytes) -> Callable[[Target], None]:
    """So many connections that send a piece ten times a second, and open again when they are closed."""

    def attack(target: Target) -> None:
        opened: list[socket.socket] = []
        while True:
            opened += target.connections(count - len(opened), opening)
            # This is the attack's pace; it waits for nothing.
            time.sleep(PACE)
            kept = []
            for connected in opened:
                try:
                    connected.sendall(piece)
                    if not select.select([connected], [], [], 0)[0] or connected.recv(65_536):
                        kept.append(connected)
                        continue
                except OSError:
                    pass
                connected.close()
            opened = kept

    return attack


# Seconds until a slow client must be disconnected, with a second for the timer that looks for them.
HEAD_BY, BODY_BY = 11.5, 7


def slow_clients_are_closed(target: Target, verdict: Verdict) -> None:
    """One client of each kind, at the same time."""
    began = time.monotonic()
    page = OPENING + b"".join(frames.headers(n, block("GET", "/openapi.json")) for n in range(1, 400, 2))
    kinds = [("a head", HEAD, b"a", HEAD_BY), ("a TLS handshake", b"\x16\x03\x01\x02\x00\x01", b"\x00", HEAD_BY),
             ("a body", POST, b"a", BODY_BY), ("a body over HTTP/2", OPENING + begun(1), frames.data(1, b"x", end=False), BODY_BY)]
    waiting = {name: (target.connect(), piece, by) for name, _, piece, by in kinds}
    for name, opening, _, _ in kinds:
        waiting[name][0].sendall(opening)
    unread = target.connect(receive_buffer=4096)
    unread.sendall(page)
    while waiting and time.monotonic() < began + HEAD_BY:
        time.sleep(PACE)
        for name, (connected, piece, by) in list(waiting.items()):
            if has_ended(connected, piece):
                del waiting[name]
            elif time.monotonic() > began + by:
                verdict.wrong.append(f"{name} that comes at 10 bytes a second was not ended within {by} s")
                del waiting[name]
    try:
        discard(unread, 2)
        verdict.wrong.append("a client that does not read was not disconnected")
    except (OSError, EOFError):
        pass


def has_ended(connected: socket.socket, piece: bytes) -> bool:
    """Sends a piece. Whether the gateway has answered 408, reset the stream or ended the connection."""
    try:
        connected.sendall(piece)
        if not select.select([connected], [], [], 0)[0]:
            return False
        received = connected.recv(65_536)
    except OSError:
        return True
    return not received or received.startswith(b"HTTP/1.1 408") or frames.rst_stream(1)[:9] in received


ROWS = [
    Row("slow-heads", "500 heads that come a byte at a time.", drip(500, HEAD, b"a")),
    Row("slow-bodies", "500 bodies that come a byte at a time.", drip(500, POST, b"a")),
    Row("slow-bodies-http2", "The same over HTTP/2.", drip(300, OPENING + begun(1), frames.data(1, b"x", end=False))),
    Row("slow-hellos", "300 TLS handshakes that come a byte at a time.", drip(300, b"\x16\x03\x01\x02\x00\x01", b"\x00")),
    Row("slow-clients", "500 slow heads, and one slow client of each kind, which must be disconnected.", drip(500, HEAD, b"a"),
        check=slow_clients_are_closed, arguments=("--stall-timeout", "3s")),
]
