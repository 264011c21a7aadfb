"""A gateway: one that this process starts, or one that runs already."""
from __future__ import annotations

import asyncio
import base64
import os
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

from . import expectations
from ._api import Api
from ._environment import api_token as given_token, credentials_index, is_inside_exec
from ._program import RunningProgram, token_in, variables_for
from ._redirection import pushes_led_to
from ._values import Duration, camel_keys, device_json, duration_text
from .clock import Clock
from .credentials import Credentials
from .device import Device
from .errors import PushpitError, hides_frames
from .faults import Effect, Fault, set_faults, set_scenario
from .messages import Event, Message

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .device import Spec
    from ._report import Recorder
    from .expectations import Expected, Filters, Match, Scope
    from .faults import When


__tracebackhide__ = hides_frames


class Gateway:
    """Use it as a context manager.

    Without arguments it uses the gateway in PUSHPIT_URL, which `pushpit exec` and `pushpit env` set, and starts one if
    the variable is not set. With `url` it uses that one. With `options` of `pushpit serve` it starts one.
    """

    def __init__(self, *, url: str | None = None, options: Sequence[str] = (), api_token: str | None = None) -> None:
        if url and options:
            raise PushpitError("options configure a gateway that is started, so they can't be used with a url")
        if not options:
            url = url or os.environ.get("PUSHPIT_URL") or None
        # Whether others may use the gateway too. One that was started here belongs to this process alone.
        self.is_shared = url is not None
        # Notes expectations for a report.
        self.recorder: Recorder | None = None
        self._program = None if url else RunningProgram(options)
        try:
            if url:
                self._api = Api(url, api_token or given_token(), os.environ.get("PUSHPIT_CA"))
            else:
                self._api = Api(self._started_url(), api_token or token_in(options))
            self.call("GET", "/stats")
        except BaseException:
            self.close()
            raise

    def _started_url(self) -> str:
        assert self._program
        port = self._program.description["listeners"][0]["url"].rpartition(":")[2]
        return f"http://127.0.0.1:{port}"

    def close(self) -> None:
        """Ends the gateway if it was started here."""
        if self._program:
            self._program.stop()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Gateway {self.url}{', shared' if self.is_shared else ''}>"

    @property
    def url(self) -> str:
        """For the control API and the gateway's pages. If it begins with http://, no certificate is needed."""
        return self._api.url

    @property
    def push_url(self) -> str:
        """For senders that can be given another host. They have to trust `credentials.ca`."""
        host = "localhost" if self._api.host == "127.0.0.1" else self._api.host
        return f"https://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def host(self) -> str:
        return self._api.host

    @property
    def port(self) -> int:
        return self._api.port

    @property
    def token(self) -> str | None:
        """The bearer token of the control API."""
        return self._api.token

    @property
    def directory(self) -> Path | None:
        """The directory of its files, if it was started here. It is removed with the gateway."""
        return self._program.folder if self._program else None

    @property
    def log(self) -> str:
        """What a gateway that was started here has logged; "" for others."""
        return self._program.log if self._program else ""

    @cached_property
    def credentials(self) -> Credentials:
        """What a sender needs. For a gateway that was not started here, PUSHPIT_CREDENTIALS, PUSHPIT_CERTS, or else the
        gateway itself says where it is.
        """
        if self._program:
            return Credentials.read(Path(self._program.description["credentials"]))
        return Credentials.read(credentials_index(self._api))

    @cached_property
    def environment(self) -> dict[str, str]:
        """The variables that lead other programs to the gateway, as `pushpit env` prints them.

        Under `pushpit exec` there are none, because all programs are led to it.
        """
        if self.is_shared and is_inside_exec(self.url):
            return {}
        return variables_for(self.url, self.credentials.ca.parent, self._api.token)

    @contextmanager
    def redirect(self) -> Iterator[Gateway]:
        """During the `with` block, pushes that this process sends to Apple and Google reach the gateway.

        Connections for the push hosts go to the gateway, and the environment has the credentials and the authority.
        """
        with pushes_led_to(self):
            yield self

    def call(self, method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None) -> Any:
        """Any call of the control API: `gateway.call("GET", "/stats")`. Returns the JSON of the answer."""
        return self._api.call(method, path, body, query=query, is_raw=True)

    def expect(self, **expected: Unpack[Expected]) -> list[Message]:
        """Waits for pushes, and returns the ones that match, oldest first. Raises ExpectationFailed, an AssertionError."""
        return self.wait_for(expected)

    def expect_sequence(self, *steps: Match, within: Duration = "5s") -> list[Message]:
        """Waits for pushes that come one after the other. Other pushes may come between them."""
        return self.wait_for({"sequence": steps, "within": within})

    async def expect_async(self, **expected: Unpack[Expected]) -> list[Message]:
        """Like `expect`, but does not block the event loop, which the sender may need."""
        return await asyncio.get_running_loop().run_in_executor(None, lambda: self.expect(**expected))

    def wait_for(self, expected: Mapping[str, Any], scope: Scope | None = None) -> list[Message]:
        """Waits until an expectation is met, and returns the pushes that it counts. The scope says whose they are."""
        request = expectations.request_of(expected)
        answer, failure = expectations.check(self._api, request, scope)
        messages = [] if failure else [Message.parse(self.call("GET", f"/messages/{id}")) for id in answer["messages"]]
        if self.recorder:
            self.recorder.note(request, answer, failure, messages)
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
        made = self._api.call("POST", "/devices", {"platform": platform, "app": app, **device_json(spec)})
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
