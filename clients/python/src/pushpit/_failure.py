"""The text of an expectation that is not met."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

from ._api import Api
from ._names import snake
from ._shade import problem_lines, report_lines
from .errors import loop_hint
from .messages import Message, lines_of

if TYPE_CHECKING:
    from .expectations import Scope

# How many pushes that match have a line, and how many characters a value may have.
LISTED = 10
MOST_CHARACTERS = 200
# Where pushes that were sent to another place differ.
PLACES = ("app", "device", "token", "topic", "since")


def failure_text(api: Api, request: Mapping[str, Any], answer: Mapping[str, Any], scope: Scope | None) -> str:
    shown = scope.applied(request, {"app": scope.name}) if scope else request
    lines = [str(answer["why"]), f"Expected: {expectation_text(shown)}"]
    failure = _Failure.of(api, answer, scope)
    nearest, matched = failure.own_misses(), answer.get("messages", [])
    if nearest:
        lines.append("Nearest:")
        for miss in nearest:
            lines += failure.lines_of_miss(miss)
    elif matched:
        lines.append("Pushes that match:")
        lines += [f"  {failure.line(name)}" for name in matched[:LISTED]]
        if len(matched) > LISTED:
            lines.append(f"  and {len(matched) - LISTED} more")
    else:
        lines.append(_nothing_text(api))
    if not any(map(failure.differs_in_content, nearest)):
        lines += loop_hint(f"push_app.expect{'_sequence' if 'sequence' in request else ''}_async(…)")
    return "\n".join(lines)


@dataclass
class _Failure:
    """An answer of the gateway, and the pushes that it names."""

    api: Api
    answer: Mapping[str, Any]
    scope: Scope | None
    pushes: dict[str, Message]
    lines: dict[str, str]
    # The event that the last step before the missing one has matched; empty if there is none.
    step: Mapping[str, Any]
    # What became of these pushes on these devices has been told.
    told: set[tuple[str, str]]

    @staticmethod
    def of(api: Api, answer: Mapping[str, Any], scope: Scope | None) -> _Failure:
        step = _event(api, answer["events"][-1]) if answer.get("missing") else {}
        names = [miss.get("message") for miss in answer.get("nearest", [])]
        names += [*answer.get("messages", [])[:LISTED], step.get("push")]
        found = [_message(api, name) for name in dict.fromkeys(filter(None, names))]
        pushes = [push for push in found if push]
        return _Failure(
            api, answer, scope, {push.id: push for push in pushes},
            dict(zip((push.id for push in pushes), lines_of(pushes))), step, set())

    def line(self, name: str) -> str:
        return self.lines.get(name, name)

    def own_misses(self) -> list[dict[str, Any]]:
        """Without the pushes of other apps and earlier tests, unless there are no others."""
        nearest: list[dict[str, Any]] = self.answer.get("nearest", [])
        own = [
            miss for miss in nearest
            if all(row["at"] not in ("app", "since") or self.is_early(row) for row in miss["differs"])]
        return own or nearest

    def is_early(self, row: Mapping[str, Any]) -> bool:
        """Whether something of this test came before what the last step of a sequence has matched."""
        is_order = bool(self.step) and row["at"] == "since" and row.get("expected") == self.step["seq"]
        return is_order and not self.is_of_an_earlier_test(row)

    def is_of_an_earlier_test(self, row: Mapping[str, Any]) -> bool:
        got = row.get("got")
        return bool(self.scope and row["at"] == "since" and isinstance(got, int) and got <= int(self.scope.filters["since"]))

    def differs_in_content(self, miss: Mapping[str, Any]) -> bool:
        """Whether the sender has sent to the right place, so that the push was not kept from it."""
        return all(row["at"] not in PLACES or self.is_early(row) for row in miss["differs"])

    def lines_of_miss(self, miss: Mapping[str, Any]) -> list[str]:
        name, device = miss.get("message", ""), miss.get("device")
        message = self.pushes.get(name)
        event = f"event {miss['kind']} of {device or 'no device'}" if "kind" in miss else ""
        lines = ["  " + ", ".join(filter(None, [event, self.line(name)]))]
        lines += [f"    {self.difference(row, message)}" for row in miss["differs"]]
        # What became of a push on a device is told once.
        if event and message and device and (name, device) not in self.told:
            self.told.add((name, device))
            lines += [f"    {line}" for line in report_lines(self.api, name, device)]
        return lines + [f"    {line}" for line in (problem_lines(self.api, message) if message else [])]

    def difference(self, row: Mapping[str, Any], message: Message | None) -> str:
        if self.is_early(row):
            return (
                f"came too early, before what number {self.answer['missing']} of the sequence matched: "
                f"{self.what_step_matched}")
        if self.is_of_an_earlier_test(row):
            return "came before this test began"
        at, wanted, got = row["at"], row.get("expected"), row.get("got")
        if self.scope and at == "app" and wanted == self.scope.filters["app"]:
            wanted = self.scope.name
        # Its token is no text that a person reads.
        if at == "text" and isinstance(got, list) and message:
            got = [text for text in got if text not in message.target.values()]
        name, slash, rest = at.partition("/")
        note = f" ({row['note']})" if "note" in row else ""
        return f"{snake(name)}{slash}{rest}: expected {_shown(wanted)}, got {_shown(got)}{note}"

    @property
    def what_step_matched(self) -> str:
        kind, push = self.step["kind"], self.line(self.step.get("push") or "")
        if kind in ("accepted", "refused"):
            return push
        return ", ".join(filter(None, [f"event {kind} of {self.step.get('device') or 'no device'}", push]))


def _event(api: Api, seq: int) -> Mapping[str, Any]:
    """The event with this number; empty if the gateway has forgotten it."""
    rows = api.lines("/events", {"since": seq - 1, "limit": 1, "follow": "false"})
    return next((row for row in rows if row.get("seq") == seq), {})


def expectation_text(request: Mapping[str, Any]) -> str:
    """The expectation in one line, with the names of this package."""
    texts = [_match_text(step) for step in request.get("sequence", [request.get("match", {})])]
    amounts = [
        f"{snake(name)} {_shown(value)}" for name, value in request.items()
        if name not in ("match", "sequence", "within")]
    amounts.append(f"within {request.get('within', '5s')}")
    return f"{', then '.join(texts)} ({', '.join(amounts)})"


def _match_text(match: Mapping[str, Any]) -> str:
    event = {snake(name): value for name, value in match.get("event", {}).items()}
    parts = [
        f"{snake(name)}={value if isinstance(value, str) else _shown(value)}"
        for name, value in {**match, **({"event": event} if event else {})}.items()
        if name not in ("body", "bodyText", "headers")]
    for name, label in (("body", ""), ("bodyText", ""), ("headers", "header ")):
        parts += [f"{label}{key}={_shown(value)}" for key, value in match.get(name, {}).items()]
    return " ".join(parts) or "any push"


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
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
