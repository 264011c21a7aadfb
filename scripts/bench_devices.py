"""What devices on sockets cost: memory, latency, CPU a push, a topic's message to all of them."""

import json
import re
import select
import socket
import statistics
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

HANDSHAKE = (b"GET /devices/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
DELIVERED = re.compile(rb'"time":"([^"]+)","kind":"delivered"')


def frame(message: dict) -> bytes:
    """A masked text frame; the mask is zero."""
    text = json.dumps(message).encode()
    size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + text


def device(port: int, **more: object) -> tuple[socket.socket, dict]:
    """A socket after its `hello`, and its `welcome`."""
    peer = socket.create_connection(("127.0.0.1", port))
    peer.sendall(HANDSHAKE + frame({"type": "hello", "device": {"platform": "ios", "app": "com.example.app"} | more}))
    seen = b""
    while not (found := re.search(rb'\{"type":"welcome".*\}$', seen)):
        seen += peer.recv(65536)
    return peer, json.loads(found.group(0))


def idle(port: int, count: int, resident_sizes: "Iterator[int]") -> int:
    """Resident bytes for each of `count` silent devices. Each `next(resident_sizes)` measures the gateway's memory."""
    before = next(resident_sizes)
    peers = [device(port)[0] for _ in range(count)]
    cost = (next(resident_sizes) - before) // count
    for peer in peers:
        peer.close()
    return cost


class Listener(threading.Thread):
    """Reads everything and notes how late each delivery was."""

    def __init__(self, peer: socket.socket) -> None:
        super().__init__(daemon=True)
        self.peer = peer
        self.late: list[float] = []
        self.start()

    def run(self) -> None:
        rest = b""
        while chunk := self.next():
            now = time.time()
            rest += chunk
            end = 0
            for found in DELIVERED.finditer(rest):
                sent = datetime.fromisoformat(found.group(1).decode().replace("Z", "+00:00")).timestamp()
                self.late.append((now - sent) * 1000)
                end = found.end()
            rest = rest[end:][-200:] if end == 0 else rest[end:]

    def next(self) -> bytes:
        """Empty after the socket was closed."""
        try:
            return self.peer.recv(1 << 20)
        except OSError:
            return b""


def latency(port: int, headers: list[str], body: Path, seconds: int = 10, rate: int = 5000) -> dict[str, float]:
    """Milliseconds from the time in the event `delivered`, which has whole milliseconds, until the device reads the event."""
    peer, welcome = device(port)
    listener = Listener(peer)
    token = welcome["device"]["tokens"]["apns"]["token"]
    subprocess.run(
        ["h2load", "-n", str(seconds * rate), "-t", "1", "-c", "8", "-m", "100", "--rps", str(rate // 8), "-d", body,
         *(part for header in headers for part in ("-H", header)), f"https://127.0.0.1:{port}/3/device/{token}"],
        check=True, stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    peer.close()
    late = sorted(listener.late)
    return {"pushes": len(late), "median": statistics.median(late)} | {
        name: late[min(len(late) - 1, int(len(late) * part))] for name, part in (("p99", 0.99), ("p99.9", 0.999))}


def fan_out(port: int, count: int) -> tuple[float, float]:
    """How many milliseconds a message to a topic takes until its last frame, and how many a bare loop of writes takes."""
    peers = [device(port, platform="android", app="com.example.crowd")[0] for _ in range(count)]
    poll = select.epoll()
    for peer in peers:
        peer.sendall(frame({"type": "topic", "op": "subscribe", "name": "crowd"}))
        seen = b""
        while b'"subscribed"' not in seen:
            seen += peer.recv(65536)
        poll.register(peer.fileno(), select.EPOLLIN)
    by_number = {peer.fileno(): peer for peer in peers}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/projects/demo/messages:send", json.dumps({"message": {"topic": "crowd", "data": {"a": "1"}}}).encode(),
        {"authorization": "Bearer x", "content-type": "application/json"})
    start = time.perf_counter()
    urllib.request.urlopen(request).read()
    waiting = set(by_number)
    size = 0
    while waiting:
        for number, _ in poll.poll(10):
            if number in waiting:
                size = len(by_number[number].recv(65536))
                waiting.discard(number)
    taken = (time.perf_counter() - start) * 1000
    pairs = [socket.socketpair() for _ in range(min(count, 2000))]
    start = time.perf_counter()
    for one, _ in pairs:
        one.send(bytes(size))
    bare = (time.perf_counter() - start) * 1000 * count / len(pairs)
    for peer in peers:
        peer.close()
    return taken, bare
