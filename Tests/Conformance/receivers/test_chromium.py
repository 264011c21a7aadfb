"""An unmodified Chromium gets its web pushes from the gateway. An unmodified pywebpush sends them."""
from __future__ import annotations

import unittest

from browsers import Chromium
from closed_browser import ClosedBrowser
from open_browser import OpenBrowser
from receivers import ChromiumCase


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


# Classes without a browser are no tests.
del OpenBrowser, ClosedBrowser
