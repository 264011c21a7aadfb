"""What real receivers cost: figures.py [--clients 10000] [--rate 2000] [--seconds 10] [memory] [latency] [encryption]

memory: the gateway's resident memory for each MCS client over TLS that has logged in and is idle.
latency: milliseconds from the POST of a web push until its frame is at the client's socket, decrypted.
encryption: what an FCM message costs if it has to be encrypted for a web app, beside one for a simulated phone.

Each figure has its own gateway. The client's processes take part of the processor, too, so their cost is shown.
"""
from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import socket
import ssl
import time
from pathlib import Path

from gateway import Gateway
from latency import Listener, send
from measure import waited
from receiver_client import ReceiverID, login
from receiving import check_in, clients, subscribed
from row import APP, Target, until
from rows_bodies import GOOGLE, SEND
from rows_web_apps import fcm_tokens, registered
from streams import Streams, block

QUIET = ("--log-level", "none")
TLS_PROCESSES = 3


def cpu(gateway: Gateway) -> float:
    """The milliseconds of processor time that the gateway has used."""
    return int(Path(f"/proc/{gateway.process.pid}/schedstat").read_text().split()[0]) / 1e6


def log_in(gateway: Gateway, known: ReceiverID, context: ssl.SSLContext) -> socket.socket:
    """A connection on which the client has logged in. Its TLS state is thrown away, because it never says more."""
    plain = gateway.at().connect()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="localhost")

    def receive() -> None:
        plain.sendall(outgoing.read())
        incoming.write(plain.recv(65_536))

    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            receive()
    tls.write(login(known))
    got = b""
    while b"mcs.android.com" not in got:
        try:
            got += tls.read(65_536)
        except ssl.SSLWantReadError:
            receive()
    return plain


def hold(gateway: Gateway, known: list[ReceiverID], ready: multiprocessing.Barrier, over: multiprocessing.Event) -> None:
    context = gateway.context()
    opened = [log_in(gateway, one, context) for one in known]
    ready.wait()
    over.wait()
    for plain in opened:
        plain.close()


def settled(gateway: Gateway) -> int:
    """The memory when it has not shrunk for two seconds."""
    least = [gateway.resident_bytes, time.monotonic()]

    def is_steady() -> bool:
        now = gateway.resident_bytes
        if now < least[0] - (1 << 18):
            least[:] = [now, time.monotonic()]
        return time.monotonic() - least[1] > 4

    until(is_steady, 20, interval=0.2)
    return gateway.resident_bytes


def memory(options: argparse.Namespace, with_subscription: bool) -> None:
    with Gateway(*QUIET) as gateway:
        target, count = Target(gateway), options.clients
        empty = settled(gateway)
        if with_subscription:
            subscribed(count)(target)
            known = [one.id for one in clients]
        else:
            known = check_in(target, count)
        registered_size = settled(gateway)
        ready, over = multiprocessing.Barrier(TLS_PROCESSES + 1), multiprocessing.Event()
        parts = [known[number::TLS_PROCESSES] for number in range(TLS_PROCESSES)]
        holders = [multiprocessing.Process(target=hold, args=(gateway, part, ready, over)) for part in parts]
        begun, used = time.monotonic(), cpu(gateway)
        for holder in holders:
            holder.start()
        ready.wait(600)
        took, used = time.monotonic() - begun, cpu(gateway) - used
        after = settled(gateway)
        over.set()
        for holder in holders:
            holder.join()
        what = "with a subscription" if with_subscription else "without subscriptions"
        print(f"memory      {(after - registered_size) / count / 1024:6.1f} KB for each logged-in client {what} (goal 50), "
              f"and {(registered_size - empty) / count / 1024:.2f} KB for its state; {count} clients, {took:.0f} s and "
              f"{used / count:.2f} ms of the gateway's processor for a handshake and login", flush=True)


def latency(options: argparse.Namespace) -> None:
    with Gateway(*QUIET) as gateway:
        subscribed(options.receivers)(Target(gateway))
        listener = Listener(gateway, clients)
        used, begun, without = cpu(gateway), time.monotonic(), waited(gateway)
        late, spent = send(gateway, clients, options.rate, options.seconds)
        took = (time.monotonic() - begun) * 10
        used, without = (cpu(gateway) - used) / took, (waited(gateway) - without) / took
        count = int(options.rate * options.seconds)
        times, listening = listener.finish(count)
        if len(times) < count:
            raise SystemExit(f"{len(times)} of {count} pushes arrived")
        at = " ".join(f"p{share * 100:g} {times[min(int(count * share), count - 1)]:.2f}" for share in (0.5, 0.9, 0.99, 0.999))
        print(f"latency     {at} max {times[-1]:.2f} ms (goal: p99 under 5); {count} pushes at {options.rate}/s to {options.receivers} "
              f"clients over TLS\n"
              f"latency     the gateway used {used:.0f} % of a processor, {used * took / count:.2f} ms for a push, and waited for one in "
              f"{without:.0f} % of the time; the sender used {spent:.0f} %, the listener {listening:.0f} %\n"
              f"latency     99 % of the pushes were sent at most {late:.2f} ms after their time; that is not counted", flush=True)


def encryption(options: argparse.Namespace) -> None:
    with Gateway(*QUIET) as gateway:
        target = Target(gateway)
        registered(1)(target)
        phone = target.ask("POST", "/devices", {"platform": "web", "app": APP}, 201)["devices"][0]["tokens"]["fcm"]["token"]
        for turn in range(options.turns):
            costs = {name: message_cost(target, token, options.messages) for name, token in
                     (("simulated browser", phone), ("web app", fcm_tokens[0]))}
            print(f"encryption  {turn + 1}: {costs['web app'] - costs['simulated browser']:.0f} µs for a message (goal 250): "
                  + ", ".join(f"to a {name} {cost:.0f} µs" for name, cost in costs.items()) + " of the gateway's processor", flush=True)


def message_cost(target: Target, token: str, count: int) -> float:
    """The microseconds of the gateway's processor for each of so many messages."""
    message = {"message": {"token": token, "notification": {"title": "A title", "body": "x" * 200}}}
    header, body = block("POST", SEND, *GOOGLE), json.dumps(message).encode()
    with Streams(target) as connection:
        begun = cpu(target.gateway)
        for _ in range(count // 50):
            connection.post(header, *[body] * 50)
            connection.wait()
        connection.require(200)
        # Messages are encrypted after they are answered.
        before = [begun]

        def is_idle() -> bool:
            before.append(cpu(target.gateway))
            return before[-1] - before[-2] < 1

        until(is_idle, 20, interval=0.1)
        return (before[-1] - begun) * 1000 / connection.ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["memory", "latency", "encryption"], help="memory, latency or encryption (all)")
    parser.add_argument("--clients", type=int, default=10_000, help="idle clients (10000)")
    parser.add_argument("--rate", type=int, default=2000, help="web pushes a second (2000)")
    parser.add_argument("--seconds", type=float, default=10, help="how long they are sent (10)")
    parser.add_argument("--receivers", type=int, default=50, help="clients that get them (50)")
    parser.add_argument("--messages", type=int, default=3000, help="messages that are encrypted (3000)")
    parser.add_argument("--turns", type=int, default=3, help="how often that is measured (3)")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for part in options.parts:
        if part == "memory":
            memory(options, with_subscription=False)
            memory(options, with_subscription=True)
        elif part == "latency":
            latency(options)
        elif part == "encryption":
            encryption(options)
        else:
            parser.error(f"there is no figure '{part}'; use memory, latency or encryption")


if __name__ == "__main__":
    main()
