"""HTTP/2 frames as bytes: the numbers of RFC 9113, a writer for each frame type, and one reader.

The writers check nothing: most test cases need a frame that is wrong.
"""
from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_SIZE = 9
DEFAULT_WINDOW = 65_535
DEFAULT_FRAME_SIZE = 16_384
MAX_WINDOW = 2**31 - 1


class FrameType(IntEnum):
    DATA = 0
    HEADERS = 1
    PRIORITY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PUSH_PROMISE = 5
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


class Flag(IntEnum):
    ACK = 0x1
    END_STREAM = 0x1
    END_HEADERS = 0x4
    PADDED = 0x8
    PRIORITY = 0x20


class Code(IntEnum):
    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    INTERNAL_ERROR = 2
    FLOW_CONTROL_ERROR = 3
    SETTINGS_TIMEOUT = 4
    STREAM_CLOSED = 5
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    CONNECT_ERROR = 10
    ENHANCE_YOUR_CALM = 11


class Setting(IntEnum):
    HEADER_TABLE_SIZE = 1
    ENABLE_PUSH = 2
    MAX_CONCURRENT_STREAMS = 3
    INITIAL_WINDOW_SIZE = 4
    MAX_FRAME_SIZE = 5
    MAX_HEADER_LIST_SIZE = 6


@dataclass(frozen=True)
class Frame:
    """One frame as it came from the server."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def ends_stream(self) -> bool:
        return self.kind in (FrameType.DATA, FrameType.HEADERS) and bool(self.flags & Flag.END_STREAM)

    @property
    def is_ack(self) -> bool:
        return self.kind in (FrameType.SETTINGS, FrameType.PING) and bool(self.flags & Flag.ACK)

    @property
    def code(self) -> int:
        """The error code of a RST_STREAM or GOAWAY frame; -1 for any other."""
        if self.kind == FrameType.RST_STREAM:
            return int.from_bytes(self.payload[:4], "big")
        return int.from_bytes(self.payload[4:8], "big") if self.kind == FrameType.GOAWAY else -1

    @property
    def settings(self) -> dict[int, int]:
        entries = [self.payload[i : i + 6] for i in range(0, len(self.payload), 6)]
        return {int.from_bytes(e[:2], "big"): int.from_bytes(e[2:], "big") for e in entries}

    def __str__(self) -> str:
        name = FrameType(self.kind).name if self.kind in list(FrameType) else f"type {self.kind}"
        text = f"{name} stream={self.stream} flags=0x{self.flags:02x} length={len(self.payload)}"
        return f"{text} {code_name(self.code)}" if self.code >= 0 else text


def code_name(code: int) -> str:
    return Code(code).name if code in list(Code) else f"code 0x{code:x}"


def uint32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + uint32(stream) + payload


def data(stream: int, body: bytes, end: bool = True, padding: int | None = None) -> bytes:
    flags = Flag.END_STREAM if end else 0
    if padding is None:
        return frame(FrameType.DATA, flags, stream, body)
    return frame(FrameType.DATA, flags | Flag.PADDED, stream, bytes([padding]) + body + bytes(padding))


def headers(
    stream: int,
    block: bytes,
    end_stream: bool = True,
    end_headers: bool = True,
    priority: bytes = b"",
    padding: int | None = None,
) -> bytes:
    flags = (Flag.END_STREAM if end_stream else 0) | (Flag.END_HEADERS if end_headers else 0)
    flags |= (Flag.PRIORITY if priority else 0) | (Flag.PADDED if padding is not None else 0)
    front = b"" if padding is None else bytes([padding])
    return frame(FrameType.HEADERS, flags, stream, front + priority + block + bytes(padding or 0))


def continuation(stream: int, block: bytes, end: bool = True) -> bytes:
    return frame(FrameType.CONTINUATION, Flag.END_HEADERS if end else 0, stream, block)


def dependency(parent: int = 0, weight: int = 255, exclusive: bool = False) -> bytes:
    """The five priority bytes; `weight` is the byte on the wire (0 means a weight of 1)."""
    return uint32(parent | (0x8000_0000 if exclusive else 0)) + bytes([weight])


def priority(stream: int, parent: int = 0, weight: int = 255, exclusive: bool = False) -> bytes:
    return frame(FrameType.PRIORITY, 0, stream, dependency(parent, weight, exclusive))


def rst_stream(stream: int, code: int = Code.CANCEL) -> bytes:
    return frame(FrameType.RST_STREAM, 0, stream, uint32(code))


def settings(*pairs: tuple[int, int], ack: bool = False) -> bytes:
    payload = b"".join(key.to_bytes(2, "big") + uint32(value) for key, value in pairs)
    return frame(FrameType.SETTINGS, Flag.ACK if ack else 0, 0, payload)


def push_promise(stream: int, promised: int, block: bytes) -> bytes:
    return frame(FrameType.PUSH_PROMISE, Flag.END_HEADERS, stream, uint32(promised) + block)


def ping(opaque: bytes = bytes(8), ack: bool = False, stream: int = 0) -> bytes:
    return frame(FrameType.PING, Flag.ACK if ack else 0, stream, opaque)


def goaway(last_stream: int = 0, code: int = Code.NO_ERROR, debug: bytes = b"") -> bytes:
    return frame(FrameType.GOAWAY, 0, 0, uint32(last_stream) + uint32(code) + debug)


def window_update(stream: int, increment: int) -> bytes:
    return frame(FrameType.WINDOW_UPDATE, 0, stream, uint32(increment))


def take_frame(buffer: bytearray) -> Frame | None:
    """Removes and returns the first whole frame of `buffer`, or returns None."""
    if len(buffer) < HEADER_SIZE:
        return None
    end = HEADER_SIZE + int.from_bytes(buffer[:3], "big")
    if len(buffer) < end:
        return None
    stream = int.from_bytes(buffer[5:9], "big") & 0x7FFF_FFFF
    result = Frame(buffer[3], buffer[4], stream, bytes(buffer[HEADER_SIZE:end]))
    del buffer[:end]
    return result
