"""What a test expects to be pushed."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, TypedDict, Union

from ._failure import failure_text
from ._names import camel
from ._values import Duration, duration_seconds, duration_text, time_text
from .errors import ExpectationFailed, hides_frames

if TYPE_CHECKING:
    from datetime import datetime

    from ._api import Api
    from .device import Device

__tracebackhide__ = hides_frames

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
    for name, value in filters.items():
        if value is None:
            raise ValueError(f"{name}= is None, which every push would match: leave it out, or look where the value comes from")
    return {camel(name): _json(name, value) for name, value in filters.items()}


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
    if name == "token" and not isinstance(value, (str, Mapping)):
        raise TypeError(f"token= takes a token, such as phone.token, and not {value!r}")
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
    return answer, ExpectationFailed(failure_text(api, request, answer, scope), answer["why"], answer.get("nearest", []))
