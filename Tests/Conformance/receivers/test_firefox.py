"""An unmodified Firefox gets its web pushes from the gateway. An unmodified pywebpush sends them."""
from __future__ import annotations

import unittest
from pathlib import Path

import py_vapid

from browsers import Firefox
from receiver_case import ReceiverCase
from receiver_page import ReceiverPage


class Receiver(Firefox):
    """Firefox whose push service is a gateway. Its profile outlives it."""

    def __init__(self, page: ReceiverPage, port: int, profile: Path) -> None:
        self.preferences = Firefox.preferences | {
            "dom.push.serverURL": f"ws://127.0.0.1:{port}/", "dom.push.connection.enabled": True,
            "dom.push.testing.allowInsecureServerURL": True, "permissions.default.desktop-notification": 1,
            "alerts.useSystemBackend": False,
        }
        super().__init__(f"{page.origin}/", profile)


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxReceives(ReceiverCase):
    client = "Firefox"
    # Firefox does not tell its push service which page has subscribed.
    app = "org.mozilla.firefox"

    def make_browser(self) -> Receiver:
        return Receiver(self.page, self.gateway.at().port, self.profile)

    def test_a_push_is_shown_until_the_page_unsubscribes(self) -> None:
        subscription = self.subscribe()
        self.assertRegex(subscription["endpoint"], r"^http://127\.0\.0\.1:\d+/wpush/v2/gAAAAAB[0-9a-f]{160}$")
        answer = self.send(subscription, "First")
        self.assertEqual((answer.status_code, answer.text, answer.headers["ttl"]), (201, "", "60"))
        self.wait_until_shown("First")
        self.assertTrue(self.browser.run("unsubscribe()"))
        self.wait_until(lambda: self.send(subscription, "Late").status_code == 410)
        self.assertEqual(self.api("/devices")["devices"], [])
        self.assertEqual(self.send(subscription, "Late").json()["errno"], 106)

    def test_pushes_wait_for_a_browser_that_is_closed(self) -> None:
        self.check_that_pushes_wait()

    def test_a_push_with_another_key_is_refused(self) -> None:
        subscription, other = self.subscribe(), py_vapid.Vapid()
        other.generate_keys()
        answer = self.send(subscription, "Other", other)
        self.assertEqual((answer.status_code, answer.json()["message"]), (401, "VAPID public key mismatch"))

    def test_a_page_whose_device_is_deleted_gets_nothing_more(self) -> None:
        self.check_that_a_deleted_device_is_gone()
