"""SIGTERM drains and ends, a second one ends immediately; SIGHUP loads new certificates."""
from __future__ import annotations

import shutil
import signal
import ssl
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from gateway import PATIENCE, Gateway, program
from h2_client import BODY, Client, FrameType, encode, fields, frames, get
from http1_client import Connection

LONG = ("--drain-timeout", "60s")
# Seconds, less than the default drain timeout.
BELOW_DEFAULT = 4
# An HTTP/1.1 request whose body is held back.
HELD = "GET /livez HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\n"


class Terminate(unittest.TestCase):
    def started(self, *arguments: str) -> Gateway:
        return self.enterContext(Gateway(*arguments))

    def unfinished_push(self, gateway: Gateway) -> Client:
        """A push whose body is not sent yet, on a connection whose SETTINGS are exchanged."""
        client = self.enterContext(Client(gateway.tls("h2", certificate=True)))
        client.start()
        client.send(frames.headers(1, encode(fields()), end_stream=False))
        client.ping()
        return client

    def terminate(self, gateway: Gateway, number: signal.Signals = signal.SIGTERM) -> None:
        gateway.process.send_signal(number)

    def assert_ends(self, gateway: Gateway) -> None:
        """With status 0, long before the drain timeout of a minute or an hour that most of these gateways have."""
        self.assertEqual(gateway.process.wait(PATIENCE), 0)

    def wait_for_goaway(self, client: Client) -> None:
        client.wait(lambda: any(frame.kind == FrameType.GOAWAY for frame in client.frames))

    def test_sigterm_and_sigint_end_it_with_0(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                gateway = self.started(*LONG)
                self.terminate(gateway, number)
                self.assert_ends(gateway)

    def test_connections_without_a_request_do_not_delay_the_end(self) -> None:
        gateway = self.started(*LONG)
        client = self.enterContext(Client(gateway.tls("h2")))
        client.start()
        client.ping()
        plain = self.enterContext(Connection(gateway.at().connect()))
        self.assertEqual(plain.ask("GET /livez HTTP/1.1\nhost: localhost").status, 200)
        silent = self.enterContext(gateway.at().connect())
        self.terminate(gateway)
        self.wait_for_goaway(client)
        said = next(frame for frame in client.frames if frame.kind == FrameType.GOAWAY)
        self.assertEqual(said.payload[8:], b'{"reason":"Shutdown"}')
        self.assertEqual(plain.read_to_end(), b"")
        self.assert_ends(gateway)
        self.assertEqual(silent.recv(1), b"")

    def test_an_unfinished_body_may_still_be_sent(self) -> None:
        gateway = self.started(*LONG)
        plain = self.enterContext(Connection(gateway.at().connect()))
        plain.send(HELD, "he")
        client = self.unfinished_push(gateway)
        self.terminate(gateway)
        self.wait_for_goaway(client)
        client.send(frames.data(1, BODY))
        self.assertEqual(client.answer(1).status, 200)
        self.assertTrue(gateway.is_running)
        plain.send("llo")
        answer = plain.read()
        self.assertEqual((answer.status, answer["connection"]), (200, "close"))
        self.assertEqual(plain.read_to_end(), b"")
        self.assert_ends(gateway)

    def test_the_second_signal_ends_it_immediately(self) -> None:
        holds: list[tuple[str, Callable[[Gateway], object]]] = [
            ("an open stream", lambda gateway: None),
            ("a body too", lambda gateway: self.enterContext(Connection(gateway.at().connect())).send(HELD, "he")),
        ]
        for name, hold in holds:
            with self.subTest(name):
                gateway = self.started("--drain-timeout", "1h")
                hold(gateway)
                client = self.unfinished_push(gateway)
                self.terminate(gateway)
                self.wait_for_goaway(client)
                self.assertTrue(gateway.is_running)
                self.terminate(gateway)
                self.assert_ends(gateway)

    def test_the_drain_timeout_ends_it(self) -> None:
        gateway = self.started("--drain-timeout", "300ms")
        client = self.unfinished_push(gateway)
        self.terminate(gateway)
        self.wait_for_goaway(client)
        self.assertEqual(gateway.process.wait(BELOW_DEFAULT), 0)


def replace(*names: str) -> Callable[[Path, Path], None]:
    """Copies files of another set over ours."""
    def copy(ours: Path, others: Path) -> None:
        for name in names:
            shutil.copyfile(others / name, ours / name)
    return copy


def garbage(name: str) -> Callable[[Path, Path], None]:
    return lambda ours, others: (ours / name).write_bytes(b"garbage\n") and None


BROKEN: list[tuple[str, Callable[[Path, Path], None]]] = [
    ("an invalid certificate", garbage("server.pem")),
    ("an invalid key", garbage("server-key.pem")),
    ("another certificate's key", replace("server-key.pem")),
    ("a certificate of another authority", replace("server.pem", "server-key.pem")),
]


class HangUp(unittest.TestCase):
    others: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.others = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pushpit-"))) / "other"
        assert program("init", "--certs", str(cls.others)).returncode == 0

    def certificate(self, gateway: Gateway) -> str:
        """The certificate that a new connection gets, without checking it."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with context.wrap_socket(gateway.at().connect()) as shown:
            return ssl.DER_cert_to_PEM_cert(shown.getpeercert(binary_form=True) or b"").strip()

    def test_new_connections_get_the_new_certificate_and_old_connections_stay(self) -> None:
        gateway = self.enterContext(Gateway())
        old = self.enterContext(Client(gateway.tls("h2")))
        old.start()
        first = (gateway.certificates / "server.pem").read_text().strip()
        self.assertEqual(self.certificate(gateway), first)
        replace("ca.pem", "server.pem", "server-key.pem")(gateway.certificates, self.others)
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for_log("certificates reloaded")
        second = (self.others / "server.pem").read_text().strip()
        self.assertNotEqual(first, second)
        self.assertEqual(self.certificate(gateway), second)
        new = self.enterContext(Client(gateway.tls("h2")))
        new.start()
        for client in (new, old):
            client.send(get(1))
            self.assertEqual(client.answer(1).status, 200)

    def test_unusable_files_change_nothing_and_are_logged(self) -> None:
        for name, damage in BROKEN:
            with self.subTest(name):
                gateway = self.enterContext(Gateway())
                before = self.certificate(gateway)
                damage(gateway.certificates, self.others)
                gateway.process.send_signal(signal.SIGHUP)
                gateway.wait_for_log("cannot reload certificates")
                self.assertIn(" error ", gateway.log)
                self.assertIn(str(gateway.certificates / "server"), gateway.log)
                self.assertEqual(self.certificate(gateway), before)

    def test_the_next_signal_can_load_repaired_files(self) -> None:
        gateway = self.enterContext(Gateway())
        garbage("server.pem")(gateway.certificates, self.others)
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for_log("cannot reload certificates")
        replace("ca.pem", "server.pem", "server-key.pem")(gateway.certificates, self.others)
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for_log("certificates reloaded")
        self.assertEqual(self.certificate(gateway), (self.others / "server.pem").read_text().strip())
