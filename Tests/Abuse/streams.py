"""Many requests on one HTTP/2 connection, with as little work in Python as possible."""
from __future__ import annotations

import socket
import time
from collections.abc import Callable

from h2_client import BEARER, encode, frames
from header_block import status_of
from row import APP, Target

HEAD = frames.HEADER_SIZE
FRAME = frames.DEFAULT_FRAME_SIZE
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
        self.asked = self.ended = 0
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
        self.asked += count
        self._next += 2 * count
        return range(first, self._next, 2)

    def send(self, *pieces: bytes) -> None:
        self.socket.sendall(b"".join(pieces))

    def request(self, header: bytes, count: int = 1) -> None:
        self.send(*(frames.headers(stream, header) for stream in self.ids(count)))
        self.target.count_sent(count)

    def post(self, header: bytes, *bodies: bytes) -> None:
        """Requests with these bodies, each of which has to fit into the window of a stream."""
        pieces: list[bytes] = []
        for stream, body in zip(self.ids(len(bodies)), bodies):
            pieces.append(frames.headers(stream, header, end_stream=False))
            for at in range(0, len(body) or 1, FRAME):
                part = body[at : at + FRAME]
                if self.window < len(part):
                    self.send(*pieces)
                    pieces = []
                    self._read(lambda size=len(part): self.window >= size, 30)
                pieces.append(frames.data(stream, part, end=at + FRAME >= len(body)))
                self.window -= len(part)
        self.send(*pieces)
        self.target.count_sent(len(bodies))

    def wait(self, timeout: float = 30) -> None:
        """Reads until all streams have ended. Raises EOFError if the connection ends."""
        self._read(lambda: self.ended >= self.asked, timeout)

    def _read(self, condition: Callable[[], bool], timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while not condition() and time.monotonic() < deadline:
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
        for first in range(0, len(bodies), 100):
            streams.post(header, *bodies[first : first + 100])
            streams.wait()
