"""An app and a Firebase project for one test alone."""
from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping

from ._environment import keeps_messages
from .device import Device
from .errors import SharedGateway, hides_frames
from .expectations import Scope
from .faults import Effect, Fault
from .messages import Message

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._values import Duration
    from .clock import Clock
    from .credentials import APNsCredentials, Credentials, FCMCredentials
    from .device_spec import Spec
    from .expectations import Expected, Filters, Match, Text
    from .faults import When
    from .gateway import Gateway
    from .identity import Identity


__tracebackhide__ = hides_frames


class PushApp:
    """Everything here is about this app alone: its devices, pushes, faults and media, which end with the app.

    `id` is the bundle id and the package name. `project` is the Firebase project. Only pushes that arrive after the app
    was made count.
    """

    def __init__(self, identity: Identity, id: str) -> None:
        common = identity.credentials
        self.gateway: Gateway = identity.gateway
        self.id = id
        self.project = common.fcm.project
        self.credentials: Credentials = replace(common, apns=replace(common.apns, topic=id))
        self._identity = identity
        # Pushes to the project from before this event are those of earlier tests.
        self._start = self.gateway.newest_event
        self._scope = Scope(id, {"app": self._apps, "since": str(self._start)})
        self._devices: list[Device] = []
        self._faults: list[Fault] = []
        self._media: list[str] = []
        self._clock_was_used = False

    def __repr__(self) -> str:
        return f"<PushApp {self.id}>"

    @property
    def apns(self) -> APNsCredentials:
        return self.credentials.apns

    @property
    def fcm(self) -> FCMCredentials:
        return self.credentials.fcm

    def device(self, platform: str, **spec: Unpack[Spec]) -> Device:
        """A new phone with the app, "ios" or "android"; or a browser, "web", with a site of the same name."""
        app = f"https://{self.id}" if platform == "web" else self.id
        if "app" in spec:
            raise TypeError(f"the app of a test's devices is its own, {app}: for another one, use push_app.gateway.device()")
        spec.setdefault("project", self.project)
        device = self.gateway.device(platform, app, **spec)
        self._devices.append(device)
        return device

    def expect(self, **expected: Unpack[Expected]) -> list[Message]:
        """Waits for pushes of this app, and returns them, oldest first: `push_app.expect(device=phone, count=1)`."""
        return self.gateway.wait_for(expected, self._scope)

    async def expect_async(self, **expected: Unpack[Expected]) -> list[Message]:
        """Like `expect`, but does not block the event loop, which the sender may need."""
        return await asyncio.to_thread(lambda: self.expect(**expected))

    def expect_sequence(self, *steps: Match, within: Duration = "5s") -> list[Message]:
        """Waits for pushes that come one after the other. Other pushes may come between them."""
        return self.gateway.wait_for({"sequence": steps, "within": within}, self._scope)

    async def expect_sequence_async(self, *steps: Match, within: Duration = "5s") -> list[Message]:
        """Like `expect_sequence`, but does not block the event loop."""
        return await asyncio.to_thread(lambda: self.expect_sequence(*steps, within=within))

    def messages(self, **filters: Unpack[Filters]) -> list[Message]:
        """The pushes of this app that match, newest first."""
        found: dict[str, Message] = {}
        filters.setdefault("since", self._start)
        for app in {self.id, self.project}:
            filters["app"] = app
            found.update({message.id: message for message in self.gateway.messages(**filters)})
        return sorted(found.values(), key=lambda message: message.seq, reverse=True)

    def all_messages(self) -> list[Message]:
        """The pushes of this app, and those to its devices that a sender has sent for another app, oldest first."""
        devices = {device.id for device in self._devices}
        addresses = {address for device in self._devices for address in device.addresses}
        strays = (
            message for message in self.gateway.messages(since=self._start)
            if not devices.isdisjoint(message.devices) or not addresses.isdisjoint(message.target.values()))
        found = {message.id: message for message in [*self.messages(), *strays]}
        return sorted(found.values(), key=lambda message: message.seq)

    def fault(self, effect: Effect, match: Mapping[str, Any] | None = None, **when: Unpack[When]) -> Fault:
        """Makes requests about this app go wrong, until the fault is removed or the test ends.

        `times`, `nth` and the other counts apply to requests to Apple, requests to Google and web pushes separately.
        """
        match = match or {}
        apps = {"apns": self.id, "fcm": self.project, "webpush": self.id}
        providers = [match["provider"]] if "provider" in match else list(apps)
        fault = self.gateway.faults(effect, [{"app": apps[name], **match, "provider": name} for name in providers], when)
        self._faults.append(fault)
        return fault

    def unused_faults(self) -> list[dict[str, Any]]:
        """Its faults that no request has hit, as the gateway shows them."""
        rows = (fault.json for fault in self._faults)
        return [found[0] for found in rows if found and not any(row["fired"] for row in found)]

    def scenario(self, name: str) -> Fault:
        """A failure that users of the real services have reported, for this app: docs/faults.md."""
        return self.gateway.scenario(name, app=self.project if name.startswith("fcm-") else self.id)

    def media(
        self, name: str, *, content_type: str | None = None, status: int | None = None, size: int | None = None,
        content: bytes | None = None, delay: Duration | None = None,
    ) -> str:
        """A file that phones can fetch until the test ends. A name such as "bread.png" gets a host. Returns the URL."""
        url = name if "://" in name else f"https://{self.id}.example/{name}"
        self._media.append(url)
        return self.gateway.media(
            url, content_type=content_type, status=status, size=size, content=content, delay=delay)

    @property
    def clock(self) -> Clock:
        """The gateway's clock. It is set to the real time when the test ends."""
        if self.gateway.is_shared:
            raise SharedGateway(
                f"The clock of {self.gateway.url} belongs to everyone who uses this gateway, so a test can't move it: "
                "run the test without exec and PUSHPIT_URL, and the fixture starts a gateway for it. If no one else uses "
                "this one now, as in 'pushpit exec -- pytest test_clock.py', push_app.gateway.shared_clock moves it. Other "
                "programs, and code with its own sockets (uvloop, gRPC), need exec: without it they push to the real Apple "
                "and Google.")
        self._clock_was_used = True
        return self.gateway.clock

    def expire_credentials(self) -> None:
        """Invalidates the sender's provider tokens and access tokens, so it has to renew them."""
        self._identity.expire()

    @property
    def _apps(self) -> Text:
        """A filter for this app's pushes. For messages to a topic or an unknown token, `app` is the project."""
        if self.id == self.project:
            return self.id
        names = "|".join(re.sub(r"([^\w/:-])", r"\\\1", name) for name in (self.id, self.project))
        return {"regex": f"^({names})$"}

    def close(self) -> None:
        """Removes everything that the app has in the gateway. Under `pushpit exec`, its pushes stay for the report."""
        for url in self._media:
            self.gateway.remove_media(url)
        for app in {self.id, self.project}:
            self.gateway.reset(app, keep_messages=keeps_messages())
        if self._clock_was_used:
            self.gateway.clock.reset()

    def __enter__(self) -> PushApp:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
