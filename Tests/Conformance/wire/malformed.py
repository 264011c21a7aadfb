"""Sends malformed input to a gateway and returns its answer; the tables are in `malformed_http*.py`."""
from __future__ import annotations

import re
import socket

from gateway import PATIENCE, Gateway

LIVE = b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
STATUS_LINE = re.compile(rb"^HTTP/1\.1 (\d{3} .*)\r$", re.MULTILINE)
REFUSED = re.compile(r"rule=http1\.(\S+)")


class Log:
    """The log lines since the last call. Rows without a line are not waited for."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._seen = len(gateway.log)

    def rules(self) -> list[str]:
        fresh = self._gateway.log[self._seen :]
        self._seen += len(fresh)
        return REFUSED.findall(fresh)


def until_closed(connected: socket.socket) -> tuple[bytes, str]:
    """Everything until the end of the connection, and how it ended."""
    connected.settimeout(PATIENCE)
    raw_bytes = b""
    try:
        while chunk := connected.recv(65_536):
            raw_bytes += chunk
    except TimeoutError:
        return raw_bytes, "left open"
    except ConnectionResetError:
        return raw_bytes, "reset"
    return raw_bytes, "closed"


def exchange(gateway: Gateway, raw_bytes: bytes) -> tuple[bytes, str]:
    """Sends the bytes on a new connection. The server may close it before all are sent."""
    with gateway.at().connect() as connected:
        try:
            connected.sendall(raw_bytes)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return until_closed(connected)


def statuses(answer: bytes) -> list[str]:
    return [found.decode("latin-1") for found in STATUS_LINE.findall(answer)]


def is_live(gateway: Gateway) -> bool:
    """Whether a valid request on a new connection is answered 200."""
    return statuses(exchange(gateway, LIVE)[0]) == ["200 OK"]
