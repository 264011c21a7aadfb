"""Compose: which device a draft is for, and what may keep it from showing the push."""
from __future__ import annotations

from console.compose.compose_case import ComposeCase
from console.console_case import browsers


@browsers
class Target(ComposeCase):
    def test_a_template_keeps_the_device_if_it_fits(self) -> None:
        self.device("android", id="bob", project="bakery")
        ravi = self.device("android", id="ravi", app="com.example.rides", project="rides")
        self.device("ios", id="ann")
        self.page.open("#/compose?device=ravi")
        self.wait_field("Project", "rides")
        self.type_in_bar("fcm-data")
        self.page.wait("document.querySelector('.source').value.includes('\"data\"')")
        self.assertEqual(self.value()["message"]["token"], ravi["tokens"]["fcm"]["token"])
        self.wait_field("Project", "rides")
        self.type_in_bar("alert")
        self.wait_field("Topic", "com.example.app")
        self.wait_field("Device", "ann")

    def type_in_bar(self, template: str) -> None:
        self.page.run(f"""(() => {{ const e = document.querySelector('.compose-bar select'); e.value = '{template}';
            e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")

    def test_the_other_service_begins_with_a_device_too(self) -> None:
        bob = self.device("android", id="bob")
        self.page.open("#/compose")
        self.page.click(".segments button", "FCM")
        self.wait_field("Device", "bob")
        self.assertEqual(self.value()["message"]["token"], bob["tokens"]["fcm"]["token"])
        ann = self.device("ios", id="ann")
        self.page.open("#/compose?device=ann")
        self.wait_field("Topic", "com.example.app")
        self.page.click(".segments button", "FCM")
        self.wait_field("Device", "ann")
        self.assertEqual(self.value()["message"]["token"], ann["tokens"]["fcm"]["token"])

    def test_an_empty_target_is_called_empty(self) -> None:
        self.page.open("#/compose?template=fcm")
        self.verdict("The token is empty. Choose a device.")
        self.page.click(".segments button", "Topic")
        self.verdict("The topic is empty.")
        self.type_in("Topic", "news")
        self.verdict("Would be accepted (200)")

    def test_a_fault_that_may_hit_the_push_is_announced_and_explains_its_answer(self) -> None:
        self.device("android", id="bob", project="bakery")
        self.page.open("#/compose?device=bob")
        self.verdict("Would be accepted (200)")
        self.assertNotIn("fault", self.page.text(".verdict"))
        self.assertEqual(self.page.count("#nav a[href='#/faults'] .count"), 0)
        self.api("POST", "/faults", {"match": {"provider": "fcm", "app": "bakery"}, "effect": {"answer": {"status": 503, "reason": "UNAVAILABLE"}}})
        self.api("POST", "/faults", {"match": {"provider": "apns"}, "effect": {"answer": {"status": 503}}, "times": 1})
        self.type_in("Title", "Rolls", group="Notification")
        self.verdict("A fault may answer instead")
        self.page.click(".compose-foot button", "Send")
        self.page.wait_text("A fault answered instead of the gateway.", ".answer")
        self.page.wait_text("2", "#nav a[href='#/faults'] .count")
        phone = self.device("ios", id="ann")
        self.apns(phone, {"aps": {"alert": "uses up the fault"}})
        self.page.wait_text("1", "#nav a[href='#/faults'] .count")
        self.page.open("#/compose?device=ann")
        self.verdict("Would be accepted (200)")
        self.assertNotIn("fault", self.page.text(".verdict"))

    def test_what_was_said_of_a_push_is_marked_as_old_by_the_first_edit(self) -> None:
        self.device("ios", id="ann")
        self.page.open("#/compose?device=ann")
        self.verdict("Would be accepted (200)")
        self.page.click(".compose-foot button", "Send")
        self.page.wait_text("shown", ".answer")
        self.assertEqual(self.page.count(".answer.stale"), 0)
        self.write({"aps": {"alert": "x", "badge": "1"}})
        self.page.wait_text("Sent before your changes", ".answer.stale")
        self.page.click(".compose-foot button", "Validate only")
        self.page.wait_text("nothing was sent", ".answer:not(.stale)")
        self.type_in("Badge", "2")
        self.page.wait("document.querySelector('.answer').hidden")

    def test_the_list_of_conversions_is_folded_by_the_first_edit(self) -> None:
        self.page.open("#/compose?template=alert")
        self.verdict("Would be accepted (200)")
        self.paste('{"to": "/topics/news", "notification": {"title": "Old"}}')
        self.page.wait("document.querySelector('.changes li') && !document.querySelector('.changes details')")
        self.write({"message": {"topic": "news"}})
        self.page.wait_text("What was converted, before your changes", ".changes")
        self.assertEqual(self.page.count(".changes details:not([open]) li") > 0, True)
        self.assertEqual(self.page.count(".changes .undo"), 0)

    def test_a_phone_that_can_not_show_it_says_so_before_and_after(self) -> None:
        self.device("ios", id="ann", name="Ann", state={"permission": "denied"})
        self.page.open("#/compose?device=ann")
        self.page.wait_text("not shown by Ann: Notifications is set to “Denied”.", ".compose-preview")
        self.page.wait("document.querySelector('.compose-preview .would .stage')")
        self.verdict("Would be accepted (200)")
        self.page.click(".compose-foot button", "Send")
        self.page.wait_text("Set Notifications to Allowed on the device's page.", ".answer")
        self.assertEqual(self.page.run("document.querySelector('.answer p a').getAttribute('href')"), "#/devices/ann")
        self.api("PATCH", "/devices/ann", {"state": {"permission": "authorized"}})
        self.page.wait("!document.querySelector('.compose-preview .would') && document.querySelector('.compose-preview .stage')")
