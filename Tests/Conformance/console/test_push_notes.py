"""What stands at the head of a push if its answer is not that of the real service."""
from __future__ import annotations

from console.console_case import browsers
from console.test_push import PushCase


@browsers
class Notes(PushCase):
    def test_a_refusal_that_is_only_ours_says_so_on_every_tab(self) -> None:
        push = self.apns(self.device(), {"aps": {"alert": "Hello", "badge": "1"}})
        for tab in ("payload", "trace", "devices"):
            self.show(push, tab)
            self.page.wait_text("This gateway refuses it because its profile is strict. Start it with --validation service", ".push-note")
        self.show(push, "payload")
        self.page.wait_text("'badge' must be a number", ".push-finding")
        self.assertEqual(self.page.text(".push-panel").count("'badge' must be a number"), 1)
        self.assertEqual(self.page.text(".push-panel").count("Apple answers 200"), 1)
        self.page.click(".push-findings-all button", "/aps/badge")
        self.show(self.apns(self.device(), {"aps": {"alert": "Fine"}}), "trace")
        self.page.wait_text("shown", ".push-facts .badge")
        self.assertEqual(self.page.text(".push-note"), "")

    def test_an_answer_of_a_fault_says_so(self) -> None:
        self.api("POST", "/faults", {"effect": {"answer": {"status": 503, "reason": "ServiceUnavailable"}}, "times": 1})
        self.show(self.apns(self.device(), {"aps": {"alert": "x"}}), "request")
        self.page.wait_text("A fault answered instead of the gateway.", ".push-note")
