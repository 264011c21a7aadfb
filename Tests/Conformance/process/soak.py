"""A long mixed load on one gateway, then devices that come and go, then many kills: memory does not grow, no push is lost, nothing hangs."""
from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import websockets

from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import BEARER
from soak_devices import soak_devices
from storage_loop import crash_with_pushes

# Allowed growth of resident memory between the first third and the end.
GROWTH = 24 << 20


async def push_all(gateway: Gateway, end: float, counts: dict[str, int], sizes: list[int]) -> None:
    """Pushes in batches, and reads the memory after each batch."""
    while time.monotonic() < end:
        load = await asyncio.create_subprocess_exec(
            "h2load", "-n", "5000", "-c", "4", "-m", "100", "-d", str(gateway.directory / "body"),
            "-H", ": ".join(BEARER), "-H", f"apns-topic: {TOPIC}", gateway.at().url(f"/3/device/{TOKEN}"),
            stdout=subprocess.PIPE)
        shown = (await load.communicate())[0].decode()
        if "5000 2xx" not in shown:
            raise AssertionError(f"pushes were not all answered 200: {shown}")
        counts["pushes"] += 5000
        sizes.append(gateway.resident_bytes)


async def watch(gateway: Gateway, end: float, counts: dict[str, int]) -> None:
    """Devices that connect, get a push and leave, with a dozen broken connections after each."""
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
    """Sends the beginning of a request and disconnects, half of the time with a reset."""
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
            # These two name the gateway's port, which differs.
            names = [path for path in certificates.iterdir() if path.name not in ("service-account.json", "pushpit.json")]
            now = {path.name: path.read_bytes() for path in names}
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
