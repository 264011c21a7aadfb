"""State that grows to its limits, and calls that delete much of it."""
from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator

from control import call
from h2_client import BEARER
from row import APP, Row, Target
from rows_bodies import GOOGLE, SEND, requests
from rows_lists import HUNDRED_THOUSAND, asking, bodies
from streams import Streams, block, push_block, push_many



def devices(target: Target, count: int = 100_000) -> None:
    """Makes devices, up to the limit of all devices."""
    for _ in range(count // 10_000):
        wanted = {"platform": "ios", "app": APP, "count": target.scaled(10_000)}
        status, said = call(target.gateway, "POST", "/devices", wanted)
        if status not in (201, 409):
            raise AssertionError(f"{status} {said}")
        target.count_sent()


def some_devices(target: Target) -> None:
    devices(target, 90_000)


def devices_and_reset(target: Target) -> None:
    devices(target)
    target.ask("POST", "/reset", {"app": APP})


def messages_and_deletion(target: Target) -> None:
    push_many(target, bodies(target.scaled(20_000), 600))
    target.ask("DELETE", f"/messages?app={APP}&text=x")
    target.count_sent()


def hundred_thousand(target: Target) -> None:
    push_many(target, bodies(target.scaled(100_000), 600))


def deletions(target: Target) -> None:
    """The first deletes 100,000 messages, and the next ones find nothing."""
    target.ask("DELETE", f"/messages?app={APP}")
    target.count_sent()


def subscribers(target: Target) -> None:
    """10,000 Android phones that are subscribed to a topic."""
    _, said = call(target.gateway, "POST", "/devices", {"platform": "android", "app": APP, "count": target.scaled(10_000)})
    tokens = [device["tokens"]["fcm"]["token"] for device in said["devices"]]
    for first in range(0, len(tokens), 300):
        body = json.dumps({"to": "/topics/crowd", "registration_tokens": tokens[first : first + 300]}).encode()
        with Streams(target) as streams:
            streams.post(block("POST", "/iid/v1:batchAdd", *GOOGLE), body)
            streams.wait()


TOPIC_MESSAGE = json.dumps({"message": {"topic": "crowd", "notification": {"title": "x"}}}).encode()


def topic_messages(_: Target) -> Iterator[tuple[bytes, bytes]]:
    return itertools.repeat((block("POST", SEND, *GOOGLE), TOPIC_MESSAGE))


def made(path: str, make: Callable[[int], object], method: str = "POST", *extra: tuple[str, str]) -> Callable[[Target], None]:
    """Makes one thing after the other, also when the limit is reached."""

    def source(_: Target) -> Iterator[tuple[bytes, bytes]]:
        return ((block(method, path.replace("NUMBER", str(n)), *extra), json.dumps(make(n)).encode()) for n in itertools.count())

    return requests(source)


def full_media(target: Target) -> None:
    """Media up to the limit, under long URLs that differ only at the end."""
    header = block("PUT", "/api/v1/media")
    with Streams(target) as streams:
        for first in range(0, 10_000, 100):
            urls = (f"https://example.com/{'x' * 900}/{n}.png" for n in range(first, first + 100))
            streams.post(header, *(json.dumps({"url": url, "contentType": "image/png"}).encode() for url in urls))
            streams.wait()
            streams.require(204)


def fault(number: int) -> dict[str, object]:
    """A fault that looks at every body and header, and never hits."""
    return {"match": {"headers": {f"x-{number}": "y"}, "body": {"/aps/alert": f"no-{number}"}}, "effect": {"delay": "5s"}}


def thousand_faults(target: Target) -> None:
    for number in range(1000):
        target.ask("POST", "/faults", fault(number), 201)


def matching(target: Target) -> None:
    push_many(target, bodies(1000, 600))
    target.count_sent(1000)


HOSTILE = ["a\r\nb: c", "a\0b", "a\nb", "\x7f", "x" * 10_000, "ä"]


def hostile_faults(target: Target) -> None:
    """Values that are no header values. A push that such a fault answers must not end the process."""
    for value in HOSTILE:
        for answer in ({"contentType": value, "body": "x"}, {"headers": {"x-a": value}}, {"headers": {value: "x"}}):
            effect = {"answer": {"status": 503, **answer}}
            target.ask("POST", "/faults", {"match": {"app": APP}, "effect": effect}, 400)
    for request in (b"HTTP/1.1\r\nHost: localhost\r\napns-topic: com.example.attack\r\nContent-Length: 2\r\n\r\n{}",):
        with target.connect() as connected:
            connected.sendall(b"POST /3/device/" + b"0" * 64 + b" " + request)
            connected.recv(65_536)
    push_many(target, bodies(10, 100))
    target.ask("DELETE", "/faults", status=204)
    target.count_sent()


def rotating(target: Target) -> None:
    """Replaces tokens until as many old ones are kept as possible."""
    target.ask("POST", "/devices", {"platform": "ios", "app": "com.example.rotated", "id": "rotated"}, 201)
    with Streams(target) as streams:
        for provider in ("apns", "fcm"):
            body = json.dumps({"op": "rotate", "provider": provider}).encode()
            for _ in range(target.scaled(99)):
                streams.post(block("POST", "/api/v1/devices/rotated/tokens"), *[body] * 100)
                streams.wait()
        streams.require(200)


def devices_beside_old_tokens(target: Target) -> None:
    devices(target, 10_000)
    target.ask("POST", "/reset", {"app": APP})


def delaying(effect: str) -> Callable[[Target], None]:
    def prepare(target: Target) -> None:
        target.ask("POST", "/faults", {"match": {"app": APP}, "effect": {"delay": effect}}, 201)

    return prepare


def delayed_answers(target: Target) -> None:
    """20,000 answers that are due together."""
    opened = [Streams(target) for _ in range(20)]
    for _ in range(10):
        for connection in opened:
            connection.post(push_block("0" * 64), *bodies(100, 100))
    for connection in opened:
        connection.wait()
        connection.socket.close()


def clock_advances(target: Target) -> None:
    """10,000 answers that a call makes due."""
    opened = [Streams(target) for _ in range(10)]
    while True:
        for connection in opened:
            connection.post(push_block("0" * 64), *bodies(1000, 100))
        target.ask("POST", "/clock", {"advance": "30s"})
        for connection in opened:
            connection.wait()
        target.ask("POST", "/clock", {"set": "now"})


CHANNEL = f"/1/apps/{APP}/channels"

ROWS = [
    Row("devices-and-reset", "100,000 devices, and a reset of all of them.", devices_and_reset, resets=True, keeps=False,
        # 52 MiB: the list of devices keeps its 100,000 entries of 544 bytes for other devices. 23 MiB: a call whose
        # client has gone still makes its 10,000 devices, after the reset.
        growth=80),
    Row("devices-and-old-tokens", "10,000 devices and a reset of them, while 20,000 old tokens of another device are kept.",
        devices_beside_old_tokens, rotating, resets=True, keeps=False),
    Row("devices-lists", "Lists of 1,000 of 90,000 devices.", asking("/api/v1/devices?limit=1000", "/api/v1/devices?app=none&limit=1000", streams=20),
        some_devices),
    Row("devices-filters", "Filters that match none of 90,000 devices.", asking("/api/v1/devices?app=none", streams=20), some_devices),
    Row("tracking-lists", "Lists of tracking.", asking("/api/v1/tracking?limit=1000", "/api/v1/credentials", streams=50)),
    Row("messages-and-deletion", "20,000 messages, and a search that deletes them.", messages_and_deletion, arguments=("--keep-messages", "40000"), keeps=False, resets=True),
    Row("delete-100000", "The deletion of 100,000 messages.", deletions, hundred_thousand, arguments=HUNDRED_THOUSAND),
    Row("topic-messages", "Messages to a topic with 10,000 devices.", requests(topic_messages, together=2), subscribers, keeps=False),
    Row("topics", "Topics up to the limit.", made("/api/v1/topics/tNUMBER/devices/d1", lambda n: None, "PUT")),
    Row("channels", "Channels up to the limit.",
        made(CHANNEL, lambda n: {"message-storage-policy": 1, "push-type": "LiveActivity"}, "POST", BEARER)),
    Row("media-lists", "Pages of 10,000 URLs with media.", asking("/api/v1/media?limit=1", streams=20), full_media, resets=True),
    Row("media", "Media up to the limit.", made("/api/v1/media", lambda n: {"url": f"https://example.com/{n}.png", "contentType": "image/png"}, "PUT"), resets=True),
    Row("faults", "Faults up to the limit.", made("/api/v1/faults", fault)),
    Row("faults-matched", "1,000 faults that look at each push.", matching, thousand_faults, keeps=False),
    Row("faults-hostile", "Faults with values that are no header values.", hostile_faults, keeps=False),
    Row("delayed-answers", "20,000 answers that a fault delays, and that are due together.", delayed_answers, delaying("2s"), keeps=False),
    Row("clock-advance", "10,000 delayed answers, and a call that moves the clock to their time.", clock_advances, delaying("30s"), keeps=False),
]
