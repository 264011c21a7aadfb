"""What every browser that runs does with web pushes. Test classes add what is said of their browser alone."""
from __future__ import annotations

import py_vapid

from python_programs import WEB_PUSH_PACKAGES, send_web_pushes
from receiver_case import ReceiverCase

# The largest body that is encrypted to 4,096 bytes: a header of 86, the end of the text and its seal are the rest.
LARGEST = 4096 - 86 - 1 - 16


class OpenBrowser(ReceiverCase):
    endpoint: str
    """A pattern."""
    too_large: int
    # The status for another key than the page's, and what the answer says.
    other_key: tuple[int, str]

    def test_a_push_is_shown_until_the_page_unsubscribes(self) -> None:
        subscription = self.subscribe()
        self.assertRegex(subscription["endpoint"], self.endpoint)
        answer = self.send(subscription, "Lunch\nIs ready")
        self.assertEqual((answer.status_code, answer.text), (201, ""))
        self.check_the_answer(answer.headers)
        self.wait_until_shown("Lunch\nIs ready")
        self.assertTrue(self.browser.run("unsubscribe()"))
        # The browser tells it a moment after the page.
        self.wait_until(lambda: self.send(subscription, "Late").status_code == 410)
        self.assertIsNone(self.device(subscription))
        self.wait_until_shown("Lunch\nIs ready")
        unknown = subscription | {"endpoint": subscription["endpoint"][:-4] + "0000"}
        self.assertEqual(self.send(unknown, "Nowhere").status_code, 404)

    def check_the_answer(self, headers: object) -> None:
        raise NotImplementedError

    def test_a_page_that_is_loaded_again_still_receives(self) -> None:
        subscription = self.subscribe()
        self.send(subscription, "One")
        self.wait_until_shown("One")
        self.browser.go(f"{self.pages[0].origin}{self.path}?again")
        self.send(subscription, "Two")
        self.wait_until_shown("One", "Two")

    def test_a_push_is_shown_while_no_page_is_open(self) -> None:
        subscription = self.subscribe()
        # The worker has nothing to do with a page of another origin.
        self.open(1)
        self.send(subscription, "Closed")
        self.page = self.pages[0]
        self.wait_for_pushes("Closed")
        self.open(0)
        self.assertEqual(self.shown(), ["Closed"])

    def test_pages_of_two_origins_get_each_their_own(self) -> None:
        first = self.subscribe()
        self.open(1)
        second = self.subscribe()
        self.assertNotEqual(first["endpoint"], second["endpoint"])
        self.assertEqual([self.device(each)["app"] for each in (first, second)], [self.app(0), self.app(1)])
        self.send(first, "First")
        self.send(second, "Second")
        self.wait_until_shown("Second")
        self.open(0)
        self.wait_until_shown("First")

    def test_the_largest_push_has_4096_bytes(self) -> None:
        subscription = self.subscribe()
        text = "Long\n" + "x" * (LARGEST - 5)
        answer = self.send(subscription, text + "x")
        self.assertEqual((answer.request.headers["content-length"], answer.status_code), ("4097", self.too_large))
        answer = self.send(subscription, text)
        self.assertEqual((answer.request.headers["content-length"], answer.status_code), ("4096", 201))
        self.wait_until_shown(text)

    def test_each_package_for_web_pushes_reaches_the_page(self) -> None:
        """Its endpoint is used as the browser gave it to the page."""
        subscription = self.subscribe()
        rows = [(package, subscription, f"Häppy 🎉\n{package}") for package in WEB_PUSH_PACKAGES]
        self.assertEqual(send_web_pushes(self.gateway, self.vapid, rows), [201] * 3)
        self.wait_until_shown(*(text for _, _, text in rows))
        self.assertTrue(self.browser.run("unsubscribe()"))
        self.wait_until(lambda: self.device(subscription) is None)
        self.assertEqual(send_web_pushes(self.gateway, self.vapid, rows), [410] * 3)

    def test_a_push_with_another_key_is_refused(self) -> None:
        subscription, other = self.subscribe(), py_vapid.Vapid()
        other.generate_keys()
        answer = self.send(subscription, "Other", other)
        status, text = self.other_key
        self.assertEqual(answer.status_code, status)
        self.assertIn(text, answer.text)

    def test_a_page_whose_device_is_deleted_gets_nothing_more(self) -> None:
        subscription = self.subscribe()
        self.api(f"/devices/{self.device(subscription)['id']}", "DELETE")
        self.assertEqual(self.send(subscription, "Late").status_code, 410)
        self.assertIsNone(self.device(subscription))

    def test_what_a_cut_connection_loses_comes_again(self) -> None:
        subscription = self.settle()
        self.relay.lose()
        self.send(subscription, "Lost")
        self.assertTrue(self.is_online(subscription), "the gateway knows of the loss too early")
        self.relay.cut()
        self.wait_until(lambda: not self.is_online(subscription))
        self.send(subscription, "Away")
        self.relay.heal()
        self.wait_until_shown("Away", "Before", "Lost")
