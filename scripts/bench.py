"""Requests a second and server CPU per request: the gateway beside `nghttpd -n1`, turn by turn in one run."""

import argparse
import base64
import json
import os
import re
import resource
import socket
import ssl
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

TOKEN = "a1b2c3d4" * 8
BINARY = Path(__file__).resolve().parent.parent / ".build/release/pushpit"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.01)
    raise SystemExit(f"nothing listens on port {port}")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) * 1024


def provider_token(certs: Path) -> str:
    """Signed by the gateway's own key, so that it is verified once a connection."""
    apns = json.loads((certs / "pushpit.json").read_text())["apns"]

    def part(content: bytes) -> bytes:
        return base64.urlsafe_b64encode(content).rstrip(b"=")
    message = b".".join(part(json.dumps(content).encode()) for content in (
        {"alg": "ES256", "kid": apns["keyId"]}, {"iss": apns["teamId"], "iat": int(time.time())}))
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", apns["key"]], input=message, capture_output=True, check=True).stdout
    return (message + b"." + part(signature)).decode()


def load(port: int, requests: int, body: Path, bearer: str) -> float:
    """Requests a second, all of them answered 2xx."""
    out = subprocess.run(
        ["h2load", "-n", str(requests), "-c", "8", "-m", "100", "-t", "1", "-d", str(body),
         "-H", f"authorization: bearer {bearer}", "-H", "apns-topic: com.example.app",
         f"https://127.0.0.1:{port}/3/device/{TOKEN}"],
        capture_output=True, text=True, check=True).stdout
    good = int(re.search(r"status codes: (\d+) 2xx", out).group(1))
    if good != requests:
        raise SystemExit(f"{requests - good} of {requests} requests were not answered 2xx")
    return float(re.search(r"([\d.]+) req/s", out).group(1))


def idle_cost(pid: int, port: int, first: bytes, count: int, tls: ssl.SSLContext | None = None) -> int:
    """Bytes resident for each of `count` connections that have said `first` and then nothing."""
    before = resident(pid)
    peers = []
    for _ in range(count):
        peer = socket.create_connection(("127.0.0.1", port))
        if tls:
            peer = tls.wrap_socket(peer, server_hostname="localhost")
        peer.sendall(first)
        peers.append(peer)
    for peer in peers:
        peer.recv(1)
    cost = (resident(pid) - before) // count
    for peer in peers:
        peer.close()
    return cost


def idle_costs(options: argparse.Namespace, directory: Path) -> dict[str, int]:
    """Each kind in a gateway of its own, so that nothing that was freed hides the cost."""
    get = b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5)
    costs = {}
    for name, first, protocol in [("http1", get, None), ("h2c", preface, None),
                                  ("http1 over TLS", get, "http/1.1"), ("h2 over TLS", preface, "h2")]:
        port = free_port()
        gateway = start_gateway(directory, port)
        try:
            tls = None
            if protocol:
                tls = ssl.create_default_context(cafile=directory / "certs/ca.pem")
                tls.set_alpn_protocols([protocol])
            costs[name] = idle_cost(gateway.pid, port, first, options.idle, tls)
        finally:
            stop(gateway)
    return costs


def start_gateway(directory: Path, port: int) -> subprocess.Popen[str]:
    gateway = subprocess.Popen(
        [BINARY, "--listen", f"127.0.0.1:{port}", "--certs", directory / "certs", "--log-level", "none",
         "--drain-timeout", "1s"], stdout=subprocess.PIPE, text=True)
    # It listens before it has its credentials.
    if not any(line.startswith("A first push") for line in gateway.stdout):
        raise SystemExit("the gateway did not start")
    return gateway


def stop(server: subprocess.Popen) -> None:
    server.terminate()
    server.wait(10)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=300_000)
    parser.add_argument("--idle", type=int, default=10_000)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as where:
        directory = Path(where)
        certs = directory / "certs"
        ours, theirs = free_port(), free_port()
        served = directory / "www/3/device"
        served.mkdir(parents=True)
        (served / TOKEN).write_bytes(b"")
        body = directory / "body"
        body.write_text(json.dumps({"aps": {"alert": "x" * 179}}, separators=(",", ":")))
        gateway = start_gateway(directory, ours)
        bearer = provider_token(certs)
        nghttpd = subprocess.Popen(
            ["nghttpd", "-n1", "-d", directory / "www", str(theirs), certs / "server-key.pem", certs / "server.pem"],
            stdout=subprocess.DEVNULL)
        wait_for(theirs)
        try:
            report = measure(options, {"pushpit": (gateway.pid, ours), "nghttpd": (nghttpd.pid, theirs)}, body, bearer)
        finally:
            stop(gateway)
            stop(nghttpd)
        report["idleBytes"] = idle_costs(options, directory)
        report["idleConnections"] = options.idle
    for name, row in report["servers"].items():
        print(f"{name:10} {row['requestsPerSecond']:>10.0f} requests/s {row['cpuMicroseconds']:>8.2f} µs CPU a request")
    print(f"ratio      {report['requestsRatio']:>10.2f}            {report['cpuRatio']:>8.2f}")
    for name, cost in report["idleBytes"].items():
        print(f"idle {name:15} {cost:>8} bytes a connection, {options.idle} of them")
    print(json.dumps(report))


def measure(
    options: argparse.Namespace, servers: dict[str, tuple[int, int]], body: Path, bearer: str
) -> dict:
    rates: dict[str, list[float]] = {name: [] for name in servers}
    costs: dict[str, list[float]] = {name: [] for name in servers}
    for name, (_, port) in servers.items():
        load(port, options.requests // 10, body, bearer)
    for _ in range(options.rounds):
        for name, (pid, port) in servers.items():
            start = cpu_seconds(pid)
            rates[name].append(load(port, options.requests, body, bearer))
            costs[name].append((cpu_seconds(pid) - start) / options.requests * 1e6)
    rows = {
        name: {"requestsPerSecond": statistics.median(rates[name]), "cpuMicroseconds": statistics.median(costs[name])}
        for name in servers
    }
    return {
        "servers": rows,
        "requestsRatio": rows["pushpit"]["requestsPerSecond"] / rows["nghttpd"]["requestsPerSecond"],
        "cpuRatio": rows["pushpit"]["cpuMicroseconds"] / rows["nghttpd"]["cpuMicroseconds"],
    }


if __name__ == "__main__":
    main()
