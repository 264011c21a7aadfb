"""Devices that lose their sockets and resume while they get pushes: no push is lost."""
from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import websockets

from device_client import IPHONE, Fields, opened, token_of
from gateway import PATIENCE, Gateway
from h2_client import Client, push

# Pushes at once on one connection, and how many devices may lose their sockets meanwhile.
BATCH = 100
DROPS = 4
# A socket is dropped only if its device has seen one of the newest 5,000 events: the log keeps 10,000.
FRESH = 5000
# How many events before the last one that it saw a client resumes, as if it had lost its place.
FORGOTTEN = [0, 0, 0, 500]
# The longest time for the soak of devices, in seconds.
LONGEST = 600


@dataclass(eq=False)
class Handset:
    """The client of a simulated device over all of its sockets, and the pushes that it has received."""

    device: str
    token: str
    seen: int
    socket: websockets.ClientConnection
    is_up: bool = True
    may_return: asyncio.Event = field(default_factory=asyncio.Event)
    # By the frame's id: the number in the payload, and its attempts in order.
    numbers: dict[str, int] = field(default_factory=dict)
    attempts: dict[str, list[int]] = field(default_factory=dict)


class DeviceSoak:
    """Pushes to devices that drop their sockets and resume. Every push that was answered 200 arrives, and repeated ones are marked."""

    def __init__(self, gateway: Gateway, pushes: int) -> None:
        self.gateway = gateway
        self.numbers: Iterator[int] = iter(range(pushes))
        self.chance = random.Random(2)
        self.handsets: list[Handset] = []
        # The device that each number was sent to, and the numbers that have arrived.
        self.sent: dict[int, Handset] = {}
        self.come: set[int] = set()
        self.moved = asyncio.Event()
        self.newest = 0
        self.resumed = 0

    async def run(self, devices: int) -> None:
        tasks: list[asyncio.Task[None]] = []
        try:
            for _ in range(devices):
                self.handsets.append(await self.connect_new())
            tasks += [asyncio.create_task(self.push_all()), *(asyncio.create_task(self.listen(handset)) for handset in self.handsets)]
            # Listeners end only with an error.
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            # Python 3.11's `wait_for` may swallow a cancellation that comes with the result, so it is repeated.
            while pending := [task for task in tasks if not task.done()]:
                for task in pending:
                    task.cancel()
                await asyncio.wait(pending, timeout=1)
            for handset in self.handsets:
                handset.socket.transport.abort()
        self.check_result()

    async def connect_new(self) -> Handset:
        socket = await opened(self.gateway)
        welcome = await self.say_hello(socket, IPHONE)
        return Handset(welcome["device"]["id"], token_of(welcome), welcome["seq"], socket)

    async def say_hello(self, socket: websockets.ClientConnection, device: Fields, **more: Any) -> Fields:
        await socket.send(json.dumps({"type": "hello", "device": device, "wants": ["push"]} | more))
        return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))

    async def listen(self, handset: Handset) -> None:
        while True:
            try:
                async for text in handset.socket:
                    self.take(handset, json.loads(text))
            except websockets.ConnectionClosedError as end:
                if handset.is_up:
                    raise AssertionError(f"{handset.device} lost its socket: {end}") from end
            await handset.may_return.wait()
            handset.socket = await opened(self.gateway)
            after = max(0, handset.seen - self.chance.choice(FORGOTTEN))
            welcome = await self.say_hello(handset.socket, {"id": handset.device}, resume={"after": after})
            if (welcome["resumed"], welcome["missed"]) != (True, 0):
                raise AssertionError(f"{handset.device} could not resume after {after}: {welcome}")
            self.resumed += 1
            handset.is_up = True

    def take(self, handset: Handset, frame: Fields) -> None:
        number = frame["payload"]["n"]
        if handset.numbers.setdefault(frame["id"], number) != number or self.sent[number] is not handset:
            raise AssertionError(f"{handset.device} got what is not its own: {frame}")
        handset.attempts.setdefault(frame["id"], []).append(frame["attempt"])
        handset.seen = frame["seq"]
        self.newest = max(self.newest, frame["seq"])
        self.come.add(number)
        self.moved.set()

    async def push_all(self) -> None:
        with Client(self.gateway.at().connect()) as one, Client(self.gateway.at().connect()) as other:
            await asyncio.gather(self.push_on(one), self.push_on(other))
        while len(self.come) < len(self.sent):
            self.moved.clear()
            try:
                await asyncio.wait_for(self.moved.wait(), PATIENCE)
            except TimeoutError:
                return

    async def push_on(self, client: Client) -> None:
        """Pushes in batches. A device may get several in a row and lose its socket meanwhile."""
        client.start()
        stream = 1
        while numbers := list(islice(self.numbers, BATCH)):
            pieces: list[bytes] = []
            handset = self.chance.choice(self.handsets)
            for place, number in enumerate(numbers):
                self.sent[number] = handset
                pieces.append(push(stream + 2 * place, token=handset.token, body=b'{"aps":{"alert":"Hello"},"n":%d}' % number))
                handset = self.chance.choice([self.sent[number], self.chance.choice(self.handsets)])
            streams = range(stream, stream + 2 * len(numbers), 2)
            answered = asyncio.create_task(asyncio.to_thread(self.exchange, client, pieces, streams))
            down = [handset for handset in (self.sent[number] for number in self.chance.sample(numbers, min(DROPS, len(numbers)))) if await self.drop(handset)]
            if wrong := [(number, status) for number, status in zip(numbers, await answered, strict=True) if status != 200]:
                raise AssertionError(f"pushes were not all answered 200: {wrong[:5]}")
            for handset in down:
                handset.may_return.set()
            stream = streams.stop

    def exchange(self, client: Client, pieces: list[bytes], streams: range) -> list[int]:
        client.send(*pieces)
        statuses = [client.answer(stream).status for stream in streams]
        client.frames.clear()
        client.answers.clear()
        return statuses

    async def drop(self, handset: Handset) -> bool:
        """Closes the socket with or without a Close frame. Half of the devices stay away until the batch is answered."""
        if not handset.is_up or self.newest - handset.seen > FRESH:
            return False
        handset.is_up = False
        handset.may_return.set()
        if self.chance.random() < 0.5:
            handset.may_return.clear()
        if self.chance.random() < 0.5:
            handset.socket.transport.abort()
        else:
            await handset.socket.close()
        return True

    def check_result(self) -> None:
        lost = sorted(self.sent.keys() - self.come)
        if lost:
            shown = [(number, self.sent[number].device, f"seen {self.sent[number].seen}") for number in lost[:5]]
            raise AssertionError(f"{len(lost)} pushes of {len(self.sent)} never came: {shown}")
        for handset in self.handsets:
            if len(set(handset.numbers.values())) < len(handset.numbers):
                raise AssertionError(f"{handset.device} got one push under two ids: {handset.numbers}")
            if unmarked := {push: tries for push, tries in handset.attempts.items() if min(tries[1:], default=2) < 2}:
                raise AssertionError(f"{handset.device} got pushes again without a mark: {unmarked}")

    @property
    def figures(self) -> str:
        tries = [tries for handset in self.handsets for tries in handset.attempts.values()]
        late, again = sum(first > 1 for first, *_ in tries), sum(len(more) for _, *more in tries)
        return f"{self.resumed} resumed, {late} came at a second attempt, {again} came again and were marked"


async def soak_devices(gateway: Gateway, pushes: int, devices: int) -> None:
    begun = time.monotonic()
    run = DeviceSoak(gateway, pushes)
    async with asyncio.timeout(LONGEST):
        await run.run(devices)
    print(
        f"device soak: {pushes} pushes to {devices} devices in {time.monotonic() - begun:.0f} s, {run.figures}, "
        f"resident {gateway.resident_bytes >> 20} MiB")
