"""An HTTP/1.1 client for tests that write their requests byte by byte and read the answers one by one."""
from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from gateway import PATIENCE


@dataclass(frozen=True)
class Answer:
    line: str
    fields: list[tuple[str, str]]
    body: bytes

    @property
    def status(self) -> int:
        return int(self.line.split(" ")[1])

    def __getitem__(self, name: str) -> str:
        """The field with this lower-case name, or an empty string; several fields are joined."""
        return ", ".join(value for key, value in self.fields if key == name)


class Connection:
    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.buffer = b""

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, *pieces: bytes | str) -> None:
        self.socket.sendall(b"".join(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces))

    def ask(self, text: str, method: str = "GET") -> Answer:
        """Sends a request without a body, whose lines are separated by LF here, and reads the answer."""
        self.send(text.strip().replace("\n", "\r\n"), "\r\n\r\n")
        return self.read(method)

    def read(self, method: str = "GET") -> Answer:
        """The next answer; one to HEAD has no body."""
        self._until(lambda: b"\r\n\r\n" in self.buffer)
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        line, *rest = head.decode().split("\r\n")
        fields = [(name.lower(), value.strip()) for name, _, value in (text.partition(":") for text in rest)]
        answer = Answer(line, fields, b"")
        if method == "HEAD" or answer.status < 200 or answer.status in (204, 304):
            return answer
        count = int(answer["content-length"])
        return Answer(line, fields, self.take(count))

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        self._until(lambda: len(self.buffer) >= count)
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    @property
    def is_silent(self) -> bool:
        """Whether neither bytes nor the end of the connection have arrived."""
        return not self.buffer and not select.select([self.socket], [], [], 0)[0]

    def read_to_end(self) -> bytes:
        """Everything until the peer closes; a reset raises an error."""
        deadline = time.monotonic() + PATIENCE
        while chunk := self._receive(deadline):
            self.buffer += chunk
        return self.buffer

    def _until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            chunk = self._receive(deadline)
            if not chunk:
                raise EOFError(f"closed after {self.buffer!r}")
            self.buffer += chunk

    def _receive(self, deadline: float) -> bytes:
        self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
        return self.socket.recv(65_536)
