"""TLS connections: versions, names, resumption, ends, input that is not TLS, and many connections at once."""
from __future__ import annotations

import asyncio
import random
import re
import signal
import ssl
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import ClassVar

from gateway import PATIENCE, Gateway, program
from h2_client import BODY, Client, FrameType, encode, fields, frames
from http1_client import Connection

REQUEST = "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"
VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
NAMES = [
    "localhost", "127.0.0.1", "::1", "api.push.apple.com", "api.sandbox.push.apple.com",
    "api.development.push.apple.com", "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
    "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    "fcm.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com", "fcmregistrations.googleapis.com",
    "www.googleapis.com", "accounts.google.com",
]
CONNECTIONS = 500
GARBAGE: list[tuple[str, bytes]] = [
    ("zeros", bytes(1000)),
    ("another protocol", b"SSH-2.0-OpenSSH_9.2p1\r\n"),
    ("a record of no type", b"\x16" + b"x" * 1000),
    ("a record of SSL 2", b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10" + b"\x00" * 40),
    ("an invalid handshake", b"\x16\x03\x01\x00\x28\x63\x00\x00\x24" + b"\x00" * 36),
    ("an alert", b"\x15\x03\x03\x00\x02\x02\x28"),
    ("random bytes", random.Random(1).randbytes(4096)),
    ("TLS and then noise", b"\x16\x03\x01\x02\x00" + random.Random(2).randbytes(4096)),
]


class TLSConnections(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--listen", "127.0.0.1:0", "--listen", "apns=127.0.0.1:0"))

    def context(self, version: ssl.TLSVersion) -> ssl.SSLContext:
        context = self.gateway.context("http/1.1")
        context.minimum_version = context.maximum_version = version
        return context

    def wrap(
        self, context: ssl.SSLContext, name: str = "localhost", session: ssl.SSLSession | None = None
    ) -> ssl.SSLSocket:
        plain = self.enterContext(self.gateway.at().connect())
        return self.enterContext(context.wrap_socket(plain, server_hostname=name, session=session))

    def assert_serves(self, tls: ssl.SSLSocket) -> None:
        connection = Connection(tls)
        connection.send(REQUEST)
        self.assertEqual(connection.read().status, 200)


class Handshakes(TLSConnections):
    def test_both_versions(self) -> None:
        for version, name in zip(VERSIONS, ("TLSv1.2", "TLSv1.3")):
            tls = self.wrap(self.context(version))
            self.assertEqual(tls.version(), name)
            self.assert_serves(tls)

    def test_an_older_version_is_refused_with_an_alert(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.load_verify_locations(self.gateway.authority)
        with warnings.catch_warnings(action="ignore"):
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises(ssl.SSLError) as caught:
            self.wrap(context)
        self.assertEqual(caught.exception.reason, "TLSV1_ALERT_PROTOCOL_VERSION")
        self.assert_serves(self.wrap(self.context(VERSIONS[1])))

    def test_each_name_gets_a_certificate_that_is_valid_for_it(self) -> None:
        for name in NAMES:
            with self.subTest(name):
                offers = ["h2"] if "apple" in name else ["http/1.1"]
                self.assertIsNotNone(self.enterContext(self.gateway.tls(*offers, name=name)).version())

    def test_an_unknown_name_gets_a_certificate_for_other_names(self) -> None:
        with self.assertRaises(ssl.SSLCertVerificationError) as caught:
            self.wrap(self.context(VERSIONS[1]), name="push.example")
        self.assertIn("Hostname mismatch", str(caught.exception))

    def test_sessions_are_resumed(self) -> None:
        for version in VERSIONS:
            context = self.context(version)
            first = self.wrap(context)
            self.assert_serves(first)
            self.assertFalse(first.session_reused)
            second = self.wrap(context, session=first.session)
            self.assertTrue(second.session_reused, version.name)
            self.assert_serves(second)

    def test_a_session_of_another_gateway_is_not_resumed(self) -> None:
        with Gateway(certificates=self.gateway.certificates) as other:
            context = self.context(VERSIONS[1])
            first = self.wrap(context)
            self.assert_serves(first)
            plain = self.enterContext(other.at().connect())
            second = self.enterContext(context.wrap_socket(plain, server_hostname="localhost", session=first.session))
            self.assertFalse(second.session_reused)
            self.assert_serves(second)

    def test_openssl_reconnects_with_its_session(self) -> None:
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{self.gateway.at().port}", "-CAfile", self.gateway.authority,
             "-verify_return_error", "-tls1_2", "-reconnect"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"^(New|Reused), TLSv1", done.stdout, re.MULTILINE), ["New", *["Reused"] * 5])

    def test_a_close_notify_is_answered(self) -> None:
        """A client that sends close_notify waits for the gateway's; asyncio waits half a minute."""
        for version in VERSIONS:
            with self.subTest(version.name):
                tls = self.wrap(self.context(version))
                self.assert_serves(tls)
                tls.unwrap()  # Waits until the gateway's close_notify has come, or until the socket's timeout.

    def test_a_certificate_of_another_authority_gets_goaway(self) -> None:
        """As at Apple, the handshake succeeds and GOAWAY follows with NO_ERROR and the reason; no push is accepted."""
        directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        self.assertEqual(program("init", "--certs", str(directory)).returncode, 0)
        context = self.gateway.context("h2")
        context.load_cert_chain(directory / "apns-client.pem")
        plain = self.gateway.at("apns").connect()
        client = self.enterContext(Client(context.wrap_socket(plain, server_hostname="localhost")))
        client.send(frames.PREFACE, frames.settings())
        client.send(frames.headers(1, encode(fields(bearer=False)), end_stream=False), frames.data(1, BODY))
        client.wait(lambda: 1 in client.answers or any(frame.kind == FrameType.GOAWAY for frame in client.frames))
        said = [frame for frame in client.frames if frame.kind == FrameType.GOAWAY]
        self.assertEqual([frame.payload for frame in said], [bytes(8) + b'{"reason":"BadCertificate"}'])
        self.assertRegex(self.gateway.log, r'rule=apns\.BadCertificate method=POST path=\S+ because="A different certificate authority signed')


class ManyConnections(TLSConnections):
    def test_garbage_is_disconnected_and_other_clients_are_served(self) -> None:
        for name, raw_bytes in GARBAGE:
            with self.subTest(name), Connection(self.gateway.at().connect()) as connection:
                connection.send(raw_bytes)
                try:
                    connection.read_to_end()
                except ConnectionResetError:
                    pass
                self.assert_serves(self.wrap(self.context(VERSIONS[1])))

    def test_five_hundred_connections_at_once(self) -> None:
        async def visit(context: ssl.SSLContext) -> str:
            port = self.gateway.at().port
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="localhost")
            writer.write(REQUEST.encode())
            line = await reader.readline()
            writer.transport.abort()
            return line.decode().strip()

        async def visit_all() -> list[str]:
            context = self.gateway.context("http/1.1")
            visits = asyncio.gather(*(visit(context) for _ in range(CONNECTIONS)))
            return await asyncio.wait_for(visits, 3 * PATIENCE)

        self.assertEqual(asyncio.run(visit_all()), ["HTTP/1.1 200 OK"] * CONNECTIONS)


class OwnCertificates(unittest.TestCase):
    """`server-NAME.pem` with `server-NAME-key.pem` is a certificate for other names."""

    def add(self, directory: Path, name: str, host: str) -> None:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}", "-out", str(directory / f"{name}.pem"),
             "-keyout", str(directory / f"{name}-key.pem")], check=True, capture_output=True)

    def shown(self, gateway: Gateway, name: str) -> list[str]:
        """The names in the certificate that a client gets for this host name."""
        context = ssl.create_default_context(cafile=gateway.authority)
        for path in gateway.certificates.glob("server-*.pem"):
            if not path.name.endswith("key.pem"):
                context.load_verify_locations(path)
        context.check_hostname = False
        with context.wrap_socket(gateway.at().connect(), server_hostname=name) as tls:
            found = tls.getpeercert() or {}
        return [str(value) for _, value in found["subjectAltName"]]

    def test_the_requested_name_selects_the_certificate(self) -> None:
        with Gateway() as gateway:
            self.add(gateway.certificates, "server-a", "a.example")
            self.assertIn("localhost", self.shown(gateway, "a.example"))
            self.add(gateway.certificates, "server-b", "*.b.example")
            gateway.process.send_signal(signal.SIGHUP)
            gateway.wait_for_log("certificates reloaded")
            self.assertEqual(self.shown(gateway, "a.example"), ["a.example"])
            self.assertEqual(self.shown(gateway, "push.b.example"), ["*.b.example"])
            for name in ("localhost", "c.example", "api.push.apple.com"):
                self.assertIn("localhost", self.shown(gateway, name))

    def test_an_unusable_certificate_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            certificates = Path(directory)
            self.assertEqual(program("init", "--certs", directory).returncode, 0)
            for name in ("server-a", "server-b"):
                self.add(certificates, name, "a.example")
            (certificates / "server-a-key.pem").unlink()
            self.refused(directory, "server-a-key.pem")
            (certificates / "server-b-key.pem").rename(certificates / "server-a-key.pem")
            self.refused(directory, "server-a.pem")

    def refused(self, directory: str, name: str) -> None:
        done = program("--listen", "127.0.0.1:0", "--certs", directory)
        self.assertEqual(done.returncode, 78)
        self.assertIn(name, done.stderr)
