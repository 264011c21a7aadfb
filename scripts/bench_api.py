"""What the control API and storage cost: lists of 100,000 messages, answers of `expect`, waiting calls, `--data`."""

import http.client
import json
import os
import socket
import statistics
import subprocess
import threading
import time
from pathlib import Path

KEPT = 100_000
# A gateway takes at most 1,000 waiting calls.
WAITING = 1000


def call(port: int, method: str, path: str, body: object = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body))
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def push(port: int, headers: list[str], body: Path, token: str, count: int) -> None:
    subprocess.run(
        ["h2load", "-n", str(count), "-t", "1", "-c", "8" if count > 8 else "1", "-m", "100", "-d", body, *(part for header in headers for part in ("-H", header)),
         f"https://127.0.0.1:{port}/3/device/{token}"], check=True, stdout=subprocess.DEVNULL)


def lists(port: int, headers: list[str], body: Path) -> tuple[int, dict[str, float]]:
    """How many messages were kept, and for each filter the slowest of ten lists in milliseconds. Some filters match few."""
    rare = "7e" * 32
    push(port, headers, body, rare, 3)
    push(port, headers, body, "a1b2c3d4" * 8, KEPT - 3)
    kept: int = json.loads(call(port, "GET", "/stats")[1])["messages"]
    device = json.loads(call(port, "GET", f"/messages?token={rare}&limit=1")[1])["messages"][0]["devices"][0]
    took: dict[str, float] = {}
    for name, query in [("app", "app=com.example.app"), ("token", f"token={rare}"), ("device", f"device={device}"), ("outcome", "outcome=refused"),
                        ("topic", "topic=com.example.app"), ("no topic", "topic=missing")]:
        times = []
        for _ in range(10):
            start = time.perf_counter()
            status, _content = call(port, "GET", f"/messages?{query}")
            times.append((time.perf_counter() - start) * 1000)
            assert status == 200
        took[name] = max(times)
    return kept, took


def send(port: int, registration: str) -> float:
    """Sends a message over HTTP/1.1 and returns the time of its answer."""
    message = json.dumps({"message": {"token": registration}}).encode()
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(
            b"POST /v1/projects/demo/messages:send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(message) + message)
        said = peer.recv(65536)
        assert said.startswith(b"HTTP/1.1 200"), said
        return time.perf_counter()


def wake(port: int, rounds: int = 50) -> float:
    """The median time in milliseconds from a push's answer to the answer of the `expect` that waited for it."""
    late = []
    for number in range(rounds):
        registration = f"cWAKE{number:04d}aaaaaaaaaaaaa:APA91b" + "x" * 134
        answered: list[float] = []

        def wait(token: str = registration, answered: list[float] = answered) -> None:
            status, _ = call(port, "POST", "/expect", {"match": {"token": token}, "within": "10s"})
            assert status == 200
            answered.append(time.perf_counter())

        waiter = threading.Thread(target=wait)
        waiter.start()
        while json.loads(call(port, "GET", "/stats")[1])["waiting"] == 0:
            pass
        done = send(port, registration)
        waiter.join()
        late.append((answered[0] - done) * 1000)
    return statistics.median(late)


def waiting(port: int, cpu_seconds, pid: int, seconds: float = 5) -> float:
    """How many milliseconds of CPU the gateway uses per second while WAITING calls wait."""
    peers = []
    body = json.dumps({"match": {"app": "missing"}, "within": "10m"}).encode()
    for _ in range(WAITING):
        peer = socket.create_connection(("127.0.0.1", port))
        peer.sendall(b"POST /api/v1/expect HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        peers.append(peer)
    while json.loads(call(port, "GET", "/stats")[1])["waiting"] < WAITING:
        pass
    start = cpu_seconds(pid)
    time.sleep(seconds)
    used = (cpu_seconds(pid) - start) / seconds * 1000
    for peer in peers:
        peer.close()
    return used


def added_latency(ports: dict[str, int], headers: list[str], body: Path) -> dict[str, float]:
    """The 99th percentile of the milliseconds that a push takes at 5,000 a second, in memory and with --data."""
    found = {}
    for name, port in ports.items():
        log = body.with_name(f"times-{name}")
        subprocess.run(
            ["h2load", "-n", "25000", "-t", "1", "-c", "8", "-m", "100", "--rps", "625", "-d", body, "--log-file", log,
             *(part for header in headers for part in ("-H", header)), f"https://127.0.0.1:{port}/3/device/{'a1b2c3d4' * 8}"],
            check=True, stdout=subprocess.DEVNULL)
        times = sorted(int(line.split("\t")[2]) for line in log.read_text().splitlines())
        found[name] = times[int(len(times) * 0.99)] / 1000
        os.unlink(log)
    return found
