"""Error codes and malformed messages (h2spec's http2/7 and http2/8), 20 cases."""
from __future__ import annotations

from typing import Callable

import frames
from cases_generic import fixed, ponged, post
from cases_http2_frames import HELLO
from cases_http2_streams import Run, connection_error, stream_error
from connection import Connection
from expect import Case
from header_block import Field, encode

UNKNOWN_CODE = 0xFF
Change = Callable[[list[Field]], list[Field]]


def request_of(change: Change) -> Run:
    """A GET whose fields were changed; it must be a stream PROTOCOL_ERROR."""
    return stream_error(lambda connection: frames.headers(1, encode(change(connection.target.request()))))


def with_field(name: str, value: str) -> Run:
    return request_of(lambda fields: [*fields, (name, value)])


def without(*names: str) -> Run:
    return request_of(lambda fields: [field for field in fields if field[0] not in names])


def with_second(name: str) -> Run:
    return request_of(lambda fields: [*fields, *[field for field in fields if field[0] == name]])


def empty_path(fields: list[Field]) -> list[Field]:
    return [(name, "" if name == ":path" else value) for name, value in fields]


def trailers(name: str, value: str) -> Run:
    """A POST, some body, then these fields in a HEADERS frame without END_STREAM."""
    more = fixed(frames.data(1, b"test", end=False))
    return stream_error(post, more, fixed(frames.headers(1, encode([(name, value)]), end_stream=False)))


def body_against_length(*bodies: bytes) -> Run:
    """A POST that promised one byte."""
    return stream_error(_post_of_one, *[fixed(body) for body in bodies])


def _post_of_one(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block("POST", ("content-length", "1")), end_stream=False)


def push_promise(connection: Connection) -> bytes:
    return frames.push_promise(1, 3, connection.target.block())


TEST = frames.data(1, b"test")
TEST_AND_MORE = frames.data(1, b"test", end=False)

CASES: list[Case] = [
    Case("http2/7/1", "GOAWAY with an unknown code: a PING is still answered, or the server closes.",
         ponged(fixed(frames.goaway(0, UNKNOWN_CODE)), may_close=True, opaque=HELLO)),
    Case("http2/7/2", "RST_STREAM with an unknown code does no harm.",
         ponged(post, fixed(frames.rst_stream(1, UNKNOWN_CODE)))),
    Case("http2/8.1/1", "A second HEADERS without END_STREAM.", trailers("x-test", "ok")),
    Case("http2/8.1.2/1", "A field name in capitals.", with_field("X-TEST", "ok")),
    Case("http2/8.1.2.1/1", "An unknown pseudo-header.", with_field(":test", "ok")),
    Case("http2/8.1.2.1/2", "A response's pseudo-header.", with_field(":status", "200")),
    Case("http2/8.1.2.1/3", "A pseudo-header in trailers.", trailers(":method", "POST")),
    Case("http2/8.1.2.1/4", "Pseudo-headers after a plain field.",
         request_of(lambda fields: [("x-test", "ok"), *fields])),
    Case("http2/8.1.2.2/1", "A `connection` field.", with_field("connection", "keep-alive")),
    Case("http2/8.1.2.2/2", "`te` with more than `trailers`.",
         request_of(lambda fields: [*fields, ("trailers", "test"), ("te", "trailers, deflate")])),
    Case("http2/8.1.2.3/1", "An empty :path.", request_of(empty_path)),
    Case("http2/8.1.2.3/2", "Neither :method nor :scheme.", without(":method", ":scheme")),
    Case("http2/8.1.2.3/3", "No :scheme.", without(":scheme")),
    Case("http2/8.1.2.3/4", "No :path.", without(":path")),
    Case("http2/8.1.2.3/5", "Two :method.", with_second(":method")),
    Case("http2/8.1.2.3/6", "Two :scheme.", with_second(":scheme")),
    Case("http2/8.1.2.3/7", "Two :path.", with_second(":path")),
    Case("http2/8.1.2.6/1", "More body than content-length, in one DATA frame.", body_against_length(TEST)),
    Case("http2/8.1.2.6/2", "More body than content-length, in two DATA frames.",
         body_against_length(TEST_AND_MORE, TEST)),
    Case("http2/8.2/1", "PUSH_PROMISE from a client.", connection_error(push_promise)),
]
