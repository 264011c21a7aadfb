"""What tests of receivers share: a gateway behind a relay, and a gateway that ends and starts again with its data."""
from __future__ import annotations

import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

from gateway import PATIENCE, Gateway
from relay import Relay

# What is sent to a receiver that is away: texts, their TTL in seconds and topic; and what arrives two minutes later.
SENT_WHILE_AWAY = (("Old", 3600, "t"), ("Waits", 3600, None), ("Now", 0, None), ("Short", 60, None), ("New", 3600, "t"))
WAITED = ("New", "Waits")


class GatewayCase(unittest.TestCase):
    """The tests of a class share a gateway, and receivers reach it through a relay."""

    patience = PATIENCE
    gateway: Gateway
    relay: Relay

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.make_gateway()
        cls.relay = cls.enterClassContext(Relay(cls.gateway.at().port))

    @classmethod
    def make_gateway(cls) -> Gateway:
        return cls.enterClassContext(Gateway())

    def api(self, path: str, method: str = "GET", **body: object) -> dict[str, Any]:
        answer = requests.request(
            method, f"{self.gateway.at().url('')}/api/v1{path}", verify=self.gateway.authority, timeout=PATIENCE,
            headers={"accept": "application/json"}, json=body or None)
        answer.raise_for_status()
        return answer.json() if answer.content else {}

    def device(self, receiver: Any) -> dict[str, Any] | None:
        """What the list of devices has of a receiver. Subclasses know what identifies it."""
        raise NotImplementedError

    def is_online(self, receiver: Any) -> bool:
        device = self.device(receiver)
        assert device is not None
        return device["state"]["online"]

    def wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + self.patience
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)


class SavedGateway(GatewayCase):
    """The gateway has --data."""

    directory: Path

    @classmethod
    def make_gateway(cls, address: str = "127.0.0.1:0") -> Gateway:
        if not hasattr(cls, "directory"):
            directory = tempfile.TemporaryDirectory(prefix="pushpit-data-", ignore_cleanup_errors=True)
            cls.directory = Path(cls.enterClassContext(directory))
        return cls.enterClassContext(Gateway(
            "--listen", address, "--data", str(cls.directory / "data"), certificates=cls.directory / "certs"))

    def restart_the_gateway(self, is_killed: bool, before_it_is_reached: Callable[[], object] = lambda: None) -> None:
        """Ends it, and starts it on the same port with the same directories. Then clients reach it again."""
        cls, port = type(self), self.gateway.at().port
        # Connections wait at the relay, so that no client is refused one.
        self.relay.lose()
        if is_killed:
            self.gateway.process.kill()
        self.gateway.close()
        self.assertEqual(self.gateway.process.returncode, -9 if is_killed else 0)
        self.relay.cut()
        cls.gateway = cls.make_gateway(f"127.0.0.1:{port}")
        before_it_is_reached()
        self.relay.heal()
