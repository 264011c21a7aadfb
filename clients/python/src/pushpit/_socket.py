"""The socket of a device: its frames, in the order in which the gateway sends them."""
from __future__ import annotations

import asyncio
import itertools
import json
from collections import deque
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Sequence

from ._names import camel_keys, pointer_here, refusal_here
from ._values import Duration, duration_seconds
from ._websocket import WebSocket
from .errors import CallRefused, NoFrame, PushpitError, SocketClosed, hides_frames

if TYPE_CHECKING:
    from ._api import Api

__tracebackhide__ = hides_frames

PATH = "/devices/socket"
PROTOCOL = "pushpit.device.v1"
# Seconds until the gateway has answered the first message.
WELCOME = 10.0
# The newest frames that a failure lists.
LISTED = 10


class DeviceSocket:
    """Watches a device while its `async with` block runs. Frames that no call has asked for yet are kept."""

    def __init__(self, api: Api, id: str) -> None:
        self._api = api
        self.id = id
        self._hello: dict[str, Any] = {}
        self._socket: WebSocket | None = None
        self._reader: asyncio.Task[None] | None = None
        self._refs = itertools.count(1)

    def _configure(self, hello: dict[str, Any]) -> None:
        self._hello = camel_keys(hello)

    async def _open(self) -> None:
        if self._socket:
            raise PushpitError(f"the socket of {self!r} is open already")
        self._frames: deque[dict[str, Any]] = deque()
        self._seen: deque[str] = deque(maxlen=LISTED)
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._ending: SocketClosed | None = None
        self._changed = asyncio.Condition()
        socket = self._socket = await WebSocket.connect(
            self._api.host, self._api.port, PATH, protocol=PROTOCOL, fields=self._api.fields, context=self._api.context)
        try:
            await socket.send(json.dumps({"type": "hello", "device": {"id": self.id}, **self._hello}))
            self.welcome: dict[str, Any] = json.loads(await asyncio.wait_for(socket.receive(), WELCOME))
            if self.welcome["type"] != "welcome":
                raise PushpitError(f"the gateway refuses to open {self!r}: {self.welcome.get('message', self.welcome)}")
        except BaseException:
            await self._close()
            raise
        self._reader = asyncio.ensure_future(self._read(socket))

    async def _close(self) -> None:
        reader, socket, self._reader, self._socket = self._reader, self._socket, None, None
        if reader:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
        if socket:
            await socket.close()

    async def _read(self, socket: WebSocket) -> None:
        try:
            while True:
                frame = json.loads(await socket.receive())
                answer = self._answers.pop(frame.get("ref", ""), None)
                if answer:
                    if not answer.done():
                        answer.set_result(frame)
                    continue
                async with self._changed:
                    self._frames.append(frame)
                    self._seen.append(_summary(frame))
                    self._changed.notify_all()
        except SocketClosed as ending:
            async with self._changed:
                self._ending = ending
                self._changed.notify_all()
            for waiting in self._answers.values():
                if not waiting.done():
                    waiting.set_exception(ending)

    async def next_push(self, timeout: Duration = 5) -> dict[str, Any]:
        """The next push frame. Later `event` frames say what the phone shows, and why."""
        return await self.next_frame(lambda frame: frame["type"] == "push", timeout, "a push")

    async def next_event(self, *kinds: str, timeout: Duration = 5) -> dict[str, Any]:
        """The next event, or the next one of these kinds."""
        return await self.next_frame(
            lambda frame: frame["type"] == "event" and (not kinds or frame["kind"] in kinds), timeout,
            f"an event of the kind {' or '.join(kinds)}" if kinds else "an event")

    async def next_frame(
        self, matches: Callable[[dict[str, Any]], bool] = lambda frame: True, timeout: Duration = 5,
        what: str = "a frame",
    ) -> dict[str, Any]:
        """The next frame that matches. Earlier frames that don't match are kept for later calls."""
        try:
            return await asyncio.wait_for(self._next(matches), duration_seconds(timeout))
        except asyncio.TimeoutError:
            seen = "; ".join(self._seen) or "nothing"
            raise NoFrame(
                f"{self!r} did not get {what} within {timeout if isinstance(timeout, str) else f'{timeout} s'}. "
                f"Since the socket was opened it got: {seen}") from None

    async def _next(self, matches: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        if not self._socket:
            raise PushpitError(f"the socket of {self!r} is not open: use 'async with'")
        async with self._changed:
            while True:
                for frame in self._frames:
                    if matches(frame):
                        self._frames.remove(frame)
                        return frame
                if self._ending:
                    raise self._ending
                await self._changed.wait()

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        """All frames, without a timeout, until the gateway closes the socket."""
        while True:
            try:
                yield await self._next(lambda frame: True)
            except SocketClosed:
                return

    async def request(self, type: str, timeout: Duration = 5, **members: Any) -> dict[str, Any]:
        """Sends a message of the socket's protocol, and waits for its answer: `request("ack", ids=["p1"])`."""
        if not isinstance(type, str):
            raise TypeError(
                'request() takes the type of the message, and its members as keywords: request("topic", op="subscribe", '
                f'name="news"), not {type!r}')
        if not self._socket:
            raise PushpitError(f"the socket of {self!r} is not open: use 'async with'")
        if self._ending:
            raise self._ending
        ref = f"kit-{next(self._refs)}"
        answer = self._answers[ref] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps({"type": type, "ref": ref, **camel_keys(members)}))
        try:
            frame: dict[str, Any] = await asyncio.wait_for(answer, duration_seconds(timeout))
        except asyncio.TimeoutError:
            raise PushpitError(f"the gateway did not answer '{type}' of {self!r} in time") from None
        finally:
            self._answers.pop(ref, None)
        if frame["type"] == "error":
            pointer = frame.get("pointer") or ""
            message = refusal_here(frame["message"], pointer, frame["code"])
            raise CallRefused(type, 400, frame["code"], message, pointer_here(pointer))
        return frame


def _summary(frame: dict[str, Any]) -> str:
    words: Sequence[Any] = [frame["type"], frame.get("kind"), frame.get("id") or frame.get("push"), frame.get("why")]
    return " ".join(str(word) for word in words if word)
