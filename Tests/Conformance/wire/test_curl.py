"""curl and nghttp as installed: every version of HTTP on one port, in clear text and over TLS."""
from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar

from gateway import TOKEN, TOPIC, Gateway

# Scheme, curl's option, and the version of the answer: in clear text curl upgrades only if the server offers it.
WAYS = [
    ("https", "--http1.1", "1.1"), ("https", "--http2", "2"), ("https", "--http2-prior-knowledge", "2"),
    ("http", "--http1.1", "1.1"), ("http", "--http2", "1.1"), ("http", "--http2-prior-knowledge", "2"),
    ("https", "--http1.0", "1.1"), ("http", "--http1.0", "1.1"),
]
PAGES = [
    ("/livez", b"ok\n"), ("/readyz", b"ok\n"), ("/metrics", b"# HELP pushpit_pushes_accepted_total "), ("/", b"<!doctype html>"),
]
BODY = '{"aps":{"alert":"Hello"}}'
PUSH = f"/3/device/{TOKEN}"


class Clients(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def curl(self, scheme: str, path: str, *arguments: str) -> tuple[int, str, bytes]:
        """Returns status, version and body."""
        done = subprocess.run(
            ["curl", "-s", "--max-time", "10", "--cacert", self.gateway.authority, *arguments,
             "-w", "\n%{http_code} %{http_version}", self.gateway.at().url(path, scheme=scheme)],
            capture_output=True, check=True)
        body, _, tail = done.stdout.rpartition(b"\n")
        status, version = tail.decode().split()
        return int(status), version, body


class Curl(Clients):
    def test_every_page_over_every_version_in_clear_text_and_tls(self) -> None:
        for scheme, flag, version in WAYS:
            for path, beginning in PAGES:
                with self.subTest(path, scheme=scheme, flag=flag):
                    status, got, body = self.curl(scheme, path, flag)
                    self.assertEqual((status, got), (200, version))
                    self.assertTrue(body.startswith(beginning), body[:100])

    def test_a_push_by_http_2(self) -> None:
        for scheme, flag, version in WAYS:
            if version != "2":
                continue
            with self.subTest(scheme, flag=flag):
                certificate = ["--cert", self.gateway.client_certificate] if scheme == "https" else []
                status, got, body = self.curl(scheme, PUSH, flag, *certificate, "-H", f"apns-topic: {TOPIC}", "-d", BODY)
                expected = (200, b"") if certificate else (403, b'{"reason":"MissingProviderToken"}')
                self.assertEqual(((status, body), got), (expected, version))

    def test_a_push_over_http_1_gets_a_hint(self) -> None:
        for scheme, flag, version in WAYS:
            if version == "2":
                continue
            with self.subTest(scheme, flag=flag):
                status, got, body = self.curl(scheme, PUSH, flag, "-d", BODY)
                self.assertEqual((status, got), (505, version))
                self.assertRegex(body.decode(), r"\A[^\n]*\bcurl\b[^\n]*--http2\b[^\n]*\.\n\Z")

    def test_several_requests_use_one_connection(self) -> None:
        for flag in ("--http1.1", "--http2"):
            url = self.gateway.at().url("/livez")
            done = subprocess.run(
                ["curl", "-s", "--max-time", "10", "--cacert", self.gateway.authority, flag,
                 "-w", "%{num_connects}\n", url, url, url],
                capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout.split(), ["ok", "1", "ok", "0", "ok", "0"], flag)

    def test_the_command_of_the_banner_works_unchanged(self) -> None:
        lines = self.gateway.banner.splitlines()
        first = next(number for number, line in enumerate(lines) if line.strip().startswith("curl "))
        command = "\n".join(lines[first : first + 3])
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.stdout.splitlines()[0].strip(), "HTTP/2 200", done.stderr)


@unittest.skipUnless(shutil.which("nghttp"), "nghttp is not installed (Debian: nghttp2-client)")
class Nghttp(Clients):
    def nghttp(self, url: str, *arguments: str) -> str:
        with tempfile.TemporaryDirectory(prefix="pushpit-") as directory:
            file = Path(directory) / "body"
            file.write_text(BODY)
            done = subprocess.run(
                ["nghttp", "-v", "-t", "10", f"--data={file}", "-H:method: POST", f"-Hapns-topic: {TOPIC}", *arguments, url],
                capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_push(self) -> None:
        certificate = self.gateway.client_certificate
        shown = self.nghttp(self.gateway.at().url(PUSH), f"--cert={certificate}", f"--key={certificate}")
        self.assertRegex(shown, r"recv \(stream_id=\d+\) :status: 200\n")
        self.assertRegex(shown, r"recv \(stream_id=\d+\) apns-id: [0-9A-F-]{36}\n")

    def test_a_push_in_clear_text(self) -> None:
        shown = self.nghttp(self.gateway.at().url(PUSH, scheme="http"))
        self.assertRegex(shown, r"recv \(stream_id=\d+\) :status: 403\n")
        self.assertIn('{"reason":"MissingProviderToken"}', shown)

    def test_ten_pushes_at_once(self) -> None:
        certificate = self.gateway.client_certificate
        shown = self.nghttp(self.gateway.at().url(PUSH), f"--cert={certificate}", f"--key={certificate}", "-m", "10")
        self.assertEqual(shown.count(":status: 200\n"), 10)
