"""Preface, frame format, stream states, errors (h2spec's http2/3 to http2/5), 33 cases."""
from __future__ import annotations

from typing import Callable

import expect
import frames
import header_block as hpack
from cases_generic import FOUR, fixed, get, get_open, ponged, post, server_preface
from connection import Connection
from expect import Case, Skipped
from frames import Code, FrameType, Setting

Run = Callable[[Connection], None]
Piece = Callable[[Connection], bytes]
LONG_VALUE = "x" * 4000  # one dummy header is this long; five of them exceed a frame


def dummies(count: int = 1) -> bytes:
    return hpack.encode([(f"x-dummy{number}", LONG_VALUE) for number in range(count)])


def connection_error(*pieces: Piece, code: Code = Code.PROTOCOL_ERROR, also: Code | None = None) -> Run:
    """Sends the frames and wants GOAWAY with the code, or a close."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(*[piece(connection) for piece in pieces])
        expect.connection_error(connection, code, *([also] if also is not None else []))

    return run


def stream_error(*pieces: Piece, code: Code = Code.PROTOCOL_ERROR, also: Code | None = None) -> Run:
    """Sends the frames and wants RST_STREAM or GOAWAY with the code, or a close."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(*[piece(connection) for piece in pieces])
        expect.stream_error(connection, code, *([also] if also is not None else []))

    return run


def after_the_answer(then: Run, piece: Piece) -> Run:
    """A whole GET and its whole answer, then one more frame on the stream."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(get(connection))
        expect.stream_end(connection)
        connection.send(piece(connection))
        then(connection)

    return run


def invalid_preface(connection: Connection) -> None:
    """Three words, like a request line. An HTTP/1.1 error as the answer fails: it is not made of frames."""
    connection.send(b"BROKEN HTTP2 GREETING\r\n\r\n")
    expect.connection_error(connection, Code.PROTOCOL_ERROR)


def any_ping(flags: int, reserved_bit: bool = False) -> Run:
    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(frames.frame(FrameType.PING, flags, 0x8000_0000 if reserved_bit else 0, bytes(8)))
        expect.first(connection, FrameType.PING)

    return run


def post_of(extra: int, check: Run) -> Run:
    """A POST whose only DATA frame is SETTINGS_MAX_FRAME_SIZE plus `extra` bytes long."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(post(connection), frames.data(1, b"x" * (connection.max_frame_size + extra)))
        check(connection)

    return run


def beyond_the_stream_limit(connection: Connection) -> None:
    connection.handshake()
    limit = connection.settings.get(Setting.MAX_CONCURRENT_STREAMS)
    if limit is None:
        raise Skipped("the server sends no SETTINGS_MAX_CONCURRENT_STREAMS")
    connection.send(frames.settings((Setting.INITIAL_WINDOW_SIZE, 0)))
    block = connection.target.block()
    connection.send(*[frames.headers(2 * number + 1, block) for number in range(limit + 1)])
    expect.stream_error(connection, Code.PROTOCOL_ERROR, Code.REFUSED_STREAM)


def bad_ping_then(check: Run) -> Run:
    def run(connection: Connection) -> None:
        connection.handshake()
        bad = frames.ping(stream=3)
        connection.send(bad[: frames.HEADER_SIZE], bad[frames.HEADER_SIZE :])
        check(connection)

    return run


def unfinished(connection: Connection) -> bytes:
    """HEADERS without END_HEADERS and without END_STREAM."""
    return frames.headers(1, connection.target.block(), end_stream=False, end_headers=False)


def unfinished_get(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block(), end_headers=False)


def get_on(stream: int) -> Piece:
    return lambda connection: frames.headers(stream, connection.target.block())


def again_as_continuation(connection: Connection) -> bytes:
    return frames.continuation(1, connection.target.block())


MORE = fixed(frames.continuation(1, dummies()))
CANCEL = fixed(frames.rst_stream(1))
UNKNOWN_FRAME = fixed(frames.frame(0x16, 0, 0, bytes(8)))
CLOSED = Code.STREAM_CLOSED
PROTOCOL = Code.PROTOCOL_ERROR


def depends_on_itself(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block(), priority=frames.dependency(parent=1))


CASES: list[Case] = [
    Case("http2/3.5/1", "The server's first frame is its SETTINGS.", server_preface),
    Case("http2/3.5/2", "A wrong preface ends the connection.", invalid_preface),
    Case("http2/4.1/1", "A frame of unknown type is ignored.", ponged(UNKNOWN_FRAME)),
    Case("http2/4.1/2", "Undefined flags of a PING are ignored.", any_ping(0x16)),
    Case("http2/4.1/3", "The reserved bit of the stream id is ignored.", any_ping(0x16, reserved_bit=True)),
    Case("http2/4.2/1", "A DATA frame of exactly the maximum size is read.", post_of(0, expect.answer)),
    Case("http2/4.2/2", "A DATA frame one byte too long is a FRAME_SIZE_ERROR.",
         post_of(1, lambda c: expect.stream_error(c, Code.FRAME_SIZE_ERROR))),
    Case("http2/4.2/3", "A HEADERS frame over the maximum size is a connection FRAME_SIZE_ERROR.",
         connection_error(lambda c: frames.headers(1, c.target.block() + dummies(5)), code=Code.FRAME_SIZE_ERROR)),
    Case("http2/4.3/1", "A block that ends inside a field is a COMPRESSION_ERROR.",
         connection_error(fixed(frames.headers(1, b"\x40")), code=Code.COMPRESSION_ERROR)),
    Case("http2/4.3/2", "PRIORITY inside a header block is a PROTOCOL_ERROR.",
         connection_error(unfinished, fixed(frames.priority(1)), MORE)),
    Case("http2/4.3/3", "HEADERS of another stream inside a header block is a PROTOCOL_ERROR.",
         connection_error(unfinished, get_on(3), MORE)),
    Case("http2/5.1/1", "DATA on an idle stream.", connection_error(FOUR)),
    Case("http2/5.1/2", "RST_STREAM on an idle stream.", connection_error(CANCEL)),
    Case("http2/5.1/3", "WINDOW_UPDATE on an idle stream.", connection_error(fixed(frames.window_update(1, 100)))),
    Case("http2/5.1/4", "CONTINUATION on an idle stream.", connection_error(again_as_continuation)),
    Case("http2/5.1/5", "DATA on a half-closed (remote) stream.", stream_error(get, FOUR, code=CLOSED)),
    Case("http2/5.1/6", "HEADERS on a half-closed (remote) stream.", stream_error(get, get, code=CLOSED)),
    Case("http2/5.1/7", "CONTINUATION on a half-closed (remote) stream.",
         stream_error(get, again_as_continuation, code=CLOSED, also=PROTOCOL)),
    Case("http2/5.1/8", "DATA after the client's RST_STREAM.", stream_error(get_open, CANCEL, FOUR, code=CLOSED)),
    Case("http2/5.1/9", "HEADERS after the client's RST_STREAM.", stream_error(get_open, CANCEL, get, code=CLOSED)),
    Case("http2/5.1/10", "CONTINUATION after the client's RST_STREAM.",
         stream_error(get_open, CANCEL, MORE, code=CLOSED, also=PROTOCOL)),
    Case("http2/5.1/11", "DATA after the whole answer.",
         after_the_answer(lambda c: expect.stream_error(c, CLOSED), FOUR)),
    Case("http2/5.1/12", "HEADERS after the whole answer.",
         after_the_answer(lambda c: expect.connection_error(c, CLOSED), get)),
    Case("http2/5.1/13", "CONTINUATION after the whole answer.",
         after_the_answer(lambda c: expect.connection_error(c, CLOSED, PROTOCOL), MORE)),
    Case("http2/5.1.1/1", "A request on an even stream id.", connection_error(get_on(2))),
    Case("http2/5.1.1/2", "A request on a lower stream id than the last one.", connection_error(get_on(5), get_on(3))),
    Case("http2/5.1.2/1", "One stream over the announced limit is refused.", beyond_the_stream_limit),
    Case("http2/5.3.1/1", "HEADERS that depends on its own stream.", stream_error(depends_on_itself)),
    Case("http2/5.3.1/2", "PRIORITY that depends on its own stream.",
         stream_error(fixed(frames.priority(1, parent=1)))),
    Case("http2/5.4.1/1", "After a connection error the TCP connection is closed.", bad_ping_then(expect.closed)),
    Case("http2/5.4.1/2", "A connection error is announced by GOAWAY.", bad_ping_then(expect.goaway), strict=True),
    Case("http2/5.5/1", "An extension frame is ignored.", ponged(UNKNOWN_FRAME)),
    Case("http2/5.5/2", "An extension frame inside a header block is a PROTOCOL_ERROR.",
         connection_error(unfinished_get, UNKNOWN_FRAME)),
]
