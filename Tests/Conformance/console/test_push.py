"""The reading pane of a push: payload, request, trace, devices, tracking, and what can be done with it."""
from __future__ import annotations

import http.client
import json
import uuid

from control import call

from console.console_case import ConsoleCase, browsers

HOSTILE = "<img src=x onerror=hacked_()><script>hacked_()</script> \u202egnp.exe\u202c javascript:hacked_()"
MEGABYTE = "x" * 1_000_000


class PushCase(ConsoleCase):
    def show(self, push: dict, tab: str = "") -> None:
        self.page.open(f"#/pushes/{push['id']}" + (f"?tab={tab}" if tab else ""))
        self.page.wait("document.querySelector('.push-panel')?.children.length")

    def chosen(self) -> str:
        return self.page.text(".push-top [role=tab][aria-selected=true]")


@browsers
class PushPane(PushCase):
    def test_findings_stand_at_their_path_and_name_their_rule(self) -> None:
        push = self.apns(self.device(), {"aps": {"alert": "Hello", "badge": "1"}, "own": {"deep": [1, 2]}})
        self.show(push, "payload")
        place = ".tree [data-path='/aps/badge']"
        self.page.wait_text("'badge' must be a number", f"{place} .push-finding")
        link = self.page.run(f"document.querySelector(\"{place} .push-finding a\").getAttribute('href')")
        self.assertEqual(link, "#/rules/aps.wrong-type")
        self.page.wait_text("Give the named key", f"{place} .push-finding")
        self.assertEqual(self.page.count(".tree .marked"), 1)
        self.page.wait_text("of 4,096 bytes", ".sizes")

    def test_a_finding_about_a_missing_key_stands_at_what_is_there(self) -> None:
        push = self.fcm({"notification": {"titel": "Hello"}}, self.device("android"))
        self.show(push, "payload")
        self.page.wait_text("Unknown name", ".tree [data-path='/message'] > .push-findings")

    def test_a_string_that_is_json_is_decoded(self) -> None:
        push = self.fcm({"data": {"order": json.dumps({"id": 7, "items": ["rolls"]}), "plain": "{no json"}}, self.device("android"))
        self.show(push, "payload")
        self.page.wait_text("rolls", ".tree .decoded")
        self.assertEqual(self.page.count(".tree .decoded"), 1)

    def test_the_request_has_its_headers_its_findings_and_the_raw_text(self) -> None:
        push = self.apns(self.device(), {"aps": {"alert": "Hello"}}, apns_priority="7")
        self.show(push, "request")
        self.page.wait_text("apns-priority '7' is not 10, 5 or 1", ".headers tr.marked")
        self.page.wait_text('{"aps"', ".raw")
        self.page.wait_text("BadPriority", "[aria-label=Answer]")

    def test_the_trace_grows_while_it_is_open(self) -> None:
        phone = self.device(state={"online": False})
        push = self.apns(phone, {"aps": {"alert": "Later"}})
        self.show(push, "trace")
        self.page.wait_text("The push waits for the device", ".trace")
        self.page.wait_text("live", "#status")
        self.api("PATCH", f"/devices/{phone['id']}", {"state": {"online": True}})
        self.page.wait_text("The notification was shown", ".trace")
        self.assertEqual(self.page.run("document.querySelector('.trace .trace-step:nth-child(2) .rule-link').getAttribute('href')"), "#/rules/apns.stored-offline")
        self.page.wait_text("shown", ".push-facts")

    def test_devices_say_what_each_did(self) -> None:
        for name, state in (("ann", {}), ("ben", {"online": False})):
            self.device(id=name, state=state)
            self.api("PUT", f"/topics/news/devices/{name}")
        push = self.fcm({"topic": "news", "notification": {"title": "Breakfast"}})
        self.show(push, "devices")
        self.page.wait_text("shown", ".delivery")
        self.page.wait_text("waiting: the device is offline", ".delivery")
        self.assertEqual(self.page.run("[...document.querySelectorAll('.delivery .row a')].map(e => e.getAttribute('href')).sort().join()"), "#/devices/ann,#/devices/ben")
        self.page.wait_text("shown on 1 of 2", ".push-facts")

    def test_ten_thousand_devices_are_a_list_of_a_few_elements(self) -> None:
        self.api("POST", "/devices", {"id": "crowd", "platform": "android", "app": "com.example.app", "project": "demo", "count": 1500})
        for number in range(1, 1501):
            self.api("PUT", f"/topics/crowd/devices/crowd-{number}")
        push = self.fcm({"topic": "crowd", "notification": {"title": "Many"}})
        self.show(push, "devices")
        self.page.click(".push-panel button", "Read the rest")
        self.page.wait_text("1,500 devices: 1,500 shown.", ".push-panel")
        self.assertLess(self.page.count(".delivery-row"), 100)

    def test_tracking_says_which_reports_came_and_which_are_missing(self) -> None:
        phone = self.device("android", tracking={"profile": "adobe"})
        push = self.fcm({"data": {"title": "Offer", "body": "Two for one", "_mId": "h1", "_dId": "1a"}}, phone)
        self.show(push, "tracking")
        self.page.wait_text("reported", ".report[data-action='7'] .badge.good")
        self.page.wait_text("not yet", ".report[data-action='2'] .badge")
        words = self.page.text(".tracking .legend")
        self.assertIn("Impression\naction 7", words)
        shade = self.api("GET", f"/devices/{phone['id']}/shade")["shade"]
        self.page.wait_text("live", "#status")
        self.api("POST", f"/devices/{phone['id']}/act", {"kind": "open", "notification": shade[0]["key"]})
        self.page.wait_text("reported", ".report[data-action='2'] .badge.good")
        self.page.go("#/tracking")
        self.page.wait("document.querySelector('.page .legend')")
        self.assertEqual(self.page.text(".page .legend"), words, "both views use the same words")

    def test_a_push_that_is_not_tracked_has_no_legend(self) -> None:
        self.show(self.apns(self.device(), {"aps": {"alert": "x"}}), "tracking")
        self.page.wait_text("This push is not tracked", ".push-panel")
        self.assertNotIn("Impression", self.page.text(".push-panel"))

    def test_tracking_says_why_nothing_came(self) -> None:
        push = self.apns(self.device(tracking={"profile": "adobe"}), {"aps": {"alert": "x"}, "_mId": "h1", "_dId": "1a"})
        self.show(push, "tracking")
        self.page.wait_text("none of its code ran", ".push-panel")

    def test_the_tab_stands_in_the_address_and_stays_for_the_next_push(self) -> None:
        phone = self.device()
        first, second = (self.apns(phone, {"aps": {"alert": text}}) for text in ("one", "two"))
        self.show(first)
        self.assertEqual(self.chosen(), "Preview")
        self.page.click(".push-top [role=tab]", "Trace")
        self.page.wait(f"location.hash === '#/pushes/{first['id']}?tab=trace'")
        self.page.click(".push-row", "two")
        self.page.wait(f"location.hash === '#/pushes/{second['id']}?tab=trace'")
        self.page.wait_text("two", ".pane h1")
        self.assertEqual(self.chosen(), "Trace")
        self.assertEqual(self.page.count(".chips button[title]"), 0)

    def test_send_again_opens_the_new_push(self) -> None:
        push = self.apns(self.device(), {"aps": {"alert": "Again"}}, apns_collapse_id="one")
        self.show(push)
        self.page.click(".push-actions button", "Send again")
        self.page.wait(f"location.hash.startsWith('#/pushes/') && location.hash !== '#/pushes/{push['id']}'")
        new = self.page.run("location.hash").split("/")[-1]
        self.page.wait_text(new, ".push-where")
        sent = self.api("GET", f"/messages/{new}")
        self.assertEqual((sent["request"]["body"], sent["collapseId"]), (push["request"]["body"], "one"))

    def test_delete_asks_and_then_deletes_only_this_push(self) -> None:
        phone = self.device()
        first, second, third = (self.apns(phone, {"aps": {"alert": text}}) for text in ("one", "two", "three"))
        self.show(second)
        self.page.click(".push-actions button", "Delete")
        self.page.click("dialog button", "Cancel")
        self.assertEqual(self.api("GET", f"/messages/{second['id']}")["id"], second["id"])
        self.page.click(".push-actions button", "Delete")
        self.page.click("dialog button", "Delete")
        self.page.wait("!document.querySelector('.push-top')")
        left = [message["id"] for message in self.api("GET", "/messages")["messages"]]
        self.assertEqual(left, [third["id"], first["id"]])

    def test_copy_as_has_the_forms_of_the_provider_and_works_by_keyboard(self) -> None:
        push = self.apns(self.device(), {"aps": {"alert": "Copy"}})
        self.show(push)
        self.page.run("navigator.clipboard && (navigator.clipboard.writeText = async text => { window.copied_ = text; }); undefined")
        self.page.run("document.querySelector('.menu-box > button').focus(); undefined")
        self.page.press("Enter")
        labels = json.loads(self.page.run("JSON.stringify([...document.querySelectorAll('.copy-menu button')].map(e => e.innerText))"))
        self.assertEqual(labels, ["curl command", ".apns file", "FCM message (JSON)", "Python: aioapns", "Node.js: http2", "simctl (Apple's simulator)"])
        self.page.press("ArrowDown", "Enter")
        self.page.wait_text("Copied as .apns file", "#notices")
        self.assertEqual(json.loads(self.page.run("window.copied_"))["aps"], {"alert": "Copy"})
        self.page.click(".menu-box > button")
        self.page.press("Escape")
        self.page.wait("document.querySelector('.copy-menu').hidden && document.activeElement === document.querySelector('.menu-box > button')")
        for label, form in (("curl command", "curl"), ("Python: aioapns", "aioapns"), ("Node.js: http2", "http2")):
            self.page.click(".menu-box > button")
            self.page.click(".copy-menu button", label)
            self.page.wait(f"window.copied_.includes({json.dumps(form)})")

    def test_a_push_that_does_not_exist_says_so(self) -> None:
        self.page.open("#/pushes/p999999?tab=payload")
        self.page.wait_text("does not exist", ".pane")


@browsers
class HostilePushes(PushCase):
    def look_everywhere(self, push: dict) -> None:
        """Opens every tab. A script that ran would be a problem of the page, because there is no hacked_()."""
        for tab in ("preview", "payload", "request", "trace", "devices", "tracking"):
            self.show(push, tab)
            self.assertEqual(self.page.count(".push img[src='x'], .push script, .push a[href^='javascript']"), 0, tab)
            self.assertEqual(self.page.problems, [], tab)

    def test_markup_scripts_and_bidirectional_text_are_only_text(self) -> None:
        phone = self.device(name=HOSTILE)
        aps = {"alert": {"title": HOSTILE, "subtitle": HOSTILE, "body": HOSTILE}, "thread-id": HOSTILE, "category": HOSTILE, "sound": HOSTILE}
        push = self.apns(phone, {"aps": aps, "<script>": {"__proto__": 1, "</script>": [None, True]}, "url": "javascript:hacked_()"})
        self.look_everywhere(push)
        self.show(push)
        self.page.wait_text("<script>hacked_()</script>", ".n-card")
        self.show(push, "payload")
        self.page.wait_text("__proto__", ".tree")
        self.assertEqual(self.page.run("getComputedStyle(document.querySelector('.tree .string .foreign')).unicodeBidi"), "isolate")

    def test_urls_that_are_no_web_pages_are_never_opened(self) -> None:
        phone = self.device("web", app="https://shop.example.com")
        push = self.fcm({"notification": {"title": "T", "image": "javascript:hacked_()"},
                         "webpush": {"notification": {"icon": "data:text/html,<script>hacked_()</script>", "image": "javascript:hacked_()"}}}, phone)
        self.look_everywhere(push)
        push = self.fcm({"notification": {"title": HOSTILE, "body": HOSTILE}, "android": {"notification": {"color": "url(https://evil.example)", "icon": HOSTILE}}}, self.device("android"))
        self.look_everywhere(push)

    def test_a_megabyte_is_cut(self) -> None:
        token = self.device("android")["tokens"]["fcm"]["token"]
        title = self.send_directly({"message": {"token": token, "notification": {"title": MEGABYTE}}})
        self.look_everywhere(title)
        data = {"long": MEGABYTE, "list": json.dumps(list(range(5_000)))}
        push = self.send_directly({"message": {"token": token, "notification": {"title": "T"}, "data": data}})
        self.look_everywhere(push)
        self.show(push, "payload")
        self.page.wait_text("Show the first 20,000 of 1,000,000 characters", ".tree")
        self.page.click(".tree button", "Show the first")
        self.page.wait("document.querySelector('.tree').innerText.length > 15000")
        self.assertLess(self.page.run("document.querySelector('.push').innerText.length"), 100_000)
        self.assertLess(self.page.count(".push *"), 3000)

    def test_a_body_that_was_not_kept_says_so(self) -> None:
        token = self.device("android")["tokens"]["fcm"]["token"]
        push = self.send_directly({"message": {"token": token, "data": {"long": MEGABYTE * 2}}})
        self.show(push, "payload")
        self.page.wait_text("too long to be kept. It has 2,000,", ".push-panel")

    def send_directly(self, body: dict) -> dict:
        """As a sender does, because the control API takes no more than 64 KB. The message, accepted or refused."""
        address = self.gateway.at()
        connection = http.client.HTTPConnection(address.host, address.port, timeout=20)
        project = f"demo-{uuid.uuid4().hex[:6]}"
        connection.request("POST", f"/v1/projects/{project}/messages:send", json.dumps(body), {"host": "localhost", "content-type": "application/json", "authorization": "Bearer any"})
        connection.getresponse().read()
        connection.close()
        status, said = call(self.gateway, "GET", "/messages?limit=1")
        self.assertEqual(status, 200)
        return said["messages"][0]
