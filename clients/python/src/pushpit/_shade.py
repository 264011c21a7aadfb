"""When the shade of a device is complete, and why it shows nothing."""
from __future__ import annotations

import time
from typing import Any, Sequence

from ._api import Api
from ._values import remedy_here
from .messages import Message

# Seconds for which the shade waits for extensions and images.
PATIENCE = 5.0
# Seconds between two questions to the gateway.
PAUSE = 0.01
# How many of the newest pushes are looked at.
NEWEST = 20
# How many pushes the text about an empty shade has.
LISTED = 5


def settle(api: Api, device: str, limit: float = PATIENCE) -> None:
    """Waits until the device no longer works on a push, for example because it loads an image, or until the limit."""
    deadline = time.monotonic() + limit
    for push in _unfinished(api, device):
        while _report(api, push, device).get("isWorking") and time.monotonic() < deadline:
            time.sleep(PAUSE)


def _unfinished(api: Api, device: str) -> list[str]:
    """The newest pushes that have reached the device, and that it neither shows nor suppresses."""
    query = {"since": 0, "follow": "false", "device": device, "kind": "delivered,presented,suppressed"}
    left: dict[str, None] = {}
    for event in api.lines("/events", query):
        if event["kind"] == "delivered":
            left[event["push"]] = None
        else:
            left.pop(event.get("push"), None)
    return list(left)[-NEWEST:]


def _report(api: Api, push: str, device: str) -> dict[str, Any]:
    """What became of the push on the device."""
    answer = api.call("GET", f"/messages/{push}/events", query={"limit": 1000}, accepted=(404,))
    rows: list[dict[str, Any]] = answer.get("devices", [])
    return next((row for row in rows if row["device"] == device), {})


def report_lines(api: Api, push: str, device: str) -> list[str]:
    """What became of the push on the device, and what to do about it, for people."""
    report = _report(api, push, device)
    return [line for line in (report.get("did"), remedy_here(report.get("remedy"))) if line]


def problem_lines(api: Api, message: Message) -> list[str]:
    """What is wrong with a push, and what to do about it, for people. Notes are left out."""
    problems = [(row.severity, row.rule, row.message) for row in message.findings if row.severity != "note"]
    why = message.json.get("why")
    if message.outcome == "refused" and why and why not in [rule for _, rule, _ in problems]:
        problems.insert(0, ("error", why, api.rule(why).get("checks", why)))
    lines = []
    for severity, rule, text in sorted(problems, key=lambda problem: problem[0] != "error"):
        remedy = remedy_here(api.rule(rule).get("remedy"))
        lines += [f"{severity}: {text}", *([f"fix: {remedy}"] if remedy and remedy not in text else [])]
    return lines


def missing_image(api: Api, push: str, device: str) -> dict[str, Any] | None:
    """Why the device shows the push without its image."""
    return _report(api, push, device).get("missingImage")


def empty_text(api: Api, device: str, tokens: Sequence[str]) -> str:
    """What became of the newest pushes to the device, for people."""
    lines = []
    queries: list[dict[str, Any]] = [{"device": device}, *({"token": token, "outcome": "refused"} for token in tokens)]
    for query in queries:
        for row in api.call("GET", "/messages", query={**query, "limit": LISTED})["messages"]:
            message = Message.parse(row)
            lines.append(f"  {message}")
            words = report_lines(api, message.id, device) + problem_lines(api, message)
            lines += [f"    {word}" for word in words]
    return "\n".join(["Pushes to it, newest first:", *lines]) if lines else "No push has been sent to its tokens."
