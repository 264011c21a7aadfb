"""The text of an expectation that is not met."""
from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Mapping

from ._api import Api
from ._shade import problem_lines, report_lines
from .messages import Message

if TYPE_CHECKING:
    from .expectations import Scope

# How many pushes that match have a line, and how many characters a value may have.
LISTED = 10
MOST_CHARACTERS = 200


def failure_text(api: Api, request: Mapping[str, Any], answer: Mapping[str, Any], scope: Scope | None) -> str:
    shown = scope.applied(request, {"app": scope.name}) if scope else request
    lines = [str(answer["why"]), f"Expected: {expectation_text(shown)}"]
    nearest = _own(answer.get("nearest", []))
    matched = answer.get("messages", [])
    if nearest:
        lines.append("Nearest:")
        told: set[tuple[str, str]] = set()
        for miss in nearest:
            lines += _miss_lines(api, miss, scope, told)
    elif matched:
        lines.append("Pushes that match:")
        lines += [f"  {_message(api, name) or name}" for name in matched[:LISTED]]
        if len(matched) > LISTED:
            lines.append(f"  and {len(matched) - LISTED} more")
    else:
        lines.append(_nothing_text(api))
    if _blocks_a_loop() and not any(_differs_in_content(miss) for miss in nearest):
        lines.append("While it waited, the event loop of this thread stood still, so asynchronous code could not send: use "
                     "'await push_app.expect_async(…)' in asynchronous tests.")
    return "\n".join(lines)


def _own(nearest: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the pushes of other apps and earlier tests, unless there are no others."""
    return [miss for miss in nearest if all(row["at"] not in ("app", "since") for row in miss["differs"])] or nearest


def _differs_in_content(miss: Mapping[str, Any]) -> bool:
    """Whether the sender has sent to the right place, so that the push was not kept from it."""
    return all(row["at"] not in ("app", "device", "token", "topic", "since") for row in miss["differs"])


def _miss_lines(
    api: Api, miss: Mapping[str, Any], scope: Scope | None, told: set[tuple[str, str]]
) -> list[str]:
    """What became of a push on a device is told once."""
    message = _message(api, miss["message"]) if miss.get("message") else None
    event = f"event {miss['kind']} of {miss.get('device', 'no device')}" if "kind" in miss else ""
    lines = ["  " + ", ".join(filter(None, [event, str(message or miss.get("message", ""))]))]
    for row in miss["differs"]:
        at, wanted = row["at"], row.get("expected")
        if scope and at == "app" and wanted == scope.filters["app"]:
            wanted = scope.name
        lines.append(f"    {at}: expected {_shown(wanted)}, got {_shown(_got(row, message))}{_note(row)}")
    if event and message and "device" in miss and (message.id, miss["device"]) not in told:
        told.add((message.id, miss["device"]))
        lines += [f"    {line}" for line in report_lines(api, message.id, miss["device"])]
    if message:
        lines += [f"    {line}" for line in problem_lines(api, message)]
    return lines


def _note(row: Mapping[str, Any]) -> str:
    return f" ({row['note']})" if "note" in row else ""


def _got(row: Mapping[str, Any], message: Message | None) -> Any:
    """What the push has. Its token is no text that a person reads."""
    got = row.get("got")
    if row["at"] == "text" and isinstance(got, list) and message:
        return [text for text in got if text not in message.target.values()]
    return got


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
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
