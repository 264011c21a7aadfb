"""Several notifications in one stack: folded and unfolded, by mouse and by keyboard, on a phone's page and on the wall."""
from __future__ import annotations

from console.console_case import browsers
from console.devices.devices_case import DevicesCase

ENTRIES = "document.querySelectorAll('.phone-entry').length"


@browsers
class Stacks(DevicesCase):
    def thread(self, phone: dict, count: int, first: int = 1) -> None:
        for number in range(first, first + count):
            self.apns(phone, {"aps": {"alert": f"message {number}", "thread-id": "chat"}})

    def test_a_thread_is_a_stack_that_unfolds(self) -> None:
        phone = self.open_phone("ios", state={"locked": True})
        self.thread(phone, 3)
        self.apns(phone, {"aps": {"alert": "alone"}})
        self.page.wait_text("2 more notifications", ".n-card.stacked")
        self.wait_card("alone")
        self.assertEqual(self.page.run(ENTRIES), 2)
        self.assertIn("and 2 more", self.page.run("document.querySelector('.stacked').getAttribute('aria-label')"))
        self.page.click(".stacked .n-main")
        self.page.wait(f"{ENTRIES} === 4")
        self.assertEqual(self.events("ann", "opened"), [], "a tap on a stack opens nothing")
        self.thread(phone, 1, first=4)
        self.page.wait(f"{ENTRIES} === 5")
        self.assertEqual(self.page.count(".stacked"), 0, "it stays unfolded")
        self.page.click(".phone-stack-head button", "Show less")
        self.page.wait_text("3 more notifications", ".stacked")
        self.page.click(".stacked .n-dismiss")
        self.page.wait(f"{ENTRIES} === 1")
        self.wait_card("alone")
        self.assertEqual([entry["body"] for entry in self.api("GET", "/devices/ann")["shade"]], ["alone"])

    def test_a_stack_by_keyboard(self) -> None:
        phone = self.open_phone("ios")
        self.thread(phone, 3)
        self.page.wait_text("2 more notifications", ".stacked")
        self.page.run("document.querySelector('.stacked .n-main').focus(); undefined")
        self.page.press("Enter")
        self.page.wait(f"{ENTRIES} === 3")
        self.page.wait("document.activeElement.innerText === 'Show less'")
        self.page.press("Enter")
        self.page.wait("document.activeElement.closest('.stacked')")
        self.page.press("Delete")
        self.wait_no_card()
        self.assertEqual(self.api("GET", "/devices/ann")["shade"], [])

    def test_android_bundles_four(self) -> None:
        phone = self.open_phone("android")
        for number in range(1, 6):
            self.fcm({"notification": {"title": f"News {number}", "body": "short"}}, phone)
            if number == 3:
                self.page.wait(f"{ENTRIES} === 3")
        self.page.wait_text("5", ".n-bundle .n-count")
        for text in ("News 5", "News 3", "+2"):
            self.page.wait_text(text, ".n-bundle")
        self.assertEqual(self.page.run(ENTRIES), 1)
        self.page.click(".n-bundle .n-main")
        self.page.wait(f"{ENTRIES} === 5")
        self.page.click(".phone-stack-head button[aria-label='Clear these 5']")
        self.wait_no_card()

    def test_the_wall_draws_stacks(self) -> None:
        self.thread(self.device("ios", id="ann", name="Ann"), 6)
        self.page.open("#/devices")
        self.page.wait_text("5 more notifications", ".tile .stacked")
        self.assertEqual(self.page.count(".tile .n-card"), 1)
        self.assertEqual(self.page.count(".tile .n-card button"), 0)
