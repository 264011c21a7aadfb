"""A phone that is touched: pushes arrive, are tapped, swiped away and answered, also by keyboard."""
from __future__ import annotations

from console.console_case import browsers
from console.devices.devices_case import NEWS, DevicesCase


@browsers
class Touch(DevicesCase):
    def test_a_push_arrives_and_slides_in_once(self) -> None:
        phone = self.open_phone("ios")
        self.apns(phone, {"aps": {"alert": {"title": "Breakfast", "body": "Rolls"}, "badge": 3}})
        self.wait_card("Breakfast")
        self.page.wait("document.querySelector('.phone-entry.arriving')")
        self.page.wait_text("3", ".phone-badge")
        self.page.open("#/devices/ann")
        self.wait_card("Breakfast")
        self.assertEqual(self.page.count(".phone-entry.arriving"), 0)
        self.apns(phone, {"aps": {"alert": "second"}})
        self.wait_card("second")
        self.assertEqual(self.page.count(".phone-entry"), 2)
        self.assertEqual(self.page.count(".phone-entry.arriving"), 1)

    def test_tap_dismiss_and_clear(self) -> None:
        phone = self.open_phone("ios")
        self.apns(phone, {"aps": {"alert": "tap me"}})
        self.wait_card("tap me")
        self.page.click(".n-card .n-main")
        self.assertTrue(self.wait_event("ann", "opened"))
        self.wait_no_card()
        self.wait_state("ann", "app", "foreground")
        self.api("PATCH", "/devices/ann", {"state": {"app": "background"}})
        self.apns(phone, {"aps": {"alert": "dismiss me"}})
        self.wait_card("dismiss me")
        self.page.click(".n-card .n-dismiss")
        self.assertTrue(self.wait_event("ann", "dismissed"))
        self.wait_no_card()
        for text in ("one", "two"):
            self.apns(phone, {"aps": {"alert": text}})
            self.wait_card(text)
        self.page.click(".acts button", "Clear all")
        self.wait_no_card()
        self.assertEqual(self.api("GET", "/devices/ann")["shade"], [])

    def test_a_swipe_dismisses_and_a_short_one_does_not(self) -> None:
        phone = self.open_phone("android")
        self.fcm({"notification": {"title": "swipe me"}}, phone)
        self.wait_card("swipe me")
        swipe = """(parts) => { const e = document.querySelector('.phone-entry'), box = e.getBoundingClientRect();
            e.setPointerCapture = () => {};
            const at = (type, part) => e.querySelector('.n-card').dispatchEvent(new PointerEvent(type, {bubbles: true, cancelable: true,
                button: 0, pointerId: 7, clientX: box.left + box.width * (0.2 + part), clientY: box.top + 20}));
            at('pointerdown', 0); parts.forEach(part => at('pointermove', part)); at('pointerup', parts.at(-1)); e.querySelector('.n-main').click(); }"""
        self.page.run(f"({swipe})([0.05, 0.1]); undefined")
        self.assertEqual(self.page.run("document.querySelector('.phone-entry').style.transform"), "")
        self.assertEqual(self.events("ann", "opened,dismissed"), [])
        self.page.run(f"({swipe})([0.1, 0.3, 0.6]); undefined")
        self.assertTrue(self.wait_event("ann", "dismissed"))
        self.wait_no_card()
        self.assertEqual(self.events("ann", "opened"), [])

    def test_an_action_with_a_text(self) -> None:
        phone = self.open_phone("ios", categories=NEWS)
        self.apns(phone, {"aps": {"alert": "Dinner?", "category": "NEWS"}})
        self.wait_card("Dinner?")
        self.page.click(".n-action", "Reply")
        self.page.wait("document.activeElement.name === 'reply'")
        self.page.fill(".phone-reply input", "On my way")
        self.page.press("Enter")
        event = self.wait_event("ann", "action")
        self.assertEqual((event["data"]["actionId"], event["data"]["text"]), ("REPLY", "On my way"))
        self.wait_no_card()

    def test_an_action_without_a_text_asks_for_none(self) -> None:
        phone = self.open_phone("ios", categories=NEWS)
        self.apns(phone, {"aps": {"alert": "Dinner?", "category": "NEWS"}})
        self.page.click(".n-action", "Later")
        event = self.wait_event("ann", "action")
        self.assertEqual((event["data"]["actionId"], event["data"].get("text")), ("LATER", None))

    def test_a_phone_by_keyboard(self) -> None:
        phone = self.open_phone("ios", categories=NEWS)
        for text in ("one", "two", "three"):
            self.apns(phone, {"aps": {"alert": text, "category": "NEWS"}})
            self.wait_card(text)
        self.page.run("document.querySelector('.phone-entry .n-main').focus(); undefined")
        self.page.press("Delete")
        self.page.wait("document.querySelectorAll('.phone-entry').length === 2")
        self.page.wait("document.activeElement.closest('.phone-entry')?.innerText.includes('two')")
        self.page.press("Enter")
        self.page.wait("document.querySelectorAll('.phone-entry').length === 1")
        self.assertTrue(self.wait_event("ann", "opened"))
        self.page.run("document.querySelector('.state-switch[name=locked]').focus(); undefined")
        self.page.press(" ")
        self.wait_state("ann", "locked", True)
        self.assertEqual(self.page.run("document.activeElement.name"), "locked")
        self.page.run("document.querySelector('[role=tab][aria-selected=true]').focus(); undefined")
        self.page.press("ArrowRight")
        self.page.wait("document.querySelector('.device-token')")
        self.assertIn("tab=tokens", self.page.run("location.hash"))
        self.page.press("p")
        self.page.wait("document.body.classList.contains('presenting')")
        self.page.press("Escape")
        self.page.wait("!document.body.classList.contains('presenting')")

    def test_an_image_comes_from_the_gateway(self) -> None:
        pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        self.api("PUT", "/media", {"url": "https://example.com/bread.png", "contentType": "image/png", "base64": pixel})
        phone = self.open_phone("ios", extension={"script": "firebase"})
        self.apns(phone, {"aps": {"alert": {"title": "Bread", "body": "fresh"}, "mutable-content": 1}, "fcm_options": {"image": "https://example.com/bread.png"}})
        self.wait_card("Bread")
        self.page.wait("document.querySelector('.phone-list .n-picture img')?.naturalWidth === 1")
        self.assertTrue(self.page.run("document.querySelector('.phone-list .n-picture img').src").startswith("blob:"))

    def test_the_image_and_the_space_around_the_text_open_it_too(self) -> None:
        phone = self.open_phone("android")
        pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        self.api("PUT", "/media", {"url": "https://example.com/bread.png", "contentType": "image/png", "base64": pixel})
        for place in (".n-big", ".n-card"):
            self.fcm({"notification": {"title": "Bread", "body": "fresh", "image": "https://example.com/bread.png"}}, phone)
            self.wait_card("Bread")
            self.page.wait(f"document.querySelector('.phone-list {place}')")
            self.page.run(f"document.querySelector('.phone-list {place}').dispatchEvent(new MouseEvent('click', {{bubbles: true}})); undefined")
            self.wait_state("ann", "app", "foreground")
            self.wait_no_card()
            self.api("PATCH", "/devices/ann", {"state": {"app": "background"}})
        self.assertEqual(len(self.events("ann", "opened")), 2)

    def test_hostile_texts_stay_texts(self) -> None:
        phone = self.open_phone("ios", app="com.example.app")
        text = "<img src=x onerror='window.hacked = 1'>\u202egnp.exe"
        self.apns(phone, {"aps": {"alert": {"title": text, "body": "b" * 3000}}})
        self.wait_card("<img src=x")
        self.assertEqual(self.page.run("window.hacked ?? 0"), 0)
        self.assertEqual(self.page.count(".phone-list img"), 0)
