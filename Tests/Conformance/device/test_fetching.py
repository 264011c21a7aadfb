"""What phones fetch from a real web server on this machine, and what they are not given."""
from __future__ import annotations

import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import httpx

from api_case import APICase, Fields, token_of
from control import move_clock
from gateway import PATIENCE, program
from web_server import PNG, Page, WebServer

FIREBASE = {"extension": {"script": "firebase"}}
MEBIBYTE = 1 << 20


class Fetching(APICase):
    arguments = ("--fetch-media", "loopback")
    server: ClassVar[WebServer]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.server = cls.enterClassContext(WebServer())

    def setUp(self) -> None:
        super().setUp()
        self.server.requests.clear()
        self.server.pages.clear()

    def attachment(self, platform: str, url: str, **spec: Any) -> tuple[Fields, bool]:
        """The event about the file, and whether the notification has it."""
        device = self.device(platform, **(FIREBASE if platform == "ios" else {}) | spec)
        if platform == "ios":
            body = {"aps": {"alert": {"title": "T"}, "mutable-content": 1}, "fcm_options": {"image": url}}
            self.assertEqual(self.apple.push(token=token_of(device), body=body).status, 200)
        else:
            sent = self.google.send(token=token_of(device, "fcm"), notification={"title": "T", "image": url})
            self.assertEqual(sent.status_code, 200, sent.text)
        push = self.newest()["id"]
        found: dict[str, Fields] = {}

        def is_shown() -> bool:
            found.update({event["kind"]: event for event in self.events("kind=attachment,presented") if event.get("push") == push})
            return "presented" in found

        self.until(is_shown)
        return found["attachment"], found["presented"]["data"].get("image") == url

    def check(self, platform: str, url: str, why: str, message: str | None = None, **data: Any) -> None:
        with self.subTest(platform=platform, url=url):
            event, is_shown = self.attachment(platform, url)
            self.assertEqual(event["why"], why, event)
            self.assertEqual(is_shown, why in ("ios.attachment", "android.image"))
            self.assertEqual(event["data"].get("message"), message)
            self.assertLessEqual(data.items(), event["data"].items())

    def test_what_a_phone_says_of_an_answer(self) -> None:
        self.server.pages |= {
            "/a.png": Page(), "/a": Page(type="image/jpeg"), "/page.png": Page(b"<html>", type="image/png"),
            "/large.png": Page(PNG + bytes(MEBIBYTE)), "/stream.png": Page(PNG + bytes(MEBIBYTE), announced=False),
            "/huge.png": Page(PNG + bytes(10_000_000)), "/empty.png": Page(b""),
            "/gone.png": Page(b"<p>", 404, "text/html"), "/hidden.png": Page(PNG, 403),
        }
        url = self.server.url
        content = "20003: the content does not match the type"
        size = "Content-Length exceeds max size of 1048576"
        self.check("ios", url("/a.png"), "ios.attachment", status=200, contentType="image/png", size=len(PNG), outcome="attached")
        self.check("ios", url("/a.png?x=1#y"), "ios.attachment")
        self.check("ios", url("/page.png"), "ios.attachment-content", content)
        self.check("ios", url("/empty.png"), "ios.attachment-content", content, size=0)
        self.check("ios", url("/large.png"), "ios.attachment")
        self.check("ios", url("/huge.png"), "ios.attachment-size", "20003: too large", size=len(PNG) + 10_000_000)
        self.check("ios", url("/gone.png"), "ios.attachment-content", content, status=404)
        # Firebase's helper looks at no status.
        self.check("ios", url("/hidden.png"), "ios.attachment", status=403)
        self.check("android", url("/a.png"), "android.image", outcome="shown")
        self.check("android", url("/a"), "android.image")
        self.check("android", url("/page.png"), "android.image-failed", "Failed to decode image")
        self.check("android", url("/large.png"), "android.image-failed", size, size=len(PNG) + MEBIBYTE)
        self.check("android", url("/stream.png"), "android.image-failed", "Image exceeds max size of 1048576")
        self.check("android", url("/gone.png"), "android.image-failed", "Failed to download image: the status is 404", status=404)
        self.assertEqual({request.method for request in self.server.requests}, {"GET"})

    def test_redirects(self) -> None:
        self.server.pages |= {
            "/a.png": Page(), "/relative.png": Page(b"", 302, fields={"location": "a.png"}),
            "/away.png": Page(b"", 307, fields={"location": "https://10.1.2.3/a.png"}),
            "/clear.png": Page(b"", 301, fields={"location": "http://10.1.2.3/a.png"}),
            "/file.png": Page(b"", 302, fields={"location": "file:///etc/hostname"}),
            "/gateway.png": Page(b"", 302, fields={"location": self.gateway.at().url("/livez", scheme="http")}),
            "/loop.png": Page(b"", 302, fields={"location": "/loop.png"}),
        }
        url = self.server.url
        self.check("ios", url("/relative.png"), "ios.attachment")
        self.check("ios", url("/away.png"), "fetch.skipped", "10.1.2.3 is not this machine, and --fetch-media is 'loopback'", outcome="skipped")
        self.check("ios", url("/clear.png"), "fetch.http", "App Transport Security requires the use of a secure connection")
        self.check("ios", url("/gateway.png"), "fetch.skipped", "localhost is this gateway, which sends nothing to itself")
        failed = "20001: Failed to download image given URL"
        self.check("ios", url("/file.png"), "fetch.failed", f"{failed}: it redirects to 'file:///etc/hostname', which is not a usable http or https URL")
        self.server.requests.clear()
        self.check("ios", url("/loop.png"), "fetch.failed", f"{failed}: there are more than 20 redirects")
        self.assertEqual(len(self.server.requests), 21)

    def content(self, url: str, status: int = 200) -> httpx.Response:
        answer = self.api.get("/media/content", params={"url": url})
        self.assertEqual(answer.status_code, status, answer.text[:500])
        return answer

    def test_the_bytes_that_a_phone_gets(self) -> None:
        large = PNG + bytes(3 * MEBIBYTE)
        self.server.pages |= {
            "/a.png": Page(large), "/moved.png": Page(b"", 302, fields={"location": "/a.png"}), "/secret": Page(b"password", type="image/png"),
            "/endless.png": Page(PNG + bytes(11_000_000), announced=False), "/gone.png": Page(b"", 404),
            "/away.png": Page(b"", 302, fields={"location": "https://10.1.2.3/a.png"}), "/never.png": self.server.hang,
            "/gateway.png": Page(b"", 302, fields={"location": self.gateway.at().url("/livez", scheme="http")}),
        }
        url = self.server.url
        # Nothing is fetched before a push names it.
        self.content(url("/a.png"), 404)
        self.assertEqual(self.server.requests, [])
        for path in self.server.pages:
            self.apple.push(body={"aps": {"alert": "A"}, "image": url(path)})
        for path in ("/a.png", "/moved.png"):
            answer = self.content(url(path))
            self.assertEqual((answer.content == large, answer.headers["content-type"]), (True, "image/png"))
        reasons = {
            "/secret": "is not an image", "/endless.png": "more than 10000000 bytes", "/gone.png": "the status 404",
            "/away.png": "10.1.2.3 is not this machine", "/gateway.png": "localhost is this gateway",
        }
        for path, reason in reasons.items():
            self.assertIn(reason, self.content(url(path), 409).json()["error"]["message"])
        # A client that leaves is forgotten, and its file does not hold up the next call.
        with self.assertRaises(httpx.ReadTimeout):
            self.api.get("/media/content", params={"url": url("/never.png")}, timeout=0.3)
        self.assertEqual(self.content(url("/a.png")).content, large)
        self.assertLessEqual({request.method for request in self.server.requests}, {"GET"})

    def test_the_media_table_comes_first(self) -> None:
        self.server.pages["/a.png"] = Page()
        url = self.server.url("/a.png")
        self.ask("PUT", "/media", {"url": url, "contentType": "text/html", "size": 5}, 204)
        self.check("ios", url, "ios.attachment-content", "20003: the content does not match the type", size=5)
        self.assertEqual(self.server.requests, [])

    def test_no_credentials_and_no_cookies(self) -> None:
        self.server.pages["/a.png"] = Page(fields={"set-cookie": "a=b; path=/"})
        for _ in range(2):
            self.check("android", self.server.url("/a.png"), "android.image")
        fields = [set(request.fields) for request in self.server.requests]
        self.assertEqual(fields, [{"host", "accept", "user-agent"}] * 2)
        url = self.server.url("/a.png").replace("http://", "http://user:password@")
        self.check("android", url, "fetch.skipped", "the URL contains a user name, and no credentials are sent")
        self.assertEqual(len(self.server.requests), 2)

    def test_a_server_that_never_answers(self) -> None:
        """The phone's own limit counts on the gateway's clock."""
        self.server.pages["/never.png"] = self.server.hang
        url = self.server.url("/never.png")
        for platform, seconds, kind, why in (("android", 5, "attachment", "android.image-slow"), ("ios", 30, "extension", "ios.extension-timeout")):
            device = self.device(platform, **FIREBASE if platform == "ios" else {})
            if platform == "ios":
                self.apple.push(token=token_of(device), body={"aps": {"alert": {"title": "T"}, "mutable-content": 1}, "fcm_options": {"image": url}})
            else:
                self.google.send(token=token_of(device, "fcm"), notification={"title": "T", "image": url})
            self.until(lambda: bool(self.server.requests))
            self.server.requests.clear()
            self.assertEqual(self.ask("GET", f"/devices/{device['id']}/shade")["shade"], [])
            move_clock(self.gateway, advance=f"{seconds}s")
            (shown,) = self.ask("GET", f"/devices/{device['id']}/shade")["shade"]
            self.assertNotIn("image", shown)
            self.assertEqual(self.events(f"kind={kind}")[-1]["why"], why)

    def test_an_address_without_a_server(self) -> None:
        with WebServer() as server:
            url = server.url("/a.png")
        port = url.split(":")[2].split("/")[0]
        self.check("android", url, "fetch.failed", f"Failed to download image: cannot connect to localhost:{port}")


class EndedFetching(APICase):
    arguments = ("--fetch-media", "loopback", "--drain-timeout", "100ms")

    def test_a_gateway_ends_although_a_file_never_comes(self) -> None:
        server = self.enterContext(WebServer())
        server.pages["/never.png"] = server.hang
        url = server.url("/never.png")
        self.apple.push(body={"aps": {"alert": "A"}, "image": url})
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(self.api.get, "/media/content", params={"url": url})
            self.until(lambda: bool(server.requests))
            self.gateway.process.send_signal(signal.SIGTERM)
            self.assertEqual(self.gateway.process.wait(PATIENCE), 0)
            self.assertEqual(call.result().json()["error"]["code"], "goingDown")


class SecureFetching(APICase):
    arguments = ("--fetch-media", "loopback")

    def image(self, url: str) -> Fields:
        device = self.device("android")
        self.google.send(token=token_of(device, "fcm"), notification={"title": "T", "image": url})
        self.until(lambda: bool(self.events("kind=presented")))
        (event,) = self.events("kind=attachment")
        return event

    def test_the_gateways_authority_is_trusted(self) -> None:
        certificates = self.gateway.certificates
        with WebServer((str(certificates / "server.pem"), str(certificates / "server-key.pem"))) as server:
            server.pages["/a.png"] = Page()
            self.assertEqual(self.image(server.url("/a.png"))["why"], "android.image")

    def test_another_authority_is_not(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            self.assertEqual(program("init", "--certs", directory).returncode, 0)
            with WebServer((f"{directory}/server.pem", f"{directory}/server-key.pem")) as server:
                server.pages["/a.png"] = Page()
                event = self.image(server.url("/a.png"))
        self.assertEqual(event["why"], "fetch.failed")
        self.assertRegex(event["data"]["message"], "^Failed to download image: SSL certificate problem")
        self.assertEqual(server.requests, [])
