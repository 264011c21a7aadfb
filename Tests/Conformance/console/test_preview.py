"""What phones show of a push: each kind of preview, and what a push that reached no phone would look like."""
from __future__ import annotations

import base64
import struct
import zlib

from console.console_case import ConsoleCase, browsers

IMAGE = "https://img.example.com/bread.png"


def png() -> str:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes([200, 120, 40]) * 8 for _ in range(8))
    parts = chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode()


@browsers
class Preview(ConsoleCase):
    def setUp(self) -> None:
        super().setUp()
        self.api("PUT", "/media", {"url": IMAGE, "contentType": "image/png", "base64": png()})

    def show(self, push: dict) -> None:
        self.page.open(f"#/pushes/{push['id']}")
        self.page.wait("document.querySelector('.push-panel')?.children.length")

    def look(self, name: str) -> None:
        self.page.click(".looks button", name)

    def test_an_iphone_shows_a_banner_or_the_lock_screen(self) -> None:
        alert = {"title": "Breakfast", "subtitle": "Bakery", "body": "Rolls are ready"}
        aps = {"alert": alert, "badge": 3, "sound": "bell.caf", "thread-id": "orders", "interruption-level": "time-sensitive"}
        self.show(self.apns(self.device(), {"aps": aps}))
        self.page.wait("document.querySelector('.stage.place-home .n-ios')")
        for text in ("Breakfast", "Bakery", "Rolls are ready", "now"):
            self.page.wait_text(text, ".n-ios")
        self.page.wait_text("TIME SENSITIVE", ".n-ios")
        for text in ("bell.caf", "orders", "time-sensitive", "as a banner"):
            self.page.wait_text(text, ".push-values")
        self.page.wait_text("3", ".app-badge")
        self.look("Lock screen")
        self.page.wait("document.querySelector('.stage.place-lock .n-ios')")
        self.show(self.apns(self.device(state={"locked": True}), {"aps": {"alert": "Locked"}}))
        self.look("As shown")
        self.page.wait("document.querySelector('.stage.place-lock .n-ios')")

    def test_an_iphone_shows_the_image_and_the_actions_when_expanded(self) -> None:
        categories = [{"id": "ORDER", "actions": [{"id": "LATER", "title": "Later"}, {"id": "BUY", "title": "Order now"}]}]
        phone = self.device(extension={"script": "firebase"}, categories=categories)
        body = {"aps": {"alert": {"title": "Breakfast"}, "mutable-content": 1, "category": "ORDER"}, "fcm_options": {"image": IMAGE}}
        self.show(self.apns(phone, body))
        self.page.wait_text("Breakfast [modified]", ".n-ios")
        self.page.wait("document.querySelector('.n-ios .n-thumbnail img')?.naturalWidth === 8")
        self.assertTrue(self.page.run("document.querySelector('.n-ios img').src").startswith("blob:"))
        self.look("Expanded")
        self.page.wait("document.querySelector('.n-ios .n-big img')?.naturalWidth === 8")
        self.page.wait_text("Order now", ".n-ios .n-actions")

    def test_a_missing_image_says_why(self) -> None:
        self.api("PUT", "/media", {"url": IMAGE, "contentType": "text/html", "status": 404})
        body = {"aps": {"alert": {"title": "Breakfast"}, "mutable-content": 1}, "fcm_options": {"image": IMAGE}}
        self.show(self.apns(self.device(extension={"script": "firebase"}), body))
        self.page.wait_text("none", ".push-values .badge")
        self.look("Expanded")
        self.page.wait_text("No image: ", ".n-picture.missing")
        self.assertEqual(self.page.count(".n-card img"), 0)

    def test_nothing_scrolls_sideways(self) -> None:
        self.api("PUT", "/media", {"url": IMAGE, "contentType": "text/html", "status": 404})
        own = {"aps": {"alert": {"title": "Breakfast"}, "mutable-content": 1, "thread-id": "x" * 60}, "fcm_options": {"image": IMAGE}}
        push = self.apns(self.device(extension={"script": "firebase"}, name="y" * 80), own)
        self.addCleanup(self.page.resize, 1400, 900)
        for width in (1400, 1300, 900, 390):
            self.page.resize(width, 900)
            self.show(push)
            self.page.wait_text("ios.attachment", ".push-values .rule-link")
            overflow = "(e => e.scrollWidth - e.clientWidth)(document.querySelector('.push'))"
            self.assertEqual(self.page.run(overflow), 0, width)

    def test_an_android_phone_shows_it_collapsed_and_expanded(self) -> None:
        phone = self.device("android", channels=[{"id": "news", "importance": "high"}])
        message = {"notification": {"title": "Breakfast", "body": "Rolls " * 30, "image": IMAGE},
                   "android": {"notification": {"channel_id": "news", "color": "#0a8f5a", "tag": "order7"}}}
        self.show(self.fcm(message, phone))
        self.page.wait("document.querySelector('.stage.place-shade .n-android.expanded .n-big img')?.naturalWidth === 8")
        for text in ("news", "order7", "#0a8f5a"):
            self.page.wait_text(text, ".push-values")
        self.assertEqual(self.page.run("document.querySelector('.n-android .app-icon').style.background"), "rgb(10, 143, 90)")
        self.look("Collapsed")
        self.page.wait("document.querySelector('.n-android:not(.expanded) .n-thumbnail img')")
        self.look("Heads-up")
        self.page.wait("document.querySelector('.place-home .n-android .n-thumbnail img') && !document.querySelector('.n-big')")

    def test_a_browser_shows_the_site_the_image_and_two_actions(self) -> None:
        actions = [{"action": name, "title": name.title()} for name in ("buy", "later", "never")]
        own = {"image": IMAGE, "icon": IMAGE, "actions": actions}
        self.show(self.fcm({"notification": {"title": "Offer"}, "webpush": {"notification": own}}, self.device("web", app="https://shop.example.com")))
        self.page.wait_text("shop.example.com", ".n-web .n-site")
        self.page.wait("document.querySelectorAll('.n-web img').length === 2")
        self.assertEqual(self.page.text(".n-web .n-actions").split(), ["Buy", "Later"])

    def test_a_refusal_without_a_finding_has_the_text_of_its_rule(self) -> None:
        phone = self.device()
        self.api("POST", f"/devices/{phone['id']}/act", {"kind": "uninstall"})
        self.show(self.apns(phone, {"aps": {"alert": "Gone"}}))
        self.page.wait_text("The app is no longer on the device.", ".unseen-why")
        self.assertNotIn("profile is strict", self.page.text(".unseen-why"))

    def test_a_push_that_waits_is_waiting_in_the_list_and_in_its_head(self) -> None:
        push = self.apns(self.device(id="mia", state={"online": False}), {"aps": {"alert": "Later"}})
        self.show(push)
        self.page.wait_text("waiting", ".push-facts .badge:last-child")
        self.page.wait_text("waiting", ".push-row .badge")
        self.page.wait_text("Bring the device online on the device's page, or", ".unseen-why")
        self.assertEqual(self.page.run("document.querySelector('.unseen-why li a').hash"), "#/devices/mia")

    def test_a_refused_push_shows_what_it_would_look_like(self) -> None:
        self.show(self.apns(self.device(), {"aps": {"alert": {"title": "Breakfast", "body": "x"}, "badge": "1"}}))
        self.page.wait_text("because it was refused", ".unseen-why")
        self.page.wait_text("'badge' must be a number", ".unseen-why")
        self.page.wait_text("Apple would accept this push. This gateway refuses it because its profile is strict.", ".push-note")
        self.page.wait_text("this is what it would look like", ".would")
        self.page.wait_text("Breakfast", ".would .n-ios")

    def test_a_topic_without_subscribers_shows_it_for_each_platform(self) -> None:
        self.show(self.fcm({"topic": "nobody", "notification": {"title": "Hello"}}))
        self.page.wait_text("No device is subscribed", ".unseen-why")
        self.page.wait("['ios', 'android', 'web'].every(name => document.querySelector(`.would .n-${name}`))")

    def test_a_silent_push_says_that_nothing_is_shown(self) -> None:
        self.show(self.apns(self.device(), {"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5"))
        self.page.wait_text("no title and no text", ".push-panel")
        self.assertEqual(self.page.count(".n-card"), 0)

    def test_a_push_that_waits_is_shown_as_soon_as_the_phone_shows_it(self) -> None:
        phone = self.device(state={"online": False})
        push = self.apns(phone, {"aps": {"alert": "Later"}})
        self.show(push)
        self.page.wait_text("the device is offline", ".unseen-why")
        self.page.wait_text("live", "#status")
        self.api("PATCH", f"/devices/{phone['id']}", {"state": {"online": True}})
        self.page.wait_text("Later", ".shown .n-ios")
        self.assertEqual(self.page.count(".would"), 0)

    def test_an_app_in_the_foreground_is_drawn_with_what_happened(self) -> None:
        alert = {"aps": {"alert": "Over the app"}}
        self.show(self.apns(self.device(state={"app": "foreground"}), alert))
        self.page.wait("document.querySelector('.stage.place-app .phone-front') && document.querySelector('.stage.place-app .n-ios')")
        for platform, app, said in [("ios", "com.example.app", "The app was open and got the push. No notification was shown."),
                                    ("android", "com.example.app", "The app was open and got the push. No notification was shown."),
                                    ("web", "https://shop.example.com", "The page was visible and got the push. No notification was shown.")]:
            config = {"appConfig": {"willPresent": []}} if platform == "ios" else {}
            phone = self.device(platform, app=app, state={"app": "foreground"}, **config)
            self.show(self.apns(phone, alert) if platform == "ios" else self.fcm({"notification": {"title": "Hello"}}, phone))
            self.page.wait_text(said, f".stage-{platform}.place-app")
            self.assertEqual(self.page.count(".n-card"), 0)
            self.assertEqual(self.page.count(".stage"), 1)
            if platform != "web":
                self.look({"ios": "Lock screen", "android": "Collapsed"}[platform])
                self.page.wait(f"document.querySelector('.would .n-{platform}')")
                self.look("As shown")
                self.page.wait("!document.querySelector('.would')")

    def test_a_push_to_many_phones_shows_as_many_as_the_person_asks_for(self) -> None:
        self.api("POST", "/devices", {"id": "crowd", "platform": "android", "app": "com.example.app", "project": "demo", "count": 600})
        for number in range(1, 601):
            self.api("PUT", f"/topics/crowd/devices/crowd-{number}")
        self.show(self.fcm({"topic": "crowd", "notification": {"title": "Many"}}))
        more = ".push-panel button[data-more]"
        self.page.wait_text("6 of 600 devices", ".push-panel [role=status]")
        self.page.run("document.querySelector('.shown').mark_ = 1; undefined")
        for shown in (18, 30):
            self.page.run(f"document.querySelector('{more}').focus(); undefined")
            self.page.click(more)
            self.page.wait_text(f"{shown} of 600 devices", ".push-panel [role=status]")
            self.assertEqual(self.page.count(".stage"), shown)
            self.assertTrue(self.page.run(f"document.activeElement.matches('{more}')"), "the focus stays on the button")
        self.assertEqual(self.page.run("document.querySelector('.shown').mark_"), 1, "what is drawn is not drawn again")

    def test_a_few_more_phones_than_at_first(self) -> None:
        for name in range(7):
            self.device(id=f"d{name}")
            self.api("PUT", f"/topics/few/devices/d{name}")
        self.show(self.fcm({"topic": "few", "notification": {"title": "Few"}}))
        self.page.wait_text("6 of 7 devices", ".push-panel [role=status]")
        self.page.click(".push-panel button[data-more]")
        self.page.wait("document.querySelectorAll('.stage').length === 7 && !document.querySelector('[data-more]')")

    def test_a_badge_and_a_silent_push_are_drawn_on_the_home_screen(self) -> None:
        phone = self.device()
        self.show(self.apns(phone, {"aps": {"badge": 7}}))
        self.page.wait_text("7", ".stage.place-home .phone-badge")
        self.page.wait_text("The badge is now 7. No notification was shown.", ".stage-said")
        self.show(self.apns(phone, {"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5"))
        self.page.wait_text("The app's code got the push.", ".stage-said")

    def test_a_live_activity_has_a_timeline_with_its_states(self) -> None:
        phone = self.device()
        start = self.activity(phone, phone["tokens"]["liveActivity"]["start"], {
            "event": "start", "timestamp": 1790000000, "attributes-type": "Trip", "attributes": {},
            "content-state": {"gate": "A1"}, "alert": {"title": "Boarding", "body": "Gate A1"}})
        token = self.api("GET", f"/devices/{phone['id']}")["tokens"]["liveActivity"]["updates"]["Trip"]
        update = self.activity(phone, token, {"event": "update", "timestamp": 1790000060, "content-state": {"gate": "B7"}})
        self.activity(phone, token, {"event": "end", "timestamp": 1790000120, "content-state": {"gate": "closed"}})
        self.show(update)
        self.page.wait_text("B7", ".n-activity")
        self.page.wait("document.querySelectorAll('.trace .trace-step').length === 3")
        steps = self.page.text(".trace")
        for text in ("started", "A1", "Boarding: Gate A1", start["id"], "changed", "this push", "ended", "closed"):
            self.assertIn(text, steps)
        self.assertIn("shown", self.page.text(".push-facts"))
        self.assertNotIn("not shown", self.page.text(".push-facts"))

    def activity(self, phone: dict, token: str, aps: dict) -> dict:
        headers = {"apns-topic": f"{phone['app']}.push-type.liveactivity", "apns-push-type": "liveactivity"}
        push = self.api("POST", "/messages", {"provider": "apns", "token": token, "headers": headers, "body": {"aps": aps}})
        self.assertEqual(push["outcome"], "accepted", push)
        return push
