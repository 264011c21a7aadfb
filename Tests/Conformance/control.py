"""Calls of the control API with the standard library's HTTP client."""
from __future__ import annotations

import http.client
import json
from typing import Any

from gateway import PATIENCE, Gateway


def call(gateway: Gateway, method: str, path: str, body: Any = None, raw: bytes | None = None) -> tuple[int, Any]:
    """Status and JSON of a call below /api/v1."""
    address = gateway.at()
    connection = http.client.HTTPConnection(address.host, address.port, timeout=PATIENCE)
    try:
        sent = raw if raw is not None else None if body is None else json.dumps(body).encode()
        connection.request(method, f"/api/v1{path}", sent, {"host": "localhost"})
        answer = connection.getresponse()
        text = answer.read()
        if text and answer.headers["content-type"] != "application/json":
            raise AssertionError(f"{method} {path}: {answer.status} {text!r} is no JSON")
        return answer.status, json.loads(text) if text else None
    finally:
        connection.close()


def set_fault(gateway: Gateway, effect: Any, **rest: Any) -> str:
    """Returns the fault's id."""
    status, said = call(gateway, "POST", "/faults", {"effect": effect} | rest)
    if status != 201:
        raise AssertionError(f"{effect}: {status} {said}")
    return said["id"]


def move_clock(gateway: Gateway, **wish: Any) -> None:
    status, said = call(gateway, "POST", "/clock", wish)
    if status != 200:
        raise AssertionError(f"{wish}: {status} {said}")
