"""Faults and the clock: scenarios, faults with their counters, the form, and what time it is."""
from __future__ import annotations

import datetime
import json
import subprocess
from typing import Any

from console.console_case import ConsoleCase, browsers


@browsers
class FaultsPage(ConsoleCase):
    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(self.api, "POST", "/clock", {"set": "now"})
        self.addCleanup(self.api, "POST", "/clock", {"resume": True})

    def faults(self) -> list[dict[str, Any]]:
        return self.api("GET", "/faults")["faults"]

    def set(self, **fault: Any) -> str:
        return self.api("POST", "/faults", fault)["id"]

    def switch(self, name: str) -> str:
        return f".switch[aria-label='{name}']"

    def push(self, device: dict[str, Any]) -> tuple[int, str]:
        """Sends a push as a real sender does, with curl; its status and body."""
        address = self.gateway.at().url(f"/3/device/{device['tokens']['apns']['token']}").replace("127.0.0.1", "localhost")
        said = subprocess.run(
            ["curl", "-s", "--http2", "--cacert", self.gateway.authority, "--cert", self.gateway.client_certificate, "-w", "\n%{http_code}",
             "-H", f"apns-topic: {device['app']}", "-d", '{"aps":{"alert":"Hello"}}', address], capture_output=True, text=True, check=False).stdout
        body, status = said.rsplit("\n", 1)
        return int(status), body

    def message(self, device: dict[str, Any]) -> tuple[int, str]:
        """The same for FCM."""
        address = self.gateway.at().url("/v1/projects/demo/messages:send").replace("127.0.0.1", "localhost")
        body = json.dumps({"message": {"token": device["tokens"]["fcm"]["token"], "notification": {"title": "Hello"}}})
        said = subprocess.run(
            ["curl", "-s", "--cacert", self.gateway.authority, "-w", "\n%{http_code}", "-H", "authorization: Bearer any",
             "-H", "content-type: application/json", "-d", body, address], capture_output=True, text=True, check=False).stdout
        text, status = said.rsplit("\n", 1)
        return int(status), text

    def test_a_scenario_goes_on_and_off_and_hits_a_real_request(self) -> None:
        phone = self.device("android")
        self.page.open("#/faults")
        self.page.click(self.switch("fcm-502-html"))
        self.page.wait(f"document.querySelector(\"{self.switch('fcm-502-html')}\").getAttribute('aria-checked') === 'true'")
        self.assertEqual([fault["scenario"] for fault in self.faults()], ["fcm-502-html"])
        status, body = self.message(phone)
        self.assertEqual(status, 502)
        self.assertIn("<html", body.lower())
        self.page.wait_text("It has hit 1 request.", ".scenario")
        self.page.click(self.switch("fcm-502-html"))
        self.page.wait(f"document.querySelector(\"{self.switch('fcm-502-html')}\").getAttribute('aria-checked') === 'false'")
        self.assertEqual(self.faults(), [])
        self.assertEqual(self.message(phone)[0], 200)

    def test_a_scenario_can_be_for_one_app_and_the_search_finds_it(self) -> None:
        self.page.open("#/faults")
        self.page.fill("input[placeholder='Search scenarios']", "html")
        self.page.wait("[...document.querySelectorAll('.scenario')].filter(e => e.getClientRects().length).length === 1")
        self.page.fill("input[placeholder='for all apps']", "com.example.other")
        self.page.click(self.switch("fcm-502-html"))
        self.page.wait_text("On for com.example.other", ".scenario")
        self.assertEqual(self.faults()[0]["match"]["app"], "com.example.other")
        self.assertEqual(self.message(self.device("android"))[0], 200)

    def test_the_counters_of_a_fault_go_up_live_and_it_can_be_removed(self) -> None:
        phone = self.device("ios")
        fault = self.set(effect={"answer": {"status": 503, "reason": "Shutdown"}}, match={"app": "com.example.app"}, times=1)
        self.set(effect={"delay": "5s"}, match={"app": "com.example.never"})
        self.page.open("#/faults")
        self.page.wait_text("answers 503 Shutdown", ".fault")
        self.page.wait_text("hit 0 of 0 requests", ".fault")
        self.assertEqual(self.push(phone)[0], 503)
        self.page.wait_text("hit 1 of 1 requests", ".fault")
        self.page.wait_text("used up", ".fault")
        self.page.click(f".fault button[aria-label='Remove fault {fault}']")
        self.page.wait("document.querySelectorAll('.fault').length === 1")
        self.assertEqual(len(self.faults()), 1)
        self.page.click("button", "Remove all")
        self.page.wait_text("No faults are set")
        self.assertEqual(self.faults(), [])

    def test_a_fault_that_is_set_elsewhere_appears_by_itself(self) -> None:
        self.page.open("#/faults")
        self.page.wait_text("No faults are set")
        self.set(effect={"blackHole": True})
        self.page.wait_text("the connection stays open but is dead", ".fault")

    def test_the_form_sets_a_fault(self) -> None:
        phone = self.device("ios")
        self.page.open("#/faults")
        self.page.fill("input[name='reason']", "Unregistered")
        self.page.wait("document.querySelector('input[name=status]').value === '410'")
        self.page.fill("input[name='app']", "com.example.app")
        self.page.fill("select[name='when']", "nth")
        self.page.fill("input[name='count']", "2")
        self.page.click("button", "Set the fault")
        self.page.wait_text("answers 410 Unregistered", ".fault")
        (fault,) = self.faults()
        self.assertEqual(fault["effect"], {"answer": {"status": 410, "reason": "Unregistered"}})
        self.assertEqual((fault["match"], fault["nth"]), ({"app": "com.example.app"}, 2))
        self.assertEqual([self.push(phone)[0] for _ in range(3)], [200, 410, 200])

    def test_the_apis_error_stands_at_its_field(self) -> None:
        self.page.open("#/faults")
        self.page.fill("input[name='status']", "99")
        self.page.click("button", "Set the fault")
        self.page.wait_text("must be a whole number from 200 to 599", "#fault-status-problem")
        self.page.wait("document.activeElement.name === 'status' && document.activeElement.getAttribute('aria-invalid') === 'true'")
        self.page.fill("input[name='status']", "503")
        self.page.fill("input[name='lasts']", "soon")
        self.page.click("button", "Set the fault")
        self.page.wait_text("must be a duration", "#fault-lasts-problem")
        self.assertEqual(self.page.text("#fault-status-problem"), "")
        self.assertEqual(self.faults(), [])

    def test_json_sets_every_fault_and_says_what_is_wrong(self) -> None:
        self.page.open("#/faults")
        self.page.click("[role='tab']", "JSON")
        self.page.fill("textarea", '{"effect":{"wire":"nonsense"}}')
        self.page.click("button", "Set the fault")
        self.page.wait_text("/effect/wire: 'wire' is \"nonsense\"", "[role='alert']")
        self.page.fill("textarea", '{"effect":')
        self.page.click("button", "Set the fault")
        self.page.wait_text("This is not JSON", "[role='alert']")
        self.page.fill("textarea", '{"effect":[{"deliver":2},{"wire":"refusedStream"}],"every":5,"per":"token"}')
        self.page.click("button", "Set the fault")
        self.page.wait_text("every 5th request of each token", ".fault")
        self.assertEqual(self.faults()[0]["effect"], [{"deliver": 2}, {"wire": "refusedStream"}])

    def clock(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.api("GET", "/clock")["now"])

    def test_the_buttons_move_the_clock(self) -> None:
        self.page.open("#/faults")
        self.page.click("button", "Freeze")
        self.page.wait_text("frozen", ".clock .badge")
        before = self.clock()
        steps = {"+1 min": 60, "+1 h": 3600, "+1 day": 86_400, "+4 weeks": 28 * 86_400}
        for label, seconds in steps.items():
            self.page.click(".clock button", label)
            before += datetime.timedelta(seconds=seconds)
            self.page.wait(f"Date.parse(document.querySelector('.clock time').dateTime) === {round(before.timestamp() * 1000)}")
            self.assertEqual(self.clock(), before)
        self.page.wait_text("ExpiredProviderToken", ".clock")
        self.page.click(".clock button", "Resume")
        self.page.wait_text("moved", ".clock .badge")
        self.assertFalse(self.api("GET", "/clock")["frozen"])
        self.page.click(".clock button", "Back to real time")
        self.page.wait_text("real time", ".clock .badge")
        self.assertLess(abs(self.clock() - datetime.datetime.now(datetime.UTC)), datetime.timedelta(minutes=1))

    def test_a_frozen_clock_runs_again_with_back_to_real_time(self) -> None:
        self.api("POST", "/clock", {"freeze": True})
        self.page.open("#/faults")
        self.page.wait_text("frozen", ".clock .badge")
        self.page.click(".clock button", "Back to real time")
        self.page.wait_text("real time", ".clock .badge")
        self.assertFalse(self.api("GET", "/clock")["frozen"])

    def test_the_clock_is_set_to_a_local_time_and_ticks(self) -> None:
        self.page.open("#/faults")
        self.page.fill(".clock input", "2027-03-01T10:20:30")
        self.page.click(".clock button", "Set")
        self.page.wait("document.querySelector('.clock time').dateTime.startsWith('2027-03-01') || document.querySelector('.clock time').dateTime.startsWith('2027-02-28')")
        wanted = self.page.run("Date.parse('2027-03-01T10:20:30')") / 1000
        self.assertLess(self.clock().timestamp() - wanted, 60)
        self.assertGreaterEqual(self.clock().timestamp(), wanted)
        # It ticks without being read again.
        self.page.run("window.shown_ = document.querySelector('.clock time').textContent; undefined")
        self.page.wait("document.querySelector('.clock time').textContent !== window.shown_")

    def test_tokens_expire(self) -> None:
        self.page.open("#/faults")
        self.page.click("button", "Expire now")
        self.page.wait_text("expired. Tokens that were signed before now are refused too.", "#notices")
        key = self.api("GET", "/credentials")["apnsKeys"][0]["keyId"]
        self.page.wait(f"[...document.querySelectorAll('.expire option')].some(e => e.value === 'keyId {key}')")
