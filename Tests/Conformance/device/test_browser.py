"""WebSocket and EventSource of a real browser: chromium without a window, controlled over its debugging protocol."""
from __future__ import annotations

import http.server
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.request
from typing import Any, ClassVar

import websockets.sync.client

from api_case import Apple
from gateway import PATIENCE, Gateway

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
# A slow machine needs some time for its first page.
LONGEST = 60

OPEN = """
new Promise((done, fail) => {
  window.frames_ = [];
  const socket = window.socket = new WebSocket(`ws://${location.host}/devices/socket`, 'pushpit.device.v1');
  socket.onopen = () => socket.send(JSON.stringify({type: 'hello', device: {platform: 'ios', app: 'com.example.app'}}));
  socket.onmessage = message => {
    const frame = JSON.parse(message.data);
    window.frames_.push(frame);
    if (frame.type === 'welcome') done(JSON.stringify({frame, protocol: socket.protocol}));
  };
  socket.onclose = event => fail(new Error(`closed ${event.code}`));
})
"""
WAIT = """
new Promise(done => {
  const look = () => {
    const found = window.frames_.filter(frame => frame.type === '%s');
    found.length ? done(JSON.stringify(found)) : setTimeout(look, 5);
  };
  look();
})
"""


class Page:
    """One page in a separate browser."""

    def __init__(self, url: str) -> None:
        self.directory = tempfile.TemporaryDirectory(prefix="pushpit-browser-", ignore_cleanup_errors=True)
        assert BROWSER is not None
        self.process = subprocess.Popen(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0",
             f"--user-data-dir={self.directory.name}", url], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        assert self.process.stderr is not None
        port = next(found[1] for line in self.process.stderr if (found := re.search(r"DevTools listening on ws://127\.0\.0\.1:(\d+)/", line)))
        # Later output must not fill the pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        pages: list[dict[str, Any]] = []
        for _ in range(LONGEST * 20):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as answer:
                pages = [page for page in json.load(answer) if page["type"] == "page" and page["url"].startswith("http")]
            if pages:
                break
            threading.Event().wait(0.05)
        self.socket = websockets.sync.client.connect(pages[0]["webSocketDebuggerUrl"], max_size=None)
        self.numbers = itertools.count(1)

    def run(self, script: str) -> Any:
        """The value of an expression, or of its promise. It is evaluated again if the page was still loading."""
        for _ in range(20):
            number = next(self.numbers)
            asked = {"expression": script, "awaitPromise": True, "returnByValue": True}
            self.socket.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": asked}))
            while (said := json.loads(self.socket.recv(LONGEST))).get("id") != number:
                pass
            if "result" in said:
                break
        if problem := said["result"].get("exceptionDetails"):
            raise AssertionError(problem["exception"].get("description", problem))
        return said["result"]["result"].get("value")

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait(LONGEST)
        self.directory.cleanup()


@unittest.skipUnless(BROWSER, "there is no chromium here; scripts/test installs it where Debian has it")
class Browser(unittest.TestCase):
    gateway: ClassVar[Gateway]
    page: ClassVar[Page]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        cls.page = Page(cls.gateway.at().url("/docs", scheme="http"))
        cls.addClassCleanup(cls.page.close)

    def test_its_own_websocket_is_a_device(self) -> None:
        welcome = json.loads(self.page.run(OPEN))
        self.assertEqual(welcome["protocol"], "pushpit.device.v1")
        with Apple(self.gateway) as apple:
            body = {"aps": {"alert": {"title": "Grüße", "body": "x" * 3000}}}
            self.assertEqual(apple.push(token=welcome["frame"]["device"]["tokens"]["apns"]["token"], body=body).status, 200)
        (push,) = json.loads(self.page.run(WAIT % "push"))
        self.assertEqual(push["payload"], body)
        kinds = [frame["kind"] for frame in json.loads(self.page.run(WAIT % "event"))]
        self.assertEqual(kinds, ["delivered", "presented"])
        self.page.run("socket.send(JSON.stringify({type: 'ping'}))")
        self.page.run(WAIT % "pong")
        closed = self.page.run("new Promise(done => { socket.onclose = event => done(`${event.code} ${event.wasClean}`); socket.close(1000, 'done') })")
        self.assertEqual(closed, "1000 true")

    def test_its_own_event_source_reads_the_log_and_resumes(self) -> None:
        script = """
        new Promise((done, fail) => {
          const source = new EventSource('/api/v1/events?since=0&kind=registered');
          source.addEventListener('registered', event => { source.close(); done(`${event.lastEventId} ${JSON.parse(event.data).device}`); });
          fetch('/api/v1/devices', {method: 'POST', body: JSON.stringify({platform: 'web', app: 'https://example.com', id: 'seen'})})
            .then(answer => answer.status === 201 || fail(new Error(`status ${answer.status}`)));
        })
        """
        self.assertRegex(self.page.run(script), r"^\d+ \w+$")

    def test_a_page_of_another_origin_gets_nothing(self) -> None:
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(b"<p>A page of another server on this machine.</p>")

            def log_message(self, format: str, *args: Any) -> None:
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            page = Page(f"http://127.0.0.1:{server.server_port}/")
            try:
                port = self.gateway.at().port
                said = page.run(
                    f"new Promise(done => {{ const s = new WebSocket('ws://127.0.0.1:{port}/devices/socket'); s.onopen = () => done('open'); s.onerror = () => done('error') }})")
                self.assertEqual(said, "error")
                said = page.run(f"fetch('http://127.0.0.1:{port}/api/v1/messages').then(() => 'read', () => 'refused')")
                self.assertEqual(said, "refused")
            finally:
                page.close()
                server.shutdown()
