"""What Firefox has heard is saved: its channels are as it knows them, even after kill -9 at once."""
from __future__ import annotations

import signal
import tempfile
import unittest
from pathlib import Path

import requests

from autopush_client import AutopushSocket, channel, hello, message, register
from gateway import PATIENCE, Gateway


class KilledGateway(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-data-")))

    def gateway(self) -> Gateway:
        return Gateway("--data", str(self.directory / "data"), certificates=self.directory / "certs")

    def kill(self, gateway: Gateway) -> None:
        gateway.process.send_signal(signal.SIGKILL)
        gateway.process.wait(PATIENCE)

    def push(self, gateway: Gateway, endpoint: str) -> int:
        path = "/wpush/" + endpoint.partition("/wpush/")[2]
        return requests.post(
            gateway.at().url(path), headers={"TTL": "60"}, verify=gateway.authority, timeout=PATIENCE).status_code

    def test_a_channel_is_there_as_soon_as_firefox_knows_it(self) -> None:
        endpoints: list[str] = []
        agent: dict[str, str] = {}
        for number in range(5):
            with self.gateway() as gateway:
                with AutopushSocket(gateway.at().connect()) as client:
                    said = client.ask(hello(**agent))
                    if agent:
                        self.assertEqual(said["uaid"], agent["uaid"])
                    agent = {"uaid": said["uaid"]}
                    endpoints.append(client.ask(register(number))["pushEndpoint"])
                    self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual([self.push(gateway, endpoint) for endpoint in endpoints], [201] * 5)

    def test_a_channel_that_firefox_has_ended_stays_ended(self) -> None:
        with self.gateway() as gateway, AutopushSocket(gateway.at().connect()) as client:
            client.ask(hello())
            endpoint = client.ask(register(1))["pushEndpoint"]
            self.assertEqual(client.ask(message(messageType="unregister", channelID=channel(1)))["status"], 200)
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual(self.push(gateway, endpoint), 410)


if __name__ == "__main__":
    unittest.main()
