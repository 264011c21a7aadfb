"""Checkins and registrations of clients that receive: damaged, huge, or as many as fit."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from pour import flood
from receiver_client import APP, ReceiverID, checkin, proto
from receiving import FORM, clients, form_of, pipelined, registration, request, sender, subscribed
from row import Row, Target, Verdict
from rows_bodies import requests, same
from rows_web_apps import fcm_tokens, registered
from streams import block

CHECKIN = block("POST", "/checkin", ("content-type", "application/x-protobuf"))
LIMIT = 64 << 10
NESTED = b"\x22" * 1000
for _ in range(200):
    NESTED = proto((4, NESTED))
# The number of an id in each wire type; groups; a length that is too large; ends within a field.
DAMAGED = [b"\x10", b"\x10" + b"\xff" * 11, b"\x11\1", b"\x13" * 60_000, b"\x12" + b"\xff" * 9 + b"\1", b"\x15\1", b"\x00\0", b"\x17",
           checkin()[:-1], NESTED, b"\x08\0" * (LIMIT // 2 - 1)]

HUGE_CHECKIN = b"POST /checkin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2097157\r\n\r\n"


def authorized(known: ReceiverID) -> bytes:
    return block("POST", "/c2dm/register3", FORM, ("authorization", known.authorization))


def registering(make: Callable[[], Iterator[bytes]], status: int = 200) -> Callable[[Target], None]:
    """Registrations of the first client, with these forms."""

    def attack(target: Target) -> None:
        header = authorized(clients[0].id)
        requests(lambda _: ((header, body) for body in make()), status)(target)

    return attack


def wrong_forms() -> Iterator[bytes]:
    good = dict(part.split("=") for part in form_of(clients[0].id).decode().split("&"))
    texts = ["", "&" * 5000, "=" * 5000, "%" * 5000, "app", "\0" * 100]
    texts += ["&".join(f"{name}={value}" for name, value in good.items() if name != left) for left in ("app", "device", "sender")]
    texts += ["&".join(f"{name}={value}" for name, value in (good | {name: "x" * 1001}).items()) for name in good]
    return itertools.cycle(text.encode() for text in texts)


def many_fields() -> Iterator[bytes]:
    """Forms of 64 KB whose fields are repeated."""
    return itertools.repeat((b"app=a&" * LIMIT + form_of(clients[0].id))[-LIMIT:].partition(b"&")[2])


def wrong_client(target: Target) -> None:
    requests(same(authorized(ReceiverID(clients[0].id.android, 7)), form_of(clients[0].id)), 401)(target)


def pages() -> Iterator[bytes]:
    return (form_of(clients[0].id, number) for number in itertools.count())


def pages_of_all(target: Target) -> None:
    """New registrations of thousands of clients."""
    each = itertools.cycle([(one.id, authorized(one.id)) for one in clients])
    number = itertools.count(1)
    requests(lambda _: ((header, form_of(known, next(number))) for known, header in each), 200)(target)


def coming_and_going() -> Iterator[bytes]:
    form = form_of(clients[0].id, 1)
    return itertools.cycle([form, form + b"&delete=true"])


def topics() -> Iterator[bytes]:
    token = fcm_tokens[0]
    text = f"app={APP}&X-subtype={token}&device=1&sender={token}&X-gcm.topic=/topics/"
    return itertools.cycle(f"{text}{number}{end}".encode() for number in range(5000) for end in ("", "&delete=1"))


def long_ones() -> Iterator[tuple[ReceiverID, bytes]]:
    """New registrations of thousands of clients, with texts that are as long as they may be."""
    for number in itertools.count():
        for one in clients:
            yield one.id, form_of(one.id, number).replace(b"&device", b"x" * 900 + b"&device").replace(b"app=", b"app=" + b"k" * 900)


def long_registrations(target: Target) -> None:
    requests(lambda _: ((authorized(known), body) for known, body in long_ones()), 200)(target)


def stays_small(target: Target, verdict: Verdict) -> None:
    """30,000 more of them take at most 64 MiB. All clients together would have room for 20,000,000."""
    before = target.gateway.resident_bytes
    for _ in pipelined(target, (registration(known, body) for known, body in itertools.islice(long_ones(), target.scaled(30_000)))):
        pass
    if (grown := target.gateway.resident_bytes - before) > 64 << 20:
        verdict.wrong.append(f"30,000 registrations with long texts took {grown >> 20} MiB")


def answers_no_room(target: Target, verdict: Verdict) -> None:
    """A client that has 1,000 registrations gets no more."""
    known = clients[0].id
    *_, answer = pipelined(target, (registration(known, form_of(known, number)) for number in range(1001)))
    if (answer.status, answer.body) != (200, b"Error=TOO_MANY_REGISTRATIONS"):
        verdict.wrong.append(f"a registration too many was answered {answer.line} {answer.body!r}")


def first_checkins_are_not_refused(target: Target, verdict: Verdict) -> None:
    """Chromium would try again without a pause after 400 or 401. A client that is known keeps its id."""
    (first, again) = pipelined(target, [request("POST", "/checkin", body) for body in (checkin(), checkin(clients[0].id))])
    if first.status not in (200, 503) or again.status != 200:
        verdict.wrong.append(f"checkins were answered {first.line} and, for a known client, {again.line}")


ROWS = [
    Row("register-forms", "Registrations with missing, repeated or huge fields.", registering(wrong_forms), subscribed(1)),
    Row("register-fields", "Registrations with 11,000 fields.", registering(many_fields), subscribed(1)),
    Row("register-wrong-client", "Registrations with a wrong token.", wrong_client, subscribed(1)),
    Row("register-pages", "Registrations of one client, of which 1,000 fit.", registering(pages), subscribed(1), check=answers_no_room),
    Row("register-deletions", "A page that registers and ends its registration.", registering(coming_and_going), subscribed(1)),
    Row("register-topics", "A client that joins and leaves topics.", registering(topics), registered(1)),
    Row("register-clients", "Registrations of 1,000 clients.", pages_of_all, subscribed(1000), growth=100),
    Row("register-long", "Registrations of 1,000 clients with long texts.", long_registrations, subscribed(1000), check=stays_small, workers=2,
        growth=150),
    Row("checkins-huge", "Checkins of 2 MB.", flood(proto((99, b"x" * (2 << 20))), HUGE_CHECKIN)),
    # These leave no room for new clients.
    Row("checkins-damaged", "Checkins that are cut off, deep, or of wrong types.", requests(same(CHECKIN, *DAMAGED)), subscribed(1),
        check=first_checkins_are_not_refused),
    Row("checkins", "First checkins, of which 20,000 fit.", requests(same(CHECKIN, checkin()), None), subscribed(1), workers=2,
        check=first_checkins_are_not_refused),
]
