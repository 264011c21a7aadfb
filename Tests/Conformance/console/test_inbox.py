"""The inbox: live arrival, filters, keyboard, permalinks."""
from __future__ import annotations

import json

from console.console_case import ConsoleCase, browsers

TITLES = "[...document.querySelectorAll('.push-row:not([hidden]) .title')].map(e => e.innerText)"


@browsers
class Inbox(ConsoleCase):
    def shown(self) -> list[str]:
        """The titles in the list, from top to bottom."""
        rows = "[...document.querySelectorAll('.push-row:not([hidden])')].sort((a, b) => a.dataset.index - b.dataset.index)"
        return json.loads(self.page.run(f"JSON.stringify({rows}.map(e => e.querySelector('.title').innerText))"))

    def test_a_push_appears_as_it_arrives(self) -> None:
        phone = self.device("android")
        self.page.open()
        self.page.wait_text("live", "#status")
        self.fcm({"notification": {"title": "Breakfast", "body": "Rolls are ready"}}, phone)
        self.page.wait_text("Breakfast", ".push-row")
        self.page.wait_text("shown", ".push-row .badge")
        self.assertIn("Rolls are ready", self.page.text(".push-row"))

    def test_the_newest_push_is_at_the_top_and_a_refused_one_says_why(self) -> None:
        phone = self.device("ios")
        self.page.open()
        self.apns(phone, {"aps": {"alert": "one"}})
        self.page.wait_text("one", ".push-row")
        self.apns(phone, {"aps": {"alert": "two"}})
        self.page.wait_text("two", ".push-row")
        self.apns(phone, {"aps": {"alert": "three"}}, apns_priority="7")
        self.page.wait_text("400 BadPriority", ".push-row .badge.bad")
        self.assertEqual(self.shown(), ["three", "two", "one"])

    def test_filters_are_those_of_the_api_and_stand_in_the_address(self) -> None:
        phone = self.device("ios")
        for text, priority in (("apple", "10"), ("pear", "7"), ("plum", "10")):
            self.apns(phone, {"aps": {"alert": text}}, apns_priority=priority)
        self.page.open()
        self.page.wait(f"{TITLES}.length === 3")
        self.page.click(".chips button", "Refused")
        self.page.wait(f"{TITLES}.length === 1")
        self.assertEqual(self.shown(), ["pear"])
        self.assertIn("outcome=refused", self.page.run("location.hash"))
        self.page.fill(".filters input", "plum")
        self.page.wait(f"{TITLES}.join() === 'plum'")
        self.page.open("#/pushes?text=APPLE")
        self.page.wait(f"{TITLES}.join() === 'apple'")
        # A push that does not match stays away, and one that does comes.
        self.apns(phone, {"aps": {"alert": "cherry"}})
        self.apns(phone, {"aps": {"alert": "Apple pie"}})
        self.page.wait(f"{TITLES}.length === 2")
        self.assertEqual(self.shown(), ["Apple pie", "apple"])

    def test_the_arrows_move_and_the_address_follows(self) -> None:
        phone = self.device("ios")
        ids = [self.apns(phone, {"aps": {"alert": f"number {number}"}})["id"] for number in range(3)]
        self.page.open()
        self.page.wait(f"{TITLES}.length === 3")
        # The focus is not in the list yet.
        self.page.press("ArrowDown")
        self.page.wait(f"location.hash === '#/pushes/{ids[2]}'")
        self.page.press("ArrowDown")
        self.page.wait(f"location.hash === '#/pushes/{ids[1]}'")
        self.page.wait_text("number 1", ".pane h1")
        self.page.press("k")
        self.page.wait(f"location.hash === '#/pushes/{ids[2]}'")
        self.assertEqual(self.page.count(".push-row[aria-selected='true']"), 1)

    def test_a_permalink_opens_the_push(self) -> None:
        phone = self.device("ios")
        push = self.apns(phone, {"aps": {"alert": {"title": "Linked", "body": "from a chat"}}})["id"]
        self.page.open(f"#/pushes/{push}")
        self.page.wait_text("Linked", ".pane h1")
        self.page.open("#/pushes/p999999")
        self.page.wait_text("does not exist", ".pane")

    def test_apps_and_devices_are_filters(self) -> None:
        ann, ben = self.device("ios", id="ann"), self.device("android", id="ben", app="com.example.other")
        self.apns(ann, {"aps": {"alert": "for Ann"}})
        self.fcm({"notification": {"title": "for Ben"}}, ben)
        self.page.open()
        self.page.click("#nav a", "com.example.other")
        self.page.wait(f"{TITLES}.join() === 'for Ben'")
        self.page.click("#nav a", "com.example.app")
        self.page.click("#nav a.deep", "ann")
        self.page.wait(f"{TITLES}.join() === 'for Ann'")

    def test_pushes_go_away_with_a_reset(self) -> None:
        phone = self.device("ios")
        self.apns(phone, {"aps": {"alert": "old"}})
        self.page.open()
        self.page.wait_text("old", ".push-row")
        self.api("POST", "/reset")
        self.page.wait_text("No pushes", ".info")
        # An app without a device is a filter, too.
        self.fcm({"topic": "news", "notification": {"title": "to a topic"}}, project="daily")
        self.page.wait_text("daily", "#nav")

    def test_a_title_keeps_its_width_beside_wide_badges(self) -> None:
        self.apns(self.device(), {"aps": {"alert": "Your basket is still waiting for you", "badge": "1"}})
        self.addCleanup(self.page.resize, 1400, 900)
        self.page.resize(360, 800)
        self.page.open()
        self.page.wait_text("400 InvalidPayload", ".push-row .badge.bad:last-child")
        self.assertGreater(self.page.run("document.querySelector('.push-row .title').offsetWidth"), 170)
        self.assertLess(self.page.run("document.querySelector('.list .info').offsetHeight"), 40)

    def test_a_message_that_was_only_validated_says_so(self) -> None:
        self.api("POST", "/messages", {"provider": "fcm", "project": "demo", "body": {"validate_only": True, "message": {"topic": "news", "notification": {"title": "dry"}}}})
        self.page.open()
        self.page.wait_text("validated", ".push-row .badge")
        self.page.click(".push-row")
        self.page.wait_text("validated", ".push-facts .badge")
        self.page.wait_text("FCM only validated this message.", ".unseen-why")

    def test_a_push_of_another_day_of_the_gateways_clock_has_a_date(self) -> None:
        self.addCleanup(self.api, "POST", "/clock", {"set": "now"})
        self.apns(self.device(), {"aps": {"alert": "today"}})
        self.page.open()
        self.page.wait_text("today", ".push-row")
        clock = self.page.text(".push-row .time")
        self.api("POST", "/clock", {"advance": "672h"})
        self.page.wait(f"document.querySelector('.push-row .time').innerText !== {clock!r}")
        self.assertTrue(self.page.text(".push-row .time").endswith(clock))
        self.apns(self.device(), {"aps": {"alert": "later"}})
        self.page.wait_text("later", ".push-row")
        self.assertLessEqual(len(self.page.text(".push-row .time")), len(clock))

    def test_the_rows_are_read_in_their_order(self) -> None:
        phone = self.device()
        for number in range(40):
            self.apns(phone, {"aps": {"alert": f"push {number}"}})
        self.page.open()
        self.page.wait("document.querySelectorAll('.push-row:not([hidden])').length > 10")
        shown = "[...document.querySelectorAll('.push-row:not([hidden])')].map(row => Number(row.getAttribute('aria-posinset')))"
        for move in ("scrollTop = 1500", "scrollTop = 300"):
            self.page.run(f"document.querySelector('.rows').{move}; undefined")
            self.page.wait(f"(() => {{ const top = {move.split(' ')[-1]} / 60, rows = {shown}; return Math.min(...rows) <= top && Math.max(...rows) > top; }})()")
            rows = self.page.run(f"JSON.stringify({shown})")
            self.assertEqual(json.loads(rows), sorted(json.loads(rows)), move)
        self.page.fill(".filters input", "text=3")
        self.page.wait("location.hash.includes('3')")
        self.page.fill(".filters input", "push 1")
        self.page.wait(f"{shown}.length > 5")
        rows = self.page.run(f"JSON.stringify({shown})")
        self.assertEqual(json.loads(rows), sorted(json.loads(rows)))

    def test_filters_that_match_nothing_can_be_cleared(self) -> None:
        self.apns(self.device(), {"aps": {"alert": "apple"}})
        self.page.open("#/pushes?text=pear")
        self.page.wait_text("No push matches.", ".info")
        self.page.click(".info button", "Clear the filters")
        self.page.wait(f"{TITLES}.join() === 'apple'")

    def test_the_icon_is_that_of_the_device(self) -> None:
        icon = "document.querySelector('.push-row path')?.getAttribute('d')"
        drawn = {}
        for platform in ("ios", "web", "android"):
            phone = self.device(platform)
            self.page.open()
            self.fcm({"notification": {"title": platform}}, phone)
            self.page.wait_text(platform, ".push-row .title")
            self.page.wait(f"{icon} && !{icon}.startsWith('M3 12 21')")
            drawn[platform] = self.page.run(icon)
            self.api("POST", "/reset")
        self.assertEqual(len(set(drawn.values())), 3, drawn)
