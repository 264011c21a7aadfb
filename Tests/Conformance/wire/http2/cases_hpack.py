"""Header blocks that must not decode: h2spec's `hpack` group, 8 cases."""
from __future__ import annotations

from typing import Callable

import expect
import frames
import header_block as hpack
from connection import Connection
from expect import Case
from frames import Code, Setting


def undecodable(after: bytes = b"", before: bytes = b"") -> Callable[[Connection], None]:
    """A GET whose block has these bytes around it must be a COMPRESSION_ERROR of the connection."""

    def run(connection: Connection) -> None:
        connection.handshake()
        connection.send(frames.headers(1, before + connection.target.block() + after))
        expect.connection_error(connection, Code.COMPRESSION_ERROR)

    return run


def table_too_large(connection: Connection) -> None:
    connection.handshake()
    allowed = connection.settings.get(Setting.HEADER_TABLE_SIZE, 4096)
    connection.send(frames.headers(1, hpack.table_size(allowed + 1) + connection.target.block()))
    expect.connection_error(connection, Code.COMPRESSION_ERROR)


def field_with_value(raw_bytes: bytes) -> bytes:
    """`x-test` with a value given as Huffman bytes."""
    return hpack.integer(0, hpack.NOT_INDEXED) + hpack.string("x-test", huffman=True) + hpack.huffman_bytes(raw_bytes)


TEST = hpack.huffman_bits("test")
LONG_PADDING = hpack.bits_to_bytes(TEST) + b"\xff"
ZERO_PADDING = hpack.bits_to_bytes(TEST, filler="0")
WITH_EOS = hpack.bits_to_bytes(hpack.huffman_bits("tes") + hpack.EOS + hpack.huffman_bits("t"))

CASES: list[Case] = [
    Case("hpack/2.3.3/1", "An index beyond both tables.", undecodable(hpack.indexed(70))),
    Case("hpack/2.3.3/2", "A literal whose name index is beyond both tables.",
         undecodable(hpack.integer(70, hpack.INCREMENTAL) + hpack.string(""))),
    Case("hpack/4.2/1", "A table size update after the fields.", undecodable(hpack.table_size(1))),
    Case("hpack/5.2/1", "Huffman code with a whole byte of padding.", undecodable(field_with_value(LONG_PADDING))),
    Case("hpack/5.2/2", "Huffman code padded with zeros.", undecodable(field_with_value(ZERO_PADDING))),
    Case("hpack/5.2/3", "Huffman code with EOS inside.", undecodable(field_with_value(WITH_EOS))),
    Case("hpack/6.1/1", "Index 0.", undecodable(hpack.indexed(0))),
    Case("hpack/6.3/1", "A table size update above SETTINGS_HEADER_TABLE_SIZE.", table_too_large),
]
