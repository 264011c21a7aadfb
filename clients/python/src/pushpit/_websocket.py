"""The client's side of WebSocket (RFC 6455) over asyncio's streams, as far as a device socket needs it."""
from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import ssl
from dataclasses import dataclass
from typing import Mapping

from .errors import PushpitError, SocketClosed

# RFC 6455, section 1.3.
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
MOST_BYTES = 16 * 1024 * 1024
HANDSHAKE = 10.0


@dataclass(frozen=True)
class Frame:
    """One frame from the server."""

    is_last: bool
    opcode: int
    payload: bytes


def encoded(opcode: int, payload: bytes, mask: bytes) -> bytes:
    """A frame of a client, which has to be masked with four random bytes."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 0x10000:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return bytes([0x80 | opcode]) + length + mask + masked(payload, mask)


def masked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


async def read_frame(reader: asyncio.StreamReader) -> Frame:
    first, second = await reader.readexactly(2)
    if first & 0x70 or second & 0x80:
        raise SocketClosed(1002, "the gateway sent a frame that is masked or has reserved bits")
    size = second & 0x7F
    if size >= 126:
        size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
    if size > MOST_BYTES:
        raise SocketClosed(1009, f"the gateway sent a frame of {size} bytes")
    return Frame(bool(first & 0x80), first & 0x0F, await reader.readexactly(size))


class WebSocket:
    """An open connection. Messages are texts; pings are answered while a message is awaited."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @staticmethod
    async def connect(
        host: str, port: int, path: str, *, protocol: str, fields: Mapping[str, str], context: ssl.SSLContext | None
    ) -> WebSocket:
        try:
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
        except OSError as error:
            raise PushpitError(f"the gateway at {host}:{port} does not answer: {error}") from error
        socket = WebSocket(reader, writer)
        try:
            await asyncio.wait_for(socket._shake_hands(f"[{host}]" if ":" in host else host, port, path, {
                "sec-websocket-protocol": protocol, **fields}), HANDSHAKE)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError) as error:
            await socket._hang_up()
            raise PushpitError(f"the gateway at {host}:{port} does not open a socket: {error!r}") from error
        except PushpitError:
            await socket._hang_up()
            raise
        return socket

    async def _shake_hands(self, host: str, port: int, path: str, fields: Mapping[str, str]) -> None:
        key = base64.b64encode(os.urandom(16))
        lines = [
            f"GET {path} HTTP/1.1", f"host: {host}:{port}", "connection: Upgrade", "upgrade: websocket",
            "sec-websocket-version: 13", f"sec-websocket-key: {key.decode()}",
            *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        status, *rows = head.decode("latin-1").split("\r\n")
        answered = {row.partition(":")[0].strip().lower(): row.partition(":")[2].strip() for row in rows}
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        if status.split(" ")[1:2] != ["101"] or answered.get("sec-websocket-accept") != accept:
            raise PushpitError(f"the gateway at {host}:{port} refuses a socket at {path}: {status}")

    async def send(self, text: str) -> None:
        await self._send(TEXT, text.encode())

    async def _send(self, opcode: int, payload: bytes) -> None:
        self._writer.write(encoded(opcode, payload, os.urandom(4)))
        await self._writer.drain()

    async def receive(self) -> str:
        """The next message. Raises SocketClosed at the end of the connection."""
        parts: list[bytes] = []
        while True:
            try:
                frame = await read_frame(self._reader)
            except (asyncio.IncompleteReadError, OSError):
                raise SocketClosed(1006, "the connection ended") from None
            if frame.opcode == PING:
                await self._send(PONG, frame.payload)
            elif frame.opcode == CLOSE:
                code = int.from_bytes(frame.payload[:2], "big") if len(frame.payload) >= 2 else 1005
                raise SocketClosed(code, frame.payload[2:].decode(errors="replace"))
            elif frame.opcode in (TEXT, CONTINUATION):
                parts.append(frame.payload)
                if sum(map(len, parts)) > MOST_BYTES:
                    raise SocketClosed(1009, "the gateway sent a message that is too long")
                if frame.is_last:
                    return b"".join(parts).decode()
            elif frame.opcode != PONG:
                raise SocketClosed(1003, f"the gateway sent a frame with the opcode {frame.opcode}")

    async def close(self) -> None:
        """Says goodbye and closes the connection."""
        try:
            await self._send(CLOSE, (1000).to_bytes(2, "big"))
        except OSError:
            pass
        await self._hang_up()

    async def _hang_up(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass
