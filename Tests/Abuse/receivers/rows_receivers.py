"""Clients of MCS: connections that never log in, frames that are wrong or too many, readers that do not read."""
from __future__ import annotations

from collections.abc import Callable

from http1_client import Connection
from pour import discard
from receiver_client import (
    CLOSE, IQ, LOGIN, LOGIN_ANSWER, PING, SELECTIVE_ACK, STREAM_ACK, VERSION, ReceiverID, acknowledgement, encrypted, frame,
    login, proto, read_frame, varint)
from receiving import clients, logged_in, pushes, sender, subscribed, web_push
from row import Row, Target, Verdict
from rows_slow import drip
from streams import Streams

# The longest frame.
LONGEST = 256 << 10


def connects(*opened: bytes) -> Callable[[Target], None]:
    """Connections one after the other. The gateway must end each because of what it has sent."""

    def attack(target: Target) -> None:
        for raw in opened * 50:
            with target.connect() as connected:
                connected.sendall(raw)
                target.count_sent()
                discard(connected, 1)

    return attack


def ended(*opened: bytes) -> Callable[[Target, Verdict], None]:
    """Each of these connections is ended, although another one may have waited while the gateway was attacked."""

    def check(target: Target, verdict: Verdict) -> None:
        for raw in opened:
            with target.connect() as connected:
                try:
                    connected.sendall(raw)
                    discard(connected, 5)
                    verdict.wrong.append(f"a connection was not ended after {raw[:40]!r}")
                except (EOFError, ConnectionResetError, BrokenPipeError):
                    pass

    return check


def silent(target: Target) -> None:
    """Holds 1,000 connections until the gateway ends one."""
    opened = target.connections(1000, VERSION)
    opened[0].settimeout(None)
    opened[0].recv(1)


def wrong_logins(target: Target) -> None:
    """Logins of a known client with another token; each is refused with 401."""
    wrong = ReceiverID(clients[0].id.android, 7)
    for _ in range(100):
        with Connection(target.connect()) as connection:
            connection.send(login(wrong))
            target.count_sent()
            if connection.take(1) != VERSION:
                raise AssertionError("the version is wrong")
            tag, fields = read_frame(connection)
            if (tag, fields[3]) != (LOGIN_ANSWER, proto((1, 401), (2, "Authentication failed"))):
                raise AssertionError(f"a wrong login was answered {tag} {fields}")


def two_logins(target: Target) -> None:
    connects(login(clients[0].id) + login(clients[0].id)[1:])(target)


def dripping_frames(target: Target) -> None:
    """500 connections of one client, each with a frame of 256 KB that comes 100 bytes at a time."""
    drip(500, login(clients[0].id) + bytes([IQ]) + varint(LONGEST), b"\x0a\x62" + b"x" * 98)(target)


def many_ids(target: Target) -> None:
    """Logins that say of 25,000 pushes that they have arrived."""
    names = [f"0:{number}" for number in range(LONGEST // 10 - 100)]
    connection = target.connect()
    with connection:
        connection.sendall(login(clients[0].id, names))
        target.count_sent()
        discard(connection, 0.02)


def unread(target: Target) -> None:
    """A client that does not read, while it gets pushes of 4 KB without a pause."""
    with target.connect(receive_buffer=4096) as connected:
        connected.sendall(login(clients[0].id))
        header = web_push(clients[0].token, sender.authorization())
        for _ in pushes(target, header, encrypted(3900)):
            pass


def reconnects(target: Target) -> None:
    """A client that reads its waiting pushes, acknowledges none, and connects again."""
    with target.connect() as connected:
        connected.sendall(login(clients[0].id))
        target.count_sent()
        discard(connected, 0.02)


def waiting_pushes(target: Target) -> None:
    """100 pushes of 4 KB that wait for the client."""
    subscribed(1)(target)
    with Streams(target) as connection:
        connection.post(web_push(clients[0].token, sender.authorization()), *[encrypted(3900)] * 99)
        connection.wait()
        connection.require(201)


def store(target: Target) -> None:
    """Pushes of 4 KB, one after the other to thousands of clients that are away."""
    authorization = sender.authorization()
    with Streams(target) as connection:
        while True:
            for one in clients:
                connection.post(web_push(one.token, authorization), encrypted(3900))
                if not connection.asked % 50:
                    connection.wait()
                    connection.require(201)


def all_log_in(target: Target) -> None:
    """Thousands of clients connect, one after the other, and the pushes that wait are sent to each."""
    for one in clients:
        with target.connect() as connected:
            connected.sendall(login(one.id))
            target.count_sent()
            connected.recv(65_536)


IDS = frame(IQ, proto((2, 1), (3, ""), (7, proto((1, SELECTIVE_ACK), (2, proto((1, "")) * (LONGEST // 2 - 100))))))
LONG_IDS = acknowledgement(SELECTIVE_ACK, b"".join(proto((1, f"0:{number:016}")) for number in range(LONGEST // 20 - 100)))
# As many fields of two bytes as fit into a frame.
FIELDS = frame(PING, b"\x08\x00" * (LONGEST // 2 - 4))
TAGS = [VERSION + bytes([tag, 0]) for tag in (5, 6, 9, 11, 16, 0x80, 0xFF, LOGIN_ANSWER, CLOSE, PING, IQ)]
LENGTHS = [VERSION + bytes([LOGIN]) + length for length in (varint(LONGEST + 1), varint(1 << 63), b"\xff" * 5000)]
DAMAGED = [VERSION + frame(LOGIN, raw) for raw in (
    b"\x0a" + varint(1 << 40) + b"x", b"\x0a\xff", b"\x0b" * 1000, b"\x00", b"\x09\x01", b"\x0d\x01", b"\xff" * 11, b"\x0a\x05ab")]

ROWS = [
    Row("mcs-silent", "1,000 MCS clients that never log in.", silent, workers=2),
    Row("mcs-tags", "Frames with tags that do not exist, and other frames than a login.", connects(*TAGS), check=ended(*TAGS)),
    Row("mcs-lengths", "Lengths of frames that are too large or have no end.", connects(*LENGTHS), check=ended(*LENGTHS)),
    Row("mcs-damaged", "Logins that are not protobuf.", connects(*DAMAGED), check=ended(*DAMAGED)),
    Row("mcs-drips", "500 frames of 256 KB that come in small pieces.", dripping_frames, subscribed(1)),
    Row("mcs-two-logins", "Two logins on each connection.", two_logins, subscribed(1)),
    Row("mcs-wrong-logins", "Logins with a wrong token.", wrong_logins, subscribed(1), workers=2),
    Row("mcs-heartbeats", "Heartbeats.", logged_in(frame(PING) * 50_000), subscribed(1)),
    Row("mcs-heartbeats-unread", "Heartbeats, whose answers are not read.", logged_in(frame(PING) * 200_000, reads=False), subscribed(1)),
    Row("mcs-stream-acks", "Stream acks, each with an answer.", logged_in(acknowledgement(STREAM_ACK, last=1) * 50_000), subscribed(1)),
    Row("mcs-selective-acks", "Acks of 256 KB that name 131,000 empty ids.", logged_in(IDS * 20), subscribed(1)),
    Row("mcs-selective-acks-long", "Acks of 256 KB that name 13,000 unknown ids.", logged_in(LONG_IDS * 20), subscribed(1)),
    Row("mcs-login-ids", "Logins of 256 KB that name 26,000 ids.", many_ids, subscribed(1)),
    Row("mcs-fields", "Heartbeats of 256 KB with 131,000 fields.", logged_in(FIELDS * 20), subscribed(1)),
    Row("mcs-unread", "A client that does not read and gets pushes of 4 KB.", unread, subscribed(1), keeps=False, growth=75),
    Row("mcs-reconnects", "A client that connects again and again, and to which 99 pushes of 4 KB are sent each time.",
        reconnects, waiting_pushes, keeps=False, workers=2),
    Row("mcs-subscriptions", "A client with 1,000 subscriptions that connects again and again.", reconnects, subscribed(1, 1000),
        keeps=False),
    Row("mcs-waiting", "Pushes of 4 KB that wait for 2,000 clients.", store, subscribed(2000), keeps=False, growth=150),
    Row("mcs-logins", "2,000 clients that log in, one after the other.", all_log_in, subscribed(2000), keeps=False, workers=2),
]
