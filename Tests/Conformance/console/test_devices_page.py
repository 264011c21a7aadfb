"""The wall of phones, and the page of each phone: creating, switching, touching, tokens, presentation, keyboard."""
from __future__ import annotations

import json
from typing import Any

from console.console_case import ConsoleCase, browsers

NEWS = [{"id": "NEWS", "customDismissAction": True,
         "actions": [{"id": "LATER", "title": "Later"}, {"id": "REPLY", "title": "Reply", "text": True}]}]
TILES = "document.querySelectorAll('.tile').length"


class DevicesCase(ConsoleCase):
    def events(self, device: str, kind: str) -> list[dict[str, Any]]:
        path = f"/events?since=0&follow=false&device={device}&kind={kind}"
        status, text = self.raw(path)
        self.assertEqual(status, 200, text)
        return [json.loads(line) for line in text.splitlines() if line]

    def raw(self, path: str) -> tuple[int, str]:
        """What the page itself reads from the API, as text."""
        script = (f"fetch(new URL({json.dumps('api/v1' + path)}, document.baseURI), {{headers: {{accept: 'application/x-ndjson'}}}})"
                  ".then(async a => JSON.stringify([a.status, await a.text()]))")
        status, text = json.loads(self.page.run(script))
        return status, text

    def state(self, device: str) -> dict[str, Any]:
        return dict(self.api("GET", f"/devices/{device}")["state"])

    def wait_state(self, device: str, name: str, value: Any) -> None:
        """Waits until the gateway has this state: the page's click has been answered."""
        self.page.browser.wait_for(f"fetch(new URL('api/v1/devices/{device}', document.baseURI)).then(a => a.json())"
                                   f".then(d => d.state?.{name} === {json.dumps(value)})")

    def wait_event(self, device: str, kind: str) -> dict[str, Any]:
        self.page.browser.wait_for(f"fetch(new URL('api/v1/events?since=0&device={device}&kind={kind}', document.baseURI), "
                                   "{headers: {accept: 'application/json'}}).then(a => a.json()).then(p => p.events.length > 0)")
        return self.events(device, kind)[-1]

    def open_phone(self, platform: str = "ios", **more: Any) -> dict[str, Any]:
        device = self.device(platform, id="ann", name="Ann", **more)
        self.page.open("#/devices/ann")
        self.page.wait_text("Ann", "h1")
        self.page.wait_text("live", "#status")
        return device

    def wait_card(self, text: str) -> None:
        self.page.wait_text(text, ".phone-list .n-card")

    def wait_no_card(self) -> None:
        self.page.wait("!document.querySelector('.phone-list .n-card')")


@browsers
class Wall(DevicesCase):
    def test_one_device_is_created_and_its_page_opens(self) -> None:
        self.page.open("#/devices")
        self.page.click("button", "Create the first device")
        self.page.fill("dialog [name=app]", "com.example.shop")
        self.page.fill("dialog [name=name]", "Ben’s phone")
        self.page.fill("dialog [name=id]", "ben")
        self.page.fill("dialog [name=permission]", "provisional")
        self.page.fill("dialog [name=script]", "firebase")
        self.page.fill("dialog [name=tracking]", "adobe")
        self.page.fill("dialog [name=ecid]", "12345")
        self.page.fill("dialog [name=categories]", json.dumps(NEWS))
        self.page.click("dialog button", "Create")
        self.page.wait_text("Ben’s phone", "h1")
        self.assertEqual(self.page.run("location.hash"), "#/devices/ben")
        ben = self.api("GET", "/devices/ben")
        self.assertEqual((ben["app"], ben["platform"], ben["state"]["permission"]), ("com.example.shop", "ios", "provisional"))

    def test_many_devices_are_created_and_only_the_visible_ones_are_drawn(self) -> None:
        self.page.open("#/devices?create=1")
        self.page.click("dialog input[value=android]")
        self.page.fill("dialog [name=id]", "crowd")
        self.page.fill("dialog [name=count]", "1000")
        self.page.click("dialog button", "Create")
        self.page.wait_text("1,000 devices", ".wall-head")
        self.assertEqual(self.api("GET", "/stats")["devices"], 1000)
        self.page.wait(f"{TILES} > 0")
        self.assertLess(self.page.run(TILES), 60)
        self.page.run("document.querySelector('.wall').scrollTop = 1e9; undefined")
        self.page.wait_text("crowd-1000", ".tile .name")
        self.page.fill(".wall-filters [name=text]", "crowd-77")
        self.page.wait_text("11 devices of 1,000", ".wall-head")
        self.assertIn("text=crowd-77", self.page.run("location.hash"))
        self.page.click(".wall-head button", "Delete these 11")
        self.page.click("dialog button", "Delete")
        self.page.wait_text("No device matches these filters.")
        self.assertEqual(self.api("GET", "/stats")["devices"], 989)

    def test_errors_stand_at_their_field(self) -> None:
        self.page.open("#/devices?create=1")
        for name, value, said in [
            ("count", "0", "Enter a whole number"), ("categories", "[{]", "This is not JSON"),
            ("categories", '[{"id":"A","actions":[{"name":"x"}]}]', "'name' is unknown here"), ("name", "x" * 300, "'name'"),
        ]:
            before = self.page.run(f"document.querySelector('dialog [name={name}]').value")
            self.page.fill(f"dialog [name={name}]", value)
            self.page.click("dialog button", "Create")
            self.page.wait_text(said, f"#create-{name}-problem")
            self.assertEqual(self.page.run("document.activeElement.name"), name)
            self.page.fill(f"dialog [name={name}]", before)
        self.device("ios", id="ann")
        self.page.fill("dialog [name=id]", "ann")
        self.page.click("dialog button", "Create")
        self.page.wait_text("ann", "dialog .problem")
        self.assertEqual(self.api("GET", "/stats")["devices"], 1)

    def test_filters_by_app_and_platform(self) -> None:
        self.device("ios", id="one", app="com.example.one")
        self.device("android", id="two", app="com.example.two")
        self.device("web", id="three", app="https://example.com")
        self.page.open("#/devices")
        self.page.wait(f"{TILES} === 3")
        self.page.fill(".wall-filters [name=app]", "com.example.two")
        self.page.wait(f"{TILES} === 1")
        self.assertIn("two", self.page.text(".tile"))
        self.page.open("#/devices?platform=web")
        self.page.wait(f"{TILES} === 1")
        self.assertIn("three", self.page.text(".tile"))
        token = self.api("GET", "/devices/one")["tokens"]["apns"]["token"]
        self.page.open(f"#/devices?text={token}")
        self.page.wait(f"{TILES} === 1")
        self.assertIn("one", self.page.text(".tile"))

    def test_the_wall_is_live(self) -> None:
        phone = self.device("android", id="ann", name="Ann")
        self.page.open("#/devices")
        self.page.wait_text("live", "#status")
        self.page.wait_text("Ann", ".tile")
        self.fcm({"notification": {"title": "Breakfast", "body": "Rolls"}}, phone)
        self.page.wait_text("Breakfast", ".tile .n-card")
        self.device("ios", id="ben", name="Ben")
        self.page.wait_text("Ben", ".tile .name")
        self.api("PATCH", "/devices/ann", {"state": {"online": False}})
        self.page.wait("document.querySelector('.tile .phone.offline')")
        self.api("DELETE", "/devices/ann")
        self.page.wait(f"{TILES} === 1")

    def test_the_menu_switches_the_state(self) -> None:
        self.device("android", id="ann", name="Ann")
        self.page.open("#/devices")
        self.page.click(".tile .menu")
        self.page.click(".wall-menu button[name=doze]")
        self.wait_state("ann", "doze", True)
        self.page.wait("document.querySelector('.wall-menu button[name=doze][aria-checked=true]')")
        self.page.wait("document.querySelector('.tile [aria-label=Doze]')")
        self.page.press("Escape")
        self.page.wait("document.activeElement.classList.contains('menu')")

    def test_the_wall_by_keyboard(self) -> None:
        for number in range(1, 4):
            self.device("ios", id=f"d{number}", name=f"Phone {number}")
        self.page.open("#/devices")
        self.page.wait(f"{TILES} === 3")
        self.page.run("document.querySelector('.tile a').focus(); undefined")
        self.page.press("ArrowRight", "ArrowRight", "ArrowLeft")
        self.assertEqual(self.page.run("document.activeElement.innerText"), "Phone 2")
        self.page.press("Tab", "Enter")
        self.page.wait("document.activeElement.closest('.wall-menu')")
        self.page.press("Escape")
        self.page.run("document.querySelectorAll('.tile a')[1].focus(); undefined")
        self.page.press("Enter")
        self.page.wait_text("Phone 2", "h1")


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
        self.page.wait("document.querySelector('dialog.code svg.qr path')")
        # 142 characters need version 8 or more: 49 modules, and a quiet zone of 4 on each side.
        self.assertGreaterEqual(self.page.run("document.querySelector('svg.qr').viewBox.baseVal.width"), 57)
        self.page.click("dialog.code button", "Close")
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
        self.page.click(".device-topics button", "Unsubscribe")
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

    def test_an_unknown_device_and_one_that_is_deleted(self) -> None:
        self.page.open("#/devices/nobody")
        self.page.wait_text("The device 'nobody' does not exist.")
        self.open_phone("ios")
        self.api("DELETE", "/devices/ann")
        self.page.wait_text("No such device", "h1")

    def test_hostile_texts_stay_texts(self) -> None:
        phone = self.open_phone("ios", app="com.example.app")
        text = "<img src=x onerror='window.hacked = 1'>\u202egnp.exe"
        self.apns(phone, {"aps": {"alert": {"title": text, "body": "b" * 3000}}})
        self.wait_card("<img src=x")
        self.assertEqual(self.page.run("window.hacked ?? 0"), 0)
        self.assertEqual(self.page.count(".phone-list img"), 0)
