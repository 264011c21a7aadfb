"""The options about requests that the gateway sends: --fetch-media and --postback, and a machine without libcurl."""
from __future__ import annotations

import tempfile
from pathlib import Path

import httpx

from api_case import APICase, Fields, token_of
from control import call
from gateway import Gateway, program
from preload import preload
from web_server import Page, WebServer


class Settings(APICase):
    """Other gateways than the usual one; this one is only for its calls."""

    def attachment(self, gateway: Gateway, url: str, headers: Fields | None = None) -> Fields:
        """What an Android phone of that gateway says of the image."""
        with httpx.Client(base_url=gateway.at().url("", scheme="http"), headers=headers) as client:
            device = client.post("/api/v1/devices", json={"platform": "android", "app": "a"}).json()["devices"][0]
            message = {"token": token_of(device, "fcm"), "notification": {"title": "T", "image": url}}
            sent = client.post("/v1/projects/p/messages:send", json={"message": message}, headers={"authorization": "Bearer x"})
            self.assertEqual(sent.status_code, 200, sent.text)
            lines = client.get(f"/api/v1/events?since=0&kind=attachment&limit=1&device={device['id']}", headers={"accept": "application/x-ndjson"})
            return lines.json()

    def test_the_default_and_off(self) -> None:
        with WebServer() as server:
            server.pages["/a.png"] = Page()
            url = server.url("/a.png")
            # An empty variable counts as not set.
            usual = {"PUSHPIT_FETCH_MEDIA": ""}
            with Gateway(variables=usual) as gateway:
                self.assertEqual(self.attachment(gateway, url)["why"], "android.image")
            with Gateway(variables=usual) as gateway:
                event = self.attachment(gateway, "https://example.com/a.png")
                self.assertEqual(event["data"]["message"], "example.com is not this machine, and --fetch-media is 'loopback'")
            server.requests.clear()
            with Gateway(variables={"PUSHPIT_FETCH_MEDIA": "off"}) as gateway:
                self.assertEqual(self.attachment(gateway, url)["data"], {"url": url, "outcome": "skipped"})
            with Gateway("--listen", "0.0.0.0:0", "--api-token", "secret", variables=usual) as gateway:
                event = self.attachment(gateway, url, {"authorization": "Bearer secret", "host": "localhost"})
                self.assertEqual(event["data"], {"url": url, "outcome": "skipped"})
            self.assertEqual(server.requests, [])
            with Gateway("--listen", "0.0.0.0:0", "--api-token", "secret", "--fetch-media", "loopback") as gateway:
                event = self.attachment(gateway, url, {"authorization": "Bearer secret", "host": "localhost"})
                self.assertEqual(event["why"], "android.image")

    def test_proxies_and_netrc_are_not_used(self) -> None:
        with WebServer() as server, tempfile.TemporaryDirectory() as home:
            server.pages["/a.png"] = Page()
            Path(home, ".netrc").write_text("default login user password secret\n")
            dead = "http://127.0.0.1:1"
            variables = {"HOME": home, "http_proxy": dead, "HTTPS_PROXY": dead, "ALL_PROXY": dead}
            for mode in ("loopback", "on"):
                with Gateway("--fetch-media", mode, variables=variables) as gateway:
                    self.assertEqual(self.attachment(gateway, server.url("/a.png"))["why"], "android.image")
            self.assertNotIn("authorization", server.requests[0].fields | server.requests[1].fields)

    def test_link_local_addresses_are_never_fetched_from(self) -> None:
        with Gateway("--fetch-media", "on") as gateway:
            event = self.attachment(gateway, "https://169.254.169.254/latest/a.png")
            self.assertEqual(event["why"], "fetch.skipped")
            self.assertEqual(event["data"]["message"], "169.254.169.254 has a link-local, multicast or reserved address, from which nothing is fetched")

    def test_without_libcurl_one_sentence_says_what_to_install(self) -> None:
        with tempfile.TemporaryDirectory() as directory, WebServer() as server:
            hidden = preload(Path(__file__).parents[1] / "fixtures/no_libcurl.c", Path(directory))
            with Gateway("--fetch-media", "loopback", variables=hidden) as gateway:
                for _ in range(2):
                    event = self.attachment(gateway, server.url("/a.png"))
                    self.assertEqual(event["why"], "fetch.skipped")
                    self.assertRegex(event["data"]["message"], r"^libcurl can't be used \(.*\): install libcurl4 \(Debian, Ubuntu\) or libcurl \(Fedora, Alpine\)$")
                gateway.wait_for_log("warning cannot fetch media because=")
                self.assertEqual(gateway.log.count("cannot fetch media"), 1)
            for option in ("--webhook", "--postback"):
                done = program("serve", "--listen", "127.0.0.1:0", "--certs", f"{directory}/certs", option, server.url("/"), variables=hidden)
                self.assertEqual(done.returncode, 69)
                self.assertRegex(done.stderr, r"^pushpit: --webhook and --postback need libcurl: .* install libcurl4")

    def test_reports_go_to_the_users_collector_too(self) -> None:
        with WebServer() as server:
            server.pages["/campaign/r/"] = Page(b"", type=None)
            with Gateway("--postback", server.url("/campaign")) as gateway:
                _, made = call(gateway, "POST", "/devices", {"platform": "android", "app": "a", "tracking": {"profile": "adobe", "ecid": "e1"}})
                data = {"_mId": "h1685a5", "_dId": "d57fd6", "title": "T"}
                message = {"token": token_of(made["devices"][0], "fcm"), "data": data}
                self.send(gateway, message)
                self.until(lambda: bool(server.requests))
                (request,) = server.requests
                self.assertEqual((request.method, request.path), ("GET", "/campaign/r/?id=h1685a5,d57fd6,7&mcId=e1"))
                self.assertEqual(request.fields["content-type"], "application/json")
                # A report of a real app is not passed on, because that app can send it itself.
                call(gateway, "GET", "/stats")
                _, tracking = call(gateway, "GET", "/tracking")
                self.assertEqual([hit["action"] for hit in tracking["hits"]], ["7"])

    @staticmethod
    def send(gateway: Gateway, message: Fields) -> None:
        url = gateway.at().url("/v1/projects/p/messages:send", scheme="http")
        httpx.post(url, json={"message": message}, headers={"authorization": "Bearer x"}).raise_for_status()
