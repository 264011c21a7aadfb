"""Web pages in Chromium and Firefox: pages of other origins and after DNS rebinding get and change nothing; allowed pages do."""
from __future__ import annotations

import http.server
import json
import threading
import unittest
from typing import Any, ClassVar

import httpx

from browsers import REBOUND, Browser, Chromium, Firefox
from gateway import PATIENCE, TOKEN, Gateway

# What a page can send without asking the gateway first: method, path, body.
SIMPLE = [
    ("POST", "/v1/projects/shop/messages:send", '{"message":{"topic":"news"}}'),
    ("POST", "/fcm/send", '{"to":"/topics/news"}'),
    ("POST", f"/3/device/{TOKEN}", '{"aps":{"alert":"x"}}'),
    ("POST", "/iid/v1:batchAdd", '{"to":"/topics/news","registration_tokens":["x"]}'),
    ("POST", "/token", "grant_type=x"),
    ("POST", "/api/v1/devices", '{"platform":"ios","app":"com.example.app"}'),
    ("POST", "/api/v1/reset", "{}"),
    ("POST", "/r/?id=h1,2,7&mcId=E", ""),
    ("GET", "/r/?id=h1,2,7&mcId=E", ""),
    ("GET", "/livez", ""),
    ("GET", "/api/v1/messages", ""),
    ("GET", "/metrics", ""),
]
FETCHES = """
(async () => {
  const said = [];
  for (const [method, path, body] of %(calls)s) {
    const asked = {method, mode: '%(mode)s', headers: %(headers)s};
    if (method === 'POST') asked.body = body;
    said.push(await fetch('%(base)s' + path, asked).then(answer => answer.type === 'opaque' ? 'opaque' : answer.status, () => 'failed'));
  }
  return JSON.stringify(said);
})()
"""
IMAGE = "new Promise(done => { const i = new Image(); i.onload = () => done('shown'); i.onerror = () => done('failed'); i.src = '%s/r/?id=h1,2,7&mcId=E' })"
BEACON = "navigator.sendBeacon('%s/v1/projects/shop/messages:send', '{}')"
FRAME = "new Promise(done => { const f = document.createElement('iframe'); f.onload = () => done('loaded'); f.onerror = f.onload; f.src = '%s/r/?id=h1,2,7&mcId=E'; document.body.append(f) })"
SOCKET = "new Promise(done => { const s = new WebSocket('%s/devices/socket'); s.onopen = () => done('open'); s.onerror = () => done('failed') })"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>A page of another server on this machine.</p>")

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Pages:
    """The tests, for one kind of browser."""

    kind: ClassVar[type[Browser]]
    browser: ClassVar[Browser]
    server: ClassVar[http.server.ThreadingHTTPServer]

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        cls.browser = cls.kind(cls.page("localhost"))
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def page(cls, host: str) -> str:
        return f"http://{host}:{cls.server.server_port}/"

    def ask(self, gateway: Gateway, path: str, headers: dict[str, str] | None = None) -> Any:
        """Asks as a program that is not a browser does."""
        return httpx.get(gateway.at().url(path, scheme="http"), headers=headers, timeout=PATIENCE)

    def refused(self, gateway: Gateway, headers: dict[str, str] | None = None) -> int:
        counters = dict(line.split() for line in self.ask(gateway, "/metrics", headers).text.splitlines() if not line.startswith("#"))
        return int(counters["pushpit_strangers_refused_total"])

    def assert_nothing_happened(self, gateway: Gateway) -> None:
        said = {name: self.ask(gateway, f"/api/v1/{name}").json() for name in ("messages", "tracking", "devices", "stats")}
        self.assertEqual(said["messages"]["messages"], [])
        self.assertEqual(said["tracking"]["hits"], [])
        self.assertEqual(said["devices"]["devices"], [])
        self.assertEqual([said["stats"][name] for name in ("events", "accepted", "refused")], [0, 0, 0])

    def fetches(self, base: str, mode: str, headers: dict[str, str]) -> list[Any]:
        script = FETCHES % {"calls": json.dumps(SIMPLE), "base": base, "mode": mode, "headers": json.dumps(headers)}
        return json.loads(self.browser.run(script))

    def attack(self, gateway: Gateway, base: str) -> None:
        """Everything that a page can send to the gateway without its permission, and some that needs it."""
        before = self.refused(gateway)
        self.assertEqual(self.fetches(base, "no-cors", {"content-type": "text/plain"}), ["opaque"] * len(SIMPLE))
        self.assertEqual(self.fetches(base, "cors", {"content-type": "text/plain"}), ["failed"] * len(SIMPLE))
        self.assertEqual(self.fetches(base, "cors", {"authorization": "Bearer x"}), ["failed"] * len(SIMPLE))
        self.assertEqual(self.browser.run(IMAGE % base), "failed")
        self.browser.run(FRAME % base)
        self.assertTrue(self.browser.run(BEACON % base))
        self.assertEqual(self.browser.run(SOCKET % base.replace("http", "ws", 1)), "failed")
        # The page cannot know whether the beacon has arrived, so it is not counted.
        self.assertGreaterEqual(self.refused(gateway) - before, 3 * len(SIMPLE) + 3)
        self.assert_nothing_happened(gateway)

    def test_pages_of_other_origins_change_nothing(self) -> None:
        with Gateway() as gateway:
            for host in ("localhost", "127.0.0.1", REBOUND):
                self.browser.go(self.page(host))
                for base in ("http://localhost", "https://localhost", "http://127.0.0.1"):
                    with self.subTest(f"a page of {host} attacks {base}"):
                        self.attack(gateway, f"{base}:{gateway.at().port}")
            # The same requests of a program would have been recorded.
            for method, path, body in SIMPLE[:9]:
                httpx.request(method, gateway.at().url(path, scheme="http"), content=body, timeout=PATIENCE)
                if path == "/api/v1/devices":
                    self.assertEqual(len(self.ask(gateway, "/api/v1/messages").json()["messages"]), 2)
            self.assertEqual(len(self.ask(gateway, "/api/v1/tracking").json()["hits"]), 2)

    def test_a_page_after_dns_rebinding_is_refused(self) -> None:
        with Gateway() as gateway:
            base = f"http://{REBOUND}:{gateway.at().port}"
            # The answer is a page too, of the origin that an attacker's page would have after rebinding.
            self.assertIn(f"--allow-host {REBOUND}", self.browser.go(f"{base}/"))
            self.assertEqual(self.fetches(base, "cors", {"authorization": "Bearer x"}), [403] * len(SIMPLE))
            self.assertEqual(self.browser.run(IMAGE % base), "failed")
            self.assertEqual(self.browser.run(SOCKET % base.replace("http", "ws", 1)), "failed")
            self.assert_nothing_happened(gateway)

    def test_links_to_the_console_and_the_documentation_work(self) -> None:
        with Gateway() as gateway:
            for path, text in (("/", "Skip to the content"), ("/docs", "/api/v1/messages"), ("/api/v1/messages", "--allow-origin")):
                for host in ("localhost", "127.0.0.1"):
                    with self.subTest(f"{path} from {host}"):
                        self.browser.go(self.page(host))
                        self.assertIn(text, self.browser.go(gateway.at().url(path, scheme="http")))

    def test_an_allowed_page_sends_and_reads(self) -> None:
        with Gateway("--allow-origin", self.page("localhost").rstrip("/"), "--api-token", "open-sesame") as gateway:
            for scheme in ("http", "https"):
                base = gateway.at().url("", scheme=scheme)
                self.browser.go(self.page("localhost"))
                said = self.fetches(base, "cors", {"authorization": "Bearer open-sesame"})
                self.assertNotIn("failed", said)
                self.assertEqual((said[5], said[10]), (201, 200))
                self.assertEqual(self.refused(gateway, {"authorization": "Bearer open-sesame"}), 0 if scheme == "http" else len(SIMPLE))
                self.assertEqual(self.browser.run(f"fetch('{base}/api/v1/clock').then(answer => answer.status)"), 401)
                self.assertEqual(self.browser.run(SOCKET % base.replace("http", "ws", 1)), "failed")
                self.browser.go(self.page("127.0.0.1"))
                self.assertEqual(self.fetches(base, "cors", {"authorization": "Bearer open-sesame"}), ["failed"] * len(SIMPLE))

    def test_an_allowed_page_opens_a_socket(self) -> None:
        with Gateway("--allow-origin", self.page("localhost").rstrip("/")) as gateway:
            self.browser.go(self.page("localhost"))
            base = gateway.at().url("", scheme="ws")
            self.assertEqual(self.browser.run(SOCKET % base), "open")
            self.browser.go(self.page("127.0.0.1"))
            self.assertEqual(self.browser.run(SOCKET % base), "failed")


@unittest.skipUnless(Chromium.path(), "there is no chromium here; scripts/test installs it where Debian has it")
class ChromiumPages(Pages, unittest.TestCase):
    kind = Chromium


@unittest.skipUnless(Firefox.path(), "there is no firefox here; scripts/test installs it where Debian has it")
class FirefoxPages(Pages, unittest.TestCase):
    kind = Firefox
