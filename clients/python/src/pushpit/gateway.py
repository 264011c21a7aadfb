"""A gateway: what tests expect of it, and what they set in it."""
from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from . import expectations
from ._names import camel_keys
from ._running import RunningGateway
from ._values import Duration, duration_text, monotonic
from .clock import Clock
from .device import Device
from .errors import hides_frames
from .faults import Effect, Fault, set_faults, set_scenario
from .messages import Event, Message

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._report import Recorder
    from .device_spec import Spec
    from .expectations import Expected, Filters, Match, Scope
    from .faults import When


__tracebackhide__ = hides_frames


class Gateway(RunningGateway):
    """Use it as a context manager.

    Without arguments it uses the gateway in PUSHPIT_URL, which `pushpit exec` and `pushpit env` set, and starts one if
    the variable is not set. With `url` it uses that one. With `options` of `pushpit serve` it starts one.
    """

    # Notes expectations for a report.
    recorder: Recorder | None = None

    def expect(self, **expected: Unpack[Expected]) -> list[Message]:
        """Waits for pushes, and returns the ones that match, oldest first. Raises ExpectationFailed, an AssertionError."""
        return self.wait_for(expected)

    def expect_sequence(self, *steps: Match, within: Duration = "5s") -> list[Message]:
        """Waits for pushes that come one after the other. Other pushes may come between them."""
        return self.wait_for({"sequence": steps, "within": within})

    async def expect_sequence_async(self, *steps: Match, within: Duration = "5s") -> list[Message]:
        """Like `expect_sequence`, but does not block the event loop."""
        return await asyncio.to_thread(lambda: self.expect_sequence(*steps, within=within))

    async def expect_async(self, **expected: Unpack[Expected]) -> list[Message]:
        """Like `expect`, but does not block the event loop, which the sender may need."""
        return await asyncio.to_thread(lambda: self.expect(**expected))

    def wait_for(self, expected: Mapping[str, Any], scope: Scope | None = None) -> list[Message]:
        """Waits until an expectation is met, and returns the pushes that it counts. The scope says whose they are."""
        request, start = expectations.request_of(expected), monotonic()
        answer, failure = expectations.check(self._api, request, scope)
        messages = [] if failure else [Message.parse(self.call("GET", f"/messages/{id}")) for id in answer["messages"]]
        if self.recorder:
            self.recorder.note(request, answer, failure, messages, monotonic() - start)
        if failure:
            raise failure
        return messages

    def messages(self, **filters: Unpack[Filters]) -> list[Message]:
        """The pushes that match, newest first."""
        rows = self._api.pages("/messages", "messages", expectations.query_of(filters))
        return [Message.parse(row) for row in rows]

    def events(
        self, *kinds: str, since: int = 0, app: str | None = None, device: Device | str | None = None,
        push: Message | str | None = None,
    ) -> list[Event]:
        """What has happened so far, oldest first: docs/api.md."""
        wanted = {"app": app, "kind": ",".join(kinds), "device": getattr(device, "id", device),
                  "push": getattr(push, "id", push)}
        query = {"since": since, "follow": "false", **{name: value for name, value in wanted.items() if value}}
        return [Event.parse(row) for row in self._api.lines("/events", query) if "seq" in row]

    def device(self, platform: str, app: str = "com.example.app", **spec: Unpack[Spec]) -> Device:
        """Makes a device: "ios", "android" or "web" (for which the app is an origin such as https://example.com)."""
        made = self._api.call("POST", "/devices", {"platform": platform, "app": app, **camel_keys(spec)})
        return Device(self._api, made["devices"][0])

    def devices(self, *, app: str | None = None, platform: str | None = None) -> list[Device]:
        query = {name: value for name, value in (("app", app), ("platform", platform)) if value}
        return [Device(self._api, row) for row in self._api.pages("/devices", "devices", query)]

    def topics(self) -> list[dict[str, Any]]:
        """FCM's topics: name, project and number of devices."""
        return list(self._api.pages("/topics", "topics"))

    def fault(self, effect: Effect, match: Mapping[str, Any] | None = None, **when: Unpack[When]) -> Fault:
        """Makes requests go wrong from now on: `with gateway.fault("503Shutdown", times=1): …`."""
        return set_faults(self._api, effect, [match or {}], when)

    def faults(self, effect: Effect, matches: Sequence[Mapping[str, Any]], when: When) -> Fault:
        """Sets this fault once for each of the matches. `times` and the like count separately for each match."""
        return set_faults(self._api, effect, matches, when)

    def scenario(self, name: str, app: str | None = None) -> Fault:
        """A failure that users of the real services have reported: docs/faults.md."""
        return set_scenario(self._api, name, app)

    def media(
        self, url: str, *, content_type: str | None = None, status: int | None = None, size: int | None = None,
        content: bytes | None = None, delay: Duration | None = None,
    ) -> str:
        """What a phone gets when it fetches this URL. Returns the URL."""
        self._api.call("PUT", "/media", camel_keys({
            "url": url, "content_type": content_type, "status": status, "size": size,
            "base64": None if content is None else base64.b64encode(content).decode(),
            "delay": None if delay is None else duration_text(delay)}))
        return url

    def remove_media(self, url: str | None = None) -> None:
        """Forgets one URL, or all."""
        self._api.call("DELETE", "/media", query={"url": url} if url else None)

    @property
    def clock(self) -> Clock:
        """The gateway's clock. If the gateway was not started here, it can only be read."""
        return Clock(self._api, is_fixed=self.is_shared)

    @property
    def shared_clock(self) -> Clock:
        """Like `clock`, but it also moves the clock of everyone else who uses the gateway."""
        return Clock(self._api)

    @property
    def newest_event(self) -> int:
        """The number of the newest event, which `since` takes."""
        return int(self.call("GET", "/stats")["events"])

    def reset(self, app: str | None = None, *, keep_messages: bool = False) -> None:
        """Deletes pushes, faults and devices, and without an app also media. The pushes can stay."""
        self.call("POST", "/reset", {"keepMessages": keep_messages, **({"app": app} if app else {})})
