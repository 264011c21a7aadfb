"""Real browsers go on receiving after a gateway with --data was stopped and started again, without a new subscription."""
from __future__ import annotations

import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from browsers import Chromium, Firefox
from gateway import Gateway
from receiver_case import ReceiverCase
from receivers import ChromiumCase, FirefoxCase


class RestartedGateway(ReceiverCase):
    @classmethod
    def make_gateway(cls, address: str = "127.0.0.1:0") -> Gateway:
        if not hasattr(cls, "directory"):
            directory = tempfile.TemporaryDirectory(prefix="pushpit-data-", ignore_cleanup_errors=True)
            cls.directory = Path(cls.enterClassContext(directory))
        return cls.enterClassContext(Gateway(
            "--listen", address, "--data", str(cls.directory / "data"), certificates=cls.directory / "certs"))

    def restart_the_gateway(self, before_it_is_reached: Callable[[], object] = lambda: None) -> None:
        """Stops it with SIGTERM, and starts it on the same port with the same directories. Then clients reach it again."""
        cls, port = type(self), self.gateway.at().port
        # Connections wait at the relay, so that no client is refused one.
        self.relay.lose()
        self.gateway.close()
        self.assertEqual(self.gateway.process.returncode, 0)
        self.relay.cut()
        cls.gateway = cls.make_gateway(f"127.0.0.1:{port}")
        before_it_is_reached()
        self.relay.heal()

    def test_a_browser_receives_after_a_restart_of_the_gateway(self) -> None:
        subscription = self.settle()
        device = self.device(subscription)["id"]
        self.relay.lose()
        self.send(subscription, "Lost", ttl=3600)
        self.relay.cut()
        self.wait_until(lambda: not self.is_online(subscription))
        for text, options in (
            ("Old", {"headers": {"Topic": "t"}}), ("Waits", {}), ("Now", {"ttl": 0}), ("Short", {"ttl": 60}),
            ("New", {"headers": {"Topic": "t"}}),
        ):
            self.assertEqual(self.send(subscription, text, **{"ttl": 3600} | options).status_code, 201)
        self.restart_the_gateway(lambda: self.api("/clock", "POST", advance="2m"))
        # What was shown before does not come again.
        self.wait_until_shown("Before", "Lost", "New", "Waits")
        self.assertEqual(self.device(subscription)["id"], device)
        self.assertEqual(self.send(subscription, "After").status_code, 201)
        self.wait_until_shown("After", "Before", "Lost", "New", "Waits")
        self.assertTrue(self.browser.run("unsubscribe()"))
        self.wait_until(lambda: self.send(subscription, "Late").status_code == 410)


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumAndARestart(ChromiumCase, RestartedGateway):
    pass


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxAndARestart(FirefoxCase, RestartedGateway):
    pass


# A class without a browser is no test.
del RestartedGateway
