"""Many requests on one HTTP/2 connection, with as little work in Python as possible."""
from __future__ import annotations

import socket
import time

from h2_client import BEARER, encode, frames
from header_block import status_of
from row import APP, Target

HEAD = frames.HEADER_SIZE
END_STREAM = 1


def block(method: str, path: str, *extra: tuple[str, str]) -> bytes:
    pseudo = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "localhost")]
    return encode([*pseudo, *extra])


def push_block(token: str) -> bytes:
    return block("POST", f"/3/device/{token}", ("apns-topic", APP), BEARER)


class Streams:
    """A connection whose answers are only counted. The windows are as large as possible unless `window` is given."""

    def __init__(self, target: Target, window: int = frames.MAX_WINDOW, receive_buffer: int = 0) -> None:
        self.target = target
        self.socket: socket.socket = target.connect(receive_buffer)
        self.ended = 0
        # The status of the first answer.
        self.status: int | None = None
        self.window = frames.DEFAULT_WINDOW
        self._next = 1
        self._rest = b""
        opening = frames.PREFACE + frames.settings((frames.Setting.INITIAL_WINDOW_SIZE, window))
        if window > frames.DEFAULT_WINDOW:
            opening += frames.window_update(0, frames.MAX_WINDOW - frames.DEFAULT_WINDOW)
        self.socket.sendall(opening + frames.settings(ack=True))

    def __enter__(self) -> Streams:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def ids(self, count: int) -> range:
        """The ids of the next streams."""
        first = self._next
        self._next += 2 * count
        return range(first, self._next, 2)

    def send(self, *pieces: bytes) -> None:
        self.socket.sendall(b"".join(pieces))

    def request(self, header: bytes, count: int = 1) -> None:
        self.send(*(frames.headers(stream, header) for stream in self.ids(count)))
        self.target.did(count)

    def post(self, header: bytes, *bodies: bytes) -> None:
        """Requests with these bodies, which together have to fit into the window of the connection."""
        self.send(*(
            frames.headers(stream, header, end_stream=False) + frames.data(stream, body)
            for stream, body in zip(self.ids(len(bodies)), bodies)))
        self.window -= sum(map(len, bodies))
        self.target.did(len(bodies))

    def wait(self, count: int, timeout: float = 30) -> None:
        """Reads until that many streams have ended in all, or until the connection ends."""
        deadline = time.monotonic() + timeout
        while self.ended < count and time.monotonic() < deadline:
            chunk = self.socket.recv(1 << 18)
            if not chunk:
                raise EOFError("the gateway closed the connection")
            self._count(self._rest + chunk)

    def require(self, status: int) -> None:
        """The first answer had this status; otherwise the test does not attack what it means to."""
        if self.status != status:
            raise AssertionError(f"the first answer has the status {self.status}, not {status}")

    def _count(self, buffer: bytes) -> None:
        at = 0
        while at + HEAD <= len(buffer):
            size = int.from_bytes(buffer[at : at + 3], "big")
            if at + HEAD + size > len(buffer):
                break
            kind, flags = buffer[at + 3], buffer[at + 4]
            if kind == 1 and self.status is None:
                self.status = status_of(buffer[at + HEAD : at + HEAD + size])
            if kind == 3 or kind < 2 and flags & END_STREAM:
                self.ended += 1
            elif kind == 8 and not int.from_bytes(buffer[at + 5 : at + 9], "big"):
                self.window += int.from_bytes(buffer[at + HEAD : at + HEAD + 4], "big")
            elif kind == 7:
                raise EOFError("the gateway said GOAWAY")
            at += HEAD + size
        self._rest = buffer[at:]


def push_many(target: Target, bodies: list[bytes], token: str = "0" * 64) -> None:
    """Sends these pushes and waits for their answers."""
    header = push_block(token)
    with Streams(target) as streams:
        while bodies:
            fitting = max(1, min(100, streams.window // max(map(len, bodies[:100]))))
            some, bodies = bodies[:fitting], bodies[fitting:]
            streams.post(header, *some)
            streams.wait(streams.ended + len(some))
