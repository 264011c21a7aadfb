"""A simulated phone or browser. It receives pushes without any socket; `async with device` also watches it."""
from __future__ import annotations

from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Sequence
from urllib.parse import quote

from ._names import camel_keys
from ._shade import DeviceShade, addresses_in
from .errors import CallRefused, PushpitError, hides_frames
from .messages import Event, Notification

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._api import Api
    from .device_spec import State


__tracebackhide__ = hides_frames


class Device(DeviceShade):
    """A device of a gateway. Each property asks the gateway, so it is always up to date."""

    def __init__(self, api: Api, json: Mapping[str, Any]) -> None:
        super().__init__(api, json["id"], json["platform"])
        self.app: str = json["app"]
        self._first = dict(json)

    def __repr__(self) -> str:
        return f"<Device {self.id}: {self.platform}, {self.app}>"

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
    def addresses(self) -> set[str]:
        """What a sender may have sent to: its tokens, those that it had at first, and the last part of its endpoint."""
        found: set[str] = set()
        with suppress(CallRefused):  # It was deleted.
            found |= addresses_in(self.json)
        return found | addresses_in(self._first)

    @property
    def subscription(self) -> dict[str, Any]:
        """The push subscription of a browser, as it gives it to a page: libraries for web push take it."""
        json = self.json
        found: dict[str, Any] | None = json.get("subscription")
        if found is None:
            raise PushpitError(f"{self!r} has no push subscription: {self._why_no_subscription(json)}")
        return found

    def _why_no_subscription(self, json: Mapping[str, Any]) -> str:
        if self.platform != "web":
            return "only devices of the platform 'web' have one"
        permission = json["state"]["permission"]
        cause = "the page has unsubscribed" if permission == "authorized" else f"its permission is '{permission}'"
        return (
            f"it has ended, because {cause}. Take it before that, 'subscription = browser.subscription': senders that "
            "still use it get 410")

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.json["state"]
        return state

    def set_state(self, **state: Unpack[State]) -> None:
        """Changes parts of the state: `device.set_state(online=False)`. Pushes that waited may arrive."""
        self._api.call("PATCH", self._path, {"state": camel_keys(state)})

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
