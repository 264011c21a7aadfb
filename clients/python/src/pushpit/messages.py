"""Pushes as the gateway recorded them, and what people see on a phone."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from json import dumps
from typing import Any, Callable, Sequence

from ._names import remedy_here
from ._values import parsed_time


@dataclass(frozen=True)
class Finding:
    """What is wrong with a push, or could be better."""

    rule: str
    severity: str
    path: str
    message: str


@dataclass(frozen=True)
class Message:
    """A push that was sent to the gateway. `json` has all members that docs/api.md describes."""

    id: str
    seq: int
    time: datetime
    provider: str
    app: str
    project: str | None
    # What it was sent to: one member, named token, fid, topic, condition or channel.
    target: dict[str, str]
    # The ids of the devices that it was for.
    devices: list[str]
    outcome: str
    status: int
    reason: str | None
    findings: list[Finding]
    # The names are in lower case. If a field was sent twice, the last value counts.
    headers: dict[str, str]
    # The JSON value, or a string if the body is not JSON.
    body: Any
    json: dict[str, Any]

    @staticmethod
    def parse(json: dict[str, Any]) -> Message:
        request = json["request"]
        findings = [Finding(row["rule"], row["severity"], row["path"], row["message"]) for row in json["findings"]]
        return Message(
            json["id"], json["seq"], parsed_time(json["time"]), json["provider"], json["app"], json.get("project"),
            {name: value for name, value in json["target"].items() if value is not None}, json["devices"],
            json["outcome"], json["status"], json.get("reason"), findings,
            {name.lower(): value for name, value in request["headers"]}, request["body"], json)

    @property
    def title(self) -> str | None:
        """The title of its notification, or an iPhone's alert that is one text."""
        return _text(self.body, ("aps", "alert", "title"), ("message", "notification", "title"), ("aps", "alert"))

    @property
    def text(self) -> str | None:
        """The text below the title of its notification."""
        return _text(self.body, ("aps", "alert", "body"), ("message", "notification", "body"))

    def __str__(self) -> str:
        """One line for people."""
        return self.line()

    def line(self, *, has_text: bool = False) -> str:
        """The same, perhaps with the text below the title."""
        service = {"apns": "APNs", "fcm": "FCM"}.get(self.provider, "web")
        target = ", ".join(f"{name} {_shortened(value)}" for name, value in self.target.items())
        answer = f"{self.status} {self.reason}" if self.reason else str(self.status)
        devices = f" ({', '.join(self.devices[:3])})" if self.devices else ""
        title = f" {_quoted(self.title)}" if self.title else ""
        text = f" (body {_quoted(self.text)})" if has_text and self.text else ""
        return (
            f"{self.id}: {service} push{title}{text} of {self.app} to {target or 'no target'}{devices}, "
            f"{self.outcome}: {answer}")


def lines_of(messages: Sequence[Message]) -> list[str]:
    """A line for each push. Pushes that have the same title are told apart by their texts."""
    titles = Counter(message.title for message in messages)
    return [message.line(has_text=titles[message.title] > 1) for message in messages]


def _text(body: Any, *places: tuple[str, ...]) -> str | None:
    """The first text at one of these places."""
    found = (_member(body, path) for path in places)
    return next((text for text in found if isinstance(text, str)), None)


def _member(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _quoted(text: str) -> str:
    return dumps(_shortened(text, 40), ensure_ascii=False)


def _shortened(text: str, most: int = 16) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


@dataclass(frozen=True)
class Action:
    """A button of a notification."""

    id: str
    title: str


@dataclass(frozen=True)
class MissingImage:
    """Why a notification has no image, although its push names one, and what to do about it."""

    rule: str
    reason: str
    remedy: str | None


@dataclass(frozen=True)
class Notification:
    """An entry of the shade: what a person sees on the phone. `image` is the URL of the picture that is shown."""

    key: str
    push: str
    title: str | None
    subtitle: str | None
    body: str | None
    image: str | None
    actions: list[Action]
    json: dict[str, Any]
    _missing_image: Callable[[str], dict[str, Any] | None] = field(repr=False, compare=False)

    @property
    def missing_image(self) -> MissingImage | None:
        """Why there is no image. None if there is one, or if the push names none."""
        found = self._missing_image(self.push) if self.image is None else None
        return MissingImage(found["rule"], found["reason"], remedy_here(found.get("remedy"))) if found else None

    @staticmethod
    def parse(json: dict[str, Any], missing_image: Callable[[str], dict[str, Any] | None]) -> Notification:
        actions = [Action(row["id"], row["title"]) for row in json.get("actions") or []]
        return Notification(
            json["key"], json["push"], json.get("title"), json.get("subtitle"), json.get("body"), json.get("image"),
            actions, json, missing_image)


@dataclass(frozen=True)
class Event:
    """Something that happened, as docs/api.md describes it. `data` has what only its kind has, such as `data["sound"]`."""

    seq: int
    kind: str
    device: str | None
    push: str | None
    why: str | None
    data: dict[str, Any]
    json: dict[str, Any]

    @staticmethod
    def parse(json: dict[str, Any]) -> Event:
        return Event(
            json["seq"], json["kind"], json.get("device"), json.get("push"), json.get("why"), json.get("data") or {},
            json)
