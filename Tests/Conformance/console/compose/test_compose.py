"""Compose: form and JSON in step, the verdict while typing, completion, sending."""
from __future__ import annotations

from console.compose.compose_case import SOURCE, ComposeCase
from console.console_case import browsers


@browsers
class Compose(ComposeCase):
    def test_an_apns_push_is_sent_from_the_form_and_the_page_says_what_the_phone_did(self) -> None:
        phone = self.device(id="ann", name="Ann")
        self.page.open("#/compose?device=ann")
        self.wait_field("Topic", "com.example.app")
        self.type_in("Title", "Lunch", group="Alert")
        self.type_in("Badge", "3")
        self.type_in("Collapse id", "meal")
        self.verdict("Would be accepted (200)")
        self.page.click("button", "Send")
        self.page.wait_text("shown", ".answer")
        message = self.sent()
        self.assertEqual(message["target"], {"token": phone["tokens"]["apns"]["token"]})
        self.assertEqual((message["outcome"], message["collapseId"], message["pushType"]), ("accepted", "meal", "alert"))
        self.assertEqual(message["request"]["body"]["aps"]["alert"]["title"], "Lunch")
        self.assertEqual(message["request"]["body"]["aps"]["badge"], 3)
        self.assertEqual(self.api("GET", "/devices/ann/shade")["shade"][0]["title"], "Lunch")
        self.page.click(".answer a", f"Open {message['id']}")
        self.page.wait(f"location.hash === '#/pushes/{message['id']}'")

    def test_an_fcm_message_is_sent_from_the_form(self) -> None:
        self.device("android", id="bob", project="shop")
        self.page.open("#/compose?device=bob")
        self.wait_field("Project", "shop")
        self.type_in("Title", "Order 7", group="Notification")
        self.type_in("Channel", "orders")
        self.type_in("Sound", "bell")
        self.page.click(".group button", "+ Add a value")
        self.page.fill(".pair:last-child input[aria-label^=Name]", "order")
        self.page.fill(".pair:last-child input[aria-label^=Value]", "7")
        self.verdict("Would be accepted (200)")
        self.page.click("button", "Send")
        self.page.wait_text("shown", ".answer")
        message = self.sent()["request"]["body"]["message"]
        self.assertEqual(message["android"]["notification"], {"channel_id": "orders", "sound": "bell"})
        self.assertEqual(message["apns"]["payload"]["aps"], {"sound": "bell"})
        self.assertEqual(message["data"], {"order": "7"})
        self.assertEqual(self.api("GET", "/devices/bob/shade")["shade"][0]["title"], "Order 7")

    def test_a_change_of_the_json_changes_the_form_and_back(self) -> None:
        self.page.open("#/compose?template=alert")
        self.wait_field("Title", "Breakfast is ready")
        self.write({"aps": {"alert": "Plain", "badge": 12, "mutable-content": 1}, "order": 7, "state": "new"})
        self.wait_field("Text", "Plain")
        self.wait_field("Badge", "12")
        self.wait_field("Title", "")
        self.assertTrue(self.page.run(f"{self.field('The extension may change it')}.checked"))
        self.assertEqual(self.page.run("[...document.querySelectorAll('.pair input')].map(e => e.value).join()"), "order,7,state,new")
        self.type_in("Title", "Now an object")
        self.assertEqual(self.value()["aps"]["alert"], {"title": "Now an object", "body": "Plain"})
        self.type_in("Badge", "")
        self.assertNotIn("badge", self.value()["aps"])
        self.page.fill(".pair input[aria-label='Value 1']", "8")
        self.assertEqual(self.value()["order"], 8)

    def test_an_error_names_its_line_and_the_form_waits(self) -> None:
        self.page.open("#/compose?template=alert")
        self.verdict("Would be accepted (200)")
        self.write('{\n  "aps": {\n    "alert": "x",\n  }\n}')
        self.page.wait_text("Line 3, column 17: Remove the comma before '}'.", ".json-error")
        self.verdict("Not JSON")
        self.assertTrue(self.page.run("document.querySelector('.groups').disabled && [...document.querySelectorAll('.compose-foot button')].every(e => e.disabled)"))
        self.write('{\n  "aps": {\n    "alert": "x"\n  }\n}')
        self.verdict("Would be accepted (200)")
        self.wait_field("Text", "x")
        self.assertEqual(self.page.text(".json-error"), "")

    def test_findings_come_and_go_with_their_line_remedy_and_rule(self) -> None:
        self.page.open("#/compose?template=alert")
        self.verdict("Would be accepted (200)")
        self.write({"aps": {"alert": "x", "badge": "1"}})
        self.verdict("Would be refused (400)")
        self.verdict("InvalidPayload")
        self.page.wait_text("line 4", ".finding")
        self.page.wait_text("/aps/badge", ".finding")
        self.page.wait_text("Give the named key of 'aps' the JSON type that Apple documents.", ".finding")
        self.assertEqual(self.page.run("document.querySelector('.finding a').getAttribute('href')"), "#/rules/aps.wrong-type")
        self.assertEqual(self.page.count(".marks .error"), 1)
        self.page.click(".finding button", "line 4")
        self.page.wait(f"document.activeElement === {SOURCE} && {SOURCE}.value.slice({SOURCE}.selectionStart).startsWith('\"badge\"')")
        self.write({"aps": {"alert": "x", "badge": 1}})
        self.verdict("Would be accepted (200)")
        self.page.wait_text("No findings.", ".compose-json")
        self.assertEqual(self.page.count(".marks .mark"), 0)

    def test_googles_refusal_leads_to_the_place_that_it_names(self) -> None:
        self.page.open("#/compose?template=topic")
        self.verdict("Would be accepted (200)")
        self.write({"message": {"topic": "news", "notification": {"titel": "x"}}})
        self.verdict("INVALID_ARGUMENT")
        self.page.wait_text("line 5", ".finding")
        self.page.wait_text("/message/notification/titel", ".finding")

    def test_completion_by_keyboard(self) -> None:
        self.page.open("#/compose?template=alert")
        self.write('{\n  "aps": {""}\n}')
        self.page.run(f"{SOURCE}.focus(); {SOURCE}.setSelectionRange(13, 13)")
        self.page.press(*"inter")
        self.page.wait("!document.querySelector('.completion').hidden")
        self.assertIn("interruption-level", self.page.text(".completion [aria-selected=true]"))
        self.assertEqual(self.page.run(f"{SOURCE}.getAttribute('aria-activedescendant')"), self.page.run("document.querySelector('.completion [aria-selected=true]').id"))
        self.page.press("Enter")
        # The values follow the name.
        self.page.wait_text("time-sensitive", ".completion")
        self.page.press("ArrowDown", "ArrowDown", "Enter")
        self.page.wait("document.querySelector('.completion').hidden")
        self.assertEqual(self.value(), {"aps": {"interruption-level": "time-sensitive"}})
        self.wait_field("Interruption level", "time-sensitive")
        self.page.press("Escape")
        self.page.run(f"{SOURCE}.setSelectionRange(13, 13)")
        self.page.press("e")
        self.page.wait("!document.querySelector('.completion').hidden")
        self.page.press("Escape")
        self.page.wait("document.querySelector('.completion').hidden")
        self.assertEqual(self.page.run(f"document.activeElement === {SOURCE}"), True)

    def test_the_push_type_changes_topic_token_priority_and_fields(self) -> None:
        phone = self.device(id="ann")
        self.page.open("#/compose?device=ann")
        self.wait_field("Topic", "com.example.app")
        tokens = phone["tokens"]
        cases = {
            "voip": ("com.example.app.voip", tokens["voip"]["token"], "10"), "background": ("com.example.app", tokens["apns"]["token"], "5"),
            "liveactivity": ("com.example.app.push-type.liveactivity", tokens["liveActivity"]["start"], "10"),
            "widgets": ("com.example.app.push-type.widgets", tokens["widgets"]["token"], "5"),
            "location": ("com.example.app.location-query", tokens["location"]["token"], "5"),
        }
        for kind, (topic, token, priority) in cases.items():
            with self.subTest(kind):
                self.type_in("Push type", kind)
                self.wait_field("Topic", topic)
                self.wait_field("Token", token)
                self.wait_field("Priority", priority)
                self.page.wait(f"{SOURCE}.value && !({self.field('Interruption level')})")
                self.verdict("Would be accepted (200)")
        self.type_in("Push type", "liveactivity")
        self.wait_field("Attributes type", "Trip")
        self.type_in("Content state", '{"gate": "B7"}')
        self.assertEqual(self.value()["aps"]["content-state"], {"gate": "B7"})
        self.type_in("Content state", '{"gate": ')
        self.page.wait_text("not JSON yet", ".field")
        self.assertEqual(self.value()["aps"]["content-state"], {"gate": "B7"})
        self.type_in("Push type", "alert")
        self.page.wait(self.field("Interruption level"))

    def test_a_payload_that_somebody_has_changed_stays_when_the_push_type_changes(self) -> None:
        self.device(id="ann")
        self.page.open("#/compose?device=ann")
        self.type_in("Title", "Mine")
        self.type_in("Push type", "background")
        self.assertEqual(self.value()["aps"]["alert"]["title"], "Mine")
        self.page.wait_text("background", ".finding")

    def test_validate_only_stores_no_delivery(self) -> None:
        self.device("android", id="bob")
        self.page.open("#/compose?template=fcm&device=bob")
        self.verdict("Would be accepted (200)")
        self.page.click("button", "Validate only")
        self.page.wait_text("No device gets it", ".answer")
        message = self.sent()
        self.assertIs(message["request"]["body"]["validate_only"], True)
        self.assertEqual(self.api("GET", "/devices/bob/shade")["shade"], [])
        self.assertNotIn("validate_only", self.value())

    def test_apns_is_validated_without_a_message(self) -> None:
        self.device(id="ann")
        self.page.open("#/compose?device=ann")
        self.verdict("Would be accepted (200)")
        self.page.click("button", "Validate only")
        self.page.wait_text("nothing was sent", ".answer")
        self.assertEqual(self.api("GET", "/messages")["messages"], [])

    def test_without_a_target_nothing_is_sent(self) -> None:
        self.page.open("#/compose?template=fcm")
        self.page.wait(f"{SOURCE}.value.includes('token')")
        self.page.click("button", "Send")
        self.page.wait_text("Choose a device or enter a target.", ".verdict")
        self.assertEqual(self.page.text("#notices"), "")
        self.assertEqual(self.api("GET", "/messages")["messages"], [])

    def test_a_device_is_made_from_here(self) -> None:
        self.page.open("#/compose?template=alert")
        self.page.click(".picker button", "+ iPhone")
        self.page.wait(f"{self.field('Token')}?.value.length === 64")
        self.assertEqual(len(self.api("GET", "/devices")["devices"]), 1)
        self.verdict("Would be accepted (200)")

    def test_hostile_text_stays_text(self) -> None:
        self.page.open("#/compose?template=topic")
        text = "<img src=x onerror=alert(1)>\u202e" + "a" * 20000
        self.write({"message": {"topic": "news", "notification": {text: text}}})
        self.verdict("Would be refused (400)")
        self.page.wait_text("<img src=x", ".finding")
        self.assertEqual(self.page.count(".compose img"), 0)

    def test_the_newest_check_wins_though_an_older_answer_comes_later(self) -> None:
        self.page.open("#/compose?template=alert")
        self.verdict("Would be accepted (200)")
        # The answer to the first check is held back until the second one is shown, whether it was cancelled or not.
        self.page.run("""window.real_ = fetch; window.held_ = new Promise(done => { window.free_ = done; }); window.late_ = 0;
            window.fetch = async (url, options) => {
              const isFirst = String(url).includes('/check/') && options.body.includes('"badge": "first"');
              if (!isFirst) return real_(url, options);
              const answer = await real_(url, {...options, signal: undefined});
              window.asked_ = true; await held_; setTimeout(() => { late_++; }); return answer; }""")
        self.write({"aps": {"alert": "x", "badge": "first"}})
        self.page.wait("window.asked_")
        self.write({"aps": {"alert": "x", "badge": 2}})
        self.verdict("Would be accepted (200)")
        self.page.run("free_(); undefined")
        self.page.wait("window.late_ === 1")
        self.assertIn("Would be accepted (200)", self.page.text(".verdict"))
        self.page.run("window.fetch = real_; undefined")
