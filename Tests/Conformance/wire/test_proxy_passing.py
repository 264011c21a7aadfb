"""Connections through the proxy to other hosts, with --proxy-pass."""
from __future__ import annotations

import socket
import subprocess
from threading import Thread

from gateway import BINARY, PATIENCE, Gateway, environment
from http1_client import Connection
from test_proxy import Proxy, connect


def echo() -> socket.socket:
    """A server of another host: it says back what it hears, and ends when the client does."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(peer: socket.socket) -> None:
        with peer:
            while heard := peer.recv(1 << 16):
                peer.sendall(heard)

    def accept() -> None:
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            Thread(target=serve, args=(peer,), daemon=True).start()

    Thread(target=accept, daemon=True).start()
    return listener


class PassingOn(Proxy):
    options = ("--proxy-pass",)

    def setUp(self) -> None:
        self.server = self.enterContext(echo())
        self.target = f"localhost:{self.server.getsockname()[1]}"

    def check_echo(self, opened: Connection, size: int) -> None:
        said = bytes(range(256)) * (size // 256)
        opened.socket.settimeout(PATIENCE)
        writer = Thread(target=lambda: (opened.socket.sendall(said), opened.socket.shutdown(socket.SHUT_WR)))
        writer.start()
        heard = opened.buffer
        while chunk := opened.socket.recv(1 << 16):
            heard += chunk
        writer.join()
        self.assertEqual((len(heard), heard == said), (len(said), True))

    def relay(self, opened: Connection) -> None:
        opened.send(connect(self.target).replace("\n", "\r\n"), "\r\n\r\n")
        opened._until(lambda: b"\r\n\r\n" in opened.buffer)
        head, _, opened.buffer = opened.buffer.partition(b"\r\n\r\n")
        self.assertEqual(head, b"HTTP/1.1 200 Connection established")

    def test_bytes_come_back_until_the_client_ends(self) -> None:
        for size in (256, 8 << 20):
            with self.subTest(size):
                opened = self.open()
                self.relay(opened)
                self.check_echo(opened, size)

    def test_through_another_proxy(self) -> None:
        at = self.gateway.at()
        for scheme in ("http://", ""):
            with Gateway("--proxy-pass", variables={"HTTPS_PROXY": f"{scheme}{at.host}:{at.port}"}) as first:
                with Connection(first.at().connect()) as opened:
                    self.relay(opened)
                    self.check_echo(opened, 1 << 20)

    def test_hosts_that_cannot_be_reached(self) -> None:
        bound = self.enterContext(socket.socket())
        bound.bind(("127.0.0.1", 0))
        # A label of a name has at most 63 characters, so no name server is asked.
        name = "a" * 64 + ".invalid:443"
        for target, reason in ((f"127.0.0.1:{bound.getsockname()[1]}", "connection refused"), (name, "cannot be looked up")):
            opened = self.open()
            answer = opened.ask(connect(target))
            self.assertEqual(answer.status, 502)
            self.assertIn(f"Pushpit has no connection to {target}: ", answer.body.decode())
            self.assertIn(reason, answer.body.decode())

    def test_push_hosts_are_never_passed_on(self) -> None:
        self.assertEqual(self.open().ask(connect("storage.googleapis.com:443")).status, 403)
        self.assertTrue(self.curl("https://fcm.googleapis.com/x").stdout.endswith("404 2 200"))

    def test_a_proxy_that_is_not_http_is_refused_at_the_start(self) -> None:
        done = subprocess.run(
            [BINARY, "serve", "--proxy-pass"], env=environment({"HTTPS_PROXY": "socks5://a:1"}), timeout=PATIENCE,
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 64)
        self.assertIn("HTTPS_PROXY 'socks5://a:1' is not a plain HTTP proxy", done.stderr)
