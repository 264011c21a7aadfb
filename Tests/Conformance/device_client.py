"""The phone's side of a device socket, with the websockets package, and the handshake as text."""
from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from websockets import Origin, Subprotocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from gateway import PATIENCE, TOPIC, Gateway

PROTOCOL = Subprotocol("pushpit.device.v1")
IPHONE = {"platform": "ios", "app": TOPIC}
Fields = dict[str, Any]

HANDSHAKE = {
    "host": "localhost", "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-protocol": str(PROTOCOL),
}


def handshake(first: str = "GET /devices/socket HTTP/1.1", **changes: str | None) -> str:
    """The request's lines; `sec_websocket_key=None` leaves that field out."""
    fields = HANDSHAKE | {name.replace("_", "-"): value for name, value in changes.items()}
    return "\n".join([first, *(f"{name}: {value}" for name, value in fields.items() if value is not None)])


# Prefixes of the rules for what a phone does with a push.
SHOWING = ("ios.", "android.", "web.", "fetch.", "adobe.")


class Phone:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        # Whether `receive` returns the events of what is shown, too.
        self.shows = False

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def receive(self) -> Fields:
        while True:
            message: Fields = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            if self.shows or message["type"] != "event" or not message.get("why", "").startswith(SHOWING):
                return message

    async def ask(self, **message: Any) -> Fields:
        await self.send(**message)
        return await self.receive()

    async def closed(self) -> int | None:
        """Waits for the end of the socket and returns the gateway's close code."""
        try:
            await asyncio.wait_for(self.socket.recv(), PATIENCE)
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None
        raise AssertionError("a message came and no end")


def with_phones(gateway: Gateway, body: Callable[..., Awaitable[None]], count: int = 1, scheme: str = "ws") -> None:
    """Runs the body with `count` open sockets on which hello was not sent yet."""
    async def run() -> None:
        sockets = [await opened(gateway, scheme) for _ in range(count)]
        try:
            await body(*map(Phone, sockets))
        finally:
            for socket in sockets:
                await asyncio.wait_for(socket.close(), PATIENCE)
    asyncio.run(run())


def opened(
    gateway: Gateway, scheme: str = "ws", protocols: list[str] | None = None, origin: str | None = None
) -> connect:
    return connect(
        gateway.at().url("/devices/socket", scheme=scheme), ssl=gateway.context() if scheme == "wss" else None,
        subprotocols=[PROTOCOL] if protocols is None else [Subprotocol(name) for name in protocols],
        origin=Origin(origin) if origin else None, open_timeout=PATIENCE, close_timeout=PATIENCE, ping_interval=None)


def token_of(welcome: Fields) -> str:
    return welcome["device"]["tokens"]["apns"]["token"]
