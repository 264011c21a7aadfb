"""A simulated phone or browser. It receives pushes without any socket; `async with device` also watches it."""
from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Sequence, TypedDict
from urllib.parse import quote

from ._shade import PATIENCE, PAUSE, empty_text, missing_image, settle
from ._socket import DeviceSocket
from ._values import Duration, camel_keys, duration_seconds
from .errors import PushpitError, hides_frames
from .messages import Event, Notification

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._api import Api


__tracebackhide__ = hides_frames


class State(TypedDict, total=False):
    """The state of a device: docs/devices.md."""

    app: str
    online: bool
    locked: bool
    permission: str
    focus: bool
    doze: bool
    low_power: bool
    background_refresh: bool
    force_stopped: bool
    direct_boot: bool
    locale: str


class Spec(TypedDict, total=False):
    """A new device: docs/devices.md. Names in `state`, `tracking` and `extension` may be in snake_case, such as `image_key`."""

    id: str
    name: str
    project: str
    environment: str
    locale: str
    os_version: str
    state: Mapping[str, Any]
    tracking: Mapping[str, Any]
    extension: Mapping[str, Any]
    subscription: Mapping[str, Any]
    categories: Sequence[Mapping[str, Any]]
    channels: Sequence[Mapping[str, Any]]
    texts: Mapping[str, Mapping[str, str]]
    app_config: Mapping[str, Any]
    background_budget: int
    reports_calls: bool
    tokens: Mapping[str, Any]


class Device(DeviceSocket):
    """A device of a gateway. Each property asks the gateway, so it is always up to date."""

    def __init__(self, api: Api, json: Mapping[str, Any]) -> None:
        super().__init__(api, json["id"])
        self.platform: str = json["platform"]
        self.app: str = json["app"]
        self._path = f"/devices/{quote(self.id, safe='')}"

    def __repr__(self) -> str:
        return f"<Device {self.id}: {self.platform}, {self.app}>"

    @property
    def json(self) -> dict[str, Any]:
        """Everything that the gateway says about it."""
        found: dict[str, Any] = self._api.call("GET", self._path)
        return found

    @property
    def tokens(self) -> dict[str, Any]:
        """Its tokens by kind: `apns`, `fcm`, `voip` and others, with their topics and projects."""
        tokens: dict[str, Any] = self.json["tokens"]
        return tokens

    @property
    def token(self) -> str:
        """The token that an app sends to its backend: for an iPhone the APNs token, otherwise the FCM token."""
        return self.apns_token if self.platform == "ios" else self.fcm_token

    @property
    def apns_token(self) -> str:
        return self._token("apns")

    @property
    def fcm_token(self) -> str:
        return self._token("fcm")

    @property
    def fid(self) -> str:
        """Its Firebase installation id, which FCM takes instead of the FCM token."""
        self._token("fcm")
        return str(self.tokens["fcm"]["fid"])

    def _token(self, kind: str) -> str:
        tokens = self.tokens
        if kind not in tokens:
            raise PushpitError(f"{self!r} has no token of the kind '{kind}'; it has {', '.join(tokens) or 'none'}")
        return str(tokens[kind]["token"])

    @property
    def subscription(self) -> dict[str, Any]:
        """The push subscription of a browser, as it gives it to a page: libraries for web push take it."""
        found: dict[str, Any] | None = self.json.get("subscription")
        if found is None:
            raise PushpitError(f"{self!r} has no push subscription: only devices of the platform 'web' have one")
        return found

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.json["state"]
        return state

    def set_state(self, **state: Unpack[State]) -> None:
        """Changes parts of the state: `device.set_state(online=False)`. Pushes that waited may arrive."""
        self._api.call("PATCH", self._path, {"state": camel_keys(state)})

    @property
    def shade(self) -> list[Notification]:
        """The notifications that it shows, newest first.

        While its extension works or it loads an image, this waits for that, for up to 5 s. `json["shade"]` never waits.
        """
        return self._shade(PATIENCE)

    def notification(self, within: Duration = PATIENCE) -> Notification:
        """Waits until it shows a notification, and returns the newest one. If it shows none, the error says why."""
        deadline = time.monotonic() + duration_seconds(within)
        while True:
            shade = self._shade(max(0, deadline - time.monotonic()))
            if shade:
                return shade[0]
            if time.monotonic() >= deadline:
                raise AssertionError(f"{self!r} shows no notification. {self._why_empty()}")
            time.sleep(PAUSE)

    def _why_empty(self) -> str:
        tokens = self.tokens
        return empty_text(self._api, self.id, [tokens[kind]["token"] for kind in ("apns", "fcm") if kind in tokens])

    def _shade(self, patience: float) -> list[Notification]:
        settle(self._api, self.id, patience)
        rows = self._api.pages(f"{self._path}/shade", "shade")
        return [Notification.parse(row, lambda push: missing_image(self._api, push, self.id)) for row in rows]

    @property
    def badge(self) -> int:
        return int(self.json["badge"])

    @property
    def pending(self) -> list[dict[str, Any]]:
        """The pushes that wait for it."""
        return list(self._api.pages(f"{self._path}/pending", "pending"))

    def events(self, *kinds: str) -> list[Event]:
        """What has happened to it so far, oldest first."""
        query = {"since": 0, "follow": "false", "device": self.id, **({"kind": ",".join(kinds)} if kinds else {})}
        return [Event.parse(row) for row in self._api.lines("/events", query) if "seq" in row]

    def act(self, kind: str, notification: Notification | str | None = None, **more: Any) -> None:
        """Acts as the person who uses it: docs/api.md."""
        key = notification.key if isinstance(notification, Notification) else notification
        self._api.call("POST", f"{self._path}/act", camel_keys({"kind": kind, "notification": key, **more}))

    def open(self, notification: Notification | str | None = None) -> None:
        """Opens this notification, or the newest one by default."""
        self.act("open", notification or self._newest("open"))

    def dismiss(self, notification: Notification | str | None = None) -> None:
        """Dismisses this notification, or the newest one by default."""
        self.act("dismiss", notification or self._newest("dismiss"))

    def tap_action(
        self, action_id: str, notification: Notification | str | None = None, text: str | None = None
    ) -> None:
        """Taps a button of this notification, or of the newest one by default."""
        self.act("action", notification or self._newest("tap"), action_id=action_id, text=text)

    def _newest(self, what: str) -> Notification:
        shade = self.shade
        if not shade:
            raise AssertionError(f"{self!r} shows no notification to {what}. {self._why_empty()}")
        return shade[0]

    def clear_all(self) -> None:
        self.act("clearAll")

    def launch(self) -> None:
        self.act("launch")

    def force_quit(self) -> None:
        self.act("forceQuit")

    def install(self) -> None:
        self.act("install")

    def uninstall(self) -> None:
        """Removes the app. From now on, pushes to its tokens get 410 (APNs) or 404 UNREGISTERED (FCM)."""
        self.act("uninstall")

    def rotate_token(self, provider: str | None = None, kind: str | None = None) -> None:
        """Gives it a new token. The old one behaves like the token of an app that was uninstalled."""
        self._change_token("rotate", provider, kind)

    def delete_token(self, provider: str | None = None, kind: str | None = None) -> None:
        self._change_token("delete", provider, kind)

    def _change_token(self, op: str, provider: str | None, kind: str | None) -> None:
        provider = provider or ("apns" if self.platform == "ios" else "fcm")
        self._api.call("POST", f"{self._path}/tokens", camel_keys({"op": op, "provider": provider, "kind": kind}))

    def subscribe(self, topic: str) -> None:
        """Subscribes it to a topic of FCM."""
        self._api.call("PUT", f"/topics/{quote(topic, safe='')}{self._path}")

    def unsubscribe(self, topic: str) -> None:
        self._api.call("DELETE", f"/topics/{quote(topic, safe='')}{self._path}")

    def delete(self) -> None:
        """Removes it from the gateway."""
        self._api.call("DELETE", self._path)

    def connect(
        self, *, wants: Sequence[str] | None = None, resume_after: int | None = None, manual_ack: bool | None = None,
        offline_when_disconnected: bool | None = None, exclusive: bool | None = None,
    ) -> Device:
        """For `async with device.connect(manual_ack=True):` a socket with these options (docs/devices.md)."""
        self._configure({
            "wants": wants, "resume": None if resume_after is None else {"after": resume_after},
            "manual_ack": manual_ack, "offline_when_disconnected": offline_when_disconnected, "exclusive": exclusive})
        return self

    async def __aenter__(self) -> Device:
        await self._open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()
