"""A long mixed load on one gateway, then devices that come and go, then many ends by kill -9: nothing grows, nothing is lost, nothing hangs."""
from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import websockets

from device_client import IPHONE, Fields, opened, token_of
from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import BEARER, Client, push
from storage_loop import crash_with_pushes

# Growth of resident memory that is forgiven between the first third and the end.
GROWTH = 24 << 20
# Pushes at once on one connection, and the devices that may lose their sockets meanwhile.
BATCH = 100
DROPS = 4
# A device is dropped only where it has seen one of so many newest events: the log keeps 10,000.
FRESH = 5000
# How many events behind the last one that it saw a client resumes: it may have lost its place.
FORGOTTEN = [0, 0, 0, 500]
# Seconds that a soak of devices may take.
LONGEST = 600


def resident(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found.group(1)) * 1024 if found else 0


async def push_all(gateway: Gateway, end: float, counts: dict[str, int], sizes: list[int]) -> None:
    """In batches; after each the memory is looked at."""
    while time.monotonic() < end:
        load = await asyncio.create_subprocess_exec(
            "h2load", "-n", "5000", "-c", "4", "-m", "100", "-d", str(gateway.directory / "body"),
            "-H", ": ".join(BEARER), "-H", f"apns-topic: {TOPIC}", gateway.at().url(f"/3/device/{TOKEN}"),
            stdout=subprocess.PIPE)
        shown = (await load.communicate())[0].decode()
        if "5000 2xx" not in shown:
            raise AssertionError(f"pushes were not all answered 200: {shown}")
        counts["pushes"] += 5000
        sizes.append(resident(gateway.process.pid))


async def watch(gateway: Gateway, end: float, counts: dict[str, int]) -> None:
    """Devices that come, get a push and go, a dozen broken peers with each."""
    chance = random.Random(1)
    while time.monotonic() < end:
        async with websockets.connect(gateway.at().url("/devices/socket", scheme="ws")) as phone:
            await phone.send(json.dumps({"type": "hello", "device": {"platform": "ios", "app": TOPIC}}))
            welcome = json.loads(await asyncio.wait_for(phone.recv(), PATIENCE))
            token = welcome["device"]["tokens"]["apns"]["token"]
            sender = await asyncio.create_subprocess_exec(
                "curl", "-s", "--http2-prior-knowledge", "-H", ": ".join(BEARER), "-H", f"apns-topic: {TOPIC}",
                "-d", '{"aps":{"alert":"Hello"}}', gateway.at().url(f"/3/device/{token}", scheme="http"))
            frame = json.loads(await asyncio.wait_for(phone.recv(), PATIENCE))
            if frame["type"] != "push":
                raise AssertionError(f"no push came: {frame}")
            await sender.wait()
            counts["devices"] += 1
        for _ in range(12):
            broken_peer(gateway, chance)
            counts["broken"] += 1


def broken_peer(gateway: Gateway, chance: random.Random) -> None:
    """Begins something and goes away without a word, half of the time with a reset."""
    peer = gateway.at().connect()
    begun = [b"", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\nHost: ", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x08\x06"]
    peer.sendall(chance.choice(begun) + chance.randbytes(chance.randrange(40)))
    if chance.random() < 0.5:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


async def soak(gateway: Gateway, seconds: float) -> None:
    (gateway.directory / "body").write_text('{"aps":{"alert":"' + "x" * 179 + '"}}')
    end = time.monotonic() + seconds
    counts = {"pushes": 0, "devices": 0, "broken": 0}
    sizes: list[int] = []
    await asyncio.gather(push_all(gateway, end, counts, sizes), watch(gateway, end, counts))
    early, late = max(sizes[: len(sizes) // 3]), max(sizes[-len(sizes) // 3:])
    print(f"soak: {counts}, resident {early >> 20} MiB early, {late >> 20} MiB late")
    if late - early > GROWTH:
        raise AssertionError(f"memory grows: {early} to {late} bytes")


@dataclass(eq=False)
class Handset:
    """A simulated device's client, over all of its sockets, and what has come to it."""

    device: str
    token: str
    seen: int
    socket: websockets.ClientConnection
    is_up: bool = True
    may_return: asyncio.Event = field(default_factory=asyncio.Event)
    # By the frame's id: the number in the payload, and every attempt in its order.
    numbers: dict[str, int] = field(default_factory=dict)
    attempts: dict[str, list[int]] = field(default_factory=dict)


class DeviceSoak:
    """Pushes to devices that drop their sockets and resume: what was answered 200 comes, and what comes again says so."""

    def __init__(self, gateway: Gateway, pushes: int) -> None:
        self.gateway = gateway
        self.numbers: Iterator[int] = iter(range(pushes))
        self.chance = random.Random(2)
        self.handsets: list[Handset] = []
        # Whom each number went to, and which have come.
        self.sent: dict[int, Handset] = {}
        self.come: set[int] = set()
        self.moved = asyncio.Event()
        self.newest = 0
        self.resumed = 0

    async def run(self, devices: int) -> None:
        tasks: list[asyncio.Task[None]] = []
        try:
            for _ in range(devices):
                self.handsets.append(await self.made())
            tasks += [asyncio.create_task(self.push_all()), *(asyncio.create_task(self.listen(handset)) for handset in self.handsets)]
            # Who listens never ends but by an error.
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for handset in self.handsets:
                handset.socket.transport.abort()
        self.judge()

    async def made(self) -> Handset:
        socket = await opened(self.gateway)
        welcome = await self.greeted(socket, IPHONE)
        return Handset(welcome["device"]["id"], token_of(welcome), welcome["seq"], socket)

    async def greeted(self, socket: websockets.ClientConnection, device: Fields, **more: Any) -> Fields:
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
            welcome = await self.greeted(handset.socket, {"id": handset.device}, resume={"after": after})
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
        """In batches; a device may get several in a row, and be dropped while they come."""
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
        """With a word or without one; half of them stay away until the batch is answered."""
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

    def judge(self) -> None:
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
        f"resident {resident(gateway.process.pid) >> 20} MiB")


def crash_loop(times: int) -> None:
    """Ended by kill -9 at any moment, it starts again with the same credentials."""
    with tempfile.TemporaryDirectory(prefix="pushpit-crash-") as place:
        certificates = Path(place) / "certs"
        kept: dict[str, bytes] = {}
        for _ in range(times):
            with Gateway(certificates=certificates) as gateway:
                context = gateway.context("http/1.1")
                with context.wrap_socket(gateway.at().connect(), server_hostname="localhost") as peer:
                    peer.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    if not peer.recv(100).startswith(b"HTTP/1.1 200"):
                        raise AssertionError("it does not serve after a crash")
                gateway.process.send_signal(signal.SIGKILL)
                gateway.process.wait(PATIENCE)
            now = {path.name: path.read_bytes() for path in certificates.iterdir() if path.name != "service-account.json"}
            if kept and kept != now:
                raise AssertionError("a crash changed the credentials")
            kept = now
    print(f"crash loop: {times} starts after kill -9, the same credentials")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--crashes", type=int, default=40)
    parser.add_argument("--kept-crashes", type=int, default=50)
    parser.add_argument("--device-pushes", type=int, default=100_000)
    parser.add_argument("--devices", type=int, default=1000)
    options = parser.parse_args()
    with Gateway("--log-level", "none") as gateway:
        asyncio.run(soak(gateway, options.seconds))
        gateway.process.terminate()
        if gateway.process.wait(PATIENCE) != 0:
            raise AssertionError(f"it ended with {gateway.process.returncode}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with Gateway("--log-level", "none") as gateway:
        asyncio.run(soak_devices(gateway, options.device_pushes, options.devices))
    crash_loop(options.crashes)
    begun = time.monotonic()
    accepted = crash_with_pushes(options.kept_crashes)
    print(f"crash loop with --data: {options.kept_crashes} kills with pushes in flight, {accepted} accepted, each kept once, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
