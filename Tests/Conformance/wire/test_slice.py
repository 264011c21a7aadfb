"""A short test of everything: a push by curl over TLS and HTTP/2, its answer, the log, and the device's socket."""
from __future__ import annotations

import asyncio
import json
import subprocess
import unittest

import websockets

from gateway import TOKEN, TOPIC, Gateway


def push(gateway: Gateway, token: str, *arguments: str) -> tuple[str, str]:
    """Status line and body of a push by curl."""
    done = subprocess.run(
        ["curl", "-s", "-i", "--http2", "--max-time", "10", "--cacert", gateway.authority, *arguments,
         "-d", '{"aps":{"alert":"Hello"}}', gateway.at().url(f"/3/device/{token}")],
        capture_output=True, text=True, check=True)
    head, _, body = done.stdout.partition("\n\n")
    return head.splitlines()[0].strip(), body


class Slice(unittest.TestCase):
    def test_a_push_is_answered_200_403_or_400(self) -> None:
        with Gateway() as gateway:
            certificate = ["--cert", gateway.client_certificate]
            topic = ["-H", f"apns-topic: {TOPIC}"]
            self.assertEqual(push(gateway, TOKEN, *certificate, *topic), ("HTTP/2 200", ""))
            self.assertEqual(push(gateway, TOKEN, *topic), ("HTTP/2 403", '{"reason":"MissingProviderToken"}'))
            self.assertEqual(push(gateway, TOKEN, *certificate), ("HTTP/2 400", '{"reason":"MissingTopic"}'))
            gateway.wait_for_log(" 400 MissingTopic: ")

    def test_a_device_that_said_hello_receives_a_push(self) -> None:
        with Gateway() as gateway:
            asyncio.run(self._hello_and_push(gateway))

    async def _hello_and_push(self, gateway: Gateway) -> None:
        address = gateway.at().url("/devices/socket", scheme="ws")
        async with websockets.connect(address, subprotocols=[websockets.Subprotocol("pushpit.device.v1")]) as phone:
            await phone.send(json.dumps({"type": "hello", "device": {"platform": "ios", "app": TOPIC}}))
            welcome = json.loads(await asyncio.wait_for(phone.recv(), 10))
            self.assertEqual(welcome["type"], "welcome")
            token = welcome["device"]["tokens"]["apns"]["token"]
            answer = await asyncio.to_thread(
                push, gateway, token, "--cert", gateway.client_certificate, "-H", f"apns-topic: {TOPIC}")
            self.assertEqual(answer, ("HTTP/2 200", ""))
            frame = json.loads(await asyncio.wait_for(phone.recv(), 10))
            self.assertEqual(frame["type"], "push")
            self.assertEqual(frame["payload"], {"aps": {"alert": "Hello"}})
            self.assertEqual(frame["headers"], {"apns-topic": TOPIC})
