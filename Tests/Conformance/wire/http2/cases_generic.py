"""What any server must simply accept: h2spec's `generic` group, 44 cases."""
from __future__ import annotations

from typing import Callable

import expect
import frames
import header_block as hpack
from connection import Connection
from expect import Case, Failure, describe
from frames import Code, FrameType, Setting

Run = Callable[[Connection], None]


def server_preface(connection: Connection) -> None:
    """Shared with http2/3.5/1: the first frame of all must be the server's own SETTINGS."""
    connection.send(frames.PREFACE, frames.settings((Setting.INITIAL_WINDOW_SIZE, frames.DEFAULT_WINDOW)))
    event = connection.next_event()
    if not (isinstance(event, frames.Frame) and event.kind == FrameType.SETTINGS and not event.is_ack):
        raise Failure("SETTINGS without ACK as the first frame", describe(event))


def answered(*pieces: Callable[[Connection], bytes]) -> Run:
    """A case that sends these frames and wants the response's HEADERS on stream 1."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(*[piece(connection) for piece in pieces])
        expect.answer(connection)

    return run


def ponged(*pieces: Callable[[Connection], bytes], may_close: bool = False, opaque: bytes = bytes(8)) -> Run:
    """A case that sends these frames, then a PING, and wants its answer."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(*[piece(connection) for piece in pieces], frames.ping(opaque))
        (expect.pong_or_close if may_close else expect.pong)(connection, opaque)

    return run


def get(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block())


def get_open(connection: Connection) -> bytes:
    """A GET whose sending side stays open."""
    return frames.headers(1, connection.target.block(), end_stream=False)


def post(connection: Connection) -> bytes:
    return frames.headers(1, connection.target.block("POST"), end_stream=False)


def fixed(raw_bytes: bytes) -> Callable[[Connection], bytes]:
    return lambda connection: raw_bytes


def get_plus(extra: bytes) -> Callable[[Connection], bytes]:
    """A GET whose header block ends with these bytes."""
    return lambda connection: frames.headers(1, connection.target.block() + extra)


def get_after(front: bytes) -> Callable[[Connection], bytes]:
    """A GET whose header block begins with these bytes."""
    return lambda connection: frames.headers(1, front + connection.target.block())


def half_closed(*between: bytes) -> Run:
    """Holds the body back with a window of 0, sends the frames, opens the window by 1, wants DATA."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(frames.settings((Setting.INITIAL_WINDOW_SIZE, 0)), get(connection), *between)
        connection.send(frames.window_update(1, 1))
        expect.first(connection, FrameType.DATA)

    return run


def priority_on_closed(connection: Connection) -> None:
    connection.handshake()
    connection.send(get(connection))
    expect.stream_end(connection)
    connection.send(frames.priority(1), frames.ping())
    expect.pong(connection)


def settings_of_every_kind(connection: Connection) -> None:
    connection.handshake()
    values = [4096, 1, 100, frames.DEFAULT_WINDOW, frames.DEFAULT_FRAME_SIZE, 100]
    connection.send(frames.settings(*zip(Setting, values)))
    expect.settings_ack(connection)


def continued(pieces: int) -> Run:
    """The block of a GET in HEADERS and this many CONTINUATION frames, cut every five bytes."""

    def run(connection: Connection) -> None:
        connection.handshake()
        block = connection.target.block()
        connection.send(frames.headers(1, block[:5], end_headers=False))
        for piece in range(1, pieces):
            connection.send(frames.continuation(1, block[5 * piece : 5 * piece + 5], end=False))
        connection.send(frames.continuation(1, block[5 * pieces :]))
        expect.answer(connection)

    return run


def with_trailers(connection: Connection) -> None:
    connection.handshake()
    block = connection.target.block("POST", ("trailer", "x-test"))
    trailers = hpack.encode([("x-test", "ok")])
    connection.send(frames.headers(1, block, end_stream=False), frames.data(1, b"test", end=False))
    connection.send(frames.headers(1, trailers))
    expect.answer(connection)


def field(shape: hpack.Representation, name: str, indexed_name: bool, huffman: bool) -> Run:
    return answered(get_plus(hpack.literal(name, "pushpit", shape, indexed_name, huffman)))


def _literal_cases() -> list[Case]:
    """generic/5/2 to 13: three representations, the name by index or in full, both with and without Huffman."""
    kinds = [("with incremental indexing", hpack.INCREMENTAL), ("without indexing", hpack.NOT_INDEXED),
             ("never indexed", hpack.NEVER_INDEXED)]
    names = [("a name by index", "user-agent", True), ("a new name", "x-test", False)]
    rows = [(kind, shape, which, name, by_index, coded)
            for kind, shape in kinds for which, name, by_index in names for coded in (False, True)]
    return [Case(f"generic/5/{number}", f"A literal {kind}, {which}{', Huffman coded' * coded}, is read.",
                 field(shape, name, by_index, coded))
            for number, (kind, shape, which, name, by_index, coded) in enumerate(rows, 2)]


FOUR = fixed(frames.data(1, b"test"))
FOUR_MORE = fixed(frames.data(1, b"test", end=False))
OPAQUE = b"pushpit\0"

CASES: list[Case] = [
    Case("generic/1/1", "The server's first frame is its SETTINGS.", server_preface),
    Case("generic/2/1", "PRIORITY on an idle stream does no harm.", ponged(fixed(frames.priority(1)))),
    Case("generic/2/2", "WINDOW_UPDATE on a half-closed (remote) stream lets the body go on.", half_closed()),
    Case("generic/2/3", "PRIORITY on a half-closed (remote) stream does no harm.", half_closed(frames.priority(1))),
    Case("generic/2/4", "RST_STREAM on a half-closed (remote) stream does no harm.",
         ponged(get, fixed(frames.rst_stream(1)), may_close=True)),
    Case("generic/2/5", "PRIORITY on a closed stream does no harm.", priority_on_closed),
    Case("generic/3.1/1", "One DATA frame is a body.", answered(post, FOUR)),
    Case("generic/3.1/2", "Two DATA frames are a body.", answered(post, FOUR_MORE, FOUR)),
    Case("generic/3.1/3", "A padded DATA frame is a body.", answered(post, fixed(frames.data(1, b"test", padding=5)))),
    Case("generic/3.2/1", "HEADERS is a request.", answered(get)),
    Case("generic/3.2/2", "Padded HEADERS is a request.",
         answered(lambda c: frames.headers(1, c.target.block(), padding=8))),
    Case("generic/3.2/3", "HEADERS with priority is a request.",
         answered(lambda c: frames.headers(1, c.target.block(), priority=frames.dependency()))),
    Case("generic/3.3/1", "PRIORITY with the lowest weight.", answered(fixed(frames.priority(1, weight=0)), get)),
    Case("generic/3.3/2", "PRIORITY with the highest weight.", answered(fixed(frames.priority(1)), get)),
    Case("generic/3.3/3", "PRIORITY naming a parent stream.",
         answered(fixed(frames.priority(3, parent=1, weight=0)), get)),
    Case("generic/3.3/4", "PRIORITY with the exclusive bit.",
         answered(fixed(frames.priority(1, weight=0, exclusive=True)), get)),
    Case("generic/3.3/5", "PRIORITY on idle stream 3 leaves stream 1 usable.",
         answered(fixed(frames.priority(3)), get)),
    Case("generic/3.4/1", "RST_STREAM on an open stream does no harm.",
         ponged(get_open, fixed(frames.rst_stream(1)), may_close=True)),
    Case("generic/3.5/1", "SETTINGS with all six parameters is acknowledged.", settings_of_every_kind),
    Case("generic/3.7/1", "PING is answered with its own bytes.", ponged(opaque=OPAQUE)),
    Case("generic/3.8/1", "After a client's GOAWAY the server still answers a PING, or closes.",
         ponged(fixed(frames.goaway(0, Code.NO_ERROR, b"bye")), may_close=True, opaque=OPAQUE)),
    Case("generic/3.9/1", "WINDOW_UPDATE on the connection.", ponged(fixed(frames.window_update(0, 1)))),
    Case("generic/3.9/2", "WINDOW_UPDATE on a stream.", answered(get, fixed(frames.window_update(1, 1)))),
    Case("generic/3.10/1", "A header block in HEADERS and one CONTINUATION.", continued(1)),
    Case("generic/3.10/2", "A header block in HEADERS and two CONTINUATIONs.", continued(2)),
    Case("generic/4/1", "GET is answered.", answered(get)),
    Case("generic/4/2", "HEAD is answered.", answered(lambda c: frames.headers(1, c.target.block("HEAD")))),
    Case("generic/4/3", "POST with a body is answered.", answered(post, FOUR)),
    Case("generic/4/4", "POST with a body and trailers is answered.", with_trailers),
    Case("generic/5/1", "A field by static index is read.", answered(get_plus(hpack.indexed(58)))),
    *_literal_cases(),
    Case("generic/5/14", "One table size update before the fields is obeyed.",
         answered(get_after(hpack.table_size(128)))),
    Case("generic/5/15", "Two table size updates before the fields are obeyed.",
         answered(get_after(hpack.table_size(128) + hpack.table_size(4096)))),
]
