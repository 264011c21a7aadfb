"""A load generator for HTTP/2 over TLS. h2load sends one body and repeats a list of paths; here each request may differ.

All frames are made before the measurement, and the answers are only counted, so that it takes little CPU from
the server. It stops with an error at the first answer that is not a 200, at a reset, and at a GOAWAY."""

import argparse
import json
import select
import socket
import ssl
import struct
import time

import load_requests
from load_requests import Encoder, Plan, Source

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
ACK = 1
HEADER_TABLE_SIZE, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE = 1, 3, 4
LARGEST_WINDOW = 2**31 - 1
# The field `:status 200` as an entry of HPACK's static table.
STATUS_200 = 0x88
STALLED_AFTER = 60


class LoadFailed(Exception):
    """The server did not answer all requests with 200."""


def frame(kind: int, flags: int, payload: bytes) -> bytes:
    return struct.pack(">HBBBI", len(payload) >> 8, len(payload) & 255, kind, flags, 0) + payload


class Connection:
    """One connection, from its handshake on. `lockstep` sends the next requests only when all before are answered."""

    def __init__(self, port: int, plan: Plan, authorization: str, streams: int, lockstep: bool = False) -> None:
        self.streams, self.lockstep = streams, lockstep
        self.encoder = Encoder(plan, authorization)
        self.socket = socket.create_connection(("127.0.0.1", port), STALLED_AFTER)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.unsent = self.rest = self.frames = b""
        self.ends: list[int] = []
        self.size = 0
        self.sent = self.answered = 0
        self.window = 65_535
        self.settings: dict[int, int] = {}
        self.limit: int | None = None
        self.handshake()

    def handshake(self) -> None:
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.socket.sendall(self.outgoing.read())
                self.receive()
        if self.tls.selected_alpn_protocol() != "h2":
            raise LoadFailed("the server does not speak HTTP/2")
        self.tls.write(PREFACE + frame(SETTINGS, 0, struct.pack(">HI", INITIAL_WINDOW_SIZE, LARGEST_WINDOW))
                       + frame(WINDOW_UPDATE, 0, struct.pack(">I", LARGEST_WINDOW - 65_535)))
        self.socket.sendall(self.outgoing.read())
        while self.limit is None:
            self.read()
        self.socket.setblocking(False)

    def prepare(self, requests: list[tuple[str, bytes]]) -> None:
        """Makes the frames of the next requests. All earlier ones must have been answered."""
        self.frames, self.ends = self.encoder.frames(requests)
        self.sent = self.answered = 0
        self.size = max((len(body) for _, body in requests), default=0)
        window = self.settings.get(INITIAL_WINDOW_SIZE, 65_535)
        if self.size > window:
            raise LoadFailed(f"a body of {self.size} bytes does not fit into a stream's window of {window}")

    @property
    def is_done(self) -> bool:
        return self.answered == len(self.ends)

    def write(self) -> bool:
        """Sends what streams and windows allow; false if the socket took only part of it."""
        open_streams = self.sent - self.answered
        if not (self.lockstep and open_streams):
            room = min(self.limit - open_streams, len(self.ends) - self.sent, self.window // max(self.size, 1))
            if room > 0:
                start = self.ends[self.sent - 1] if self.sent else 0
                self.tls.write(memoryview(self.frames)[start:self.ends[self.sent + room - 1]])
                self.sent += room
                self.window -= room * self.size
        self.unsent += self.outgoing.read()
        while self.unsent:
            try:
                self.unsent = self.unsent[self.socket.send(self.unsent):]
            except BlockingIOError:
                return False
        return True

    def receive(self) -> None:
        data = self.socket.recv(1 << 18)
        if not data:
            raise LoadFailed(f"the server closed a connection after {self.answered} answers")
        self.incoming.write(data)

    def read(self) -> None:
        """Reads once from the socket and counts the answers in it."""
        self.receive()
        while True:
            try:
                data = self.tls.read(1 << 18)
            except ssl.SSLWantReadError:
                return
            if not data:
                raise LoadFailed("the server ended TLS")
            self.parse(self.rest + data if self.rest else data)

    def parse(self, data: bytes) -> None:
        at, end = 0, len(data)
        while end - at >= 9:
            next_at = at + 9 + (data[at] << 16 | data[at + 1] << 8 | data[at + 2])
            if next_at > end:
                break
            kind = data[at + 3]
            if kind == HEADERS and data[at + 9] != STATUS_200:
                raise LoadFailed(f"an answer is not a plain 200, its fields are {data[at + 9:next_at].hex()}")
            if kind <= HEADERS:
                self.answered += data[at + 4] & 1
            else:
                self.control(kind, data[at + 4], data[at + 5:at + 9], data[at + 9:next_at])
            at = next_at
        self.rest = data[at:]

    def control(self, kind: int, flags: int, stream: bytes, payload: bytes) -> None:
        if kind == WINDOW_UPDATE:
            # A stream's own window is larger than its body, so only the connection's matters.
            if not any(stream):
                self.window += int.from_bytes(payload, "big")
        elif kind == SETTINGS and not flags & ACK:
            self.settings |= dict(struct.iter_unpack(">HI", payload))
            self.apply()
        elif kind == PING and not flags & ACK:
            self.tls.write(frame(PING, ACK, payload))
        elif kind in (RST_STREAM, GOAWAY):
            raise LoadFailed(f"{'RST_STREAM' if kind == RST_STREAM else 'GOAWAY'} {payload.hex()}")

    def apply(self) -> None:
        if self.settings.get(HEADER_TABLE_SIZE, 4096) < self.encoder.table_size:
            raise LoadFailed("the server's HPACK table is too small for the fields that this load keeps there")
        self.limit = min(self.streams, self.settings.get(MAX_CONCURRENT_STREAMS, self.streams))
        self.tls.write(frame(SETTINGS, ACK, b""))

    def close(self) -> None:
        self.socket.close()


class Load:
    """Several connections that share one sequence of requests."""

    def __init__(self, port: int, plan: Plan, authorization: str, connections: int = 8, streams: int = 100,
                 lockstep: bool = False) -> None:
        self.source = Source(plan)
        self.connections = [Connection(port, plan, authorization, streams, lockstep) for _ in range(connections)]

    def prepare(self, count: int) -> None:
        """Makes the frames of the next requests."""
        share = count // len(self.connections)
        counts = [share] * (len(self.connections) - 1) + [count - share * (len(self.connections) - 1)]
        for connection, part in zip(self.connections, counts, strict=True):
            connection.prepare(self.source.take(part))

    def send(self) -> float:
        """Sends what was prepared and returns how many requests were answered a second."""
        start = time.perf_counter()
        self.drive()
        return sum(len(connection.ends) for connection in self.connections) / (time.perf_counter() - start)

    def run(self, count: int) -> float:
        self.prepare(count)
        return self.send()

    def drive(self) -> None:
        by_number = {connection.socket.fileno(): connection for connection in self.connections}
        with select.epoll() as poll:
            for number, connection in by_number.items():
                poll.register(number, interest(connection.write()))
            while by_number:
                ready = poll.poll(STALLED_AFTER)
                if not ready:
                    raise LoadFailed(f"the server answered nothing for {STALLED_AFTER} s")
                for number, events in ready:
                    connection = by_number[number]
                    if events & ~select.EPOLLOUT:
                        connection.read()
                    if connection.is_done:
                        poll.unregister(number)
                        del by_number[number]
                    else:
                        poll.modify(number, interest(connection.write()))

    def close(self) -> None:
        for connection in self.connections:
            connection.close()


def interest(is_flushed: bool) -> int:
    return select.EPOLLIN if is_flushed else select.EPOLLIN | select.EPOLLOUT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("port", type=int, help="the port of a server with TLS on 127.0.0.1")
    parser.add_argument("authorization", help="the value of the authorization header")
    parser.add_argument("--provider", choices=["apns", "fcm"], default="apns", help="what to send (default: apns)")
    parser.add_argument("--tokens", type=int, choices=[1, load_requests.TOKENS], default=1,
                        help="how many device tokens to use in turn (default: 1)")
    parser.add_argument("--bodies", choices=["one", "all"], default="one", help="all: each body differs (default: one)")
    parser.add_argument("--repeats", type=int, default=0, metavar="PERCENT",
                        help="how many requests repeat the token and body of the previous one (default: 0)")
    parser.add_argument("--requests", type=int, default=100_000, help="how many requests to send (default: 100000)")
    parser.add_argument("--connections", type=int, default=8, help="how many connections to open (default: 8)")
    parser.add_argument("--streams", type=int, default=100, help="streams that are open at once on each connection (default: 100)")
    parser.add_argument("--lockstep", action="store_true", help="send the next requests when all before are answered")
    parser.add_argument("--plain", action="store_true", help="header fields without Huffman codes and dynamic table")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same pushes (default: 1)")
    options = parser.parse_args()
    plan = Plan(options.provider, options.tokens, options.bodies == "all", options.repeats, options.seed, not options.plain)
    try:
        load = Load(options.port, plan, options.authorization, options.connections, options.streams, options.lockstep)
        print(json.dumps({"requests": options.requests, "requestsPerSecond": round(load.run(options.requests))}))
    except LoadFailed as failure:
        raise SystemExit(f"load: {failure}") from failure


if __name__ == "__main__":
    main()
