"""Web pushes whose signatures or bodies are wrong, and autopush, over which Firefox receives."""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator

from jwt.utils import base64url_encode

from autopush_client import OPENING, AutopushSocket, hello, message, register
from pour import flood
from receiver_client import Sender, encrypted
from receiving import clients, pushes, sender, subscribed, web_push
from row import Row, Target
from rows_bodies import requests
from rows_sockets import filled
from streams import block
from websocket_frames import TEXT, frame

BODY = encrypted()


def pushing(make: Callable[[], Iterator[tuple[str, bytes]]], status: int) -> Callable[[Target], None]:
    """Web pushes to the first client: each an authorization and a body."""

    def attack(target: Target) -> None:
        token = clients[0].token
        requests(lambda _: ((web_push(token, authorization), body) for authorization, body in make()), status)(target)

    return attack


def wrong_claims() -> Iterator[tuple[str, bytes]]:
    changes: list[dict[str, object]] = [
        {"exp": value} for value in (None, "soon", 0, -1, 1 << 62, 9e99, [], {"a": 1})]
    changes += [{"aud": value} for value in (None, 1, "", "https://", "https://other.example", "x" * 3000, ["https://fcm.googleapis.com"])]
    changes += [{"head": value} for value in ({"alg": "none"}, {"alg": "HS256"}, {"typ": "JWT"}, [], "x", {"alg": ["ES256"]})]
    return itertools.cycle([(sender.authorization(**change), BODY) for change in changes])


def wrong_signatures() -> Iterator[tuple[str, bytes]]:
    signed, _, _ = sender.token().rpartition(".")
    for _ in itertools.count():
        yield f"vapid t={signed}.{base64url_encode(os.urandom(64)).decode()}, k={sender.key}", BODY


def huge_tokens() -> Iterator[tuple[str, bytes]]:
    """Tokens of 7 KB: many members, deep claims, and parts that are not base64."""
    wide = sender.authorization(**{f"c{number}": 1 for number in range(450)})
    deep = base64url_encode(b'{"aud":' + b"[" * 2500 + b"]" * 2500 + b"}").decode()
    return itertools.cycle([(text, BODY) for text in (
        wide.replace(", k=", "x, k="), f"vapid t=a.{deep}.a, k={sender.key}", f"vapid t={'.' * 7000}, k={sender.key}",
        f"vapid t={'=' * 7000}, k={sender.key}", f"vapid {'t=a,' * 1700}", "vapid " + ", " * 3000, f"vapid t=a.b.c, k={'B' * 7000}")])


def other_keys() -> Iterator[tuple[str, bytes]]:
    """Signatures that are right, by 2,000 keys that the page does not know."""
    return itertools.cycle([(Sender().authorization(), BODY) for _ in range(2000)])


def odd_bodies() -> Iterator[tuple[str, bytes]]:
    """Bodies that no browser can decrypt. Google's service does not look at them."""
    authorization = sender.authorization()
    bodies = [encrypted(record=size) for size in (0, 1, 17, 1 << 31)]
    bodies += [encrypted(key=b""), encrypted(key=b"k" * 255), encrypted(salt=b""), encrypted()[:20], b"x", b""]
    return itertools.cycle([(authorization, body) for body in bodies])


def good(*more: tuple[str, str], size: int = 3900) -> Callable[[Target], None]:
    def attack(target: Target) -> None:
        header = web_push(clients[0].token, sender.authorization(), *more)
        requests(lambda _: itertools.repeat((header, encrypted(size))), 201)(target)

    return attack


def autopush(raw: bytes, reads: bool = True) -> Callable[[Target], None]:
    """Sends these bytes after hello."""
    return flood(raw, OPENING + hello(), reads=reads)


def greeted(target: Target, receive_buffer: int = 0, **more: object) -> tuple[AutopushSocket, str]:
    """A socket after hello, and the id of its client."""
    connection = AutopushSocket(target.connect(receive_buffer))
    target.count_sent()
    return connection, connection.ask(hello(**more))["uaid"]


def broken_messages(target: Target) -> None:
    """Each message ends its socket with 1011."""
    for text in (b"{", b"[]", b"nul", b'"x"', b"\xff", b'{"a":1}{', b'{"messageType":"register"}', b'{"messageType":"hello"}' * 2):
        with AutopushSocket(target.connect()) as connection:
            connection.send(frame(TEXT, text))
            target.count_sent()
            if connection.close_code() not in (1007, 1011):
                raise AssertionError(f"{text!r} did not close its socket")


def stolen(target: Target) -> None:
    """200 sockets that say hello with the id of one client."""
    owner, uaid = greeted(target)
    owner.ask(register(0))
    while True:
        others = [greeted(target, uaid=uaid) for _ in range(200)]
        if {same for _, same in others} != {uaid}:
            raise AssertionError("a client lost its id")
        for connection, _ in others:
            connection.close()


def new_clients(target: Target) -> None:
    for connection, _ in [greeted(target) for _ in range(100)]:
        connection.close()


def unread(target: Target) -> None:
    """A client that does not read, while it gets pushes of 4 KB without a pause. Its socket is closed in the end."""
    connection, _ = greeted(target, receive_buffer=4096)
    with connection:
        endpoint = connection.ask(register(1))["pushEndpoint"]
        header = block("POST", "/wpush" + endpoint.partition("/wpush")[2], ("ttl", "60"), ("content-encoding", "aes128gcm"))
        for _ in zip(range(40), pushes(target, header, encrypted(3900))):
            pass


# 1 MiB of acks of unknown pushes.
ACKS = b'{"messageType":"ack","updates":[' + b'{"version":"0"},' * 65_000
ACKS = frame(TEXT, ACKS[:-1] + b"]}")
DEEP_HELLO = frame(TEXT, b'{"messageType":"hello","a":' + b"[" * 50_000)

ROWS = [
    Row("vapid-claims", "Web pushes with each claim wrong.", pushing(wrong_claims, 403), subscribed(1)),
    Row("vapid-signatures", "Web pushes with wrong signatures.", pushing(wrong_signatures, 403), subscribed(1), workers=2),
    Row("vapid-huge", "Web pushes with tokens of 7 KB.", pushing(huge_tokens, 403), subscribed(1)),
    Row("vapid-keys", "Web pushes that are signed with 2,000 other keys.", pushing(other_keys, 403), subscribed(1), workers=2),
    Row("web-push-bodies", "Web pushes with a wrong salt, record size or key.", pushing(odd_bodies, 201), subscribed(1), keeps=False),
    Row("web-push-stored", "Web pushes of 4 KB to a client that is away.", good(), subscribed(1), keeps=False, growth=75),
    Row("web-push-topics", "Web pushes that each replace the one before.", good(("topic", "t")), subscribed(1), keeps=False, growth=75),
    Row("autopush-broken", "Messages that are not JSON objects, or come before hello.", broken_messages),
    Row("autopush-deep", "Messages of 100,000 brackets.", flood(filled(100_000, 0x5B) * 50, OPENING)),
    Row("autopush-deep-hello", "A hello with 50,000 brackets.", flood(DEEP_HELLO * 20, OPENING)),
    Row("autopush-huge", "A message of 16 MB.", autopush(filled(16 << 20, 0x78))),
    Row("autopush-pings", "Pings, each with an answer.", autopush(message() * 50_000)),
    Row("autopush-pings-unread", "Pings, whose answers are not read.", autopush(message() * 200_000, reads=False)),
    Row("autopush-acks", "Messages of 1 MiB that acknowledge 65,000 unknown pushes.", autopush(ACKS * 10)),
    Row("autopush-nacks", "Nacks of unknown pushes.", autopush(message(messageType="nack", version="0", code=301) * 20_000)),
    Row("autopush-unregisters", "Unregistrations of unknown channels.",
        autopush(message(messageType="unregister", channelID="0" * 1000) * 10_000)),
    Row("autopush-hellos", "New clients without subscriptions.", new_clients, workers=2),
    Row("autopush-stolen", "200 sockets that say hello with the id of one client.", stolen, keeps=False),
    Row("autopush-unread", "A client that does not read and gets pushes of 4 KB.", unread, keeps=False, growth=75),
    Row("autopush-registers", "Clients that register 1,100 channels, of which 1,000 fit.", autopush(b"".join(register(number) for number in range(1100))), keeps=False, growth=100),
]
