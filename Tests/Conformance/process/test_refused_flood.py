"""A flood of refused pushes, with `--data`: every accepted push stays in the list of messages, after a kill too."""
from __future__ import annotations

import signal
import tempfile
import unittest
from pathlib import Path

from api_case import Apple
from control import call
from gateway import PATIENCE, Gateway


class RefusedFlood(unittest.TestCase):
    def ids(self, gateway: Gateway, outcome: str) -> list[str]:
        status, said = call(gateway, "GET", f"/messages?outcome={outcome}")
        self.assertEqual(status, 200, said)
        return [one["apnsId"] for one in said["messages"]]

    def test_a_flood_of_refused_pushes_removes_no_accepted_ones(self) -> None:
        place = tempfile.TemporaryDirectory(prefix="pushpit-data-")
        self.addCleanup(place.cleanup)

        def start() -> Gateway:
            return Gateway("--data", place.name, "--keep-messages", "10", certificates=Path(place.name) / "certs")
        with start() as gateway, Apple(gateway) as apple:
            accepted = [apple.push().fields["apns-id"] for _ in range(5)]
            refused = [apple.push(token="no-token").fields["apns-id"] for _ in range(300)]
            # The log has 40 events; a fifth of that in addition is for refused pushes.
            self.assertEqual((self.ids(gateway, "accepted"), self.ids(gateway, "refused")), (accepted[::-1], refused[:-9:-1]))
            self.assertEqual(apple.push().status, 200)
            gateway.process.send_signal(signal.SIGKILL)
            gateway.process.wait(PATIENCE)
        with start() as gateway, Apple(gateway) as apple:
            self.assertEqual((self.ids(gateway, "accepted")[1:], self.ids(gateway, "refused")), (accepted[::-1], refused[:-9:-1]))
            apple.push(token="no-token")
            self.assertEqual((len(self.ids(gateway, "accepted")), len(self.ids(gateway, "refused"))), (6, 8))
