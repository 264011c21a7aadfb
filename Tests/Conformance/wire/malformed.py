"""Sends malformed input to a gateway and tells what came of it; the tables are in `malformed_http*.py`."""
from __future__ import annotations

import re
import socket

from gateway import PATIENCE, Gateway

LIVE = b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
STATUS_LINE = re.compile(rb"^HTTP/1\.1 (\d{3} .*)\r$", re.MULTILINE)
REFUSED = re.compile(r"rule=http1\.(\S+)")


class Log:
    """What the gateway has written since the last look; a row that it leaves out is not waited for."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._seen = len(gateway.log)

    def rules(self) -> list[str]:
        fresh = self._gateway.log[self._seen :]
        self._seen += len(fresh)
        return REFUSED.findall(fresh)


def until_closed(connected: socket.socket) -> tuple[bytes, str]:
    """All that comes, and how it ended."""
    connected.settimeout(PATIENCE)
    octets = b""
    try:
        while chunk := connected.recv(65_536):
            octets += chunk
    except TimeoutError:
        return octets, "left open"
    except ConnectionResetError:
        return octets, "reset"
    return octets, "closed"


def exchange(gateway: Gateway, octets: bytes) -> tuple[bytes, str]:
    """Sends them on a connection of their own; a server that has closed may stop the sending."""
    with gateway.at().connect() as connected:
        try:
            connected.sendall(octets)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return until_closed(connected)


def statuses(answer: bytes) -> list[str]:
    return [found.decode("latin-1") for found in STATUS_LINE.findall(answer)]


def is_live(gateway: Gateway) -> bool:
    """A good request on a connection of its own is answered 200."""
    return statuses(exchange(gateway, LIVE)[0]) == ["200 OK"]
