"""Pages in real browsers without a window: Chromium over its debugging protocol, and Firefox over WebDriver BiDi."""
from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import websockets.sync.client

from gateway import PATIENCE

# A slow machine needs some time for its first page.
LONGEST = 60
# Both browsers find this name on this machine, as they would after DNS rebinding.
REBOUND = "evil.example"


class Browser:
    """One page in a separate browser. Subclasses know how to start the browser and what to tell it."""

    programs: tuple[str, ...]
    listening: str

    @classmethod
    def path(cls) -> str | None:
        return next((path for name in cls.programs if (path := shutil.which(name))), None)

    def __init__(self, url: str, profile: Path | None = None) -> None:
        """Without a profile, the browser has a new one, which is deleted at the end."""
        self.directory = None if profile else tempfile.TemporaryDirectory(prefix="pushpit-browser-", ignore_cleanup_errors=True)
        profile = profile or Path(self.directory.name)
        path = self.path()
        assert path is not None
        self.process = subprocess.Popen(
            [path, *self.arguments(profile), "--remote-debugging-port=0", url],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            assert self.process.stderr is not None
            port = next((found[1] for line in self.process.stderr if (found := re.search(self.listening, line))), None)
            assert port is not None, f"{path} has ended"
            # Later output must not fill the pipe.
            threading.Thread(target=self.process.stderr.read, daemon=True).start()
            self.attach(int(port))
        except BaseException:
            self.end()
            raise

    def attach(self, port: int) -> None:
        self.numbers = itertools.count(1)
        self.socket = self.connect(port)
        self.wait_for("location.protocol.startsWith('http')")

    def arguments(self, directory: Path) -> list[str]:
        raise NotImplementedError

    def connect(self, port: int) -> websockets.sync.client.ClientConnection:
        raise NotImplementedError

    def evaluate(self, script: str) -> Any:
        """The value of an expression or of its promise; `Gone` if the page was left meanwhile."""
        raise NotImplementedError

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command to the browser, and the whole answer."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (said := json.loads(self.socket.recv(LONGEST))).get("id") != number:
            pass
        return said

    def run(self, script: str) -> Any:
        """Evaluates again if the page was still loading."""
        for _ in range(20):
            try:
                return self.evaluate(script)
            except Gone:
                time.sleep(0.05)
        raise AssertionError(f"no page stays long enough for {script!r}")

    def go(self, url: str) -> str:
        """Lets the page itself open another one, as a link does. Returns its text when it is loaded."""
        self.run(f"void setTimeout(() => location.assign({json.dumps(url)}), 0)")
        self.wait_for(f"location.href === {json.dumps(url)}")
        return self.run("document.body.innerText")

    def wait_for(self, condition: str) -> None:
        """Waits until a page is loaded for which this is true."""
        deadline = time.monotonic() + LONGEST
        while not self.run(f"document.readyState === 'complete' && {condition}"):
            assert time.monotonic() < deadline, f"no page came for which {condition}"
            time.sleep(0.05)

    def close(self) -> None:
        self.socket.close()
        self.end()

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.directory:
            self.directory.cleanup()


class Gone(Exception):
    """The page in which a script ran is gone."""


class Chromium(Browser):
    programs = ("chromium", "chromium-browser", "google-chrome")
    listening = r"DevTools listening on ws://127\.0\.0\.1:(\d+)/"

    def arguments(self, directory: Path) -> list[str]:
        return [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
            f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1", "--ignore-certificate-errors", f"--user-data-dir={directory}"]

    def connect(self, port: int) -> websockets.sync.client.ClientConnection:
        deadline = time.monotonic() + LONGEST
        while True:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as answer:
                pages = [page for page in json.load(answer) if page["type"] == "page" and page["url"].startswith("http")]
            if pages:
                return websockets.sync.client.connect(pages[0]["webSocketDebuggerUrl"], max_size=None)
            assert time.monotonic() < deadline, "the browser has no page"
            time.sleep(0.05)

    def evaluate(self, script: str) -> Any:
        said = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "result" not in said:
            raise Gone
        if problem := said["result"].get("exceptionDetails"):
            raise AssertionError(problem["exception"].get("description", problem))
        return said["result"]["result"].get("value")


class Firefox(Browser):
    trusts_everyone = True
    programs = ("firefox-esr", "firefox")
    listening = r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)"
    preferences = {"network.dns.localDomains": REBOUND, "dom.security.https_first": False, "network.captive-portal-service.enabled": False}

    def arguments(self, directory: Path) -> list[str]:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in self.preferences.items()]
        (directory / "user.js").write_text("".join(lines))
        return ["--headless", "--no-remote", "--profile", str(directory)]

    def connect(self, port: int) -> websockets.sync.client.ClientConnection:
        self.socket = websockets.sync.client.connect(f"ws://127.0.0.1:{port}/session", max_size=None)
        self.ask("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": self.trusts_everyone}})
        deadline = time.monotonic() + LONGEST
        while True:
            (page,) = self.ask("browsingContext.getTree")["result"]["contexts"]
            if page["url"].startswith("http"):
                self.context = page["context"]
                return self.socket
            assert time.monotonic() < deadline, "the browser has no page"
            time.sleep(0.05)

    def evaluate(self, script: str) -> Any:
        said = self.ask("script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True)
        if said["type"] == "error":
            raise Gone
        if said["result"]["type"] == "exception":
            raise AssertionError(said["result"]["exceptionDetails"]["text"])
        return said["result"]["result"].get("value")
