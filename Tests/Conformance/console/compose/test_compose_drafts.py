"""Where a draft comes from: templates, files, old messages, pushes, the tab's own memory."""
from __future__ import annotations

import json
from pathlib import Path

from console.compose.compose_case import SOURCE, ComposeCase
from console.console_case import browsers

SAMPLES = Path(__file__).resolve().parents[2] / "fixtures/samples"


@browsers
class Drafts(ComposeCase):
    def test_each_template_is_accepted(self) -> None:
        for platform in ("ios", "android", "web"):
            self.device(platform, **({"app": "https://example.com"} if platform == "web" else {}))
        self.page.open("#/compose")
        names = json.loads(self.page.run("JSON.stringify([...document.querySelectorAll('select[aria-label=Template] option')].map(e => e.value).filter(Boolean))"))
        self.assertGreaterEqual(len(names), 12)
        for name in names:
            with self.subTest(name):
                self.page.open(f"#/compose?template={name}")
                self.page.wait(f"document.querySelector('select[aria-label=Template]').value === '{name}'")
                self.verdict("Would be accepted (200)")
                self.assertEqual(self.page.count(".finding.bad"), 0)
        self.page.go("#/compose?template=none")
        self.page.wait_text("There is no template 'none'", "#notices")

    def test_adobes_tracking_ids_are_in_the_templates_with_tracking_only(self) -> None:
        self.page.open("#/compose?template=adobe-ios")
        self.page.wait(f"{SOURCE}.value.includes('_mId') && {SOURCE}.value.includes('_dId')")
        self.page.go("#/compose?template=adobe-android-untracked")
        self.page.wait(f"{SOURCE}.value.includes('media-attachment-url') && !{SOURCE}.value.includes('_mId')")

    def test_an_apns_file_brings_its_topic(self) -> None:
        self.page.open("#/compose?template=topic")
        self.verdict("Would be accepted (200)")
        self.drop(".compose", "bread.apns", b'{"Simulator Target Bundle": "com.example.bakery", "aps": {"alert": "Rolls"}}')
        self.wait_field("Topic", "com.example.bakery")
        self.assertEqual(self.value(), {"aps": {"alert": "Rolls"}})
        self.page.wait_text("apns-topic", ".changes")
        self.verdict("Would be accepted (200)")

    def test_an_old_message_is_converted_and_each_change_is_explained(self) -> None:
        self.device("android", id="bob")
        self.page.open("#/compose?template=alert")
        self.verdict("Would be accepted (200)")
        old = (SAMPLES / "adobe-android.json").read_text()
        self.paste(json.dumps(json.loads(old) | {"to": "/topics/news", "dry_run": False}))
        self.page.wait_text("was a message for the legacy FCM API, which Google ended in 2024", ".changes")
        self.page.wait_text("1817 becomes a string", ".changes")
        self.page.wait_text("message.android.collapse_key", ".changes")
        self.verdict("Would be accepted (200)")
        message = self.value()["message"]
        self.assertEqual((message["topic"], message["data"]["badge"], message["android"]["priority"]), ("news", "1817", "HIGH"))
        self.assertEqual(self.page.run("document.querySelector('.segments [aria-pressed=true]').innerText"), "FCM")
        self.page.click(".changes button", "Undo")
        self.page.wait("!document.querySelector('.changes')")

    def test_a_push_opens_as_a_draft(self) -> None:
        phone = self.device(id="ann")
        push = self.apns(phone, {"aps": {"alert": {"title": "Again"}}, "n": 1}, apns_priority="5", apns_collapse_id="k")
        self.page.open(f"#/compose?from={push['id']}")
        self.wait_field("Title", "Again")
        self.wait_field("Collapse id", "k")
        self.wait_field("Priority", "5")
        self.wait_field("Token", phone["tokens"]["apns"]["token"])

    def test_the_draft_is_kept_until_the_tab_closes(self) -> None:
        self.page.open("#/compose?template=alert")
        self.type_in("Title", "Kept")
        self.page.run("window.old_ = true; void setTimeout(() => location.reload(), 0)")
        self.page.wait("!window.old_ && document.querySelector('.compose')")
        self.wait_field("Title", "Kept")
        self.page.go("#/devices")
        self.page.wait("!document.querySelector('.compose')")
        self.page.go("#/compose")
        self.wait_field("Title", "Kept")

    def test_an_old_message_becomes_what_the_gateway_says_too(self) -> None:
        """`pushpit check` and the console convert in the same way."""
        names = ("icon", "tag", "color", "click_action", "body_loc_key", "title_loc_key", "title", "body", "image", "sound", "subtitle", "android_channel_id")
        notification = {name: name for name in names} | {"badge": "3", "body_loc_args": '["a"]', "title_loc_args": ["b"]}
        old = {"to": "x", "priority": "high", "time_to_live": 60, "collapse_key": "k", "restricted_package_name": "com.example.app",
               "content_available": True, "mutable_content": True, "dry_run": True, "delay_while_idle": True, "notification": notification, "data": {"n": 1, "o": [True]}}
        said = self.api("POST", "/check/fcm", old)
        (shape,) = [finding["message"] for finding in said["findings"] if finding["rule"] == "fcm.legacy-shape"]
        self.page.open("#/compose?template=topic")
        self.verdict("Would be accepted (200)")
        self.paste(json.dumps(old))
        self.page.wait("document.querySelector('.changes')")
        self.assertEqual(self.value(), json.loads(shape.split("As a request for messages:send: ", 1)[1]))
        changes = {finding["path"] for finding in said["findings"] if finding["rule"] == "fcm.legacy-change"}
        self.assertEqual(self.page.count(".changes li"), len(changes))

    def test_a_button_converts_an_old_message_that_was_typed(self) -> None:
        self.page.open("#/compose?template=alert")
        self.write({"notification": {"title": "Old"}, "data": {"n": 1}})
        self.page.click(".offer button", "Convert to v1")
        self.page.wait("document.querySelector('.changes li') && !document.querySelector('.offer')")
        self.assertEqual(self.value(), {"message": {"notification": {"title": "Old"}, "data": {"n": "1"}}})
        # Undo brings the text back, and the button with it.
        self.page.click(".changes button", "Undo")
        self.page.wait("document.querySelector('.offer')")
        self.write({"message": {"topic": "news"}})
        self.page.wait("!document.querySelector('.offer')")

    def test_the_preview_of_a_data_message_has_a_condition_and_the_form_fits(self) -> None:
        self.device("android", id="bob")
        self.page.open("#/compose?template=fcm-image")
        self.page.wait("document.querySelectorAll('.compose-preview .n-reason').length")
        self.write({"message": {"topic": "news", "data": {"title": "Offer"}}})
        self.page.wait_text("only if the device's app reports to Adobe", ".compose-preview")
        # No part of the form scrolls sideways.
        self.page.run("document.querySelectorAll('.compose details').forEach(e => { e.open = true; }); undefined")
        self.assertEqual(self.page.run("[...document.querySelectorAll('.compose-form, .compose-form *')].filter(e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth).map(e => `${e.className} ${e.scrollWidth} in ${e.clientWidth}`).join()"), "")

    def test_the_preview_follows_what_is_typed(self) -> None:
        self.device("android", id="bob")
        self.page.open("#/compose?device=bob")
        self.type_in("Title", "Order 7", group="Notification")
        self.page.wait_text("Order 7", ".compose-preview .stage-android")
        self.assertEqual(self.page.count(".compose-preview .stage"), 1, "only the device's own platform")
        self.type_in("Text", "<b>hot</b>", group="Notification")
        self.page.wait_text("<b>hot</b>", ".compose-preview .stage-android")
        self.page.open("#/compose?template=topic")
        self.page.wait("document.querySelectorAll('.compose-preview .stage').length === 3")
        self.write({"message": {"topic": "news", "data": {"n": "1"}}})
        self.page.wait_text("so a phone shows no notification", ".compose-preview")
        self.page.open("#/compose?template=activity")
        self.page.wait("document.querySelector('.compose-preview .n-activity')")
