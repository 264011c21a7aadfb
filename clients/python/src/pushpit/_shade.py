"""What a device shows: when its shade is complete, and why it shows nothing."""
from __future__ import annotations

import asyncio
import time
from typing import Any, Iterable, Mapping
from urllib.parse import quote

from ._api import Api
from ._names import remedy_here
from ._socket import DeviceSocket
from ._values import Duration, duration_seconds, monotonic
from .errors import hides_frames, loop_hint
from .messages import Message, Notification, lines_of

__tracebackhide__ = hides_frames

# Seconds for which the shade waits for extensions and images.
PATIENCE = 5.0
# Seconds between two questions to the gateway.
PAUSE = 0.01
# How many of the newest pushes are looked at.
NEWEST = 20
# How many pushes the text about an empty shade has.
LISTED = 5


class DeviceShade(DeviceSocket):
    """A device as the person who looks at it sees it."""

    def __init__(self, api: Api, id: str, platform: str) -> None:
        super().__init__(api, id)
        self.platform = platform
        self._path = f"/devices/{quote(id, safe='')}"

    @property
    def json(self) -> dict[str, Any]:
        """Everything that the gateway says about it."""
        found: dict[str, Any] = self._api.call("GET", self._path)
        return found

    @property
    def shade(self) -> list[Notification]:
        """The notifications that it shows, newest first.

        While its extension works or it loads an image, this waits for that, for up to 5 s. `json["shade"]` never waits.
        """
        return self._shade(PATIENCE)

    async def shade_async(self) -> list[Notification]:
        """Like `shade`, but does not block the event loop."""
        return await asyncio.to_thread(self._shade, PATIENCE)

    def notification(self, within: Duration = PATIENCE) -> Notification:
        """Waits until it shows a notification, and returns the newest one. If it shows none, the error says why.

        If only web pushes have come whose display is up to the code of the page, it does not wait.
        """
        deadline = monotonic() + duration_seconds(within)
        while True:
            shade = self._shade(max(0, deadline - monotonic()))
            if shade:
                return shade[0]
            is_certain = self.platform == "web" and _has_left_all_to_the_page(self._api, self.id)
            if is_certain or monotonic() >= deadline:
                raise AssertionError(f"{self!r} shows no notification. {self._why_empty()}")
            time.sleep(PAUSE)

    async def notification_async(self, within: Duration = PATIENCE) -> Notification:
        """Like `notification`, but does not block the event loop, which the sender may need."""
        return await asyncio.to_thread(self.notification, within)

    def _newest(self, what: str) -> Notification:
        shade = self.shade
        if not shade:
            raise AssertionError(f"{self!r} shows no notification to {what}. {self._why_empty()}")
        return shade[0]

    def _why_empty(self) -> str:
        return _empty_text(self._api, self.id, addresses_in(self.json))

    def _shade(self, patience: float) -> list[Notification]:
        _settle(self._api, self.id, patience)
        rows = self._api.pages(f"{self._path}/shade", "shade")
        return [Notification.parse(row, lambda push: _missing_image(self._api, push, self.id)) for row in rows]


def addresses_in(json: Mapping[str, Any]) -> set[str]:
    """The tokens and the installation id of a device, and the last part of its endpoint."""
    tokens = json["tokens"]
    found = [row[name] for row in tokens.values() for name in ("token", "fid", "start") if name in row]
    found += tokens.get("liveActivity", {}).get("updates", {}).values()
    endpoint = json.get("subscription", {}).get("endpoint", "")
    return {str(address) for address in [*found, endpoint.rpartition("/")[2]] if address}


def _settle(api: Api, device: str, limit: float = PATIENCE) -> None:
    """Waits until the device no longer works on a push, for example because it loads an image, or until the limit."""
    deadline = monotonic() + limit
    for push in _unfinished(api, device):
        while _report(api, push, device).get("isWorking") and monotonic() < deadline:
            time.sleep(PAUSE)


def _unfinished(api: Api, device: str) -> list[str]:
    """The newest pushes that have reached the device, and that it neither shows nor suppresses."""
    left: dict[str, None] = {}
    for event in _events(api, device, "delivered,presented,suppressed"):
        if event["kind"] == "delivered":
            left[event["push"]] = None
        else:
            left.pop(event.get("push") or "", None)
    return list(left)[-NEWEST:]


def _events(api: Api, device: str, kinds: str) -> list[dict[str, Any]]:
    rows = api.lines("/events", {"since": 0, "follow": "false", "device": device, "kind": kinds})
    return [row for row in rows if "seq" in row]


def _has_left_all_to_the_page(api: Api, device: str) -> bool:
    """Whether a browser has got web pushes, and nothing else. A simulated one does not run the page's code."""
    pushes = {event["push"] for event in _events(api, device, "accepted,stored,delivered")}
    return bool(pushes) and pushes <= _left_to_the_page(api, device)


def _left_to_the_page(api: Api, device: str) -> set[str]:
    return {event["push"] for event in _events(api, device, "callback") if event.get("why") == "web.push"}


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


def _missing_image(api: Api, push: str, device: str) -> dict[str, Any] | None:
    """Why the device shows the push without its image."""
    return _report(api, push, device).get("missingImage")


def _empty_text(api: Api, device: str, tokens: Iterable[str]) -> str:
    """What became of the newest pushes to the device, for people."""
    queries: list[dict[str, Any]] = [{"device": device}, *({"token": token, "outcome": "refused"} for token in tokens)]
    found = [api.call("GET", "/messages", query={**query, "limit": LISTED})["messages"] for query in queries]
    rows = {row["id"]: row for rows in found for row in rows}
    messages = sorted(map(Message.parse, rows.values()), key=lambda message: -message.seq)
    if not messages:
        return "\n".join(["No push has been sent to its tokens.", *loop_hint("phone.notification_async()")])
    left = _left_to_the_page(api, device)
    lines = ["Pushes to it, newest first:"]
    for message, line in zip(messages, lines_of(messages)):
        lines.append(f"  {line}")
        words = report_lines(api, message.id, device) + problem_lines(api, message)
        if message.id in left:
            words.append("What a page shows for it is up to its service worker, which a simulated browser does not run.")
            # Without the private key, the gateway has no text.
            if "encryption" in message.json:
                words.append("Check what was sent: push_app.expect(device=…)[0].body is the decrypted text.")
        lines += [f"    {word}" for word in words]
    return "\n".join(lines)
