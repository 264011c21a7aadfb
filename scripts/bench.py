"""Requests a second and server CPU per request, turn by turn in one run: the gateway beside `nghttpd -n1` over HTTP/2, and
beside nginx over HTTP/1.1."""

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
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import bench_api
import bench_devices

TOKEN = "a1b2c3d4" * 8
MESSAGE = {"message": {
    "token": "cBENCHfirebase_installt:APA91b" + "x" * 134, "notification": {"title": "Breakfast", "body": "The bread is out of the oven"},
    "android": {"priority": "high", "notification": {"channel_id": "news"}, "ttl": "3600s"},
    "apns": {"payload": {"aps": {"badge": 3, "sound": "default"}}}}}
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


def signed(head: dict, claims: dict, key: Path | str) -> str:
    def part(content: bytes) -> bytes:
        return base64.urlsafe_b64encode(content).rstrip(b"=")
    message = b".".join(part(json.dumps(content).encode()) for content in (head, claims))
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=message, capture_output=True, check=True).stdout
    return (message + b"." + part(signature)).decode()


def provider_token(certs: Path) -> str:
    """Signed by the gateway's own key, so that it is verified once a connection."""
    apns = json.loads((certs / "pushpit.json").read_text())["apns"]
    return signed({"alg": "ES256", "kid": apns["keyId"]}, {"iss": apns["teamId"], "iat": int(time.time())}, apns["key"])


@dataclass
class Load:
    """What is asked of both servers of a pair."""
    rival: str
    path: str
    body: str
    headers: list[str]
    shape: list[str] = field(default_factory=lambda: ["-c", "8", "-m", "100"])
    scheme: str = "https"


def bearer(certs: Path, port: int) -> str:
    """An access token of the gateway's own."""
    account = json.loads((certs / "service-account.json").read_text())
    key = certs / "account-key.pem"
    key.write_text(account["private_key"])
    now = int(time.time())
    claims = {"iss": account["client_email"], "scope": "https://www.googleapis.com/auth/firebase.messaging",
              "aud": "https://oauth2.googleapis.com/token", "iat": now, "exp": now + 3600}
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": signed({"alg": "RS256"}, claims, key)}
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/token", urllib.parse.urlencode(form).encode()) as answer:
        return json.load(answer)["access_token"]


def load(port: int, requests: int, work: Load, body: Path) -> float:
    """Requests a second, all of them answered 2xx."""
    out = subprocess.run(
        ["h2load", "-n", str(requests), "-t", "1", *work.shape, "-d", str(body), *(part for header in work.headers for part in ("-H", header)),
         f"{work.scheme}://127.0.0.1:{port}{work.path}"],
        capture_output=True, text=True, check=True).stdout
    good = int(re.search(r"status codes: (\d+) 2xx", out).group(1))
    if good != requests:
        raise SystemExit(f"{requests - good} of {requests} requests were not answered 2xx: {work.path}")
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


def start_gateway(directory: Path, port: int, *more: str | Path) -> subprocess.Popen[str]:
    gateway = subprocess.Popen(
        [BINARY, "--listen", f"127.0.0.1:{port}", "--certs", directory / "certs", "--log-level", "none",
         "--drain-timeout", "1s", *more], stdout=subprocess.PIPE, text=True)
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
    parser.add_argument("--only", choices=["ground", "apns", "fcm", "fcm-http1", "devices", "api"])
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as where:
        directory = Path(where)
        certs = directory / "certs"
        ports = {name: free_port() for name in ("pushpit", "nghttpd", "nginx")}
        gateway = start_gateway(directory, ports["pushpit"])
        works = loads(certs, ports["pushpit"])
        for work in works.values():
            served = directory / "www" / work.path[1:]
            served.parent.mkdir(parents=True, exist_ok=True)
            served.write_bytes(b"")
        servers = {"pushpit": gateway, "nghttpd": subprocess.Popen(
            ["nghttpd", "-n1", "-d", directory / "www", str(ports["nghttpd"]), certs / "server-key.pem", certs / "server.pem"],
            stdout=subprocess.DEVNULL), "nginx": start_nginx(directory, ports["nginx"])}
        wait_for(ports["nghttpd"])
        wait_for(ports["nginx"])
        report = {}
        try:
            if options.only in (None, "devices"):
                report["devices"] = measure_devices(options, directory, servers, ports, works["apns"])
            if options.only in (None, "api"):
                report["api"] = measure_api(options, directory, gateway.pid, ports["pushpit"], works["apns"])
            for name, work in works.items():
                if options.only in (None, name):
                    pair = {server: (servers[server].pid, ports[server]) for server in ("pushpit", work.rival)}
                    report[name] = measure(options, pair, work, directory / "body")
        finally:
            for server in servers.values():
                stop(server)
        if options.idle and options.only not in ("devices", "api"):
            report["idleBytes"] = idle_costs(options, directory)
            report["idleConnections"] = options.idle
    for name in [name for name in works if name in report]:
        for server, row in report[name]["servers"].items():
            print(f"{name:10} {server:10} {row['requestsPerSecond']:>10.0f} requests/s {row['cpuMicroseconds']:>8.2f} µs CPU a request")
        print(f"{name:10} ratio      {report[name]['requestsRatio']:>10.2f}            {report[name]['cpuRatio']:>8.2f}")
    for name, cost in report.get("idleBytes", {}).items():
        print(f"idle {name:15} {cost:>8} bytes a connection, {options.idle} of them")
    print(json.dumps(report))


def measure_devices(
    options: argparse.Namespace, directory: Path, servers: dict[str, subprocess.Popen], ports: dict[str, int], work: Load
) -> dict:
    """With devices on sockets; each figure beside what it is to be compared with."""
    (directory / "body").write_text(work.body)
    port = ports["pushpit"]
    crowd = options.idle or 10_000
    report: dict = {"latency": bench_devices.latency(port, work.headers, directory / "body")}
    peer, welcome = bench_devices.device(port)
    bench_devices.Listener(peer)
    watched = Load(work.rival, f"/3/device/{welcome['device']['tokens']['apns']['token']}", work.body, work.headers)
    served = directory / "www" / watched.path[1:]
    served.parent.mkdir(parents=True, exist_ok=True)
    served.write_bytes(b"")
    pair = {name: (servers[name].pid, ports[name]) for name in ("pushpit", "nghttpd")}
    report["delivering"] = measure(options, pair, watched, directory / "body")
    peer.close()
    report["topicMilliseconds"], report["bareLoopMilliseconds"] = bench_devices.fan_out(port, crowd)
    fresh = free_port()
    gateway = start_gateway(directory, fresh)
    report["idleBytes"] = bench_devices.idle(fresh, crowd, iter(lambda: resident(gateway.pid), None))
    stop(gateway)
    late = report["latency"]
    print(f"devices    latency    median {late['median']:.1f} ms, p99 {late['p99']:.1f} ms, p99.9 {late['p99.9']:.1f} ms over {late['pushes']} pushes")
    print(f"devices    delivering {report['delivering']['cpuRatio']:>10.2f} times nghttpd's CPU a request")
    print(f"devices    a topic    {report['topicMilliseconds']:>10.1f} ms to {crowd} devices, a bare loop {report['bareLoopMilliseconds']:.1f} ms")
    print(f"devices    idle       {report['idleBytes']:>10} bytes a device, {crowd} of them")
    return report


def measure_api(options: argparse.Namespace, directory: Path, pid: int, port: int, work: Load) -> dict:
    """The control API, and what it costs to keep everything on a disk beside keeping it in memory."""
    body = directory / "body"
    body.write_text(work.body)
    report: dict = {"wakeMilliseconds": bench_api.wake(port), "waitingCPU": bench_api.waiting(port, cpu_seconds, pid)}
    other = free_port()
    gateway = start_gateway(directory, other, "--keep-messages", "200000", "--keep-mib", "1024")
    report["listMilliseconds"] = bench_api.lists(other, work.headers, body)
    stop(gateway)
    (directory / "data").mkdir()
    keeping = start_gateway(directory, other, "--data", directory / "data")
    rivals = {"pushpit": (keeping.pid, other), "memory": (pid, port)}
    report["data"] = measure(options, rivals, Load("memory", work.path, work.body, work.headers), body)
    report["p99Milliseconds"] = bench_api.added_latency({"memory": port, "data": other}, work.headers, body)
    stop(keeping)
    late = report["p99Milliseconds"]
    print(f"api        expect     wakes {report['wakeMilliseconds']:.2f} ms behind the push's answer; {bench_api.WAITING} that wait use {report['waitingCPU']:.1f} ms CPU a second")
    print("api        lists      " + ", ".join(f"{name} {took:.1f}" for name, took in report["listMilliseconds"].items()) + " (ms, the slowest of ten)")
    print(f"api        data       {report['data']['requestsRatio']:.2f} of the pushes in memory, {report['data']['cpuRatio']:.2f} times the CPU; "
          f"p99 {late['data']:.2f} ms, in memory {late['memory']:.2f}")
    return report


def loads(certs: Path, port: int) -> dict[str, Load]:
    message = json.dumps(MESSAGE, separators=(",", ":"))
    authorized = ["content-type: application/json", f"authorization: Bearer {bearer(certs, port)}"]
    send = "/v1/projects/pushpit-local/messages:send"
    return {
        # What a request costs before any dialect sees it: as much of it as a push has, and nothing decided.
        "ground": Load("nghttpd", "/livez", "x" * 200, [f"authorization: bearer {provider_token(certs)}", ":method: GET"]),
        "apns": Load("nghttpd", f"/3/device/{TOKEN}", json.dumps({"aps": {"alert": "x" * 179}}, separators=(",", ":")),
                     [f"authorization: bearer {provider_token(certs)}", "apns-topic: com.example.app"]),
        "fcm": Load("nghttpd", send, message, authorized),
        "fcm-http1": Load("nginx", send, message, authorized, ["--h1", "-c", "64"], "http"),
    }


def start_nginx(directory: Path, port: int) -> subprocess.Popen[bytes]:
    """One worker that answers 200 to everything."""
    (directory / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {directory}/nginx.pid; error_log stderr crit; events {{ worker_connections 1024; }}\n"
        f"http {{ access_log off; keepalive_requests 1000000000; client_body_temp_path {directory}/temp;\n"
        f"server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; return 200 '{{}}'; }} }} }}\n")
    return subprocess.Popen(["nginx", "-p", directory, "-c", directory / "nginx.conf"], stdout=subprocess.DEVNULL)


def measure(
    options: argparse.Namespace, servers: dict[str, tuple[int, int]], work: Load, body: Path
) -> dict:
    body.write_text(work.body)
    rival = work.rival
    rates: dict[str, list[float]] = {name: [] for name in servers}
    costs: dict[str, list[float]] = {name: [] for name in servers}
    for name, (_, port) in servers.items():
        load(port, options.requests // 10, work, body)
    for _ in range(options.rounds):
        for name, (pid, port) in servers.items():
            start = cpu_seconds(pid)
            rates[name].append(load(port, options.requests, work, body))
            costs[name].append((cpu_seconds(pid) - start) / options.requests * 1e6)
    rows = {
        name: {"requestsPerSecond": statistics.median(rates[name]), "cpuMicroseconds": statistics.median(costs[name])}
        for name in servers
    }
    return {
        "servers": rows,
        "requestsRatio": rows["pushpit"]["requestsPerSecond"] / rows[rival]["requestsPerSecond"],
        "cpuRatio": rows["pushpit"]["cpuMicroseconds"] / rows[rival]["cpuMicroseconds"],
    }


if __name__ == "__main__":
    main()
