"""An unmodified Chromium gets its web pushes from the gateway. An unmodified pywebpush sends them."""
from __future__ import annotations

import json
import unittest
from pathlib import Path

import py_vapid

from browsers import Chromium
from receiver_case import ReceiverCase
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


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumReceives(ReceiverCase):
    client = "Chromium"

    def make_browser(self) -> Receiver:
        return Receiver(self.page, self.gateway.at().port, self.profile)

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
        self.assertEqual(self.api("/devices")["devices"], [])

    def test_pushes_wait_for_a_browser_that_is_closed(self) -> None:
        # Chromium acknowledges the first push at its next start.
        self.check_that_pushes_wait()

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

    def test_a_page_whose_device_is_deleted_gets_nothing_more(self) -> None:
        self.check_that_a_deleted_device_is_gone()
