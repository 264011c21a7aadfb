"""One client connection to the server under test: connect, write bytes, read events."""
from __future__ import annotations

import select
import socket
import ssl
import time
from dataclasses import dataclass
from enum import Enum

import frames
from frames import Frame, FrameType, Setting
from header_block import Field, encode


class End(Enum):
    """What can happen on a connection other than a frame."""

    CLOSED = "connection closed"
    CUT = "connection closed inside a frame (or the bytes were no frames)"
    RESET = "connection reset (TCP RST)"
    TIMEOUT = "timeout"


class Sent(Enum):
    """How much of a flood the server accepted."""

    ALL = "all sent"
    STALLED = "the server stopped reading"
    BROKEN = "the server closed while it was sent"


Event = Frame | End


@dataclass(frozen=True)
class Target:
    """Where the server is and what to ask it for."""

    host: str
    port: int
    tls: bool = False
    path: str = "/"
    timeout: float = 2.0

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"

    def request(self, method: str = "GET", *extra: Field) -> list[Field]:
        scheme = "https" if self.tls else "http"
        pseudo = [(":method", method), (":scheme", scheme), (":path", self.path), (":authority", self.authority)]
        return [*pseudo, *extra]

    def block(self, method: str = "GET", *extra: Field) -> bytes:
        return encode(self.request(method, *extra))


def _tls_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context


TLS_CONTEXT = _tls_context()


class Connection:
    """A connected socket with HTTP/2's flow-control bookkeeping for what the server sends."""

    def __init__(self, target: Target, receive_buffer: int = 0) -> None:
        self.target = target
        self.settings: dict[int, int] = {}
        self.ended: End | None = None
        self._buffer = bytearray()
        self._consumed: dict[int, int] = {}
        self._socket = self._connect(receive_buffer)

    def _connect(self, receive_buffer: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.target.host else socket.AF_INET
        plain = socket.socket(family, socket.SOCK_STREAM)
        if receive_buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.settimeout(self.target.timeout)
        plain.connect((self.target.host, self.target.port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._wrap(plain) if self.target.tls else plain

    def _wrap(self, plain: socket.socket) -> socket.socket:
        wrapped = TLS_CONTEXT.wrap_socket(plain, server_hostname=self.target.host)
        if wrapped.selected_alpn_protocol() != "h2":
            raise OSError("the server did not select h2 by ALPN")
        return wrapped

    def send(self, *pieces: bytes) -> bool:
        """Writes each piece separately. Returns False after the server has closed; reading then shows how."""
        try:
            self._socket.settimeout(self.target.timeout)
            for piece in pieces:
                self._socket.sendall(piece)
            return True
        except OSError:
            return False

    def flood(self, raw_bytes: bytes, seconds: float) -> Sent:
        """Writes without reading for at most this time, and returns how much the server accepted."""
        deadline = time.monotonic() + seconds
        view = memoryview(raw_bytes)
        try:
            while view:
                self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
                view = view[self._socket.send(view[:65_536]) :]
            return Sent.ALL
        except TimeoutError:
            return Sent.STALLED
        except OSError:
            return Sent.BROKEN

    def wait_unread(self, count: int, seconds: float) -> None:
        """Until the kernel holds that many unread bytes, the server has closed the connection, or the time has passed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)
        select.select([self._socket], [], [], seconds)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)

    def handshake(self, *pairs: tuple[int, int]) -> None:
        """Preface, SETTINGS both ways and both ACKs."""
        own = pairs or ((Setting.INITIAL_WINDOW_SIZE, frames.DEFAULT_WINDOW),)
        self.send(frames.PREFACE, frames.settings(*own))
        acknowledged = announced = False
        while not (acknowledged and announced):
            event = self.next_event()
            if isinstance(event, End):
                raise HandshakeFailed(event)
            if event.kind != FrameType.SETTINGS:
                continue
            if event.is_ack:
                acknowledged = True
            else:
                announced = True
                self.settings |= event.settings
                self.send(frames.settings(ack=True))

    def next_event(self, timeout: float | None = None) -> Event:
        """The next frame, or how the connection ended. After an end it stays ended."""
        if self.ended:
            return self.ended
        deadline = time.monotonic() + (self.target.timeout if timeout is None else timeout)
        while True:
            if found := frames.take_frame(self._buffer):
                self._credit(found)
                return found
            if ended := self._fill(deadline):
                self.ended = ended
                return ended

    def _fill(self, deadline: float) -> End | None:
        try:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            chunk = self._socket.recv(65_536)
        except TimeoutError:
            return End.TIMEOUT
        except OSError:
            return End.RESET
        self._buffer += chunk
        if chunk:
            return None
        return End.CUT if self._buffer else End.CLOSED

    def _credit(self, found: Frame) -> None:
        """Gives back 64 KiB of window each time that much was received, as a plain client does."""
        if found.kind != FrameType.DATA:
            return
        for stream in (found.stream, 0):
            used = self._consumed.get(stream, 0) + len(found.payload)
            if used >= frames.DEFAULT_WINDOW:
                self.send(frames.window_update(stream, used))
                used = 0
            self._consumed[stream] = used

    @property
    def max_frame_size(self) -> int:
        return self.settings.get(Setting.MAX_FRAME_SIZE, frames.DEFAULT_FRAME_SIZE)

    def close(self) -> None:
        self._socket.close()


class HandshakeFailed(Exception):
    """The server did not finish the exchange of SETTINGS."""

    def __init__(self, end: End) -> None:
        super().__init__(f"{end.value} during the exchange of SETTINGS")


def body_length(target: Target) -> int:
    """How many bytes the server answers a plain GET with; the flow-control cases need some."""
    connection = Connection(target)
    try:
        connection.handshake()
        connection.send(frames.headers(1, target.block()))
        total = 0
        while isinstance(event := connection.next_event(), Frame):
            if event.kind == FrameType.DATA:
                total += len(event.payload)
            if event.ends_stream:
                return total
        raise HandshakeFailed(event)
    finally:
        connection.close()
