"""Interleaved rounds: a gateway and its rival get the same requests in turn."""

import argparse
import json
import re
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import load_requests
from bench_servers import bearer, cpu_seconds, provider_token, start_gateway
from load import Load

MESSAGE = {"message": {
    "token": load_requests.FCM_TOKEN, "notification": {"title": "Breakfast", "body": "The bread is out of the oven"},
    "android": {"priority": "high", "notification": {"channel_id": "news"}, "ttl": "3600s"},
    "apns": {"payload": {"aps": {"badge": 3, "sound": "default"}}}}}


@dataclass
class Work:
    """A request that h2load repeats."""
    rival: str
    path: str
    body: str
    headers: list[str]
    h2load_options: list[str] = field(default_factory=lambda: ["-c", "8", "-m", "100"])
    scheme: str = "https"


@dataclass
class Server:
    pid: int
    port: int


@dataclass
class Bench:
    """The state that all parts of a run share."""
    options: argparse.Namespace
    directory: Path
    servers: dict[str, Server]

    @property
    def certs(self) -> Path:
        return self.directory / "certs"

    @property
    def body(self) -> Path:
        """The file that h2load sends."""
        return self.directory / "body"

    def serve(self, path: str) -> None:
        """Lets nghttpd answer 200 with an empty body for this path."""
        served = self.directory / "www" / path[1:]
        served.parent.mkdir(parents=True, exist_ok=True)
        served.write_bytes(b"")

    def start_gateway(self, port: int, *more: str | Path) -> subprocess.Popen[bytes]:
        return start_gateway(self.options.binary, self.directory, port, *more)

    def pair(self, rival: str) -> dict[str, Server]:
        return {name: self.servers[name] for name in ("pushpit", rival)}


def works(bench: Bench) -> dict[str, Work]:
    """The requests that are measured, by name, each with the server to compare with."""
    message = json.dumps(MESSAGE, separators=(",", ":"))
    authorized = [
        "content-type: application/json", f"authorization: Bearer {bearer(bench.certs, bench.servers['pushpit'].port)}"]
    token = f"authorization: bearer {provider_token(bench.certs)}"
    path = f"/3/device/{load_requests.APNS_TOKEN}"
    return {
        # What a request costs that neither APNs nor FCM sees. It has as many fields and bytes as a push.
        "baseline": Work("nghttpd", "/livez", "x" * 200, [token, ":method: GET"]),
        "apns": Work("nghttpd", path, json.dumps({"aps": {"alert": "x" * 179}}, separators=(",", ":")),
                     [token, "apns-topic: com.example.app"]),
        "fcm": Work("nghttpd", load_requests.FCM_PATH, message, authorized),
        "fcm-http1": Work("nginx", load_requests.FCM_PATH, message, authorized, ["--h1", "-c", "64"], "http"),
    }


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


# A function that prepares this many requests. It returns a function that sends them, and returns the requests per second.
Sender = Callable[[int], Callable[[], float]]


def compare(rounds: int, requests: int, servers: dict[str, tuple[Server, Sender]]) -> dict:
    """Each round measures each server once. Ratios are of the first server to each of the others, in the same round."""
    rates: dict[str, list[float]] = {name: [] for name in servers}
    costs: dict[str, list[float]] = {name: [] for name in servers}
    for _, sender in servers.values():
        sender(max(requests // 10, 2 * load_requests.TOKENS))()
    for _ in range(rounds):
        for name, (server, sender) in servers.items():
            send = sender(requests)
            start = cpu_seconds(server.pid)
            rates[name].append(send())
            costs[name].append((cpu_seconds(server.pid) - start) / requests * 1e6)
    first, *others = servers

    def ratios(values: dict[str, list[float]], other: str) -> dict[str, float]:
        return spread([a / b for a, b in zip(values[first], values[other], strict=True)])

    return {
        "servers": {
            name: {"requestsPerSecond": spread(rates[name]), "cpuMicroseconds": spread(costs[name])} for name in servers},
        "ratios": {other: {"requests": ratios(rates, other), "cpu": ratios(costs, other)} for other in others},
    }


def sender(load: Load) -> Sender:
    def prepare(count: int) -> Callable[[], float]:
        load.prepare(count)
        return load.send
    return prepare


def measure_work(bench: Bench, work: Work, servers: dict[str, Server]) -> dict:
    """Both servers get the same requests from h2load."""
    bench.serve(work.path)
    bench.body.write_text(work.body)
    return compare(bench.options.rounds, bench.options.requests, {
        name: (server, lambda count, port=server.port: lambda: h2load(port, count, work, bench.body))
        for name, server in servers.items()})


def h2load(port: int, requests: int, work: Work, body: Path) -> float:
    """Requests a second, all of them answered 2xx."""
    out = subprocess.run(
        ["h2load", "-n", str(requests), "-t", "1", *work.h2load_options, "-d", str(body),
         *(part for header in work.headers for part in ("-H", header)), f"{work.scheme}://127.0.0.1:{port}{work.path}"],
        capture_output=True, text=True, check=True).stdout
    good = int(re.search(r"status codes: (\d+) 2xx", out).group(1))
    if good != requests:
        raise SystemExit(f"{requests - good} of {requests} requests were not answered 2xx: {work.path}")
    return float(re.search(r"([\d.]+) req/s", out).group(1))


def show(name: str, report: dict) -> None:
    def figures(row: dict[str, float], places: int) -> str:
        return f"{row['median']:>9.{places}f} ({row['min']:.{places}f}..{row['max']:.{places}f})"
    for server, row in report["servers"].items():
        print(f"{name:10} {server:18} {figures(row['requestsPerSecond'], 0):28} requests/s "
              f"{figures(row['cpuMicroseconds'], 2):22} µs CPU a request")
    for rival, row in report["ratios"].items():
        print(f"{name:10} {'to ' + rival:18} {figures(row['requests'], 2):28}            {figures(row['cpu'], 2)}")
