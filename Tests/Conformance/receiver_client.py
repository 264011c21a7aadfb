"""The client's side of checkin, register3 and MCS, and a sender's side of web push, as bytes that may be wrong."""
from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.utils import base64url_encode

from gateway import PATIENCE, Gateway
from http1_client import Connection

VERSION = bytes([41])
PING, PING_ACK, LOGIN, LOGIN_ANSWER, CLOSE, IQ, DATA = 0, 1, 2, 3, 4, 7, 8
SELECTIVE_ACK, STREAM_ACK = 12, 13
APP = "org.chromium.linux"
HOST = "fcm.googleapis.com"
# Seconds.
DAY = 86_400
JWT = {"typ": "JWT", "alg": "ES256"}


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def proto(*fields: tuple[int, int | bytes | str]) -> bytes:
    """A protobuf message. Texts and messages have the type of bytes; a number is a varint."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            raw = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(raw)) + raw
    return out


def fixed64(number: int, value: int) -> bytes:
    return varint(number << 3 | 1) + value.to_bytes(8, "little")


def proto_fields(raw: bytes) -> list[tuple[int, int | bytes]]:
    """The fields of a message that is correct."""
    found: list[tuple[int, int | bytes]] = []
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = raw[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(raw):
        tag = number()
        if tag & 7 == 0:
            found.append((tag >> 3, number()))
            continue
        size = 8 if tag & 7 == 1 else number()
        piece = raw[at : at + size]
        found.append((tag >> 3, int.from_bytes(piece, "little") if tag & 7 == 1 else piece))
        at += size
    return found


class ReceiverID(NamedTuple):
    android: int
    token: int

    @property
    def authorization(self) -> str:
        return f"AidLogin {self.android}:{self.token}"


def checkin(known: ReceiverID | None = None) -> bytes:
    id_field = proto((2, known.android if known else 0))
    return id_field + proto((4, proto((12, 3))), (14, 3)) + fixed64(13, known.token if known else 0)


def frame(tag: int, body: bytes = b"") -> bytes:
    return bytes([tag]) + varint(len(body)) + body


def login(known: ReceiverID, received: Iterable[str] = ()) -> bytes:
    """The version and a login, as Chromium sends them."""
    body = proto(
        (1, "chrome-156.0.8078.79"), (2, "mcs.android.com"), (3, str(known.android)), (4, str(known.android)),
        (5, str(known.token)), (6, f"android-{known.android:x}"), *((10, name) for name in received), (12, 0), (14, 1))
    return VERSION + frame(LOGIN, body)


def acknowledgement(kind: int, data: bytes = b"", last: int | None = None) -> bytes:
    """A stream ack or a selective ack."""
    upto = [] if last is None else [(10, last)]
    return frame(IQ, proto((2, 1), (3, ""), (7, proto((1, kind), (2, data))), *upto))


def read_frame(connection: Connection) -> tuple[int, dict[int, Any]]:
    """The next frame of a server, without its version: its tag, and the last value of each field."""
    tag = connection.take(1)[0]
    length = shift = 0
    while True:
        byte = connection.take(1)[0]
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return tag, dict(proto_fields(connection.take(length)))


class Answer(NamedTuple):
    status: int
    text: str
    headers: http.client.HTTPMessage


class Caller:
    """Sends requests over one connection."""

    def __init__(self, gateway: Gateway) -> None:
        self._connection = http.client.HTTPConnection(gateway.at().host, gateway.at().port, timeout=PATIENCE)

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def raw(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes, http.client.HTTPMessage]:
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request(method, path, body, {"host": "localhost"} | fields)
        answer = self._connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        status, text, fields = self.raw(method, path, body, **headers)
        return Answer(status, text.decode(), fields)

    def check_in(self, known: ReceiverID | None = None) -> ReceiverID:
        status, body, _ = self.raw("POST", "/checkin", checkin(known), content_type="application/x-protobuf")
        if status != 200:
            raise AssertionError(f"checkin: {status} {body!r}")
        given = dict(proto_fields(body))
        return ReceiverID(int(given[7]), int(given[8]))

    def register(self, known: ReceiverID, sender: str, subtype: str = "wp:https://page.example/#1-V2", app: str = APP) -> str:
        form = f"app={app}&X-subtype={subtype.replace('#', '%23')}&device={known.android}&sender={sender}"
        answer = self.ask("POST", "/c2dm/register3", form.encode(), authorization=known.authorization,
                          content_type="application/x-www-form-urlencoded")
        if not answer.text.startswith("token="):
            raise AssertionError(f"register3: {answer.status} {answer.text}")
        return answer.text.removeprefix("token=")


class Sender:
    """A VAPID key."""

    def __init__(self) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self.point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.key = base64url_encode(self.point).decode()

    def token(self, head: object = None, **changes: object) -> str:
        """A JWT. `claim=None` leaves a claim out."""
        claims: dict[str, object] = {"aud": f"https://{HOST}", "exp": int(time.time()) + 3600, "sub": "mailto:a@example.com"} | changes
        kept = {name: value for name, value in claims.items() if value is not None}
        signed = b".".join(base64url_encode(json.dumps(part).encode()) for part in (JWT if head is None else head, kept))
        r, s = decode_dss_signature(self._private.sign(signed, ec.ECDSA(SHA256())))
        return (signed + b"." + base64url_encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))).decode()

    def authorization(self, **changes: object) -> str:
        return f"vapid t={self.token(**changes)}, k={self.key}"


def encrypted(size: int = 200, salt: bytes = b"s" * 16, record: int = 4096, key: bytes = b"\4" + b"k" * 64) -> bytes:
    """A body that looks like aes128gcm, of `size` bytes after its header."""
    return salt + record.to_bytes(4, "big") + bytes([len(key)]) + key + b"x" * size


def other_signature(text: str) -> str:
    """The same token with another signature of the same length."""
    return text[:-40] + ("A" * 40 if text[-40:] != "A" * 40 else "B" * 40)
