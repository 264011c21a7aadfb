"""The client's side of autopush, over which Firefox receives. Its messages may be wrong."""
from __future__ import annotations

import json
import socket
from typing import Any

from device_client import handshake
from http1_client import Connection
from websocket_frames import CLOSE, TEXT, frame, read_frame

OPENING = handshake("GET / HTTP/1.1", sec_websocket_protocol="push-notification").replace("\n", "\r\n").encode() + b"\r\n\r\n"


def message(**fields: object) -> bytes:
    """A message in a frame."""
    return frame(TEXT, json.dumps(fields).encode())


def hello(**more: object) -> bytes:
    return message(messageType="hello", use_webpush=True, broadcasts={}, **more)


def channel(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def register(number: int, **more: object) -> bytes:
    return message(**{"messageType": "register", "channelID": channel(number)} | more)


class AutopushSocket:
    """An open WebSocket. Its client has not said hello yet."""

    def __init__(self, connected: socket.socket) -> None:
        self._connection = Connection(connected)
        self._connection.send(OPENING)
        if (status := self._connection.read().status) != 101:
            raise AssertionError(f"no WebSocket: {status}")

    def __enter__(self) -> AutopushSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection without a Close frame."""
        self._connection.socket.close()

    def send(self, *frames: bytes) -> None:
        self._connection.send(*frames)

    def receive(self) -> dict[str, Any]:
        got = read_frame(self._connection)
        if got.opcode != TEXT:
            raise AssertionError(f"a frame {got.opcode} and no message: {got.payload!r}")
        return json.loads(got.payload)

    def ask(self, raw: bytes) -> dict[str, Any]:
        self.send(raw)
        return self.receive()

    def close_code(self) -> int:
        """The code of the next frame, which must close the socket."""
        got = read_frame(self._connection)
        if got.opcode != CLOSE:
            raise AssertionError(f"a frame {got.opcode} and no end: {got.payload!r}")
        return got.code
