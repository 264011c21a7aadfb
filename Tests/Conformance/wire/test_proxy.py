"""Pushpit as an HTTPS proxy: CONNECT to the vendors' host names, with curl and byte by byte."""
from __future__ import annotations

import base64
import ssl
import subprocess
import unittest
from typing import ClassVar

from gateway import PATIENCE, TOKEN, TOPIC, Gateway
from h2_client import Client, get
from http1_client import Connection

PUSH = f"/3/device/{TOKEN}"
BODY = '{"aps":{"alert":"Hello"}}'


def connect(target: str, *fields: str) -> str:
    return "\n".join([f"CONNECT {target} HTTP/1.1", f"Host: {target}", *fields])


class Proxy(unittest.TestCase):
    gateway: ClassVar[Gateway]
    options: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway(*cls.options))

    def open(self) -> Connection:
        return self.enterContext(Connection(self.gateway.at().connect()))

    def tunnel(self, host: str, *protocols: str, port: int = 443, name: str | None = None) -> ssl.SSLSocket:
        """TLS inside a tunnel to the host."""
        opened = self.open()
        opened.send(connect(f"{host}:{port}").replace("\n", "\r\n"), "\r\n\r\n")
        opened._until(lambda: b"\r\n\r\n" in opened.buffer)
        self.assertEqual(opened.buffer, b"HTTP/1.1 200 Connection established\r\n\r\n")
        context = ssl.create_default_context(cafile=self.gateway.authority)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        context.check_hostname = name != ""
        opened.socket.settimeout(PATIENCE)
        return self.enterContext(context.wrap_socket(opened.socket, server_hostname=host if name is None else name or None))

    def curl(self, url: str, *arguments: str, user: str = "") -> subprocess.CompletedProcess[str]:
        at = self.gateway.at()
        return subprocess.run(
            ["curl", "-sS", "--max-time", "10", "--proxy", f"http://{user}{at.host}:{at.port}",
             "--cacert", self.gateway.authority, "-w", "\n%{http_code} %{http_version} %{http_connect}", *arguments, url],
            capture_output=True, text=True)


class Tunnels(Proxy):
    def test_curl_pushes_to_apple(self) -> None:
        # A device belongs to the environment of its first push.
        for host, path in (("api.push.apple.com", PUSH), ("api.sandbox.push.apple.com", f"/3/device/{'0123abcd' * 8}")):
            for port in ("", ":2197"):
                with self.subTest(host, port=port):
                    done = self.curl(
                        f"https://{host}{port}{path}", "--cert", self.gateway.client_certificate,
                        "-H", f"apns-topic: {TOPIC}", "-d", BODY)
                    self.assertEqual(done.stdout, "\n200 2 200", done.stderr)

    def test_curl_sends_to_google_over_both_versions(self) -> None:
        for flag, version in (("--http1.1", "1.1"), ("--http2", "2")):
            with self.subTest(flag):
                done = self.curl(
                    "https://fcm.googleapis.com/v1/projects/p/messages:send", flag, "-H", "authorization: Bearer x",
                    "-H", "content-type: application/json", "-d", '{"message":{"topic":"news"}}')
                self.assertIn('"name": "projects/p/messages/', done.stdout)
                self.assertTrue(done.stdout.endswith(f"\n200 {version} 200"), done.stdout)

    def test_a_tunnel_behaves_as_its_host(self) -> None:
        for host, limit in (("api.push.apple.com", 1), ("fcm.googleapis.com", 100)):
            # Without SNI and ALPN, the target of the CONNECT decides.
            for protocols, name in ((("h2",), None), ((), None), ((), "")):
                with self.subTest(host, protocols=protocols, name=name):
                    client = Client(self.tunnel(host, *protocols, name=name))
                    client.start()
                    client.send(get(1))
                    self.assertEqual((client.limits[0], client.answer(1).status), (limit, 200))

    def test_apple_speaks_no_http_1(self) -> None:
        connected = self.tunnel("api.push.apple.com", "h2", "http/1.1")
        self.assertEqual(connected.selected_alpn_protocol(), "h2")

    def test_bytes_after_the_connect_in_the_same_packet(self) -> None:
        opened = self.open()
        request = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        opened.send(connect("fcm.googleapis.com:443").replace("\n", "\r\n"), "\r\n\r\n", request)
        opened._until(lambda: b"\r\n\r\n" in opened.buffer)
        _, _, opened.buffer = opened.buffer.partition(b"\r\n\r\n")
        self.assertEqual(opened.read().body, b"ok\n")

    def test_many_tunnels_one_after_the_other(self) -> None:
        for _ in range(50):
            with self.tunnel("fcm.googleapis.com", "http/1.1") as connected:
                connected.sendall(b"GET /x HTTP/1.1\r\nHost: fcm.googleapis.com\r\n\r\n")
                self.assertTrue(connected.recv(4096).startswith(b"HTTP/1.1 404 "))

    def test_absolute_urls(self) -> None:
        done = self.curl(
            "http://fcm.googleapis.com/v1/projects/p/messages:send", "-H", "authorization: Bearer x",
            "-H", "content-type: application/json", "-d", '{"message":{"topic":"news"}}')
        self.assertIn('"name": "projects/p/messages/', done.stdout)
        self.assertTrue(done.stdout.endswith("\n200 1.1 000"), done.stdout)

    def test_absolute_urls_of_other_hosts_are_no_pushes(self) -> None:
        rows = [("example.com", "not for example.com."), ("storage.googleapis.com", "does not imitate storage.googleapis.com")]
        for host, sentence in rows:
            with self.subTest(host):
                done = self.curl(f"http://{host}/v1/projects/p/messages:send", "-H", "authorization: Bearer x",
                                 "-H", "content-type: application/json", "-d", '{"message":{"topic":"news"}}')
                self.assertIn(sentence, done.stdout)
                self.assertTrue(done.stdout.endswith("\n403 1.1 000"), done.stdout)
        at = self.gateway.at()
        own = self.curl(f"http://{at.host}:{at.port}/livez")
        self.assertTrue(own.stdout.endswith("\n200 1.1 000"), own.stdout)

    def test_a_name_that_ends_in_a_dot(self) -> None:
        done = self.curl("https://FCM.googleapis.com./v1/projects/p/messages:send", "-k", "-H", "authorization: Bearer x",
                         "-H", "content-type: application/json", "-d", '{"message":{"topic":"news"}}')
        self.assertTrue(done.stdout.endswith("\n200 2 200"), done.stdout)

    def test_refusals_have_one_sentence(self) -> None:
        rows = [
            ("example.com:443", 403, "Pushpit is a proxy only for the push services of Apple, Google and Mozilla, not for example.com. If it is started with --proxy-pass, it also connects clients to other hosts.\n"),
            ("[::1]:443", 403, "Pushpit is a proxy only for the push services of Apple, Google and Mozilla, not for [::1]. If it is started with --proxy-pass, it also connects clients to other hosts.\n"),
            ("iamcredentials.googleapis.com:443", 403,
             "Pushpit does not imitate iamcredentials.googleapis.com, and passes nothing on to Apple, Google or Mozilla.\n"),
            ("api.push.apple.com:80", 403, "Pushpit answers for api.push.apple.com on ports 443 and 2197, not on port 80.\n"),
            ("api.push.apple.com", 400, "CONNECT needs a host and a port, as in 'CONNECT api.push.apple.com:443'.\n"),
        ]
        for target, status, sentence in rows:
            with self.subTest(target):
                opened = self.open()
                # What follows was meant for the tunnel, and is not read as a request.
                opened.send(connect(target).replace("\n", "\r\n"), "\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = opened.read()
                self.assertEqual((answer.status, answer.body.decode()), (status, sentence))
                self.assertEqual(answer["connection"], "close")
                self.assertEqual((opened.buffer, opened.socket.recv(100)), (b"", b""))

    def test_a_tunnel_contains_no_other(self) -> None:
        opened = self.open()
        request = connect("fcm.googleapis.com:443").replace("\n", "\r\n") + "\r\n\r\n"
        opened.send(request * 1000)
        opened._until(lambda: b"Open another connection" in opened.buffer)
        self.assertEqual(opened.buffer.count(b"HTTP/1.1 200 "), 1)
        self.assertEqual(opened.buffer.count(b"HTTP/1.1 403 "), 1)

    def test_a_host_name_of_10_kilobytes(self) -> None:
        self.assertEqual(self.open().ask(connect("a" * 10_000 + ".com:443")).status, 414)
        answer = self.open().ask(connect("a" * 3000 + ".com:443"))
        self.assertEqual(answer.status, 403)
        self.assertLess(len(answer.body), 300)

    def test_a_body_and_a_path_are_refused(self) -> None:
        self.assertEqual(self.open().ask(connect("api.push.apple.com:443", "Content-Length: 5")).status, 400)
        self.assertEqual(self.open().ask("CONNECT / HTTP/1.1\nHost: a").status, 400)

    def test_the_proxy_speaks_no_tls(self) -> None:
        with Connection(self.gateway.tls("http/1.1")) as opened:
            answer = opened.ask(connect("api.push.apple.com:443"))
            self.assertEqual(answer.status, 501)
            self.assertIn(b"http://", answer.body)


class WithToken(Proxy):
    options = ("--api-token", "secret")

    def test_the_token_is_the_password(self) -> None:
        for user, good in (("", False), ("any:wrong@", False), ("any:secret@", True), ("x:secret@", True)):
            with self.subTest(user):
                done = self.curl("https://fcm.googleapis.com/x", user=user)
                self.assertTrue(done.stdout.endswith("404 2 200" if good else "000 0 407"), done.stdout)

    def test_absolute_urls_need_the_token_too(self) -> None:
        for user, status in (("", "407"), ("any:secret@", "200")):
            done = self.curl("http://fcm.googleapis.com/v1/projects/p/messages:send", "-H", "authorization: Bearer x",
                             "-H", "content-type: application/json", "-d", '{"message":{"topic":"news"}}', user=user)
            self.assertTrue(done.stdout.endswith(f"\n{status} 1.1 000"), done.stdout)

    def test_the_refusal_says_how(self) -> None:
        wrong = base64.b64encode(b"any:wrong").decode()
        for fields in ((), (f"Proxy-Authorization: Basic {wrong}",), ("Authorization: Bearer secret",)):
            answer = self.open().ask(connect("api.push.apple.com:443", *fields))
            self.assertEqual((answer.status, answer["proxy-authenticate"]), (407, 'Basic realm="Pushpit"'))
            self.assertIn(b"HTTPS_PROXY=http://any:TOKEN@", answer.body)
