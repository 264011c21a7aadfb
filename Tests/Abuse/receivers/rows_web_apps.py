"""Firebase's calls of web apps, and messages to them: wrong, huge, or as many as fit."""
from __future__ import annotations

import itertools
import json
from collections.abc import Callable

from receiver_client import APP
from receiving import clients, pipelined, registration, request, sender, subscribed
from row import Row, Target
from rows_bodies import GOOGLE, SEND, requests, same
from streams import Streams, block

PROJECT = "/v1/projects/attack"
KEY = ("x-goog-api-key", "any")


def installing(**more: object) -> bytes:
    return json.dumps({"fid": "", "appId": "1:9:web:a", "authVersion": "FIS_v2", "sdkVersion": "w:0.6.17"} | more).encode()


# What a registration of a web app needs: the auth tokens of an installation.
auth_tokens: list[str] = []


def web_apps(count: int) -> Callable[[Target], None]:
    """So many clients with a subscription, and an installation that is the same for all."""

    def prepare(target: Target) -> None:
        subscribed(count)(target)
        (answer,) = pipelined(target, [request("POST", f"{PROJECT}/installations", installing(), KEY)])
        auth_tokens[:] = [json.loads(answer.body)["authToken"]["token"]]

    return prepare


def web(token: str) -> bytes:
    place = f"https://fcm.googleapis.com/fcm/send/{token}"
    return json.dumps({"web": {"endpoint": place, "auth": "YWFhYWFhYWFhYWFhYWFhYQ", "p256dh": sender.key}}).encode()


def registration_header(method: str = "POST", more: str = "") -> bytes:
    return block(method, f"{PROJECT}/registrations{more}", KEY, ("x-goog-firebase-installations-auth", auth_tokens[0]))


def web_registrations(target: Target) -> None:
    """Each subscription is registered again and again, so most of them only change."""
    bodies = itertools.cycle([web(one.token) for one in clients])
    requests(lambda _: ((registration_header(), body) for body in bodies), 200)(target)


def wrong_web_registrations(target: Target) -> None:
    bodies = itertools.cycle([b"", b"[" * 60_000, b"{" * 60_000, web("unknown"), web("x" * 60_000), b'{"web":[]}'])
    requests(lambda _: ((registration_header(), body) for body in bodies), 400)(target)


def registered(count: int, topic: bool = False) -> Callable[[Target], None]:
    """So many web apps with an FCM token, which may be subscribed to the topic `attack`."""

    def prepare(target: Target) -> None:
        web_apps(count)(target)
        fields = (KEY, ("x-goog-firebase-installations-auth", auth_tokens[0]))
        answers = pipelined(target, (request("POST", f"{PROJECT}/registrations", web(one.token), *fields) for one in clients))
        fcm_tokens[:] = [json.loads(answer.body)["token"] for answer in answers]
        wishes = [(one.id, f"app={APP}&device=1&sender={token}&X-gcm.topic=/topics/attack") for one, token in zip(clients, fcm_tokens)]
        for answer in pipelined(target, (registration(known, text.encode()) for known, text in wishes if topic)):
            if not answer.body.startswith(b"token="):
                raise AssertionError(f"{answer.line} {answer.body!r}")

    return prepare


fcm_tokens: list[str] = []


def messages(**to: str) -> Callable[[Target], None]:
    """Messages of 4 KB to the first web app, or to this place. Each has to be encrypted for each of its receivers."""

    def attack(target: Target) -> None:
        message = {"message": (to or {"token": fcm_tokens[0]}) | {"data": {"x": "x" * 3500}}}
        requests(same(block("POST", SEND, *GOOGLE), json.dumps(message).encode()), 200, together=5)(target)

    return attack


def fill(header: bytes, make: Callable[[int], bytes]) -> Callable[[Target], None]:
    """Calls that each take up room, also when the gateway is full."""

    def attack(target: Target) -> None:
        with Streams(target) as connection:
            for start in itertools.count(0, 50):
                connection.post(header, *(make(number) for number in range(start, start + 50)))
                connection.wait()

    return attack


def churn(target: Target) -> None:
    """Installations with long ids that are made and deleted."""
    for start in itertools.count(0, 100):
        names = [f"{number:01000}" for number in range(start, start + 100)]
        made = pipelined(target, [request("POST", f"{PROJECT}/installations", installing(fid=name), KEY) for name in names])
        tokens = [json.loads(answer.body)["refreshToken"] for answer in made]
        ended = [request("DELETE", f"{PROJECT}/installations/{name}", b"", KEY, ("authorization", f"FIS_v2 {token}"))
                 for name, token in zip(names, tokens, strict=True)]
        for answer in pipelined(target, ended):
            if answer.status != 200:
                raise AssertionError(f"{answer.line} {answer.body!r}")
            target.count_sent()


INSTALL = block("POST", f"{PROJECT}/installations", KEY)

ROWS = [
    Row("web-registrations", "Registrations of 1,000 web apps.", web_registrations, web_apps(1000), keeps=False),
    Row("web-registrations-wrong", "Registrations of web apps that are wrong or deep.", wrong_web_registrations, web_apps(1)),
    Row("web-messages", "Messages of FCM to a web app, each of which is encrypted.", messages(), registered(1), keeps=False, growth=75),
    Row("web-messages-topic", "Messages to a topic of 200 web apps.", messages(topic="attack"), registered(200, topic=True),
        keeps=False, growth=150),
    Row("installations-churn", "Installations that are made and deleted.", churn, growth=20),
    Row("installations-huge", "Installations with long ids, of which 20,000 fit.",
        fill(INSTALL, lambda number: installing(fid=f"{number:01000}", appId="a" * 1000)), growth=100),
]
