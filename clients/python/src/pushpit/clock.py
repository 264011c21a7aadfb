"""The gateway's clock, which decides ages, expirations and delays."""
from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Iterator

from ._values import Duration, duration_text, parsed_time, time_text
from .errors import SharedGateway, hides_frames

if TYPE_CHECKING:
    from ._api import Api


__tracebackhide__ = hides_frames


class Clock:
    """Moves the clock without waiting. Each call returns the gateway's time."""

    def __init__(self, api: Api, *, is_fixed: bool = False) -> None:
        """A fixed clock can be read, but an attempt to change it raises SharedGateway."""
        self._api = api
        self._is_fixed = is_fixed

    @property
    def now(self) -> datetime:
        return parsed_time(self._api.call("GET", "/clock")["now"])

    @property
    def is_frozen(self) -> bool:
        return bool(self._api.call("GET", "/clock")["frozen"])

    def advance(self, duration: Duration) -> datetime:
        """Moves it forward. Everything that the new time makes due is done when the call returns."""
        return self._change({"advance": duration_text(duration)})

    def set(self, time: datetime | str) -> datetime:
        return self._change({"set": time_text(time)})

    def freeze(self) -> datetime:
        """Stops it. It can still be moved."""
        return self._change({"freeze": True})

    def resume(self) -> datetime:
        return self._change({"resume": True})

    def reset(self) -> datetime:
        """Sets it to the real time, and lets it go on."""
        self._change({"set": "now"})
        return self.resume()

    @contextmanager
    def frozen(self) -> Iterator[Clock]:
        """Stops it during a `with` block."""
        self.freeze()
        try:
            yield self
        finally:
            self.resume()

    def _change(self, wish: dict[str, Any]) -> datetime:
        if self._is_fixed:
            raise SharedGateway(
                f"The clock of {self._api.url} belongs to everyone who uses this gateway, and this process has not "
                "started it: use a gateway that it starts, or 'shared_clock' if no one else uses this one now.")
        return parsed_time(self._api.call("POST", "/clock", wish)["now"])
