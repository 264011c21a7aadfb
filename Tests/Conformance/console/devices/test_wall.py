"""The wall of phones: creating, filters, live arrival, switches, keyboard."""
from __future__ import annotations

import json

from console.console_case import browsers
from console.devices.devices_case import NEWS, DevicesCase

# From here on each look at the clock takes three milliseconds, and the most tiles that one frame adds are counted.
SLOW_FRAMES = """(() => {
  let now = performance.now(), added = 0;
  performance.now = () => now += 3;
  window.most_ = 0;
  new MutationObserver(changes => {
    const tiles = changes.flatMap(change => [...change.addedNodes]).filter(node => node.matches?.('.tile')).length;
    if (tiles > 0 && added === 0) requestAnimationFrame(() => { added = 0; });
    window.most_ = Math.max(window.most_, added += tiles);
  }).observe(document.body, {childList: true, subtree: true});
})()"""
TILES = "document.querySelectorAll('.tile:not([hidden])').length"


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
        self.page.wait_text("crowd-1000", ".tile-name")
        self.page.fill(".wall-filters [name=text]", "crowd-77")
        self.page.wait_text("11 devices of 1,000", ".wall-head")
        self.assertIn("text=crowd-77", self.page.run("location.hash"))
        self.page.click(".wall-head button", "Delete these 11")
        self.page.click("dialog button", "Delete")
        self.page.wait_text("No device matches these filters.")
        self.assertEqual(self.api("GET", "/stats")["devices"], 989)

    def test_a_frame_draws_only_as_many_phones_as_it_has_time_for(self) -> None:
        self.api("POST", "/devices", {"platform": "ios", "app": "com.example.app", "count": 40})
        self.page.open("#/rules")
        self.page.run(f"{SLOW_FRAMES}; undefined")
        self.page.go("#/devices")
        self.page.wait(f"{TILES} >= 12")
        self.assertLessEqual(self.page.run("window.most_"), 4)
        self.page.wait("[...document.querySelectorAll('.tile-name')].filter(e => e.innerText).length >= 12")

    def test_errors_stand_at_their_field(self) -> None:
        self.page.open("#/devices?create=1")
        for name, value, said in [
            ("count", "0", "Enter a whole number"), ("categories", "[{]", "This is not JSON"),
            ("categories", '[{"id":"A","actions":[{"name":"x"}]}]', "'name' is unknown"), ("name", "x" * 300, "'name'"),
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
        self.assertIn("two", self.page.text(".tile:not([hidden])"))
        self.page.open("#/devices?platform=web")
        self.page.wait(f"{TILES} === 1")
        self.assertIn("three", self.page.text(".tile:not([hidden])"))
        token = self.api("GET", "/devices/one")["tokens"]["apns"]["token"]
        self.page.open(f"#/devices?text={token}")
        self.page.wait(f"{TILES} === 1")
        self.assertIn("one", self.page.text(".tile:not([hidden])"))

    def test_the_wall_is_live(self) -> None:
        phone = self.device("android", id="ann", name="Ann")
        self.page.open("#/devices")
        self.page.wait_text("live", "#status")
        self.page.wait_text("Ann", ".tile")
        self.fcm({"notification": {"title": "Breakfast", "body": "Rolls"}}, phone)
        self.page.wait_text("Breakfast", ".tile .n-card")
        self.device("ios", id="ben", name="Ben")
        self.page.wait_text("Ben", ".tile-name")
        self.api("PATCH", "/devices/ann", {"state": {"online": False}})
        self.page.wait("document.querySelector('.tile .phone.offline')")
        self.api("DELETE", "/devices/ann")
        self.page.wait(f"{TILES} === 1")

    def test_the_menu_switches_the_state(self) -> None:
        self.device("android", id="ann", name="Ann")
        self.page.open("#/devices")
        self.page.click(".tile-menu")
        self.page.click(".wall-menu button[name=doze]")
        self.wait_state("ann", "doze", True)
        self.page.wait("document.querySelector('.wall-menu button[name=doze][aria-checked=true]')")
        self.page.wait("document.querySelector('.tile [aria-label=Doze]')")
        self.page.press("Escape")
        self.page.wait("document.activeElement.classList.contains('tile-menu')")

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
