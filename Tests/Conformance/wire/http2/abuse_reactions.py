"""What a server may do under abuse, and how the reactions are distinguished."""
from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Callable

import frames
import header_block as hpack
from connection import Connection, End, Sent, Target
from frames import FrameType


class Outcome(Enum):
    ANSWERED = "answered"  # the flood was taken, and a PING or request after it is answered
    REFUSED = "streams refused"  # RST_STREAM or a status of 400 or more
    GOAWAY = "GOAWAY"
    CLOSED = "closed"
    STALLED = "stopped reading"  # back-pressure: nothing is read until the client reads
    SILENT = "silent"  # neither answer nor close


Result = tuple[Outcome, str]
CUT_OFF = frozenset({Outcome.GOAWAY, Outcome.CLOSED})
ENDURED = CUT_OFF | {Outcome.ANSWERED}
HELD = ENDURED | {Outcome.STALLED}
ANY_ANSWER = frozenset({Outcome.ANSWERED, Outcome.REFUSED})
REFUSAL = CUT_OFF | {Outcome.REFUSED}
WAIT = 2.0  # seconds without an event
READ_SECONDS = 5.0  # for reading the answers to a flood
FLOOD_SECONDS = 3.0
MARK = b"are you?"


@dataclass(frozen=True)
class Abuse:
    id: str
    text: str
    accepts: frozenset[Outcome]
    run: Callable[[Connection], Result]
    seconds: float = 10.0


def settle(connection: Connection, sent: Sent = Sent.ALL, until: FrameType = FrameType.PING) -> Result:
    """Reads until the end, a GOAWAY, or the answer to the last frame.

    The answer to a PING may overtake other answers, so more may follow it.
    """
    seen: Counter[str] = Counter()
    deadline = time.monotonic() + READ_SECONDS
    while time.monotonic() < deadline:
        event = connection.next_event(WAIT)
        if isinstance(event, End):
            ended = Outcome.SILENT if event is End.TIMEOUT else Outcome.CLOSED
            return (Outcome.STALLED if sent is Sent.STALLED else ended), _detail(seen, sent)
        seen[FrameType(event.kind).name if event.kind <= 9 else "other"] += 1
        if event.kind == FrameType.GOAWAY:
            return Outcome.GOAWAY, f"{frames.code_name(event.code)}, {_detail(seen, sent)}"
        if event.kind == until and (until != FrameType.PING or event.payload == MARK):
            return _answered(event, _detail(seen, sent))
    return (Outcome.STALLED if sent is Sent.STALLED else Outcome.SILENT), _detail(seen, sent)


def _answered(event: frames.Frame, detail: str) -> Result:
    if event.kind != FrameType.HEADERS:
        return Outcome.ANSWERED, detail
    status = hpack.status_of(event.payload) or 0
    return (Outcome.REFUSED if status >= 400 else Outcome.ANSWERED), f"status {status}"


def _detail(seen: Counter[str], sent: Sent) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in seen.items()) or "no frames"
    return f"{sent.value}; read {counts}"


def flooded(make: Callable[[Target], bytes]) -> Callable[[Connection], Result]:
    """Handshake, these bytes without reading, and a PING; returns the server's reaction."""

    def run(connection: Connection) -> Result:
        connection.handshake()
        sent = connection.flood(make(connection.target) + frames.ping(MARK), FLOOD_SECONDS)
        return settle(connection, sent)

    return run


def request_in_pieces(connection: Connection, block: bytes) -> Result:
    size = frames.DEFAULT_FRAME_SIZE
    pieces = [block[i : i + size] for i in range(0, len(block), size)]
    raw_bytes = frames.headers(1, pieces[0], end_headers=len(pieces) == 1)
    for number, piece in enumerate(pieces[1:], 2):
        raw_bytes += frames.continuation(1, piece, end=number == len(pieces))
    sent = connection.flood(raw_bytes, FLOOD_SECONDS)
    return _first_reaction(connection, sent)


def _first_reaction(connection: Connection, sent: Sent) -> Result:
    while True:
        event = connection.next_event(WAIT)
        if isinstance(event, End):
            return (Outcome.SILENT if event is End.TIMEOUT else Outcome.CLOSED), sent.value
        if event.kind == FrameType.GOAWAY:
            return Outcome.GOAWAY, frames.code_name(event.code)
        if event.kind == FrameType.RST_STREAM:
            return Outcome.REFUSED, frames.code_name(event.code)
        if event.kind == FrameType.HEADERS:
            return _answered(event, "")
