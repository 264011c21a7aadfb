"""A sender of web pushes at a steady rate, and a listener that notes how late each one is. Both have their own process."""
from __future__ import annotations

import multiprocessing
import select
import ssl
import time
from multiprocessing.connection import Connection as Pipe

from gateway import PATIENCE, Gateway
from receiver_client import DATA, STREAM_ACK, acknowledgement, encrypted, login
from receiving import Subscribed, request, sender

MARK = b"sent at "
# A time as 20 digits follows the mark.
STAMP = 20
# Chromium acknowledges ten pushes at a time.
ACKED = 10
CONNECTIONS = 8
# Seconds until the last push must be answered, if the gateway can't keep up.
LONGEST_DELAY = 60
# The body has the size of a notification with a title and a text.
BODY = encrypted(250)


class Client:
    """An MCS connection, whose frames are counted and whose pushes are read."""

    def __init__(self, gateway: Gateway, context: ssl.SSLContext, one: Subscribed) -> None:
        self.socket = context.wrap_socket(gateway.at().connect(), server_hostname="localhost")
        self.socket.sendall(login(one.id))
        # The version comes before the first frame.
        self.rest = self.socket.recv(65_536)[1:]
        self.frames = self.unacknowledged = 0
        self.socket.setblocking(False)

    def read(self, times: list[int]) -> None:
        while True:
            try:
                got = self.socket.recv(65_536)
            except ssl.SSLWantReadError:
                return
            now = time.monotonic_ns()
            if not got:
                raise EOFError("the gateway closed the connection")
            self.rest += got
            self._take(now, times)

    def _take(self, now: int, times: list[int]) -> None:
        rest, at = self.rest, 0
        while len(rest) - at >= 4:
            # A length of two bytes, or of one.
            size, start = (rest[at + 1], at + 2) if rest[at + 1] < 0x80 else (rest[at + 1] & 0x7F | rest[at + 2] << 7, at + 3)
            if len(rest) < start + size:
                break
            self.frames += 1
            if rest[at] == DATA:
                stamp = rest.index(MARK, start) + len(MARK)
                times.append(now - int(rest[stamp : stamp + STAMP]))
                self.unacknowledged += 1
            at = start + size
        self.rest = rest[at:]
        if self.unacknowledged >= ACKED:
            self.unacknowledged = 0
            self.socket.sendall(acknowledgement(STREAM_ACK, last=self.frames))


def listen(gateway: Gateway, clients: list[Subscribed], pipe: Pipe) -> None:
    context, poll = gateway.context(), select.epoll()
    opened = {(client := Client(gateway, context, one)).socket.fileno(): client for one in clients}
    for number in opened:
        poll.register(number, select.EPOLLIN)
    times: list[int] = []
    for client in opened.values():
        client.read(times)
    pipe.send("ready")
    used, begun, wanted = time.process_time(), time.monotonic(), None
    quiet = time.monotonic()
    while wanted is None or len(times) < wanted and time.monotonic() - quiet < 3:
        for number, _ in poll.poll(0.05):
            try:
                opened[number].read(times)
            except EOFError:
                # The gateway has ended. The sender says why.
                return
            quiet = time.monotonic()
        if wanted is None and pipe.poll():
            wanted = pipe.recv()
    pipe.send((times, (time.process_time() - used) / (time.monotonic() - begun) * 100))


class Listener:
    def __init__(self, gateway: Gateway, clients: list[Subscribed]) -> None:
        self._pipe, other = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=listen, args=(gateway, clients, other))
        self._process.start()
        if not self._pipe.poll(60):
            raise SystemExit("the clients did not log in")
        self._pipe.recv()

    def finish(self, wanted: int) -> tuple[list[float], float]:
        """Milliseconds of all pushes, sorted, and the share of a processor that the listener used, in percent."""
        self._pipe.send(wanted)
        times, used = self._pipe.recv()
        self._process.join(PATIENCE)
        return sorted(time / 1e6 for time in times), used


def send(gateway: Gateway, clients: list[Subscribed], rate: float, seconds: float) -> tuple[float, float]:
    """Sends over TLS and HTTP/1.1. Returns how late the sender itself was (p99, in ms), and its share of a processor."""
    authorization = sender.authorization()
    fields = (("ttl", "60"), ("content-encoding", "aes128gcm"), ("authorization", authorization))
    heads = [request("POST", f"/fcm/send/{one.token}", BODY, *fields)[: -len(MARK) - STAMP] + MARK for one in clients]
    opened = [gateway.tls("http/1.1") for _ in range(CONNECTIONS)]
    for connection in opened:
        connection.setblocking(False)
    late: list[float] = []
    answered = 0
    begun, used = time.monotonic(), time.process_time()
    for number in range(int(rate * seconds)):
        due = begun + number / rate
        while (left := due - time.monotonic()) > 0:
            # The pace of the pushes.
            time.sleep(min(left, 0.001))
        connection = opened[number % CONNECTIONS]
        late.append(time.monotonic() - due)
        connection.send(heads[number % len(heads)] + b"%020d" % time.monotonic_ns())
        answered += answers(connection)
    spent = (time.process_time() - used) / (time.monotonic() - begun) * 100
    deadline = time.monotonic() + LONGEST_DELAY
    while answered < len(late) and time.monotonic() < deadline:
        select.select(opened, [], [], 0.1)
        answered += sum(map(answers, opened))
    if answered < len(late):
        raise SystemExit(f"{answered} of {len(late)} pushes were answered 201")
    return sorted(late)[int(len(late) * 0.99)] * 1000, spent


def answers(connection: ssl.SSLSocket) -> int:
    """How many answers of 201 have come. An answer that came in two pieces could be missed, so it is read at once."""
    count = 0
    while True:
        try:
            got = connection.recv(65_536)
        except ssl.SSLWantReadError:
            return count
        if not got:
            raise EOFError("the gateway closed the connection")
        count += got.count(b"HTTP/1.1 201 ")
