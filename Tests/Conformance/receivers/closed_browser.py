"""What is sent while a browser is closed waits for it."""
from __future__ import annotations

from open_browser import LARGEST
from receiver_case import ReceiverCase


class ClosedBrowser(ReceiverCase):
    def test_pushes_wait_for_a_browser_that_is_closed(self) -> None:
        """What came while the browser was closed is shown after its next start, and what it has shown before is not."""
        subscription, long = self.subscribe(), "x" * LARGEST
        self.send(subscription, "Open")
        self.wait_until_shown("Open")
        self.browser.close()
        self.wait_until(lambda: not self.is_online(subscription))
        for text, options in (
            ("Old", {"headers": {"Topic": "t"}}), (long, {}), ("Now", {"ttl": 0}), ("Short", {"ttl": 60}),
            ("New", {"headers": {"Topic": "t"}}),
        ):
            self.assertEqual(self.send(subscription, text, **{"ttl": 3600} | options).status_code, 201)
        self.api("/clock", "POST", advance="2m")
        type(self).browser = self.make_browser()
        self.wait_for_pushes("Open", long, "New")
        self.open()
        # A browser that ends takes its notifications away.
        self.assertEqual(self.shown(), ["New", long])
        self.send(subscription, "Again")
        self.wait_for_pushes("Open", long, "New", "Again")
        self.assertEqual(self.shown(), ["Again", "New", long])
        self.check_that_all_is_recorded(subscription)

    def check_that_all_is_recorded(self, subscription: dict[str, object]) -> None:
        """The browser is a device that is online, and each push is a message with its events."""
        device = self.device(subscription)
        self.assertEqual((device["platform"], device["app"], device["state"]["online"]), ("web", self.app(), True))
        self.assertEqual(device["receiver"]["client"], self.client)
        pushes = [message["id"] for message in reversed(self.api("/messages")["messages"])]
        events = {push: [] for push in pushes}
        for event in self.api("/events?limit=1000")["events"]:
            if event.get("push") and event["kind"] != "callback":
                events[event["push"]].append(event.get("why") or event["kind"])
        # With its first subscription, Chromium connects twice, so the first push may have waited for it.
        first, *others = events.values()
        self.assertEqual(first[-1], "delivered")
        self.assertEqual(others, [
            ["accepted", "browser.away", "browser.replaced"], ["accepted", "browser.away", "delivered"],
            ["accepted", "browser.not-connected"], ["accepted", "browser.away", "browser.expired"],
            ["accepted", "browser.away", "delivered"], ["accepted", "delivered"]])
        self.assertEqual({message["provider"] for message in self.api("/messages")["messages"]}, {"webpush"})
        # Chromium acknowledges the first at its next start, and the others with its next heartbeat.
        self.wait_until(lambda: pushes[0] in [event["push"] for event in self.api("/events?kind=callback")["events"]])
        self.assertIn("received by the browser", self.did(pushes[0]))

    def did(self, push: str) -> list[str]:
        return [device["did"] for device in self.api(f"/messages/{push}/events")["devices"]]
