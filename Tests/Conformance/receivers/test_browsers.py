"""Unmodified browsers get their web pushes from the gateway. Unmodified packages send them."""
from __future__ import annotations

import unittest

from browsers import Chromium, Firefox
from closed_browser import ClosedBrowser
from open_browser import OpenBrowser
from receivers import ChromiumCase, FirefoxCase


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumReceives(ChromiumCase, OpenBrowser):
    endpoint = r"^https://(fcm\.googleapis|jmt17\.google)\.com/fcm/send/[\w-]{11}:APA91b[\w-]{134}$"
    too_large = 400
    other_key = (403, "do not correspond to the credentials used to create the subscriptions")

    def check_the_answer(self, headers: object) -> None:
        self.assertRegex(headers["location"], r"/0:\d{16}%[0-9a-f]{16}$")


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumReturns(ChromiumCase, ClosedBrowser):
    pass


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxReceives(FirefoxCase, OpenBrowser):
    endpoint = r"^http://127\.0\.0\.1:\d+/wpush/v2/gAAAAAB[0-9a-f]{160}$"
    too_large = 413
    other_key = (401, "VAPID public key mismatch")

    def check_the_answer(self, headers: object) -> None:
        self.assertEqual(headers["ttl"], "60")


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxReturns(FirefoxCase, ClosedBrowser):
    pass


# Classes without a browser are no tests.
del OpenBrowser, ClosedBrowser
