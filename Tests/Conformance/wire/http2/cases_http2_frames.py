"""Frames that are wrong in themselves or out of place (h2spec's http2/6 without flow control), 32 cases."""
from __future__ import annotations

import expect
import frames
from cases_generic import FOUR, answered, fixed, get, ponged
from cases_http2_streams import (
    CANCEL, MORE, Piece, Run, connection_error, dummies, get_on, stream_error, unfinished, unfinished_get,
)
from connection import Connection
from expect import Case
from frames import Code, Flag, FrameType, Setting

SIZE = Code.FRAME_SIZE_ERROR
HELLO = b"pushpit\0"
MORE_TO_COME = fixed(frames.continuation(1, dummies(), end=False))
MORE_ON_ZERO = fixed(frames.continuation(0, dummies()))


def raw(kind: FrameType, payload: bytes, stream: int = 0, flags: int = 0) -> Piece:
    return fixed(frames.frame(kind, flags, stream, payload))


def post_on_closed_side(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block("POST"))


def post_of_four(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block("POST", ("content-length", "4")), end_stream=False)


def unfinished_post(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block("POST"), end_stream=False, end_headers=False)


def overpadded_headers(connection: Connection) -> bytes:
    """The pad length is one more than all that follows it."""
    block = connection.target.block()
    flags = Flag.END_STREAM | Flag.END_HEADERS | Flag.PADDED
    return frames.frame(FrameType.HEADERS, flags, 1, bytes([len(block) + 1]) + block)


def setting(key: int, value: int, code: Code) -> Run:
    return connection_error(fixed(frames.settings((key, value))), code=code)


def settings_acknowledged(connection: Connection) -> None:
    connection.handshake()
    connection.send(frames.settings((Setting.ENABLE_PUSH, 0)))
    expect.settings_ack(connection)


OVERPADDED_DATA = raw(FrameType.DATA, b"\x06Test", 1, Flag.END_STREAM | Flag.PADDED)

CASES: list[Case] = [
    Case("http2/6.1/1", "DATA on stream 0.", connection_error(fixed(frames.data(0, b"test")))),
    Case("http2/6.1/2", "DATA on a stream whose request has ended.",
         stream_error(post_on_closed_side, FOUR, code=Code.STREAM_CLOSED)),
    Case("http2/6.1/3", "DATA with more padding than payload.", connection_error(post_of_four, OVERPADDED_DATA)),
    Case("http2/6.2/1", "HEADERS without END_HEADERS, then PRIORITY.",
         connection_error(unfinished, fixed(frames.priority(1)), MORE)),
    Case("http2/6.2/2", "HEADERS without END_HEADERS, then HEADERS of another stream.",
         connection_error(unfinished, get_on(3), MORE)),
    Case("http2/6.2/3", "HEADERS on stream 0.", connection_error(get_on(0))),
    Case("http2/6.2/4", "HEADERS with more padding than payload.", stream_error(overpadded_headers)),
    Case("http2/6.3/1", "PRIORITY on stream 0.", connection_error(fixed(frames.priority(0)))),
    Case("http2/6.3/2", "PRIORITY of four bytes.",
         stream_error(get, raw(FrameType.PRIORITY, b"\x80\0\0\x01", 1), code=SIZE)),
    Case("http2/6.4/1", "RST_STREAM on stream 0.", connection_error(fixed(frames.rst_stream(0)))),
    Case("http2/6.4/2", "RST_STREAM on an idle stream.", connection_error(CANCEL)),
    Case("http2/6.4/3", "RST_STREAM of three bytes.",
         stream_error(get, raw(FrameType.RST_STREAM, bytes(3), 1), code=SIZE)),
    Case("http2/6.5/1", "SETTINGS with ACK and a payload.",
         connection_error(raw(FrameType.SETTINGS, b"\0", flags=Flag.ACK), code=SIZE)),
    Case("http2/6.5/2", "SETTINGS on a stream.",
         connection_error(raw(FrameType.SETTINGS, b"\0\x03\0\0\0\x64", stream=1))),
    Case("http2/6.5/3", "SETTINGS whose length is no multiple of six.",
         stream_error(raw(FrameType.SETTINGS, b"\0\x03\0"), code=Code.PROTOCOL_ERROR, also=SIZE)),
    Case("http2/6.5.2/1", "ENABLE_PUSH of 2.", setting(Setting.ENABLE_PUSH, 2, Code.PROTOCOL_ERROR)),
    Case("http2/6.5.2/2", "INITIAL_WINDOW_SIZE over 2^31-1.",
         setting(Setting.INITIAL_WINDOW_SIZE, 2**31, Code.FLOW_CONTROL_ERROR)),
    Case("http2/6.5.2/3", "MAX_FRAME_SIZE below 2^14.", setting(Setting.MAX_FRAME_SIZE, 16_383, Code.PROTOCOL_ERROR)),
    Case("http2/6.5.2/4", "MAX_FRAME_SIZE over 2^24-1.", setting(Setting.MAX_FRAME_SIZE, 2**24, Code.PROTOCOL_ERROR)),
    Case("http2/6.5.2/5", "An unknown parameter is ignored.", ponged(fixed(frames.settings((0xFF, 1))))),
    Case("http2/6.5.3/2", "SETTINGS is acknowledged at once.", settings_acknowledged),
    Case("http2/6.7/1", "PING is answered with its own bytes.", ponged(opaque=HELLO)),
    Case("http2/6.7/2", "PING with ACK is not answered.",
         ponged(fixed(frames.ping(b"unwanted", ack=True)), opaque=HELLO)),
    Case("http2/6.7/3", "PING on a stream.", connection_error(fixed(frames.ping(stream=1)))),
    Case("http2/6.7/4", "PING of six bytes.", connection_error(raw(FrameType.PING, bytes(6)), code=SIZE)),
    Case("http2/6.8/1", "GOAWAY on a stream.", connection_error(raw(FrameType.GOAWAY, bytes(8), stream=1))),
    Case("http2/6.10/1", "Two CONTINUATIONs after HEADERS, 8 kB of fields, are a request.",
         answered(unfinished_get, MORE_TO_COME, MORE)),
    Case("http2/6.10/2", "CONTINUATION without END_HEADERS, then DATA.",
         connection_error(unfinished_post, MORE_TO_COME, FOUR)),
    Case("http2/6.10/3", "CONTINUATION on stream 0.", connection_error(unfinished_get, MORE_ON_ZERO)),
    Case("http2/6.10/4", "CONTINUATION after a HEADERS that was complete.", connection_error(get, MORE)),
    Case("http2/6.10/5", "CONTINUATION after a CONTINUATION that was the last.",
         connection_error(unfinished_get, MORE, MORE)),
    Case("http2/6.10/6", "DATA inside a header block, then CONTINUATION.",
         connection_error(unfinished_post, FOUR, MORE_TO_COME, MORE_ON_ZERO)),
]
