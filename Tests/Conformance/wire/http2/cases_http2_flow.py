"""Flow control (h2spec's http2/6.5.3/1 and http2/6.9), 10 cases.

Half of them need an answer with a body to `GET path`: 1 byte, for http2/6.9.2/2 at least 5.
"""
from __future__ import annotations

from typing import Callable

import expect
import frames
from cases_generic import fixed, get, get_open
from cases_http2_streams import connection_error, stream_error
from connection import Connection, body_length
from expect import Case, Skipped
from frames import Code, FrameType, Setting

MOST = frames.MAX_WINDOW


def window(size: int) -> bytes:
    return frames.settings((Setting.INITIAL_WINDOW_SIZE, size))


def need_body(connection: Connection, least: int) -> None:
    length = body_length(connection.target)
    if length < least:
        raise Skipped(f"GET {connection.target.path} answers with {length} bytes of body, {least} needed")


def one_byte_after(settings: bytes) -> Callable[[Connection], None]:
    """With these SETTINGS acknowledged, the first DATA frame must be one byte long."""

    def run(connection: Connection) -> None:
        need_body(connection, 1)
        connection.handshake()
        connection.send(settings)
        expect.settings_ack(connection)
        connection.send(get(connection))
        expect.data_of(connection, 1)

    return run


def window_opened_later(connection: Connection) -> None:
    need_body(connection, 1)
    connection.handshake()
    connection.send(window(0))
    expect.settings_ack(connection)
    connection.send(get(connection), window(1))
    expect.data_of(connection, 1)


def negative_window(connection: Connection) -> None:
    """3 bytes are sent, the window of 3 becomes one of 2 (so -1), and 2 more make it 1."""
    need_body(connection, 5)
    connection.handshake()
    connection.send(window(3))
    expect.settings_ack(connection)
    connection.send(get(connection))
    expect.first(connection, FrameType.DATA)
    connection.send(window(2))
    expect.settings_ack(connection)
    connection.send(frames.window_update(1, 2))
    expect.data_of(connection, 1)


def connection_window_overflow(connection: Connection) -> None:
    connection.handshake()
    connection.send(frames.window_update(0, MOST), frames.window_update(0, MOST))
    expect.goaway(connection, Code.FLOW_CONTROL_ERROR)


def stream_window_overflow(connection: Connection) -> None:
    connection.handshake()
    connection.send(get_open(connection), frames.window_update(1, MOST), frames.window_update(1, MOST))
    expect.reset(connection, 1, Code.FLOW_CONTROL_ERROR)


TWICE = frames.settings((Setting.INITIAL_WINDOW_SIZE, 100), (Setting.INITIAL_WINDOW_SIZE, 1))
SHORT_UPDATE = fixed(frames.frame(FrameType.WINDOW_UPDATE, 0, 0, b"\0\0\x01"))

CASES: list[Case] = [
    Case("http2/6.5.3/1", "Of two values for one parameter the last one counts.", one_byte_after(TWICE)),
    Case("http2/6.9/1", "WINDOW_UPDATE of 0 on the connection.", connection_error(fixed(frames.window_update(0, 0)))),
    Case("http2/6.9/2", "WINDOW_UPDATE of 0 on a stream.", stream_error(get_open, fixed(frames.window_update(1, 0)))),
    Case("http2/6.9/3", "WINDOW_UPDATE of three bytes.", connection_error(SHORT_UPDATE, code=Code.FRAME_SIZE_ERROR)),
    Case("http2/6.9.1/1", "With a window of 1 one byte is sent.", one_byte_after(window(1))),
    Case("http2/6.9.1/2", "A connection window over 2^31-1 must be answered by GOAWAY.", connection_window_overflow),
    Case("http2/6.9.1/3", "A stream window over 2^31-1 must be answered by RST_STREAM.", stream_window_overflow),
    Case("http2/6.9.2/1", "A later INITIAL_WINDOW_SIZE enlarges the windows of open streams.", window_opened_later),
    Case("http2/6.9.2/2", "A negative window must become positive before more DATA.", negative_window),
    Case("http2/6.9.2/3", "INITIAL_WINDOW_SIZE over 2^31-1.",
         connection_error(fixed(window(2**31)), code=Code.FLOW_CONTROL_ERROR)),
]
