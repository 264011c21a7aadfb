"""The scenarios: what each client has to send, what goes wrong meanwhile, and what it made of that."""
from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from session import Session

APP = "com.example.app"
BATCH = 100
CROWD = 500
# More than either service takes.
TOO_LONG = 6000
RETRY_AFTER = {"retry-after": "1"}
RECENT_REASONS = [
    {"status": 410, "reason": "ExpiredToken"}, {"status": 403, "reason": "BadEnvironmentKeyInToken"}]


@dataclass(frozen=True)
class Service:
    platform: str
    # The kind of its tokens in a device.
    kind: str
    bad_token: str
    quota: dict[str, Any]
    unavailable: dict[str, Any]
    new_token: Callable[[], str]


SERVICES = {
    "apns": Service(
        "ios", "apns", "a1b2c3d4",
        quota={"status": 429, "reason": "TooManyRequests", "headers": RETRY_AFTER},
        unavailable={"status": 503, "reason": "ServiceUnavailable"},
        new_token=lambda: secrets.token_hex(32)),
    "fcm": Service(
        "android", "fcm", "not-a-token",
        quota={"recorded": "quota-project", "headers": RETRY_AFTER},
        unavailable={"status": 503, "reason": "UNAVAILABLE"},
        new_token=lambda: f"c{secrets.token_hex(10)}:APA91b{secrets.token_hex(67)}"),
}


class Stage:
    """One scenario of one client, from the side of the test."""

    def __init__(self, session: Session, broken: bool) -> None:
        """`broken` leaves out what the scenario is about, so its expectation must not be met."""
        self.session = session
        self.broken = broken
        self.service = SERVICES[session.client.service]
        self._sent: list[tuple[str, str]] = []

    def good_token(self) -> str:
        return self.service.bad_token if self.broken else self.service.new_token()

    def bad_token(self) -> str:
        return self.service.new_token() if self.broken else self.service.bad_token

    def send(self, token: str | None = None, size: int = 0) -> str:
        return self.send_all([token or self.service.new_token()], size)[0]

    def send_all(self, tokens: list[str], size: int = 0) -> list[str]:
        outcomes = self.session.send(tokens, size)
        self._sent += zip(tokens, outcomes)
        return outcomes

    def warm_up(self) -> None:
        """A connection to Apple allows only one stream until its first push has been accepted."""
        if (outcome := self.send()) != "ok":
            raise AssertionError(f"the push before the batch: {outcome}")

    def set_fault(self, effect: dict[str, Any], **rest: Any) -> None:
        if not self.broken:
            self.session.ask("POST", "/faults", {"effect": effect, **rest})

    def expire_credentials(self) -> None:
        if not self.broken:
            self.session.ask("POST", "/credentials/expire", {})

    def device(self) -> tuple[str, str]:
        """The id and the token of a new device."""
        spec = {"platform": self.service.platform, "app": APP}
        device = self.session.ask("POST", "/devices", spec)["devices"][0]
        return device["id"], device["tokens"][self.service.kind]["token"]

    def removed_token(self) -> str:
        """The token of a device whose app was uninstalled."""
        name, token = self.device()
        if not self.broken:
            self.session.ask("POST", f"/devices/{name}/act", {"kind": "uninstall"})
        return token

    def arrived(self) -> int:
        """The number of requests. A push that the client reports as sent must be among them.

        Some clients say only how many pushes of a batch they sent, and not which: as many must be among them.
        """
        messages = self.session.messages()
        accepted = {message["target"].get("token") for message in messages if message["outcome"] == "accepted"}
        lost = [token for token, outcome in self._sent if outcome == "ok" and token not in accepted]
        if lost:
            raise AssertionError(f"{len(lost)} pushes were reported as sent but did not arrive, such as {lost[0]}")
        reported = sum(outcome in {"ok", "unclear"} for _, outcome in self._sent)
        if reported > (arrived := sum(token in accepted for token, _ in self._sent)):
            raise AssertionError(f"{reported} pushes were reported as sent, but only {arrived} arrived")
        return len(messages)


def summary(outcomes: list[str]) -> str:
    """Such as `498 ok, 2 ConnectionError`."""
    counts = sorted(Counter(outcomes).items(), key=lambda item: (item[0] != "ok", -item[1]))
    return ", ".join(f"{count} {outcome}" for outcome, count in counts)


def accepted(stage: Stage) -> str:
    return stage.send(stage.good_token())


def bad_token(stage: Stage) -> str:
    return stage.send(stage.bad_token())


def unregistered(stage: Stage) -> str:
    return stage.send(stage.removed_token())


def expired(stage: Stage) -> str:
    """What the next two pushes get after the client's credentials have expired, and then one of a new client."""
    if (first := stage.send()) != "ok":
        return f"before: {first}"
    stage.expire_credentials()
    outcomes = [stage.send(), stage.send()]
    if outcomes[-1] != "ok":
        stage.session.renew()
        outcomes.append(f"new client: {stage.send()}")
    return "; ".join(outcomes)


def too_large(stage: Stage) -> str:
    return stage.send(size=0 if stage.broken else TOO_LONG)


def quota(stage: Stage) -> str:
    """Every request gets 429 with Retry-After."""
    stage.set_fault({"answer": stage.service.quota})
    return stage.send()


def unavailable(stage: Stage) -> str:
    """One request gets 503, the next ones do not."""
    stage.set_fault({"answer": stage.service.unavailable}, times=1)
    return stage.send()


def goaway(stage: Stage) -> str:
    """In the middle of a batch, a request and all newer ones on its connection get a GOAWAY instead of an answer."""
    stage.warm_up()
    stage.set_fault({"wire": "goawayShutdown"}, nth=BATCH // 2)
    return summary(stage.send_all([stage.service.new_token() for _ in range(BATCH)]))


def concurrent(stage: Stage) -> str:
    stage.warm_up()
    return summary(stage.send_all([stage.good_token() for _ in range(CROWD)]))


def unknown_reason(stage: Stage) -> str:
    """Two pushes get reasons that many clients do not know."""
    outcomes = []
    for answer in RECENT_REASONS:
        stage.set_fault({"answer": answer}, times=1)
        outcomes.append(stage.send())
    return "; ".join(outcomes)


def first_settings(stage: Stage) -> str:
    """Two pushes of a new client, while the first SETTINGS of each connection allow no stream."""
    stage.session.renew()
    stage.set_fault({"firstStreamLimit": 0})
    outcomes = f"{stage.send()}; {stage.send()}"
    hits = sum(fault["fired"] for fault in stage.session.ask("GET", "/faults")["faults"])
    return f"{outcomes} on {hits} connection{'' if hits == 1 else 's'}"


def topics(stage: Stage) -> str:
    """Subscribes a device to a topic, sends to the topic, and unsubscribes the device."""
    name, token = stage.device()
    outcome = stage.session.use_topic("news", stage.service.bad_token if stage.broken else token)
    shade = stage.session.ask("GET", f"/devices/{name}/shade")["shade"]
    return f"{outcome}; {len(shade)} shown"


SCENARIOS: dict[str, Callable[[Stage], str]] = {
    "accepted": accepted, "bad token": bad_token, "unregistered": unregistered, "expired": expired,
    "too large": too_large, "quota": quota, "unavailable": unavailable, "GOAWAY": goaway, "concurrent": concurrent,
    "unknown reason": unknown_reason, "first SETTINGS": first_settings, "topics": topics,
}
# Clients that do not manage topics say nothing about them, and clients of FCM nothing about Apple's peculiarities.
OPTIONAL = {"apns": {"topics"}, "fcm": {"topics", "unknown reason", "first SETTINGS"}}


def play(session: Session, name: str, broken: bool = False) -> tuple[str, str]:
    """What the client made of the scenario, and how many requests arrived."""
    session.prepare()
    stage = Stage(session, broken)
    result = SCENARIOS[name](stage)
    return result, str(stage.arrived())
