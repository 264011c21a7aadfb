"""Malformed HTTP/2: the frames and the exact reaction (RFC 9113, RFC 7541)."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from h2_client import Code, Field, Flag, FrameType, Setting, encode, frames, header_block as hpack

PSEUDO: list[Field] = [(":method", "GET"), (":scheme", "http"), (":path", "/livez"), (":authority", "localhost")]
PROTOCOL, SIZE, FLOW, CLOSED = Code.PROTOCOL_ERROR, Code.FRAME_SIZE_ERROR, Code.FLOW_CONTROL_ERROR, Code.STREAM_CLOSED
START = frames.PREFACE + frames.settings()
BLOCK = encode(PSEUDO)
GET = frames.headers(1, BLOCK)
OPEN = frames.headers(1, BLOCK, end_stream=False)
UNFINISHED = frames.headers(1, BLOCK, end_headers=False)


class Reaction(Enum):
    CLOSED = "GOAWAY with this code, then the end"
    RESET = "RST_STREAM with this code; the connection lives on"
    ANSWERED = "this status; the connection lives on"


@dataclass(frozen=True)
class Row:
    name: str
    fate: Reaction
    code: int
    raw_bytes: bytes


def closed(name: str, code: Code, *raw_bytes: bytes, start: bytes = START) -> Row:
    return Row(name, Reaction.CLOSED, code, start + b"".join(raw_bytes))


def reset(name: str, code: Code, *raw_bytes: bytes) -> Row:
    return Row(name, Reaction.RESET, code, START + b"".join(raw_bytes))


def raw(kind: FrameType, payload: bytes, stream: int = 0, flags: int = 0) -> bytes:
    return frames.frame(kind, flags, stream, payload)


def malformed(name: str, *extra: Field, without: str = "", first: list[Field] | None = None) -> Row:
    """A GET with extra fields, or without one; `first` comes before all others."""
    kept = [field for field in PSEUDO if field[0] != without]
    return reset(name, PROTOCOL, frames.headers(1, encode([*(first or []), *kept, *extra])))


def answered(name: str, status: int, *raw_bytes: bytes) -> Row:
    return Row(name, Reaction.ANSWERED, status, START + b"".join(raw_bytes))


FRAMES = [
    closed("a preface that breaks off", PROTOCOL, start=b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n" + frames.settings()),
    closed("a preface of HTTP/1.1", PROTOCOL, start=b"PRI * HTTP/1.1\r\nhost: localhost\r\n\r\n"),
    closed("PING before SETTINGS", PROTOCOL, start=frames.PREFACE + frames.ping()),
    closed("HEADERS of 16,385 bytes", SIZE, raw(FrameType.HEADERS, bytes(16_385), 1, Flag.END_HEADERS)),
    closed("DATA of 16,385 bytes", SIZE, OPEN, frames.data(1, bytes(16_385))),
    closed("an unknown frame of 16,385 bytes", SIZE, frames.frame(0x99, payload=bytes(16_385))),
    closed("DATA on stream 0", PROTOCOL, frames.data(0, b"x")),
    closed("HEADERS on stream 0", PROTOCOL, frames.headers(0, BLOCK)),
    closed("HEADERS on an even stream", PROTOCOL, frames.headers(2, BLOCK)),
    closed("HEADERS on a stream passed over", PROTOCOL, frames.headers(5, BLOCK), frames.headers(3, BLOCK)),
    closed("HEADERS with more padding than payload", PROTOCOL,
           raw(FrameType.HEADERS, b"\xff" + BLOCK, 1, Flag.PADDED | Flag.END_HEADERS)),
    closed("DATA on an idle stream", PROTOCOL, frames.data(1, b"x")),
    closed("DATA with more padding than payload", PROTOCOL, OPEN, raw(FrameType.DATA, b"\x06Test", 1, Flag.PADDED)),
    closed("PRIORITY on stream 0", PROTOCOL, frames.priority(0)),
    closed("RST_STREAM on stream 0", PROTOCOL, frames.rst_stream(0)),
    closed("RST_STREAM on an idle stream", PROTOCOL, frames.rst_stream(1)),
    closed("RST_STREAM of three bytes", SIZE, OPEN, raw(FrameType.RST_STREAM, bytes(3), 1)),
    closed("SETTINGS of five bytes", SIZE, raw(FrameType.SETTINGS, bytes(5))),
    closed("SETTINGS on a stream", PROTOCOL, raw(FrameType.SETTINGS, b"", 1)),
    closed("SETTINGS with ACK and a payload", SIZE, raw(FrameType.SETTINGS, bytes(6), flags=Flag.ACK)),
    closed("ENABLE_PUSH of 2", PROTOCOL, frames.settings((Setting.ENABLE_PUSH, 2))),
    closed("INITIAL_WINDOW_SIZE of 2^31", FLOW, frames.settings((Setting.INITIAL_WINDOW_SIZE, 2**31))),
    closed("MAX_FRAME_SIZE of 16,383", PROTOCOL, frames.settings((Setting.MAX_FRAME_SIZE, 16_383))),
    closed("MAX_FRAME_SIZE of 2^24", PROTOCOL, frames.settings((Setting.MAX_FRAME_SIZE, 2**24))),
    closed("PUSH_PROMISE", PROTOCOL, OPEN, frames.push_promise(1, 2, BLOCK)),
    closed("PING of seven bytes", SIZE, frames.ping(bytes(7))),
    closed("PING on a stream", PROTOCOL, frames.ping(stream=1)),
    closed("GOAWAY of seven bytes", SIZE, raw(FrameType.GOAWAY, bytes(7))),
    closed("GOAWAY on a stream", PROTOCOL, raw(FrameType.GOAWAY, bytes(8), 1)),
    closed("WINDOW_UPDATE of three bytes", SIZE, raw(FrameType.WINDOW_UPDATE, bytes(3))),
    closed("WINDOW_UPDATE of 0 on the connection", PROTOCOL, frames.window_update(0, 0)),
    closed("WINDOW_UPDATE that overflows the connection", FLOW, frames.window_update(0, 2**31 - 1)),
    closed("WINDOW_UPDATE on an idle stream", PROTOCOL, frames.window_update(1, 1)),
    closed("CONTINUATION without HEADERS", PROTOCOL, frames.continuation(1, BLOCK)),
    closed("CONTINUATION after the last", PROTOCOL, GET, frames.continuation(1, BLOCK)),
    closed("CONTINUATION of another stream", PROTOCOL, UNFINISHED, frames.continuation(3, b"")),
    closed("CONTINUATION on stream 0", PROTOCOL, UNFINISHED, frames.continuation(0, b"")),
    closed("PING inside a header block", PROTOCOL, UNFINISHED, frames.ping(), frames.continuation(1, b"")),
    closed("an unknown frame inside a header block", PROTOCOL, UNFINISHED, frames.frame(0x99)),
    # Stream errors that nghttp2 treats as connection errors, as RFC 9113 §5.4.1 allows.
    closed("WINDOW_UPDATE of 0 on a stream", PROTOCOL, OPEN, frames.window_update(1, 0)),
    closed("PRIORITY of four bytes", SIZE, OPEN, raw(FrameType.PRIORITY, bytes(4), 1)),
    closed("a stream that depends on itself", PROTOCOL, OPEN, frames.priority(1, parent=1)),
    closed("DATA after the end of an answered request", CLOSED, GET, frames.ping(), frames.data(1, b"x")),
]


def undecodable(name: str, raw_bytes: bytes) -> Row:
    return closed(name, Code.COMPRESSION_ERROR, frames.headers(1, raw_bytes))


HPACK = [
    undecodable("index 0", BLOCK + hpack.indexed(0)),
    undecodable("an index beyond both tables", BLOCK + hpack.indexed(62)),
    undecodable("a name's index beyond both tables", BLOCK + hpack.integer(62, hpack.INCREMENTAL) + hpack.string("x")),
    undecodable("a block that breaks off", BLOCK + b"\x00\x05x-"),
    undecodable("an integer without end", BLOCK + b"\xff" + b"\xff" * 20),
    undecodable("a table size over what was offered", hpack.table_size(4097) + BLOCK),
    undecodable("a table size after a field", BLOCK + hpack.table_size(0)),
    undecodable("EOS in a Huffman string", BLOCK + b"\x00\x01x" + hpack.huffman_bytes(b"\xff\xff\xff\xff")),
    undecodable("random bytes", bytes(range(0x80, 0x100)) * 4),
]

FIELDS = [
    malformed("a name in capitals", ("X-Field", "1")),
    malformed("a name with a space", ("x field", "1")),
    malformed("a name with a colon", ("x:field", "1")),
    malformed("an empty name", ("", "1")),
    malformed("a NUL in a value", ("x-field", "1\0")),
    malformed("CR LF in a value", ("x-field", "1\r\nx-other: 2")),
    malformed("no :method", without=":method"),
    malformed("no :scheme", without=":scheme"),
    malformed("no :path", without=":path"),
    malformed("an empty :path", (":path", ""), without=":path"),
    malformed("a :path without a slash", (":path", "livez"), without=":path"),
    malformed("a NUL in the :path", (":path", "/livez\0"), without=":path"),
    malformed("a second :method", (":method", "GET")),
    malformed("a second :path", (":path", "/livez")),
    malformed("a second :authority", (":authority", "localhost")),
    malformed("a pseudo-header field after another", without=":path", first=[("x", "1"), (":path", "/livez")]),
    malformed("an unknown pseudo-header field", (":protocol-of-mine", "1")),
    malformed("a response's pseudo-header field", (":status", "200")),
    malformed("CONNECT with a path", (":method", "CONNECT"), without=":method"),
    malformed("connection", ("connection", "close")),
    malformed("keep-alive", ("keep-alive", "timeout=5")),
    malformed("proxy-connection", ("proxy-connection", "close")),
    malformed("transfer-encoding", ("transfer-encoding", "chunked")),
    malformed("upgrade", ("upgrade", "websocket")),
    malformed("te other than trailers", ("te", "gzip")),
    malformed("a length that is not a number", ("content-length", "2x")),
    malformed("two lengths", ("content-length", "0"), ("content-length", "0")),
    malformed("a length without a body", ("content-length", "2")),
]


def sized(length: int) -> bytes:
    return frames.headers(1, encode([*PSEUDO, ("content-length", str(length))]), end_stream=False)


STREAMS = [
    reset("more than content-length", PROTOCOL, sized(2), frames.data(1, b"{} ")),
    reset("less than content-length", PROTOCOL, sized(3), frames.data(1, b"{}")),
    reset("trailers without END_STREAM", PROTOCOL, OPEN, frames.headers(1, encode([("x", "1")]), end_stream=False)),
    reset("trailers with a pseudo-header field", PROTOCOL, OPEN, frames.headers(1, encode([(":path", "/")]))),
    # RFC 9113 §6.9.2 requires closing the connection; nghttp2 1.52 resets the stream and has no option for it.
    reset("INITIAL_WINDOW_SIZE that overflows a stream", FLOW, OPEN, frames.window_update(1, 2**31 - 1 - 65_535),
          frames.settings((Setting.INITIAL_WINDOW_SIZE, 65_536))),
    reset("WINDOW_UPDATE that overflows a stream", FLOW, OPEN, frames.window_update(1, 2**31 - 1)),
    answered("a header list over 8,000 bytes", 431, frames.headers(1, BLOCK + encode([("x", "y" * 8000)]))),
    answered("a header list over 8,000 bytes, all of it names", 431,
             frames.headers(1, BLOCK + encode([("x", "")] * 240))),
    answered("a header list just under 8,000 bytes", 200, frames.headers(1, BLOCK + encode([("x", "y" * 7700)]))),
    # RFC 9113 §8.2.1 calls these malformed. `bearer ` counts as a missing provider token (docs/evidence/apns.md §3.4).
    answered("a space before a value", 200, frames.headers(1, BLOCK + encode([("x-field", " 1")]))),
    answered("a space after a value", 200, frames.headers(1, BLOCK + encode([("x-field", "1 ")]))),
    answered("an unknown method", 501, frames.headers(1, encode([(":method", "FOO"), *PSEUDO[1:]]))),
    answered("a method that does not fit", 405, frames.headers(1, encode([(":method", "DELETE"), *PSEUDO[1:]]))),
]

ROWS = [*FRAMES, *HPACK, *FIELDS, *STREAMS]
