"""Tracking: which of Adobe's reports came for a push, what is missing, and why."""
from __future__ import annotations

from typing import Any

from console.console_case import ConsoleCase, browsers

IDS = {"_mId": "h1a2b", "_dId": "2a"}


@browsers
class TrackingPage(ConsoleCase):
    def phone(self, platform: str, **more: Any) -> dict[str, Any]:
        return self.device(platform, tracking={"profile": "adobe", "ecid": "12345"}, **more)

    def state(self, push: str, action: str, state: str) -> None:
        self.page.wait(f"document.querySelector(\"[data-push='{push}'] [data-action='{action}']\")?.dataset.state === '{state}'")

    def act(self, device: dict[str, Any], kind: str, **more: Any) -> None:
        shade = self.api("GET", f"/devices/{device['id']}/shade")["shade"]
        self.api("POST", f"/devices/{device['id']}/act", {"kind": kind, "notification": shade[0]["key"]} | more)

    def test_all_three_reports_come_live(self) -> None:
        phone = self.phone("android")
        self.page.open("#/tracking")
        self.page.wait_text("How to get reports")
        push = self.fcm({"data": {"title": "Breakfast", "body": "Rolls"} | IDS}, phone)["id"]
        self.state(push, "7", "reported")
        self.state(push, "2", "open")
        self.state(push, "1", "open")
        self.page.wait_text("has not acted on the notification yet", f"[data-push='{push}']")
        self.act(phone, "open")
        for action in ("7", "2", "1"):
            self.state(push, action, "reported")
        self.page.wait_text("3 hits", "h2")
        self.assertEqual(self.page.count("table tbody tr"), 3)
        self.assertIn("h1a2b", self.page.text("table"))
        self.assertIn("12345", self.page.text("table"))

    def test_a_missing_impression_says_why(self) -> None:
        phone = self.phone("ios")
        push = self.apns(phone, {"aps": {"alert": "Hello"}} | IDS)["id"]
        self.page.open("#/tracking")
        self.state(push, "7", "missing")
        self.state(push, "2", "open")
        self.page.wait_text("content-available is not 1, so none of its code ran", f"[data-push='{push}'] .why")
        self.act(phone, "open")
        self.state(push, "2", "reported")
        self.state(push, "1", "reported")
        self.state(push, "7", "missing")
        self.page.wait_text("On iOS an impression is reported only in the foreground", f"[data-push='{push}']")

    def test_a_push_without_ids_never_reports(self) -> None:
        push = self.apns(self.phone("ios"), {"aps": {"alert": "Hello"}})["id"]
        self.page.open("#/tracking")
        for action in ("7", "2", "1"):
            self.state(push, action, "missing")
        self.page.wait_text("_mId or _dId is missing", f"[data-push='{push}'] .why")

    def test_a_push_that_waits_names_its_rule(self) -> None:
        phone = self.phone("ios", state={"online": False})
        push = self.apns(phone, {"aps": {"alert": "Hello"}} | IDS)["id"]
        self.page.open("#/tracking")
        self.state(push, "7", "open")
        self.page.click(f"[data-push='{push}'] .why a")
        self.page.wait("location.hash === '#/rules/apns.stored-offline'")
        self.page.wait_text("apns.stored-offline", ".rule.marked")

    def test_hits_of_real_apps_have_their_flags(self) -> None:
        push = self.fcm({"data": {"title": "Breakfast"} | IDS}, self.phone("android"))["id"]
        self.report("h1a2b,2a,1")
        self.report("h1a2b,2a,1")
        self.report("h999,9,2")
        self.page.open("#/tracking")
        self.page.wait_text("openWithoutClick", "table")
        self.page.wait_text("duplicate", "table")
        self.page.wait_text("unknownId", "table")
        self.page.wait_text("by a real app", f"[data-push='{push}'] [data-action='1']")

    def report(self, ids: str) -> None:
        """A report as a real app sends it, to the gateway as the collector."""
        status = self.page.run(f"fetch('r/?id={ids}&mcId=999').then(r => r.status)")
        self.assertEqual(status, 200)

    def test_one_push_has_a_permalink(self) -> None:
        phone = self.phone("android")
        first, second = (self.fcm({"data": {"title": f"number {n}", "_mId": f"h{n}", "_dId": "2a"}}, phone)["id"] for n in (1, 2))
        self.page.open(f"#/tracking?push={first}")
        self.state(first, "7", "reported")
        self.assertEqual(self.page.count(f"[data-push='{second}']"), 0)
        self.page.wait_text("1 hit", "h2")
        self.page.click("a", "Show all pushes")
        self.state(second, "7", "reported")
        self.page.open("#/tracking?push=p99999")
        self.page.wait_text("Nothing is tracked for p99999")

    def test_hostile_texts_are_texts(self) -> None:
        bad = "<img src=x onerror='window.hacked=1'>\u202etxet"
        push = self.fcm({"data": {"title": bad, "_mId": bad, "_dId": "2a"}}, self.phone("android"))["id"]
        self.page.open("#/tracking")
        self.page.wait_text("<img src=x", f"[data-push='{push}']")
        self.assertIsNone(self.page.run("window.hacked ?? null"))
        self.assertEqual(self.page.count("#main img"), 0)
