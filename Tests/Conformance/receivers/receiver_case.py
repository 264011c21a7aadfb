"""A browser that receives from a gateway, a page that subscribes, and pywebpush, which sends."""
from __future__ import annotations

import contextlib
import json
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import py_vapid
import requests
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.utils import base64url_encode
from pywebpush import WebPushException, webpush

from browsers import Browser
from gateway import PATIENCE, Gateway
from receiver_page import ReceiverPage


class GatewaySession(requests.Session):
    """Sends requests for any host to the gateway, and keeps the answer."""

    answer: requests.Response

    def __init__(self, gateway: Gateway) -> None:
        super().__init__()
        self.verify, self.base, self.trust_env = gateway.authority, gateway.at().url(""), False

    def request(self, method: str, url: str, **options: Any) -> requests.Response:
        parts = urlsplit(url)
        options["headers"] = {**(options.get("headers") or {}), "host": parts.netloc}
        self.answer = super().request(method, self.base + parts.path, **options)
        return self.answer


class ReceiverCase(unittest.TestCase):
    client: str
    """The name that the gateway gives the browser."""

    @property
    def app(self) -> str:
        """The name that the gateway gives the page."""
        return self.page.origin

    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.page = self.enterContext(ReceiverPage())
        self.vapid = py_vapid.Vapid()
        self.vapid.generate_keys()
        point = self.vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.key = base64url_encode(point).decode()
        self.profile = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-profile-", ignore_cleanup_errors=True)))
        self.start()
        self.addCleanup(lambda: self.browser.close())

    def start(self) -> None:
        self.browser = self.make_browser()

    def make_browser(self) -> Browser:
        raise NotImplementedError

    def wait_until_shown(self, *titles: str) -> None:
        self.browser.wait_for(f"pushes.length === {len(titles)}")
        self.assertEqual(sorted(json.loads(self.browser.run("JSON.stringify(pushes)"))), sorted(titles))
        self.assertEqual(self.browser.run("shown()"), "|".join(sorted(titles)))

    def wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def subscribe(self) -> dict[str, Any]:
        return json.loads(self.browser.run(f"subscribe({json.dumps(self.key)})"))

    def send(self, subscription: dict[str, Any], text: str, vapid: py_vapid.Vapid | None = None, **options: Any) -> requests.Response:
        """Sends to the gateway what the library would send to the vendor."""
        with GatewaySession(self.gateway) as session, contextlib.suppress(WebPushException):
            webpush(
                subscription, text, vapid_private_key=vapid or self.vapid, vapid_claims={"sub": "mailto:a@example.com"},
                requests_session=session, **{"ttl": 60} | options)
        return session.answer

    def check_that_pushes_wait(self) -> None:
        """What came while the browser was closed is shown after its next start, and what it has shown before is not."""
        subscription, long = self.subscribe(), "Long " + "x" * 3900
        self.send(subscription, "Open")
        self.wait_until_shown("Open")
        self.browser.close()
        for text, options in (
            ("Old", {"headers": {"Topic": "t"}}), (long, {}), ("Now", {"ttl": 0}), ("New", {"headers": {"Topic": "t"}}),
        ):
            self.assertEqual(self.send(subscription, text, **options).status_code, 201)
        self.start()
        self.wait_until_shown(long, "New")
        self.check_that_all_is_recorded()

    def check_that_all_is_recorded(self) -> None:
        """The browser is a device that is online, and each push is a message with its events."""
        device = self.device()
        self.assertEqual((device["platform"], device["app"], device["state"]["online"]), ("web", self.app, True))
        self.assertEqual(device["receiver"]["client"], self.client)
        pushes = [message["id"] for message in reversed(self.api("/messages")["messages"])]
        events = {push: [] for push in pushes}
        for event in self.api("/events?limit=1000")["events"]:
            if event.get("push") and event["kind"] != "callback":
                events[event["push"]].append(event.get("why") or event["kind"])
        self.assertEqual(list(events.values()), [
            ["accepted", "delivered"], ["accepted", "browser.away", "browser.replaced"], ["accepted", "browser.away", "delivered"],
            ["accepted", "browser.not-connected"], ["accepted", "browser.away", "delivered"]])
        self.assertEqual({message["provider"] for message in self.api("/messages")["messages"]}, {"webpush"})
        acknowledged = lambda: [event["push"] for event in self.api("/events?kind=callback")["events"]]
        # Chromium acknowledges the last two with its next heartbeat.
        self.wait_until(lambda: pushes[0] in acknowledged())
        self.assertIn("received by the browser", self.did(pushes[0]))

    def did(self, push: str) -> list[str]:
        return [device["did"] for device in self.api(f"/messages/{push}/events")["devices"]]

    def api(self, path: str, method: str = "GET") -> dict[str, Any]:
        answer = requests.request(
            method, f"{self.gateway.at().url('')}/api/v1{path}", verify=self.gateway.authority, timeout=PATIENCE,
            headers={"accept": "application/json"})
        answer.raise_for_status()
        return answer.json() if answer.content else {}

    def device(self) -> dict[str, Any]:
        (device,) = self.api("/devices")["devices"]
        return device

    def check_that_a_deleted_device_is_gone(self) -> None:
        subscription = self.subscribe()
        self.api(f"/devices/{self.device()['id']}", "DELETE")
        self.assertEqual(self.send(subscription, "Late").status_code, 410)
        self.assertEqual(self.api("/devices")["devices"], [])
