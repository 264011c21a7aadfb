"""What an attack is, and what it gets: the gateway to attack, and a counter that shows that it takes place."""
from __future__ import annotations

import multiprocessing
import select
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from control import call
from gateway import Gateway

# The attacks use another app than the honest sender, so that the one can be told from the other.
APP = "com.example.attack"
# Attackers run on another machine in real life, so here they leave the processor to the gateway.
NICENESS = 10
# The largest number of processes of an attack.
MOST_WORKERS = 4


@dataclass(frozen=True)
class Row:
    """One attack. `attack` runs in `workers` processes until it is ended, and again and again if it returns."""

    name: str
    text: str
    attack: Callable[[Target], None]
    prepare: Callable[[Target], None] | None = None
    # Looks at the gateway after the attack.
    check: Callable[[Target, Verdict], None] | None = None
    arguments: tuple[str, ...] = ()
    workers: int = 1
    # The largest number of files that the gateway may open; None for the usual limit, which a soak always has.
    files: int | None = None
    # Whether the list of messages has all honest pushes afterwards. False if the attack sends or deletes messages.
    keeps: bool = True
    # Whether state that the attack is entitled to, such as devices, is deleted before memory is measured.
    resets: bool = False
    # MiB of resident memory that may remain after the attack.
    growth: int = 50
    # By which factor the row misses its bounds of time today; docs/status.md says why.
    misses: float = 1
    # Seconds until memory has to be back. The gateway gives it back when it has been idle for two to four seconds.
    patience: float = 8


@dataclass
class Verdict:
    """`wrong` fails always. `late` is about time, which other programs may have taken."""

    row: Row
    wrong: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    # By which factor the worst bound is missed; at most 1 if none is.
    worst: float = 0
    shown: str = ""
    # By which factor bounds of time may be missed on a machine that does other work, too.
    slack: float = 1

    def bound(self, what: str, milliseconds: float, limit: float) -> None:
        limit *= self.slack * self.row.misses
        self.worst = max(self.worst, milliseconds / limit)
        if milliseconds > limit:
            self.late.append(f"{what} {milliseconds:.1f} ms, not {limit:.0f}")

    @property
    def passed(self) -> bool:
        return not self.wrong and not self.late


def until(condition: Callable[[], bool], seconds: float, interval: float = 0.01) -> bool:
    """Waits until the condition holds, and returns whether it did in time. Nothing reports it, so it is asked often."""
    deadline = time.monotonic() + seconds
    while not (holds := condition()) and time.monotonic() < deadline:
        select.select([], [], [], interval)
    return holds


class Target:
    """The gateway of one row, as its attacker sees it."""

    def __init__(self, gateway: Gateway, scale: float = 1) -> None:
        self.gateway = gateway
        self._scale = scale
        self.address = gateway.at()
        # A number for each process. A lock would stay locked if a process were ended while it counts.
        self._rounds = multiprocessing.RawArray("Q", 1 + MOST_WORKERS)
        # Which of them is ours: 0, or the number of an attacker, which sets it.
        self.worker = 0

    def count_sent(self, count: int = 1) -> None:
        """Counts requests, frames or connections that the attack has sent."""
        self._rounds[self.worker] += count

    def scaled(self, count: int) -> int:
        """How many messages or devices to prepare: fewer for a build with a sanitizer, which is slow."""
        return max(1, int(count * self._scale))

    @property
    def rounds(self) -> int:
        return sum(self._rounds)

    def connect(self, receive_buffer: int = 0) -> socket.socket:
        """A connection in clear text. It waits while the gateway does not accept."""
        plain = socket.socket()
        if receive_buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.settimeout(10)
        plain.connect((self.address.host, self.address.port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain

    def connections(self, count: int, opening: bytes, receive_buffer: int = 0) -> list[socket.socket]:
        """So many connections in clear text, each of which has sent the same bytes."""
        opened = []
        for _ in range(count):
            opened.append(self.connect(receive_buffer))
            opened[-1].sendall(opening)
            self.count_sent()
        return opened

    def tls(self, *protocols: str) -> ssl.SSLSocket:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context.wrap_socket(self.connect(), server_hostname="localhost")

    def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        """A call of the control API that must have this status."""
        got, said = call(self.gateway, method, path, body)
        if got != status:
            raise AssertionError(f"{method} {path}: {got} {said}")
        return said

    def timed(self, method: str, path: str, body: object = None) -> float:
        """Milliseconds that a call takes."""
        begun = time.monotonic()
        self.ask(method, path, body)
        return (time.monotonic() - begun) * 1000
