"""An HTTP/2 client that shows every frame, made with the writers of `wire/http2/frames.py`, and collects answers by stream."""
from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import hpack
import jwt
from cryptography.hazmat.primitives.asymmetric import ec

sys.path.insert(0, str(Path(__file__).parent / "wire/http2"))
import frames  # noqa: E402
import header_block  # noqa: E402, F401
from frames import Code, Flag, Frame, FrameType, Setting  # noqa: E402, F401
from header_block import Field, encode  # noqa: E402

from gateway import PATIENCE, TOKEN, TOPIC, Gateway  # noqa: E402


def provider_token(gateway: Gateway | None = None, age: int = 0) -> str:
    """Signed with the gateway's key. Without a gateway it is signed with an unknown key, which `--auth lenient` accepts."""
    key, key_id, team = ec.generate_private_key(ec.SECP256R1()), "FGHIJ67890", "ABCDE12345"
    if gateway:
        apns = gateway.description["apns"]
        key, key_id, team = Path(apns["key"]).read_bytes(), apns["keyId"], apns["teamId"]
    return jwt.encode({"iss": team, "iat": int(time.time()) - age}, key, "ES256", headers={"kid": key_id})


BEARER = ("authorization", f"bearer {provider_token()}")
BODY = b'{"aps":{"alert":"Hello"}}'


@dataclass
class Answer:
    """What came on one stream, in order."""

    frames: list[Frame] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return int(self.fields.get(":status", "0"))

    @property
    def body(self) -> bytes:
        return b"".join(frame.payload for frame in self.frames if frame.kind == FrameType.DATA)

    @property
    def kinds(self) -> list[int]:
        return [frame.kind for frame in self.frames]

    @property
    def reset(self) -> int | None:
        return next((frame.code for frame in self.frames if frame.kind == FrameType.RST_STREAM), None)

    @property
    def is_done(self) -> bool:
        return self.reset is not None or any(frame.ends_stream for frame in self.frames)


class Client:
    """One connection. `frames` has every received frame in order."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.frames: list[Frame] = []
        self.answers: dict[int, Answer] = {}
        self.window = frames.DEFAULT_WINDOW
        self._acknowledged = 0
        self._buffer = bytearray()
        self._decoder = hpack.Decoder()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, *pieces: bytes) -> None:
        self.socket.settimeout(PATIENCE)
        self.socket.sendall(b"".join(pieces))

    def start(self, acknowledge: bool = True) -> Frame:
        """Preface and SETTINGS; the server's first frame."""
        self.send(frames.PREFACE, frames.settings())
        self.wait(lambda: bool(self.frames))
        if acknowledge:
            self.acknowledge()
        return self.frames[0]

    def acknowledge(self) -> None:
        """Acknowledges every SETTINGS frame that is not acknowledged yet."""
        while self._acknowledged < len(self.limits):
            self.send(frames.settings(ack=True))
            self._acknowledged += 1

    def wait(self, condition: Callable[[], bool]) -> None:
        """Reads until the condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self._read_frame(deadline)

    def answer(self, stream: int) -> Answer:
        self.wait(lambda: stream in self.answers and self.answers[stream].is_done)
        return self.answers[stream]

    def ping(self) -> None:
        """Waits until the server has read everything that was sent before."""
        opaque = len(self.frames).to_bytes(8, "big")
        self.send(frames.ping(opaque))
        self.wait(lambda: any(f.kind == FrameType.PING and f.payload == opaque for f in self.frames))

    def _read_frame(self, deadline: float) -> None:
        while (found := frames.take_frame(self._buffer)) is None:
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            chunk = self.socket.recv(65_536)
            if not chunk:
                raise EOFError(f"closed after {[str(frame) for frame in self.frames[-6:]]}")
            self._buffer += chunk
        self.frames.append(found)
        if found.kind == FrameType.WINDOW_UPDATE and found.stream == 0:
            self.window += int.from_bytes(found.payload, "big")
        elif found.stream:
            self._collect(found)

    def _collect(self, found: Frame) -> None:
        answer = self.answers.setdefault(found.stream, Answer())
        answer.frames.append(found)
        if found.kind == FrameType.HEADERS:
            answer.fields |= dict(self._decoder.decode(found.payload))

    def stream_window(self, stream: int) -> int:
        """How many bytes may be sent on a stream in total, by the WINDOW_UPDATE frames for it."""
        answer = self.answers.get(stream, Answer())
        updates = [frame.payload for frame in answer.frames if frame.kind == FrameType.WINDOW_UPDATE]
        return frames.DEFAULT_WINDOW + sum(int.from_bytes(payload, "big") for payload in updates)

    @property
    def limits(self) -> list[int]:
        """Every stream limit that the server has announced, oldest first."""
        settings = [f.settings for f in self.frames if f.kind == FrameType.SETTINGS and not f.is_ack]
        return [values[Setting.MAX_CONCURRENT_STREAMS] for values in settings]


def fields(
    *extra: Field, token: str = TOKEN, bearer: bool | str = True, named: list[Field] | None = None, topic: str = TOPIC
) -> list[Field]:
    """The header of a device push; `named` may be `host` instead of `:authority`, or empty."""
    pseudo = [(":method", "POST"), (":scheme", "https"), (":path", f"/3/device/{token}")]
    host = [(":authority", "localhost")] if named is None else named
    shown = [BEARER] if bearer is True else [("authorization", f"bearer {bearer}")] if bearer else []
    return [*pseudo, *host, ("apns-topic", topic), *shown, *extra]


def get(stream: int, path: str = "/livez") -> bytes:
    """A GET of one of Pushpit's own pages."""
    pseudo = [(":method", "GET"), (":scheme", "https"), (":path", path), (":authority", "localhost")]
    return frames.headers(stream, encode(pseudo))


def push(
    stream: int, *extra: Field, token: str = TOKEN, bearer: bool | str = True, body: bytes = BODY, topic: str = TOPIC
) -> bytes:
    block = encode(fields(*extra, token=token, bearer=bearer, topic=topic))
    return frames.headers(stream, block, end_stream=False) + frames.data(stream, body)
