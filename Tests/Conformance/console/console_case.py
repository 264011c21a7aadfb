"""What tests of the console share: a gateway, a browser, and the control API.

A test class has a subclass for each browser: `@browsers` adds `<Name>Firefox` beside it. With CONSOLE_FILES=1 the
console comes from the source tree, without building.
"""
from __future__ import annotations

import os
import sys
import threading
import unittest
from typing import Any, ClassVar

from browsers import Browser, Chromium, Firefox
from control import call
from gateway import Gateway

from console.dev_server import serve
from console.page import Page


class ConsoleCase(unittest.TestCase):
    kind: ClassVar[type[Browser]] = Chromium
    arguments: ClassVar[tuple[str, ...]] = ()
    gateway: ClassVar[Gateway]
    page: ClassVar[Page]

    @classmethod
    def setUpClass(cls) -> None:
        if not cls.kind.path():
            raise unittest.SkipTest(f"there is no {cls.kind.__name__} here; scripts/test installs it where Debian has it")
        cls.gateway = cls.enterClassContext(Gateway(*cls.arguments))
        cls.page = Page(cls.kind, cls.address())
        cls.addClassCleanup(cls.page.close)

    @classmethod
    def address(cls) -> str:
        url = cls.gateway.at().url("/", scheme="http")
        if not os.environ.get("CONSOLE_FILES"):
            return url
        server = serve(url.rstrip("/"))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/pushpit/"

    def setUp(self) -> None:
        self.page.forget()
        self.api("POST", "/reset")
        for device in self.api("GET", "/devices?limit=1000")["devices"]:
            self.api("DELETE", f"/devices/{device['id']}")

    def tearDown(self) -> None:
        self.assertEqual(self.page.problems, [], "the page had problems")
        origin = self.page.run("location.origin")
        self.assertEqual([found for found in self.page.origins if found != origin], [], "the page loaded something from elsewhere")

    def api(self, method: str, path: str, body: Any = None) -> Any:
        status, said = call(self.gateway, method, path, body)
        self.assertLess(status, 400, f"{method} {path}: {said}")
        return said

    def device(self, platform: str = "ios", **more: Any) -> dict[str, Any]:
        (device,) = self.api("POST", "/devices", {"platform": platform, "app": "com.example.app"} | more)["devices"]
        return device

    def apns(self, device: dict[str, Any], body: Any, **headers: str) -> dict[str, Any]:
        """Sends a push to a device; the message."""
        fields = {"apns-topic": device["app"]} | {name.replace("_", "-"): value for name, value in headers.items()}
        wanted = {"provider": "apns", "token": device["tokens"]["apns"]["token"], "headers": fields, "body": body}
        return self.api("POST", "/messages", wanted)

    def fcm(self, message: dict[str, Any], device: dict[str, Any] | None = None, project: str = "demo") -> dict[str, Any]:
        """Sends a message, to a device if there is one; the message as the gateway has it."""
        target = {"token": device["tokens"]["fcm"]["token"]} if device else {}
        return self.api("POST", "/messages", {"provider": "fcm", "project": project, "body": {"message": target | message}})


def browsers(case: type[ConsoleCase]) -> type[ConsoleCase]:
    """Runs the tests in Chromium, and also in Firefox, unless CONSOLE_BROWSERS is `chromium`."""
    if os.environ.get("CONSOLE_BROWSERS") == "chromium":
        return case
    module = sys.modules[case.__module__]
    copy = type(f"{case.__name__}Firefox", (case,), {"kind": Firefox, "__module__": case.__module__})
    setattr(module, copy.__name__, copy)
    return case
