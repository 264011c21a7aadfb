"""The page of a phone: its state, its screen, its tokens and topics, what happened, presentation."""
from __future__ import annotations

import json

from console.console_case import browsers
from console.devices.devices_case import DevicesCase


@browsers
class PhonePage(DevicesCase):
    SWITCHES = {
        "ios": ["online", "locked", "focus", "lowPower", "backgroundRefresh"],
        "android": ["online", "locked", "focus", "doze", "forceStopped", "directBoot"], "web": ["online"],
    }
    APPS = {
        "ios": ["foreground", "suspended", "terminated", "forceQuit", "background"],
        "android": ["foreground", "terminated", "forceQuit", "background"], "web": ["foreground", "terminated", "background"],
    }

    def test_each_state_can_be_switched_on_each_platform(self) -> None:
        for platform, names in self.SWITCHES.items():
            app = "https://example.com" if platform == "web" else "com.example.app"
            self.device(platform, id=platform, name=platform, app=app)
            self.page.open(f"#/devices/{platform}")
            self.page.wait_text(platform, "h1")
            there = json.loads(self.page.run("JSON.stringify([...document.querySelectorAll('.state-switch')].map(e => e.name))"))
            self.assertEqual(there, names)
            for name in names:
                for _ in range(2):
                    wanted = not self.state(platform)[name]
                    self.page.click(f".state-switch[name={name}]")
                    self.wait_state(platform, name, wanted)
                    self.page.wait(f"document.querySelector('.state-switch[name={name}]').getAttribute('aria-checked') === '{str(wanted).lower()}'")
            for value in self.APPS[platform]:
                self.page.fill(".switches select[name=app]", value)
                self.wait_state(platform, "app", value)
            for value in ["denied", "notDetermined", "authorized"]:
                self.page.fill(".switches select[name=permission]", value)
                self.wait_state(platform, "permission", value)

    def test_the_screen_shows_the_state(self) -> None:
        self.open_phone("ios", state={"locked": True, "focus": True, "lowPower": True, "online": False})
        self.page.wait("document.querySelector('.phone-lock .phone-time')")
        for mark in ("Focus", "Low Power Mode", "Offline"):
            self.assertEqual(self.page.count(f".phone-status [aria-label='{mark}']"), 1, mark)
        self.api("PATCH", "/devices/ann", {"state": {"locked": False, "app": "foreground"}})
        self.page.wait_text("in the foreground", ".phone-front")
        self.api("PATCH", "/devices/ann", {"state": {"app": "forceQuit"}})
        self.page.wait_text("force-quit", ".phone-home")

    def test_the_clock_is_that_of_the_gateway(self) -> None:
        self.addCleanup(self.api, "POST", "/clock", {"set": "now"})
        self.addCleanup(self.api, "POST", "/clock", {"resume": True})
        self.open_phone("ios", state={"locked": True})
        self.api("POST", "/clock", {"freeze": True})
        self.api("POST", "/clock", {"set": "2031-05-06T10:34:00Z"})
        self.page.wait_text("34", ".phone-time")
        self.page.wait_text("May 6", ".phone-day")

    def test_an_old_answer_does_not_undo_a_change(self) -> None:
        self.open_phone("ios")
        # The next read of the device waits with its old answer until a change has been made.
        self.page.run("""(() => {
          const real = window.fetch;
          window.fetch = async (url, options) => {
            const answer = await real(url, options);
            if (!String(url).endsWith('/devices/ann') || options?.method !== 'GET' || window.held_) return answer;
            window.held_ = true;
            await new Promise(done => { window.letGo_ = done; });
            return answer;
          };
        })(); undefined""")
        self.api("PATCH", "/devices/ann", {"state": {"focus": True}})
        self.page.wait("window.letGo_")
        self.page.click(".state-switch[name=locked]")
        self.page.wait("document.querySelector('.state-switch[name=locked][aria-checked=true]')")
        self.page.run("window.seen_ = []; new MutationObserver(() => window.seen_.push(document.querySelector('.state-switch[name=locked]').getAttribute('aria-checked')))"
                      ".observe(document.querySelector('.switches'), {attributes: true, subtree: true}); letGo_(); undefined")
        self.api("PATCH", "/devices/ann", {"state": {"lowPower": True}})
        self.page.wait("document.querySelector('.state-switch[name=lowPower][aria-checked=true]')")
        self.assertNotIn("false", json.loads(self.page.run("JSON.stringify(seen_)")))

    def test_launch_quit_remove_and_install(self) -> None:
        phone = self.open_phone("ios")
        self.page.click(".acts button", "Open the app")
        self.wait_state("ann", "app", "foreground")
        self.page.click(".acts button", "Force-quit")
        self.wait_state("ann", "app", "forceQuit")
        self.page.click(".acts button", "Remove the app")
        self.page.wait_text("app removed", ".phone-names")
        self.page.wait_text("removed", ".phone-home")
        self.page.click(".acts button", "Install the app")
        self.page.wait("!document.querySelector('.phone-app.gone')")
        self.assertNotEqual(self.api("GET", "/devices/ann")["tokens"]["apns"]["token"], phone["tokens"]["apns"]["token"])

    def test_android_swipes_an_app_away(self) -> None:
        self.open_phone("android")
        self.page.click(".acts button", "Swipe away")
        self.wait_state("ann", "app", "forceQuit")
        self.page.wait_text("swiped away", ".phone-home")
        self.assertNotIn("Force-quit", self.page.text(".acts"))

    def test_tokens_can_be_copied_scanned_rotated_and_deleted(self) -> None:
        phone = self.open_phone("ios")
        self.page.click("[role=tab]", "Tokens")
        kinds = json.loads(self.page.run("JSON.stringify([...document.querySelectorAll('.device-token')].map(e => e.dataset.token).sort())"))
        self.assertEqual(kinds, sorted(phone["tokens"]))
        fcm = phone["tokens"]["fcm"]["token"]
        self.page.run("navigator.clipboard.writeText = async text => { window.copied_ = text; }; undefined")
        self.page.click("[data-token=fcm] button", "Copy")
        self.page.wait(f"window.copied_ === {json.dumps(fcm)}")
        self.page.click("[data-token=fcm] button[title='QR code']")
        self.page.wait("document.querySelector('dialog.qr-dialog svg.qr path')")
        # 142 characters need version 8 or more: 49 modules, and a quiet zone of 4 on each side.
        self.assertGreaterEqual(self.page.run("document.querySelector('svg.qr').viewBox.baseVal.width"), 57)
        self.page.click("dialog.qr-dialog button", "Close")
        self.page.click("[data-token=voip] button", "Rotate")
        self.page.wait(f"!document.querySelector('[data-token=voip] code').innerText.includes({json.dumps(phone['tokens']['voip']['token'])})")
        now = self.api("GET", "/devices/ann")["tokens"]
        self.assertEqual((now["fcm"]["token"], now["apns"]), (fcm, phone["tokens"]["apns"]))
        self.assertEqual(self.page.text("[data-token=voip] code").strip(), now["voip"]["token"])
        self.page.click("[data-token=fcm] button", "Delete")
        self.page.wait("!document.querySelector('[data-token=fcm]')")
        self.assertNotIn("fcm", self.api("GET", "/devices/ann")["tokens"])

    def test_topics_and_what_waits(self) -> None:
        phone = self.open_phone("android", project="demo")
        self.page.click("[role=tab]", "Topics")
        self.page.fill(".device-side input[name=topic]", "news")
        self.page.click(".device-side button", "Subscribe")
        self.page.wait_text("news", ".device-topics")
        self.assertEqual([(topic["name"], topic["devices"]) for topic in self.api("GET", "/topics")["topics"]], [("news", 1)])
        self.api("PUT", "/topics/weather/devices/ann")
        self.page.wait_text("weather", ".device-topics")
        for name in ("news", "weather"):
            self.page.click(f".device-topics button[aria-label='Unsubscribe from {name}']")
        self.page.wait_text("No topics", ".device-topics")
        self.api("PATCH", "/devices/ann", {"state": {"online": False}})
        self.page.click("[role=tab]", "Waiting")
        self.page.wait_text("No push waits", ".device-side")
        push = self.fcm({"notification": {"title": "later"}}, phone)["id"]
        self.page.wait_text("1 push waits", ".device-side")
        self.assertEqual(self.page.count(f".device-side a[href='#/pushes/{push}']"), 1)
        self.api("PATCH", "/devices/ann", {"state": {"online": True}})
        self.page.wait_text("No push waits", ".device-side")

    def test_what_happened_links_to_the_rules(self) -> None:
        phone = self.open_phone("ios", state={"permission": "denied"})
        self.page.click("[role=tab]", "What happened")
        self.apns(phone, {"aps": {"alert": "unseen", "content-available": 1}})
        why = self.wait_event("ann", "suppressed")["why"]
        self.page.wait(f"document.querySelector('.happened a[href=\"#/rules/{why}\"]')")
        self.assertIn("#/compose?device=ann", self.page.run("document.querySelector('.device-side a.primary').getAttribute('href')"))

    def test_presentation_shows_the_phone_alone(self) -> None:
        self.open_phone("ios")
        before = self.page.run("document.querySelector('.phone-box').offsetHeight")
        self.page.click("button", "Present")
        self.page.wait("document.body.classList.contains('presenting')")
        self.assertIn("present=1", self.page.run("location.hash"))
        for gone in (".rail", ".device-side"):
            self.assertEqual(self.page.run(f"document.querySelector('{gone}').getClientRects().length"), 0, gone)
        self.assertGreaterEqual(self.page.run("document.querySelector('.phone-box').offsetHeight"), before)
        self.page.press("Escape")
        self.page.wait("!document.body.classList.contains('presenting')")
        self.page.open("#/devices/ann?present=1")
        self.page.wait("document.body.classList.contains('presenting')")
        self.page.go("#/devices")
        self.page.wait("!document.body.classList.contains('presenting') && document.querySelector('.wall')")

    def test_another_address_shows_the_other_phone_and_back_the_first(self) -> None:
        self.open_phone(state={"app": "foreground"})
        self.device("android", id="ben", name="Ben", state={"app": "terminated"})
        self.page.go("#/devices/ben")
        self.page.wait_text("Ben", ".phone-names h1")
        self.page.wait("document.title === 'Ben · Pushpit' && document.querySelector('select[name=app]').value === 'terminated'")
        self.page.click(".state-switch[name='online']")
        self.wait_state("ben", "online", False)
        self.assertTrue(self.state("ann")["online"])
        self.page.run("history.back()")
        self.page.wait_text("Ann", ".phone-names h1")
        self.page.wait("document.title === 'Ann · Pushpit'")
        self.assertEqual(self.page.run("location.hash"), "#/devices/ann")
        self.page.go("#/devices/nobody")
        self.page.wait_text("No such device", "#main h1")
        self.page.go("#/devices/ben")
        self.page.wait_text("Ben", ".phone-names h1")

    def test_an_unknown_device_and_one_that_is_deleted(self) -> None:
        self.page.open("#/devices/nobody")
        self.page.wait_text("The device 'nobody' does not exist.")
        self.open_phone("ios")
        self.api("DELETE", "/devices/ann")
        self.page.wait_text("No such device", "h1")
