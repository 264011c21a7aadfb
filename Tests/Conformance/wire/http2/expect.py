"""What a case may accept. Each function reads until it is satisfied and raises `Failure` otherwise.

A TCP reset and bytes that are not a whole frame never count as a clean close: h2spec reports both as errors.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, TypeGuard

from connection import Connection, End, Event
from frames import Code, Frame, FrameType, code_name


@dataclass
class Failure(Exception):
    expected: str
    actual: str


class Skipped(Exception):
    """The server offers nothing to run the case on; h2spec would not count it as passed."""


@dataclass(frozen=True)
class Case:
    id: str
    text: str
    run: Callable[[Connection], None]
    strict: bool = False


def describe(event: Event | None) -> str:
    return event.value if isinstance(event, End) else str(event)


def _until(connection: Connection, accepts: Callable[[Event], bool], expected: str) -> Event:
    """Reads up to the first accepted event; a failure names the last thing that came before the end."""
    last: Event | None = None
    while True:
        event = connection.next_event()
        if accepts(event):
            return event
        if isinstance(event, End):
            before = f", after {describe(last)}" if last else ""
            raise Failure(expected, describe(event) + before)
        last = event


def _names(codes: tuple[Code, ...]) -> str:
    return " or ".join(code_name(code) for code in codes)


def closed(connection: Connection) -> None:
    _until(connection, lambda event: event is End.CLOSED, "connection closed")


def connection_error(connection: Connection, *codes: Code) -> None:
    def accepts(event: Event) -> bool:
        return event is End.CLOSED or _is(event, FrameType.GOAWAY) and event.code in codes

    _until(connection, accepts, f"GOAWAY {_names(codes)}, or connection closed")


def stream_error(connection: Connection, *codes: Code) -> None:
    def accepts(event: Event) -> bool:
        if _is(event, FrameType.GOAWAY) or _is(event, FrameType.RST_STREAM):
            return event.code in codes
        return event is End.CLOSED

    _until(connection, accepts, f"RST_STREAM or GOAWAY {_names(codes)}, or connection closed")


def goaway(connection: Connection, code: Code | None = None) -> None:
    """The first GOAWAY must have this code; a close without one will not do."""
    found = first(connection, FrameType.GOAWAY)
    if code is not None and found.code != code:
        raise Failure(f"GOAWAY {code.name}", describe(found))


def reset(connection: Connection, stream: int, code: Code) -> None:
    """The first RST_STREAM must be for this stream and have this code; GOAWAY will not do."""
    found = first(connection, FrameType.RST_STREAM)
    if found.stream != stream or found.code != code:
        raise Failure(f"RST_STREAM {code.name} on stream {stream}", describe(found))


def stream_end(connection: Connection) -> None:
    def accepts(event: Event) -> bool:
        if not isinstance(event, Frame):
            return False
        return event.ends_stream or event.kind == FrameType.RST_STREAM and event.code == Code.NO_ERROR

    _until(connection, accepts, "the end of the stream")


def first(connection: Connection, kind: FrameType) -> Frame:
    found = _until(connection, lambda event: _is(event, kind), f"a {kind.name} frame")
    assert isinstance(found, Frame)
    return found


def answer(connection: Connection, stream: int = 1) -> None:
    found = first(connection, FrameType.HEADERS)
    if found.stream != stream:
        raise Failure(f"HEADERS on stream {stream}", describe(found))


def settings_ack(connection: Connection) -> None:
    found = first(connection, FrameType.SETTINGS)
    if not found.is_ack:
        raise Failure("SETTINGS with ACK", describe(found))


def data_of(connection: Connection, length: int) -> None:
    found = first(connection, FrameType.DATA)
    if len(found.payload) != length:
        raise Failure(f"DATA of {length} byte(s)", describe(found))


def pong(connection: Connection, opaque: bytes = bytes(8)) -> None:
    found = first(connection, FrameType.PING)
    if not found.is_ack or found.payload != opaque:
        raise Failure(f"PING with ACK and {opaque!r}", f"{describe(found)} {found.payload!r}")


def pong_or_close(connection: Connection, opaque: bytes = bytes(8)) -> None:
    def accepts(event: Event) -> bool:
        return event is End.CLOSED or _is(event, FrameType.PING) and event.is_ack and event.payload == opaque

    _until(connection, accepts, "PING with ACK, or connection closed")


def _is(event: Event, kind: FrameType) -> TypeGuard[Frame]:
    return isinstance(event, Frame) and event.kind == kind
