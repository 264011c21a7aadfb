"""Real receivers for attacks: MCS clients with subscriptions, made quickly, and floods over their connections."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from http1_client import Answer, Connection
from pour import flood
from receiver_client import APP, ReceiverID, Sender, checkin, login, proto_fields
from row import Target
from streams import Streams, block

TOGETHER = 50
FORM = ("content-type", "application/x-www-form-urlencoded")


@dataclass(frozen=True)
class Subscribed:
    """A client with one subscription."""

    id: ReceiverID
    token: str


# What `prepare` has made, for the processes of the attack, which begin after it.
clients: list[Subscribed] = []
sender = Sender()


def request(method: str, path: str, body: bytes = b"", *fields: tuple[str, str]) -> bytes:
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body


def pipelined(target: Target, requests: Iterable[bytes]) -> Iterator[Answer]:
    """The answers to these requests, many of which are sent at once."""
    source = iter(requests)
    with Connection(target.connect()) as connection:
        while some := list(itertools.islice(source, TOGETHER)):
            connection.send(*some)
            for _ in some:
                yield connection.read()


def form_of(known: ReceiverID, number: int = 0) -> bytes:
    """A registration; another number is another page."""
    page = f"wp:https://page{number}.example/%231-V2"
    return f"app={APP}&X-subtype={page}&device={known.android}&sender={sender.key}".encode()


def registration(known: ReceiverID, body: bytes) -> bytes:
    return request("POST", "/c2dm/register3", body, FORM, ("authorization", known.authorization))


def check_in(target: Target, count: int) -> list[ReceiverID]:
    answers = pipelined(target, itertools.repeat(request("POST", "/checkin", checkin()), count))
    fields = [dict(proto_fields(answer.body)) for answer in answers]
    return [ReceiverID(int(given[7]), int(given[8])) for given in fields]


def subscribed(count: int, each: int = 1) -> Callable[[Target], None]:
    """Makes so many clients, with so many subscriptions each."""

    def prepare(target: Target) -> None:
        known = [one for one in check_in(target, target.scaled(count)) for _ in range(each)]
        answers = pipelined(target, (registration(one, form_of(one, number % each)) for number, one in enumerate(known)))
        clients[:] = [Subscribed(one, answer.body.decode().removeprefix("token=")) for one, answer in zip(known, answers)]
        if not clients[-1].token.count(":APA91b"):
            raise AssertionError(f"not registered: {clients[-1]}")

    return prepare


def web_push(token: str, authorization: str, *more: tuple[str, str]) -> bytes:
    """The header block of a web push."""
    return block("POST", f"/fcm/send/{token}", ("ttl", "60"), ("content-encoding", "aes128gcm"), ("authorization", authorization), *more)


def logged_in(raw: bytes | Callable[[], bytes], reads: bool = True, times: int = 1) -> Callable[[Target], None]:
    """Sends these bytes after the login of a client, on one connection after the other."""

    def attack(target: Target) -> None:
        flood(raw, login(clients[0].id), times=times, reads=reads)(target)

    return attack


def end_receivers(target: Target) -> None:
    """Deletes what real receivers have subscribed to, which `POST /reset` does not."""
    while found := target.ask("GET", "/subscriptions?limit=1000")["subscriptions"]:
        for answer in pipelined(target, (request("DELETE", f"/api/v1/devices/{one['device']}") for one in found)):
            if answer.status not in (200, 204, 404):
                raise AssertionError(f"{answer.line} {answer.body!r}")


def pushes(target: Target, header: bytes, body: bytes, together: int = 50) -> Iterator[None]:
    """Sends the same web push again and again; yields after some of them."""
    with Streams(target) as connection:
        while True:
            connection.post(header, *[body] * together)
            connection.wait()
            connection.require(201)
            yield
