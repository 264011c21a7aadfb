"""A browser that receives from a gateway, pages that subscribe, and pywebpush, which sends.

The tests of a class share the browser, and each has its own page.
"""
from __future__ import annotations

import contextlib
import itertools
import json
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import py_vapid
import requests
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.utils import base64url_encode
from pywebpush import WebPushException, webpush

from browsers import LONGEST, Browser
from gateway import Gateway
from gateway_case import GatewayCase
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


class ReceiverCase(GatewayCase):
    patience = LONGEST
    client: str
    """The name that the gateway gives the browser."""
    settled = 0.0
    """How many seconds old a connection must be so that the browser connects again at once when it is lost."""
    numbers = itertools.count(1)

    @classmethod
    def setUpClass(cls) -> None:
        cls.pages = [cls.enterClassContext(cls.make_page()) for _ in range(2)]
        super().setUpClass()
        cls.vapid = py_vapid.Vapid()
        cls.vapid.generate_keys()
        point = cls.vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        cls.key = base64url_encode(point).decode()
        directory = tempfile.TemporaryDirectory(prefix="pushpit-profile-", ignore_cleanup_errors=True)
        cls.profile = Path(cls.enterClassContext(directory))
        cls.start_browser()

    @classmethod
    def start_browser(cls) -> None:
        cls.browser = cls.make_browser()
        cls.addClassCleanup(lambda: cls.browser.close())

    @classmethod
    def make_page(cls) -> ReceiverPage:
        return ReceiverPage()

    @classmethod
    def make_browser(cls) -> Browser:
        raise NotImplementedError

    def setUp(self) -> None:
        self.path = f"/{next(self.numbers)}/"
        self.open()

    def open(self, page: int = 0) -> None:
        """Opens the page of this test at one of the two origins."""
        self.page = self.pages[page]
        self.browser.go(self.page.origin + self.path)

    def app(self, page: int = 0) -> str:
        """The name that the gateway gives the page."""
        return self.pages[page].origin

    def wait_for_pushes(self, *texts: str) -> None:
        """Waits until the worker of the page has shown these, and nothing else since the test began."""
        pushes = self.page.pushes[self.path]
        self.wait_until(lambda: len(pushes) >= len(texts))
        self.assertEqual(sorted(pushes), sorted(texts))

    def wait_until_shown(self, *texts: str) -> None:
        """Waits until the browser has notifications with these texts, each a title and perhaps a body, and no others."""
        self.wait_for_pushes(*texts)
        self.assertEqual(self.shown(), sorted(texts))

    def shown(self) -> list[str]:
        return json.loads(self.browser.run("shown()"))

    def settle(self) -> dict[str, Any]:
        """A subscription that has shown a push, on a connection that the browser opens again at once."""
        subscription = self.subscribe()
        self.send(subscription, "Before")
        self.wait_until_shown("Before")
        time.sleep(max(0.0, self.relay.last_connected + self.settled - time.monotonic()))
        return subscription

    def subscribe(self) -> dict[str, Any]:
        return json.loads(self.browser.run(f"subscribe({json.dumps(self.key)})"))

    def send(self, subscription: dict[str, Any], text: str, vapid: py_vapid.Vapid | None = None, **options: Any) -> requests.Response:
        """Sends to the gateway what the library would send to the vendor."""
        with GatewaySession(self.gateway) as session, contextlib.suppress(WebPushException):
            webpush(
                subscription, text, vapid_private_key=vapid or self.vapid, vapid_claims={"sub": "mailto:a@example.com"},
                requests_session=session, **{"ttl": 60} | options)
        return session.answer

    def device(self, subscription: dict[str, Any]) -> dict[str, Any] | None:
        """The device that this subscription is."""
        path = urlsplit(subscription["endpoint"]).path
        found = [device for device in self.api("/devices?limit=1000")["devices"] if device["receiver"]["endpoint"].endswith(path)]
        return found[0] if found else None
