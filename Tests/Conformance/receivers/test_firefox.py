"""An unmodified Firefox gets its web pushes from the gateway. An unmodified pywebpush sends them."""
from __future__ import annotations

import unittest

from browsers import Firefox
from closed_browser import ClosedBrowser
from open_browser import OpenBrowser
from receivers import FirefoxCase


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
