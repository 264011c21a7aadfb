"""Sends bytes as fast as the gateway takes them, and throws away what it answers."""
from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable

from h2_client import frames
from row import Target

PIECE = 1 << 18
OPENING = frames.PREFACE + frames.settings() + frames.settings(ack=True)


def pour(connected: socket.socket, raw: bytes, seconds: float = 2, reads: bool = True) -> bool:
    """Returns whether all was sent; false if the gateway took nothing for so long. Raises OSError if it closes."""
    connected.setblocking(False)
    view = memoryview(raw)
    quiet = time.monotonic() + seconds
    while view:
        readable, writable, _ = select.select([connected] if reads else [], [connected], [], 0.1)
        if readable and not connected.recv(PIECE):
            raise EOFError("closed by the gateway")
        if writable:
            view = view[connected.send(view[:PIECE]):]
            quiet = time.monotonic() + seconds
        elif time.monotonic() > quiet:
            return False
    return True


def discard(connected: socket.socket, seconds: float) -> None:
    """Reads until nothing has come for so long; raises EOFError if the gateway closes."""
    while select.select([connected], [], [], seconds)[0]:
        if not connected.recv(PIECE):
            raise EOFError("closed by the gateway")


def flood(
    raw: bytes | Callable[[], bytes], opening: bytes = OPENING, times: int = 1, reads: bool = True
) -> Callable[[Target], None]:
    """Sends `opening` and then these bytes, so many times, on one connection after the other."""
    made: list[bytes] = []

    def attack(target: Target) -> None:
        if not made:
            made.append(raw if isinstance(raw, bytes) else raw())
        with target.connect() as connected:
            connected.sendall(opening)
            target.count_sent()
            for _ in range(times):
                if not pour(connected, made[0], reads=reads):
                    return
            discard(connected, 0.02)

    return attack
