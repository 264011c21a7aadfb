"""Getting started: a first push from an empty gateway, and code with this gateway's values that really runs."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from console.console_case import ConsoleCase, browsers

CODE = "[...document.querySelectorAll('.snippets pre')].filter(e => e.getClientRects().length)"


@browsers
class StartPage(ConsoleCase):
    @property
    def place(self) -> str:
        return f"localhost:{self.gateway.at().port}"

    def snippets(self, language: str, place: str = "") -> list[str]:
        """The code of a language, with the address of the gateway itself: the page may be behind a proxy."""
        self.page.open("#/start")
        self.page.fill(".start input[aria-label^='Address']", place or self.place)
        self.page.click("[role='tab']", language)
        self.page.wait(f"{CODE}.length > 0 && document.querySelector('[role=tab][aria-selected=true]').innerText === {json.dumps(language)}")
        return json.loads(self.page.run(f"JSON.stringify({CODE}.map(e => e.textContent))"))

    def test_the_first_push_comes_from_an_empty_inbox(self) -> None:
        self.page.open()
        self.page.click(".pane button", "Send a first push")
        self.page.wait("/^#\\/pushes\\/p\\d+/.test(location.hash)")
        self.page.wait("document.querySelectorAll('.push-row:not([hidden])').length === 2")
        self.page.wait_text("Breakfast is ready", ".pane")
        devices = self.api("GET", "/devices")["devices"]
        self.assertEqual({(device["id"], device["platform"]) for device in devices}, {("demo-iphone", "ios"), ("demo-android", "android")})
        self.assertEqual([device["shade"][0]["title"] for device in devices], ["Breakfast is ready"] * 2)

    def test_the_first_push_takes_phones_that_exist(self) -> None:
        self.device("ios", id="ann", app="com.example.shop")
        self.device("android", id="ben", app="com.example.shop", project="shop")
        self.page.open("#/start")
        self.page.click("button", "Send a first push")
        self.page.wait("/^#\\/pushes\\/p\\d+/.test(location.hash)")
        self.page.wait("document.querySelectorAll('.push-row:not([hidden])').length === 2")
        messages = self.api("GET", "/messages")["messages"]
        self.assertEqual([(message["outcome"], *message["devices"]) for message in messages], [("accepted", "ben"), ("accepted", "ann")])

    def test_the_first_push_goes_to_phones_that_show_it(self) -> None:
        self.device("ios", id="mia", state={"online": False})
        self.device("android", id="ben", state={"permission": "denied"})
        self.page.open("#/start")
        self.page.click("button", "Send a first push")
        self.page.wait("document.querySelectorAll('.push-row:not([hidden])').length === 2")
        messages = self.api("GET", "/messages")["messages"]
        self.assertEqual([message["devices"] for message in messages], [["demo-android"], ["demo-iphone"]])

    def test_the_code_has_the_gateways_own_values(self) -> None:
        credentials = self.api("GET", "/credentials")
        phone = self.device("ios")
        key = credentials["apnsKeys"][0]
        for language in ("pushpit exec", "curl", "Python", "Node", "Go", "Java", "PHP", "Ruby", "Swift"):
            text = "\n".join(self.snippets(language))
            self.assertIn(self.place, text.replace('"localhost", port: ', "localhost:"), language)
            self.assertIn(credentials["directory"], text, language)
        text = "\n".join(self.snippets("Python"))
        for value in (key["keyId"], key["teamId"], credentials["ca"], f"AuthKey_{key['keyId']}.p8", phone["tokens"]["apns"]["token"], "service-account.json"):
            self.assertIn(value, text)

    def run_code(self, code: str, *command: str, **variables: str) -> None:
        done = subprocess.run([*command, code], env=os.environ | variables, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def sent(self) -> list[tuple[str, str]]:
        return [(message["provider"], message["outcome"]) for message in self.api("GET", "/messages")["messages"]]

    def test_curl_runs(self) -> None:
        for code in self.snippets("curl"):
            self.run_code(code, "sh", "-c")
        self.assertEqual(self.sent(), [("fcm", "accepted"), ("apns", "accepted")])

    def test_curl_runs_with_the_address_instead_of_the_name(self) -> None:
        for code in self.snippets("curl", f"127.0.0.1:{self.gateway.at().port}"):
            self.assertNotIn("localhost", code)
            self.run_code(code, "sh", "-c")
        self.assertEqual(self.sent(), [("fcm", "accepted"), ("apns", "accepted")])

    def test_python_runs_as_it_is_also_if_the_account_names_another_gateway(self) -> None:
        file = Path(self.api("GET", "/credentials")["directory"], "service-account.json")
        own = file.read_text()
        file.write_text(json.dumps(json.loads(own) | {"token_uri": "https://localhost:1/token"}))
        self.addCleanup(file.write_text, own)
        for code in self.snippets("Python"):
            self.run_code(code, sys.executable, "-c")
        self.assertEqual(self.sent(), [("apns", "accepted"), ("fcm", "accepted")])

    def test_nothing_covers_the_code(self) -> None:
        for width in (1400, 390):
            self.page.resize(width, 900)
            self.snippets("curl")
            covered = f"""{CODE}.flatMap(code => {{ const one = code.getBoundingClientRect();
                return [...document.querySelectorAll('.snippets button')].filter(button => {{ const other = button.getBoundingClientRect();
                    return other.top < one.bottom && other.bottom > one.top && other.left < one.right && other.right > one.left }}) }}).length"""
            self.assertEqual(self.page.run(covered), 0, width)
        self.page.resize(1400, 900)

    def test_a_wrong_address_is_explained(self) -> None:
        self.page.open("#/start")
        self.page.fill(".start input[aria-label^='Address']", "not an address")
        self.page.wait_text("is not an address", ".start .problem")

    def test_copying_copies_the_code(self) -> None:
        code = self.snippets("curl")[0]
        self.page.run("""(() => { window.copied_ = null;
            Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { window.copied_ = text } } }) })()""")
        self.page.click(".snippets button", "Copy")
        self.page.wait("window.copied_ !== null")
        self.assertEqual(self.page.run("window.copied_"), code)


class StartPageWithToken(ConsoleCase):
    arguments = ("--api-token", "secret")

    def setUp(self) -> None:
        pass

    def test_the_page_says_where_the_token_goes(self) -> None:
        self.page.open("#/start")
        self.page.fill("dialog input[name='token']", "secret")
        self.page.click("dialog button", "Open")
        self.page.wait_text("PUSHPIT_API_TOKEN", ".start .hint")
