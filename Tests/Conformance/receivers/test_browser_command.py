"""`pushpit browser` with the browsers of Debian: pages receive their pushes, and nothing is left behind."""
from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import unittest
from urllib.parse import urlsplit

from browser_command import Attached, AttachedChromium, AttachedFirefox, Command, wait_for_end
from browsers import Chromium, Firefox
from gateway import BINARY, PATIENCE
from receiver_case import ReceiverCase
from receiver_page import PAGE, ReceiverPage

# Sends a web push, as a backend does that does not know of Pushpit.
BACKEND = """
import json, sys
from py_vapid import Vapid
from pywebpush import webpush
answer = webpush(json.loads(sys.argv[1]), sys.argv[2], vapid_private_key=Vapid.from_file(sys.argv[3]), vapid_claims={"sub": "mailto:a@example.com"}, ttl=60)
print(answer.status_code)
"""


def has_usual_gateway() -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", 2197)) == 0


class Case(ReceiverCase):
    """A browser for each test, started for a gateway that runs."""

    attached: type[Attached]
    scheme = "http"
    variables: dict[str, str] = {}

    @classmethod
    def start_browser(cls) -> None:
        """Each test starts its own."""

    def setUp(self) -> None:
        self.path = f"/{next(self.numbers)}/"
        self.start()
        self.addCleanup(lambda: self.browser.close())

    def start(self, page: int = 0) -> None:
        self.page = self.pages[page]
        gateway = self.gateway.at()
        self.browser = self.attached("--url", f"{self.scheme}://{gateway.host}:{gateway.port}", *self.arguments(), self.url, variables=self.variables)

    @property
    def url(self) -> str:
        return self.page.origin + self.path

    def arguments(self) -> list[str]:
        return []

    @property
    def command(self) -> Command:
        return self.browser.command

    def check_that_nothing_is_left(self) -> None:
        self.assertEqual((self.command.left, self.command.processes()), ([], []))


class Cases:
    """What both browsers do."""

    def test_a_push_is_shown_and_sigterm_leaves_nothing(self: Case) -> None:
        self.assertEqual(self.send(self.subscribe(), "First").status_code, 201)
        self.wait_until_shown("First")
        self.assertEqual(self.browser.rows["Page"], self.url)
        self.assertGreater(len(self.command.processes()), 2)
        self.assertEqual(len(self.command.left), 1)
        self.assertEqual(self.command.end(), 0)
        self.check_that_nothing_is_left()

    def test_a_page_may_subscribe_while_it_loads(self: Case) -> None:
        self.browser.close()
        key = json.dumps(self.key)
        at_once = f"{PAGE}<script>subscribe({key}).then((text) => fetch('shown', {{method: 'POST', body: text}}))</script>"
        with ReceiverPage(at_once) as self.page:
            gateway = self.gateway.at()
            self.browser = self.attached("--url", f"{self.scheme}://{gateway.host}:{gateway.port}", self.url)
            said = self.page.pushes[self.path]
            self.wait_until(lambda: bool(said))
            self.assertIn("endpoint", json.loads(said[0]))
            self.browser.close()

    def test_a_browser_that_is_killed_leaves_nothing(self: Case) -> None:
        subprocess.run(["kill", "-KILL", str(self.command.browser())], check=True)
        self.assertEqual(self.command.wait(), 128 + signal.SIGKILL)
        self.assertIn("was ended by signal 9", self.command.process.stderr.read())
        self.check_that_nothing_is_left()

    def test_the_browser_ends_with_a_command_that_is_killed(self: Case) -> None:
        processes = self.command.processes()
        self.assertEqual(self.command.end(signal.SIGKILL), -signal.SIGKILL)
        wait_for_end(processes)

    @unittest.skipIf(has_usual_gateway(), "a gateway has port 2197")
    def test_without_a_gateway_one_runs_until_the_browser_ends(self: Case) -> None:
        self.browser.close()
        self.browser = self.attached(self.url)
        subscription = self.subscribe()
        subscription["endpoint"] = self.endpoint(subscription["endpoint"])
        url, _, note = self.browser.rows["Gateway"].partition(" ")
        self.assertEqual(note, "(ends with the browser)")
        certificates = next(self.command.temporary.iterdir()) / "certs"
        key = self.command.temporary / "vapid.pem"
        self.vapid.save_key(str(key))
        done = subprocess.run(
            [BINARY, "exec", "--url", url, "--certs", str(certificates), "--", sys.executable, "-c", BACKEND, json.dumps(subscription), "Own", str(key)],
            capture_output=True, text=True, timeout=PATIENCE * 3, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, "201\n"), done.stderr)
        self.wait_until_shown("Own")
        self.check_that_firebase_may_ask()
        key.unlink()
        self.assertEqual(self.command.end(signal.SIGINT), 0)
        self.check_that_nothing_is_left()

    def endpoint(self, url: str) -> str:
        """Where the page's server sends. Under exec, the vendor's host is the gateway."""
        return url

    def check_that_firebase_may_ask(self) -> None:
        """In Firefox, Firebase's SDK is not led to the gateway."""


class Kept(Case):
    """A profile that is kept."""

    def arguments(self) -> list[str]:
        return ["--profile", str(self.profile / "kept")]

    def check_a_second_origin(self) -> None:
        """A push waits for the next start, and a page of another origin may then subscribe too."""
        subscription = self.subscribe()
        self.browser.close()
        self.assertTrue((self.profile / "kept").is_dir())
        self.assertEqual(self.send(subscription, "Waited").status_code, 201)
        self.start()
        self.wait_until_shown("Waited")
        self.browser.close()
        self.start(page=1)
        self.assertEqual(self.send(self.subscribe(), "Other").status_code, 201)
        self.wait_until_shown("Other")

    def check_that_it_is_in_use(self) -> None:
        with self.attached.make(*self.arguments()) as second:
            self.assertEqual(second.wait(), 69)
            self.assertIn(f"already runs with the profile {self.profile}/kept: close it, or name another", second.process.stderr.read())
            self.assertEqual(second.left, [])

    def test_a_kept_profile(self) -> None:
        self.check_that_it_is_in_use()
        self.check_a_second_origin()


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumCommand(Cases, Case):
    attached = AttachedChromium
    # Nothing listens there. The browser must not use it for Google's hosts.
    variables = {"HTTPS_PROXY": "http://127.0.0.1:9"}

    def check_that_firebase_may_ask(self) -> None:
        url, options = "https://firebaseinstallations.googleapis.com/v1/projects/p/installations", {"x-goog-api-key": "any"}
        ask = f"fetch('{url}', {{method: 'POST', headers: {json.dumps(options)}}}).then((answer) => answer.status)"
        self.assertEqual(self.browser.run(ask), 400)

    def test_firebase_in_a_page_may_ask_a_gateway_that_was_running(self) -> None:
        self.check_that_firebase_may_ask()
        self.browser.close()
        self.assertEqual(self.browser.said, "")


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumKeepsItsProfile(Kept):
    attached = AttachedChromium


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxCommand(Cases, Case):
    attached = AttachedFirefox

    def endpoint(self, url: str) -> str:
        self.assertTrue(url.startswith(self.browser.rows["Gateway"].split()[0]), url)
        return f"https://updates.push.services.mozilla.com{urlsplit(url).path}"


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxKeepsItsProfile(Kept):
    attached = AttachedFirefox


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxOverTLS(Case):
    attached, scheme = AttachedFirefox, "https"

    def test_the_gateways_certificate_is_trusted(self) -> None:
        subscription = self.subscribe()
        self.assertTrue(subscription["endpoint"].startswith("https://127.0.0.1:"), subscription)
        self.assertEqual(self.send(subscription, "Secure").status_code, 201)
        self.wait_until_shown("Secure")


del Case, Kept
