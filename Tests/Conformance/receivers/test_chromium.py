"""An unmodified Chromium gets its web pushes from the gateway. An unmodified pywebpush sends them."""
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

from browsers import Chromium
from gateway import PATIENCE, Gateway
from receiver_page import ReceiverPage


class Receiver(Chromium):
    """Chromium whose hosts of Google are a gateway. Its profile outlives it."""

    def __init__(self, page: ReceiverPage, port: int, profile: Path) -> None:
        self.origin, self.port = page.origin, port
        super().__init__(f"{page.origin}/", profile)

    def arguments(self, directory: Path) -> list[str]:
        preferences = directory / "Default/Preferences"
        if not preferences.exists():
            settings = {"profile": {"content_settings": {"exceptions": {"notifications": {f"{self.origin},*": {"setting": 1}}}}}}
            preferences.parent.mkdir()
            preferences.write_text(json.dumps(settings))
        hosts = ("android.clients.google.com", "mtalk.google.com")
        rules = ",".join(f"MAP {host} 127.0.0.1:{self.port}" for host in hosts)
        given = [one for one in super().arguments(directory) if "resolver" not in one and "background" not in one]
        return [*given, f"--host-resolver-rules={rules}"]


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


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumReceives(unittest.TestCase):
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
        self.browser = Receiver(self.page, self.gateway.at().port, self.profile)

    def wait_until_shown(self, *titles: str) -> None:
        self.browser.wait_for(f"pushes.length === {len(titles)}")
        self.assertEqual(self.browser.run("pushes"), list(titles))
        self.assertEqual(self.browser.run("shown()"), "|".join(sorted(titles)))

    def wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def subscribe(self) -> dict[str, Any]:
        return json.loads(self.browser.run(f"subscribe({json.dumps(self.key)})"))

    def send(self, subscription: dict[str, Any], text: str, vapid: py_vapid.Vapid | None = None, **options: Any) -> requests.Response:
        """Sends to the gateway what the library would send to Google."""
        with GatewaySession(self.gateway) as session, contextlib.suppress(WebPushException):
            webpush(
                subscription, text, vapid_private_key=vapid or self.vapid, vapid_claims={"sub": "mailto:a@example.com"},
                requests_session=session, **{"ttl": 60} | options)
        return session.answer

    def test_a_push_is_shown_until_the_page_unsubscribes(self) -> None:
        subscription = self.subscribe()
        self.assertRegex(subscription["endpoint"], r"^https://(fcm\.googleapis|jmt17\.google)\.com/fcm/send/[\w-]{11}:APA91b[\w-]{134}$")
        answer = self.send(subscription, "First")
        self.assertEqual((answer.status_code, answer.text), (201, ""))
        self.assertRegex(answer.headers["location"], r"/0:\d{16}%[0-9a-f]{16}$")
        self.wait_until_shown("First")
        self.assertTrue(self.browser.run("unsubscribe()"))
        # The browser tells it a moment after the page.
        self.wait_until(lambda: self.send(subscription, "Late").status_code == 410)

    def test_pushes_wait_for_a_browser_that_is_closed(self) -> None:
        subscription = self.subscribe()
        self.send(subscription, "Open")
        self.wait_until_shown("Open")
        # The browser acknowledges it at its next start, so it is not shown twice.
        self.browser.close()
        for text, options in (
            ("Old", {"headers": {"Topic": "t"}}), ("Long " + "x" * 3900, {}), ("Now", {"ttl": 0}), ("New", {"headers": {"Topic": "t"}}),
        ):
            self.assertEqual(self.send(subscription, text, **options).status_code, 201)
        self.start()
        self.wait_until_shown("Long " + "x" * 3900, "New")

    def test_a_page_that_is_loaded_again_still_receives(self) -> None:
        subscription = self.subscribe()
        self.send(subscription, "One")
        self.wait_until_shown("One")
        self.browser.go(f"{self.page.origin}/?again")
        self.send(subscription, "Two")
        self.browser.wait_for("pushes.length === 1")
        self.assertEqual(self.browser.run("pushes"), ["Two"])

    def test_a_push_with_another_key_is_refused(self) -> None:
        subscription, other = self.subscribe(), py_vapid.Vapid()
        other.generate_keys()
        answer = self.send(subscription, "Other", other)
        self.assertEqual(answer.status_code, 403)
        self.assertIn("do not correspond to the credentials used to create the subscriptions", answer.text)
