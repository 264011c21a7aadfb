"""The exceptions. ExpectationFailed and NoFrame are AssertionErrors; all others are PushpitErrors."""
from __future__ import annotations

import asyncio
from typing import Any


def hides_frames(info: Any) -> bool:
    """The `__tracebackhide__` of this package's modules: pytest shows none of their frames for the errors below."""
    return info is not None and bool(info.errisinstance((PushpitError, AssertionError)))


class PushpitError(Exception):
    """The gateway can't be started or reached, or it refused a call."""


class UnusedFault(UserWarning):
    """A test has set a fault, and no request has hit it."""


class CallRefused(PushpitError):
    """The gateway refused a call of its control API, or a message on a device's socket."""

    def __init__(self, call: str, status: int, code: str, message: str, pointer: str = "") -> None:
        place = f" (at {pointer})" if pointer else ""
        super().__init__(f"{call} was refused with {status} {code}: {message}{place}")
        self.status = status
        self.code = code
        self.message = message
        self.pointer = pointer


class SharedGateway(PushpitError):
    """A test wants to change something that belongs to all users of a shared gateway."""


class SocketClosed(PushpitError):
    """The socket of a device has ended.

    The gateway closed it, or the connection ended (code 1006), or this package closed it because the gateway sent
    something that it must not send (codes 1002, 1003 and 1009).
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the device's socket ended with code {code}{f' ({reason})' if reason else ''}")
        self.code = code
        self.reason = reason


class ExpectationFailed(AssertionError):
    """An expectation that is not met. The text shows how the nearest pushes differ."""

    def __init__(self, text: str, why: str, nearest: list[object]) -> None:
        super().__init__(text)
        self.why = why
        self.nearest = nearest


class NoFrame(AssertionError):
    """A device did not get the frame that a test waited for."""


def loop_hint(call: str) -> list[str]:
    """For an error after a wait: if the wait has blocked an event loop, a line that names the call to use instead."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return []
    return [
        "While it waited, the event loop of this thread stood still, so asynchronous code could not send: use "
        f"'await {call}' in asynchronous tests."]
