"""Requests per second and server CPU per request, in interleaved rounds of one run: the gateway compared with
`nghttpd -n1` over HTTP/2, and with nginx over HTTP/1.1."""

import argparse
import json
import resource
import socket
import ssl
import tempfile
from dataclasses import replace
from pathlib import Path

import bench_api
import bench_devices
import load_requests
from bench_rounds import Bench, Server, Work, compare, measure_work, sender, show, works
from bench_servers import (
    BINARY, cpu_seconds, free_port, provider_token, resident, start_gateway, start_nginx, start_nghttpd, stop)
from load import Load

# Sent by scripts/load.py, because h2load can't vary bodies; all others are sent by h2load.
LOADS = ["one", "tokens", "bodies"]
H2LOADS = ["baseline", "apns", "fcm", "fcm-http1"]
PARTS = [*LOADS, *H2LOADS, "devices", "api", "idle"]


def measure_load(bench: Bench, name: str) -> dict:
    """Both servers get the same bytes from scripts/load.py. nghttpd opens a file for each token, which takes it longer
    than everything else; with more than one token it is measured a second time with all pushes going to one token."""
    plan = load_requests.LOADS[name]
    plans = {"pushpit": plan, "nghttpd": plan}
    if plan.tokens > 1:
        plans["nghttpd, 1 file"] = replace(plan, tokens=1)
    servers, loads = {}, []
    for label, each in plans.items():
        for path in each.paths():
            bench.serve(path)
        server = bench.servers[label.split(",")[0]]
        load = Load(server.port, each, f"bearer {provider_token(bench.certs)}")
        loads.append(load)
        servers[label] = (server, sender(load))
    report = compare(bench.options.rounds, bench.options.requests, servers)
    for load in loads:
        load.close()
    return report


def idle_cost(pid: int, port: int, first: bytes, count: int, tls: ssl.SSLContext | None = None) -> int:
    """Resident bytes for each of `count` connections that send `first` and then nothing."""
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


def measure_idle(bench: Bench) -> dict[str, int]:
    """Each kind of connection has a gateway to itself, because memory that was freed would hide the cost."""
    get = b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5)
    costs = {}
    for name, first, protocol in [("http1", get, None), ("h2c", preface, None),
                                  ("http1 over TLS", get, "http/1.1"), ("h2 over TLS", preface, "h2")]:
        port = free_port()
        gateway = bench.start_gateway(port)
        try:
            tls = None
            if protocol:
                tls = ssl.create_default_context(cafile=bench.certs / "ca.pem")
                tls.set_alpn_protocols([protocol])
            costs[name] = idle_cost(gateway.pid, port, first, bench.options.idle, tls)
        finally:
            stop(gateway)
        print(f"idle {name:15} {costs[name]:>8} bytes a connection, {bench.options.idle} of them")
    return costs


def measure_devices(bench: Bench, work: Work) -> dict:
    """Measures pushes to devices on sockets. The report has each figure beside the one to compare it with."""
    bench.body.write_text(work.body)
    port = bench.servers["pushpit"].port
    crowd = bench.options.idle
    report: dict = {"latency": bench_devices.latency(port, work.headers, bench.body)}
    peer, welcome = bench_devices.device(port)
    bench_devices.Listener(peer)
    watched = Work(work.rival, f"/3/device/{welcome['device']['tokens']['apns']['token']}", work.body, work.headers)
    report["delivering"] = measure_work(bench, watched, bench.pair("nghttpd"))
    peer.close()
    report["topicMilliseconds"], report["bareLoopMilliseconds"] = bench_devices.fan_out(port, crowd)
    fresh = free_port()
    gateway = bench.start_gateway(fresh)
    # The iterator reads the gateway's memory each time it is asked.
    report["idleBytes"] = bench_devices.idle(fresh, crowd, iter(lambda: resident(gateway.pid), None))
    stop(gateway)
    late = report["latency"]
    print(f"devices    latency    median {late['median']:.1f} ms, p99 {late['p99']:.1f} ms, "
          f"p99.9 {late['p99.9']:.1f} ms over {late['pushes']} pushes")
    show("delivering", report["delivering"])
    print(f"devices    a topic    {report['topicMilliseconds']:>10.1f} ms to {crowd} devices, "
          f"a bare loop {report['bareLoopMilliseconds']:.1f} ms")
    print(f"devices    idle       {report['idleBytes']:>10} bytes a device, {crowd} of them")
    return report


def measure_api(bench: Bench, work: Work) -> dict:
    """The control API, and what it costs to keep everything on a disk instead of in memory."""
    bench.body.write_text(work.body)
    gateway = bench.servers["pushpit"]
    report: dict = {
        "wakeMilliseconds": bench_api.wake(gateway.port),
        "waitingCPU": bench_api.waiting(gateway.port, cpu_seconds, gateway.pid)}
    other = free_port()
    large = bench.start_gateway(other, "--keep-messages", "200000", "--keep-mib", "1024")
    report["listedMessages"], report["listMilliseconds"] = bench_api.lists(other, work.headers, bench.body)
    stop(large)
    (bench.directory / "data").mkdir()
    keeping = bench.start_gateway(other, "--data", bench.directory / "data")
    report["data"] = measure_work(bench, work, {"data": Server(keeping.pid, other), "memory": gateway})
    report["p99Milliseconds"] = bench_api.added_latency({"memory": gateway.port, "data": other}, work.headers, bench.body)
    stop(keeping)
    late = report["p99Milliseconds"]
    print(f"api        expect     answers {report['wakeMilliseconds']:.2f} ms after the push's own answer; "
          f"{bench_api.WAITING} waiting calls use {report['waitingCPU']:.1f} ms CPU a second")
    print("api        lists      "
          + ", ".join(f"{name} {took:.1f}" for name, took in report["listMilliseconds"].items())
          + f" (ms, the slowest of ten, with {report['listedMessages']} messages)")
    show("api data", report["data"])
    print(f"api        data       p99 {late['data']:.2f} ms, in memory {late['memory']:.2f}")
    return report


def measure(bench: Bench) -> dict:
    report: dict = {}
    repeated = works(bench)
    for part in bench.options.only:
        if part in LOADS:
            report[part] = measure_load(bench, part)
        elif part in H2LOADS:
            report[part] = measure_work(bench, repeated[part], bench.pair(repeated[part].rival))
        elif part == "devices":
            report[part] = measure_devices(bench, repeated["apns"])
        elif part == "api":
            report[part] = measure_api(bench, repeated["apns"])
        else:
            report[part] = measure_idle(bench)
        if part in repeated or part in LOADS:
            show(part, report[part])
    return report


def main() -> None:
    parser = argparse.ArgumentParser("scripts/bench", description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=5, help="how many rounds (default: 5)")
    parser.add_argument("requests", type=int, nargs="?", default=300_000, help="requests in each round (default: 300000)")
    parser.add_argument("--binary", type=Path, default=BINARY, help="the gateway (default: .build/release/pushpit)")
    parser.add_argument("--idle", type=int, default=10_000, help="connections and devices that are idle (default: 10000)")
    parser.add_argument("--only", type=lambda text: text.split(","), default=PARTS, metavar="PART,…",
                        help=f"some of {', '.join(PARTS)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.only) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as where:
        directory = Path(where)
        (directory / "www").mkdir()
        ports = {name: free_port() for name in ("pushpit", "nghttpd", "nginx")}
        processes = {"pushpit": start_gateway(options.binary, directory, ports["pushpit"])}
        try:
            processes["nghttpd"] = start_nghttpd(directory, ports["nghttpd"])
            processes["nginx"] = start_nginx(directory, ports["nginx"])
            servers = {name: Server(process.pid, ports[name]) for name, process in processes.items()}
            print(json.dumps(measure(Bench(options, directory, servers))))
        finally:
            for process in processes.values():
                stop(process)


if __name__ == "__main__":
    main()
