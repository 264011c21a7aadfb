"""Rules: all of them, searched, filtered and linked to."""
from __future__ import annotations

from console.console_case import ConsoleCase, browsers

SHOWN = "[...document.querySelectorAll('.rule')].filter(e => !e.hidden)"


@browsers
class RulesPage(ConsoleCase):
    def all(self) -> int:
        rules = self.api("GET", "/rules?limit=1000")["rules"]
        return len(rules)

    def test_every_rule_is_there_with_its_words(self) -> None:
        self.page.open("#/rules")
        self.page.wait(f"{SHOWN}.length === {self.all()}")
        rule = next(rule for rule in self.api("GET", "/rules?limit=1000")["rules"] if rule["id"] == "apns.BadPriority")
        text = self.page.run("document.getElementById('rule-apns.BadPriority').textContent")
        for part in (rule["checks"], rule["remedy"], rule["evidence"], "refuses with 400", "strict", "service"):
            self.assertIn(part, text)

    def test_the_search_looks_at_ids_and_texts(self) -> None:
        self.page.open("#/rules")
        self.page.fill(".rules input[type='search']", "collapse-id 64")
        self.page.wait("location.hash.includes('text=collapse-id')")
        self.page.wait(f"{SHOWN}.some(e => e.id === 'rule-apns.BadCollapseId') && {SHOWN}.every(e => e.textContent.includes('64'))")
        self.page.fill(".rules input[type='search']", "no such words")
        self.page.wait_text("No rule matches.")
        self.page.click("button", "Show all rules")
        self.page.wait(f"{SHOWN}.length === {self.all()}")

    def test_filters_narrow_the_list_and_stand_in_the_address(self) -> None:
        self.page.open("#/rules")
        self.page.click(".chips button", "FCM")
        self.page.click(".chips button", "Finding")
        self.page.click(".chips button", "Ours")
        self.page.wait("location.hash.includes('evidence=ours')")
        expected = [rule["id"] for rule in self.api("GET", "/rules?limit=1000")["rules"]
                    if rule["id"].split(".")[0] in ("fcm", "iid", "oauth") and rule["effect"] == "finding" and rule["evidence"] == "ours"]
        self.assertGreater(len(expected), 0)
        self.page.wait(f"{SHOWN}.length === {len(expected)}")
        self.page.open("#/rules?service=ios&effect=event")
        self.page.wait(f"{SHOWN}.length > 0 && {SHOWN}.every(e => /^rule-(ios|person)\\./.test(e.id))")

    def test_a_permalink_shows_and_marks_the_rule(self) -> None:
        self.page.open("#/rules/ios.foreground")
        self.page.wait("""(() => { const e = document.querySelector('.rule.marked'); const box = e?.getBoundingClientRect();
            return box && box.top >= 0 && box.bottom <= innerHeight && e === document.activeElement && e.id === 'rule-ios.foreground' })()""")
        self.page.go("#/rules/apns.BadTopic")
        self.page.wait("document.querySelector('.rule.marked').id === 'rule-apns.BadTopic' && document.querySelectorAll('.rule.marked').length === 1")
        self.page.go("#/rules/apns.Nonsense")
        self.page.wait_text("There is no rule 'apns.Nonsense'", "#notices")

    def test_each_profile_says_what_becomes_of_the_push(self) -> None:
        self.page.open("#/rules/aps.wrong-type")
        self.page.wait_text("service: accepted, with an error finding", "#rule-aps\\.wrong-type .badge")
        self.page.wait_text("strict: refused", "#rule-aps\\.wrong-type .badge")
        # The cards come in portions. An event has only its evidence.
        self.page.wait(r"document.querySelectorAll('#rule-ios\\.foreground .marks .badge').length === 1")

    def test_a_rule_leads_to_its_pushes(self) -> None:
        phone = self.device("ios")
        bad = self.apns(phone, {"aps": {"alert": "wrong"}}, apns_priority="7")["id"]
        self.apns(phone, {"aps": {"alert": "right"}})
        self.page.open("#/rules/apns.BadPriority")
        self.page.click("#rule-apns\\.BadPriority a", "Pushes with this rule")
        self.page.wait("location.hash === '#/pushes?rule=apns.BadPriority'")
        self.page.wait(f"[...document.querySelectorAll('.push-row:not([hidden])')].map(e => e.id).join() === 'row-{bad}'")
