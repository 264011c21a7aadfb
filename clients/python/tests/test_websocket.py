"""The frames of a server that does what the gateway seldom does."""
from __future__ import annotations

import asyncio
import base64
import hashlib
from typing import Awaitable, Callable

import pytest

from pushpit import PushpitError, SocketClosed
from pushpit._websocket import GUID, MOST_BYTES, WebSocket, encoded, masked, read_frame

Server = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def server_frame(opcode: int, payload: bytes, is_last: bool = True) -> bytes:
    assert len(payload) < 126
    return bytes([(0x80 if is_last else 0) | opcode, len(payload)]) + payload


async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    key = next(line for line in head.split(b"\r\n") if line.startswith(b"sec-websocket-key: ")).split(b": ")[1]
    answer = base64.b64encode(hashlib.sha1(key + GUID).digest())
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + answer + b"\r\n\r\n")


def talk(serve: Server, client: Callable[[WebSocket], Awaitable[None]]) -> None:
    async def session() -> None:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await serve(reader, writer)
            finally:
                writer.close()

        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            socket = await WebSocket.connect("127.0.0.1", port, "/", protocol="x", fields={}, context=None)
            await client(socket)
            await socket.close()
        finally:
            server.close()

    asyncio.run(asyncio.wait_for(session(), 10))


def test_fragments_are_joined_and_pings_are_answered_between_them() -> None:
    answered: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await accept(reader, writer)
        writer.write(server_frame(1, b"Hel", False) + server_frame(9, b"ping") + server_frame(0, b"lo"))
        answered.append(await reader.readexactly(2 + 4 + 4))

    async def client(socket: WebSocket) -> None:
        assert await socket.receive() == "Hello"
        with pytest.raises(SocketClosed, match="1006"):
            await socket.receive()

    talk(serve, client)
    [pong] = answered
    assert pong[:2] == bytes([0x8A, 0x84])
    assert masked(pong[6:], pong[2:6]) == b"ping"


@pytest.mark.parametrize(("frame", "code"), [
    (server_frame(8, (4001).to_bytes(2, "big") + b"unknown"), 4001), (server_frame(8, b""), 1005),
    (server_frame(2, b"binary"), 1003), (bytes([0xC1, 0]), 1002), (bytes([0x81, 0x80]), 1002),
    (bytes([0x81, 127]) + (MOST_BYTES + 1).to_bytes(8, "big"), 1009),
])
def test_frames_that_end_the_connection(frame: bytes, code: int) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await accept(reader, writer)
        writer.write(frame)
        await reader.read()

    async def client(socket: WebSocket) -> None:
        with pytest.raises(SocketClosed) as ending:
            await socket.receive()
        assert ending.value.code == code

    talk(serve, client)


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 403 Forbidden\r\n\r\n", b"HTTP/1.1 101 Switching Protocols\r\nsec-websocket-accept: x\r\n\r\n",
])
def test_a_server_that_does_not_open_a_socket_is_an_error(answer: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)

    async def client(socket: WebSocket) -> None:
        raise AssertionError("it was opened")

    with pytest.raises(PushpitError, match="refuses a socket at /: HTTP/1.1 (403 Forbidden|101)"):
        talk(serve, client)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_frames_of_each_length_can_be_read_back(size: int) -> None:
    async def session() -> None:
        payload, mask = bytes(index % 251 for index in range(size)), b"\x01\x02\x03\xff"
        frame = encoded(1, payload, mask)
        header = len(frame) - size - 4
        assert masked(frame[-size:] if size else b"", mask) == payload
        reader = asyncio.StreamReader()
        reader.feed_data(frame[:1] + bytes([frame[1] & 0x7F]) + frame[2:header] + payload)
        assert (await read_frame(reader)).payload == payload

    asyncio.run(session())
