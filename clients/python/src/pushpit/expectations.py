"""What a test expects to be pushed, and the text of an expectation that is not met."""
from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, TypedDict, Union

from ._values import Duration, camel, duration_seconds, duration_text, time_text
from .errors import ExpectationFailed
from .messages import Message

if TYPE_CHECKING:
    from datetime import datetime

    from ._api import Api
    from .device import Device

# A whole text, a regular expression that a part of it matches, {"prefix": "…"}, or {"regex": "…"}.
Text = Union[str, "re.Pattern[str]", Mapping[str, str]]
# How much longer than `within` the gateway may take to answer, in seconds.
GRACE = 15.0


class _Exact(TypedDict, total=False):
    """The filters whose values are never patterns."""

    provider: str
    outcome: str
    status: int
    device: Device | str
    # A time, or the number of an event.
    since: datetime | str | int
    until: datetime | str | int
    # JSON pointers into the body as it was sent, with their values: {"/aps/badge": 3}.
    body: Mapping[str, Any]


class Filters(_Exact, total=False):
    """Which pushes are meant: those that match all of these. The names are the filters of docs/api.md in snake_case."""

    app: str
    push_type: str
    reason: str
    apns_id: str
    apns_unique_id: str
    name: str
    token: str
    topic: str
    rule: str
    text: str


class EventFilter(TypedDict, total=False):
    """What a phone did with a push: {"kind": "presented"}."""

    kind: Text
    device: Device | Text
    why: Text
    # JSON pointers into the event's data, with their values.
    data: Mapping[str, Any]
    # Like `data`, but "7" also matches the number 7.
    data_text: Mapping[str, Text]


class Match(_Exact, total=False):
    """The filters of an expectation. Their texts may be patterns."""

    app: Text
    push_type: Text
    reason: Text
    apns_id: Text
    apns_unique_id: Text
    name: Text
    token: Text
    topic: Text
    rule: Text
    text: Text
    headers: Mapping[str, Text]
    # Like `body`, but "7" also matches the number 7.
    body_text: Mapping[str, Text]
    # Counts events instead of pushes. The other filters apply to the push behind the event.
    event: EventFilter


class Amount(TypedDict, total=False):
    """How many pushes, and how long to wait for them. Without a number: at least one."""

    count: int
    at_least: int
    at_most: int
    never: bool
    within: Duration


class Expected(Match, Amount, total=False):
    """Everything that `expect` takes."""


AMOUNTS = frozenset(Amount.__annotations__)


def match_json(filters: Mapping[str, Any]) -> dict[str, Any]:
    """The `match` of POST /expect."""
    if filters.get("device") is not None and filters.get("outcome") == "refused" and not filters.get("event"):
        raise ValueError("a refused push reaches no device, so device= and outcome=\"refused\" never match together: use "
                         "token=phone.token instead of device=phone")
    return {camel(name): _json(name, value) for name, value in filters.items() if value is not None}


def query_of(filters: Mapping[str, Any]) -> dict[str, Any]:
    """The query of GET /messages. Pointers are parameters there, with JSON values."""
    query = match_json(filters)
    for pointer, value in query.pop("body", {}).items():
        query[pointer] = json.dumps(value)
    return query


def _json(name: str, value: Any) -> Any:
    if isinstance(value, re.Pattern):
        if value.flags & ~re.UNICODE:
            raise ValueError(f"{value!r} has flags, which the gateway does not know")
        return {"regex": value.pattern}
    if name == "device":
        return getattr(value, "id", value)
    if name in ("since", "until"):
        return str(value) if isinstance(value, int) else time_text(value)
    if name == "event":
        return match_json(value)
    if name in ("body", "body_text", "headers", "data", "data_text"):
        # The keys are pointers or names of headers.
        return {key: _json("", part) for key, part in value.items()}
    return value


def request_of(expected: Mapping[str, Any]) -> dict[str, Any]:
    """The body of POST /expect."""
    amounts = {camel(name): value for name, value in expected.items() if name in AMOUNTS and value is not None}
    if amounts.pop("never", False):
        amounts["never"] = True
    if "within" in amounts:
        amounts["within"] = duration_text(amounts["within"])
    if "sequence" in expected:
        return {"sequence": [match_json(step) for step in expected["sequence"]], **amounts}
    filters = {name: value for name, value in expected.items() if name not in AMOUNTS}
    return {"match": match_json(filters), **amounts}


@dataclass(frozen=True)
class Scope:
    """Filters for the pushes of one app since its start, which apply unless an expectation has other ones."""

    # What texts show as the app.
    name: str
    filters: Mapping[str, Any]

    def applied(self, request: Mapping[str, Any], filters: Mapping[str, Any]) -> dict[str, Any]:
        """The request with these filters."""
        if "sequence" in request:
            return {**request, "sequence": [{**filters, **step} for step in request["sequence"]]}
        return {**request, "match": {**filters, **request["match"]}}


def check(
    api: Api, request: Mapping[str, Any], scope: Scope | None = None
) -> tuple[dict[str, Any], ExpectationFailed | None]:
    """Waits until the expectation is met or not. Returns the gateway's answer, and why it is not met."""
    timeout = duration_seconds(request.get("within", "5s")) + GRACE
    sent = scope.applied(request, scope.filters) if scope else dict(request)
    answer: dict[str, Any] = api.call("POST", "/expect", sent, accepted=(417,), timeout=timeout)
    if answer["met"]:
        return answer, None
    return answer, ExpectationFailed(_failure_text(api, request, answer, scope), answer["why"], answer.get("nearest", []))


def _failure_text(
    api: Api, request: Mapping[str, Any], answer: Mapping[str, Any], scope: Scope | None
) -> str:
    shown = scope.applied(request, {"app": scope.name}) if scope else request
    lines = [str(answer["why"]), f"Expected: {expectation_text(shown)}"]
    nearest = answer.get("nearest", [])
    if nearest:
        lines.append("Nearest:")
    for miss in nearest:
        message = _message(api, miss["message"]) if miss.get("message") else None
        event = f"event {miss['kind']} of {miss.get('device', 'no device')}, " if "kind" in miss else ""
        lines.append(f"  {event}{message or miss.get('message', '')}")
        for row in miss["differs"]:
            at, wanted = row["at"], row.get("expected")
            if scope and at == "app" and wanted == scope.filters["app"]:
                wanted = scope.name
            lines.append(f"    {at}: expected {_shown(wanted)}, got {_shown(row.get('got'))}")
        for finding in message.findings if message else []:
            if finding.severity != "note":
                lines.append(f"    {finding.severity}: {finding.message}")
    matched = answer.get("messages", [])
    if matched and not nearest:
        lines.append(f"Pushes that match: {', '.join(matched[:10])}{' …' if len(matched) > 10 else ''}")
    elif not nearest:
        lines.append(_nothing_text(api))
    if _blocks_a_loop():
        lines.append("While it waited, the event loop of this thread stood still, so asynchronous code could not send: use "
                     "'await push_app.expect_async(…)' in asynchronous tests.")
    return "\n".join(lines)


def expectation_text(request: Mapping[str, Any]) -> str:
    """The expectation in one line."""
    texts = [_match_text(step) for step in request.get("sequence", [request.get("match", {})])]
    amounts = [
        f"{name} {_shown(value)}" for name, value in request.items() if name not in ("match", "sequence", "within")]
    amounts.append(f"within {request.get('within', '5s')}")
    return f"{', then '.join(texts)} ({', '.join(amounts)})"


def _match_text(match: Mapping[str, Any]) -> str:
    parts = [
        f"{name}={value if isinstance(value, str) else _shown(value)}" for name, value in match.items()
        if name not in ("body", "bodyText", "headers")]
    for name, label in (("body", ""), ("bodyText", ""), ("headers", "header ")):
        parts += [f"{label}{key}={_shown(value)}" for key, value in match.get(name, {}).items()]
    return " ".join(parts) or "any push"


def _blocks_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _nothing_text(api: Api) -> str:
    stats = api.call("GET", "/stats")
    if stats["accepted"] + stats["refused"] == 0:
        return (
            f"No push has reached the gateway at {api.url}. Does the sender run in this process, or under "
            "'pushpit exec'? A connection that fails, for example because the sender does not trust the gateway, is "
            "in the gateway's log.")
    return "No push comes near. The pushes that the gateway has are of other apps, or were sent earlier."


def _message(api: Api, name: str) -> Message | None:
    found = api.call("GET", f"/messages/{name}", accepted=(404,))
    return Message.parse(found) if "id" in found else None


def _shown(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
