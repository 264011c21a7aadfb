"""The reading pane for everybody: axe finds nothing in any tab, and a narrow window cuts nothing off."""
from __future__ import annotations

import json
from collections.abc import Iterator

from console.console_case import ConsoleCase
from console.test_shell import TAGS, axe

TABS = ("preview", "payload", "request", "trace", "devices", "tracking")


class PushAccess(ConsoleCase):
    maxDiff = None

    def setUp(self) -> None:
        super().setUp()
        categories = [{"id": "ORDER", "actions": [{"id": "LATER", "title": "Later"}]}]
        ann = self.device("ios", id="ann", name="Ann's iPhone", extension={"script": "firebase"}, categories=categories, tracking={"profile": "adobe"})
        ben = self.device("android", id="ben", tracking={"profile": "adobe"})
        web = self.device("web", app="https://shop.example.com")
        body = {"aps": {"alert": {"title": "Breakfast", "body": "Rolls"}, "badge": 2, "mutable-content": 1, "category": "ORDER", "interruption-level": "time-sensitive"},
                "fcm_options": {"image": "https://img.example.com/gone.png"}, "order": '{"id":7}'}
        actions = {"actions": [{"action": "buy", "title": "Buy"}]}
        start = {"event": "start", "timestamp": 1790000000, "attributes-type": "Trip", "attributes": {}, "content-state": {"gate": "A1"}, "alert": {"title": "Boarding", "body": "x"}}
        headers = {"apns-topic": "com.example.app.push-type.liveactivity", "apns-push-type": "liveactivity"}
        self.pushes = {
            "an alert": self.apns(ann, body), "a refused one": self.apns(ann, {"aps": {"alert": "typo", "badge": "1"}}, apns_priority="7"),
            "Android": self.fcm({"data": {"title": "Offer", "body": "Two", "_mId": "h1", "_dId": "1a"}}, ben),
            "web": self.fcm({"notification": {"title": "Offer"}, "webpush": {"notification": actions}}, web),
            "a topic": self.fcm({"topic": "nobody", "notification": {"title": "Hello"}}),
            "a Live Activity": self.api("POST", "/messages", {
                "provider": "apns", "token": ann["tokens"]["liveActivity"]["start"], "headers": headers, "body": {"aps": start}}),
        }

    def each_tab(self) -> Iterator[str]:
        for name, push in self.pushes.items():
            for tab in TABS if name in ("an alert", "a refused one", "Android") else ("preview",):
                self.page.open(f"#/pushes/{push['id']}?tab={tab}")
                self.page.wait("document.querySelector('.push-panel')?.children.length && !document.querySelector('.push-panel').innerText.includes('Loading…')")
                yield f"{tab} of {name}"

    def test_axe_finds_nothing_in_any_tab_light_or_dark(self) -> None:
        self.addCleanup(self.page.dark, False)
        found = {}
        for is_dark in (False, True):
            self.page.dark(is_dark)
            for place in self.each_tab():
                self.page.run(axe() + "; undefined")
                violations = json.loads(self.page.run(
                    f"axe.run(document, {{runOnly: {json.dumps(TAGS)}, resultTypes: ['violations']}}).then(r => JSON.stringify(r.violations"
                    ".map(v => `${v.id}: ${v.nodes.map(n => n.html.slice(0, 200) + (n.any[0]?.message ?? '')).slice(0, 3).join(' | ')}`)))"))
                if violations:
                    found[f"{place} {'dark' if is_dark else 'light'}"] = violations
        self.assertEqual(found, {})

    def test_no_tab_is_wider_than_a_phone(self) -> None:
        self.addCleanup(self.page.resize, 1400, 900)
        self.page.resize(360, 844)
        for place in self.each_tab():
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), 360, place)
            self.assertLessEqual(self.page.run("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.push'))"), 0, place)
