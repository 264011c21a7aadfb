"""WebSocket frames as bytes: written for clients, well-formed or not, and read from servers."""
from __future__ import annotations

from typing import NamedTuple

from http1_client import Connection

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = bytes([1, 2, 3, 4])


class Frame(NamedTuple):
    opcode: int
    payload: bytes

    @property
    def code(self) -> int:
        return int.from_bytes(self.payload[:2], "big")


def frame(
    opcode: int, payload: bytes = b"", final: bool = True, masked: bool = True, reserved: int = 0,
    claims: int | None = None
) -> bytes:
    """`claims` is a declared length that differs from the payload's."""
    length = len(payload) if claims is None else claims
    bit = 0x80 if masked else 0
    if length < 126:
        size = bytes([bit | length])
    elif length < 1 << 16:
        size = bytes([bit | 126]) + length.to_bytes(2, "big")
    else:
        size = bytes([bit | 127]) + length.to_bytes(8, "big")
    body = bytes(byte ^ MASK[index % 4] for index, byte in enumerate(payload)) if masked else payload
    return bytes([final << 7 | reserved << 4 | opcode]) + size + (MASK if masked else b"") + body


def read_frame(connection: Connection) -> Frame:
    """The next frame of a server, which is never masked."""
    head = connection.take(2)
    length = head[1]
    if length == 126:
        length = int.from_bytes(connection.take(2), "big")
    elif length == 127:
        length = int.from_bytes(connection.take(8), "big")
    return Frame(head[0] & 15, connection.take(length))
