"""`pushpit ready` ends with 0 as soon as a gateway is ready, and with 69 if that takes too long."""
from __future__ import annotations

import socket
import threading
import unittest

from gateway import PATIENCE, Gateway, program

UNAVAILABLE = 69


class Ready(unittest.TestCase):
    def test_it_ends_with_0_when_the_gateway_is_up(self) -> None:
        listeners = ["--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--listen", "apns=127.0.0.1:0", "--listen", "fcm=127.0.0.1:0"]
        with Gateway(*listeners, "--api-token", "open-sesame") as gateway:
            for address in gateway.addresses:
                for url in (address.url("", scheme="http"), f"http://{address.host}:{address.port}"):
                    with self.subTest(url):
                        done = program("ready", "--url", url, "--wait", "5s")
                        self.assertEqual((done.returncode, done.stderr), (0, ""))
            twin = {"PUSHPIT_URL": gateway.addresses[0].url("", scheme="http"), "PUSHPIT_WAIT": "5s"}
            self.assertEqual(program("ready", variables=twin).returncode, 0)

    def test_it_accepts_a_slash_after_the_port(self) -> None:
        with Gateway() as gateway:
            self.assertEqual(program("ready", "--url", gateway.at().url("/", scheme="http")).returncode, 0)

    def test_it_gives_up_after_the_wait(self) -> None:
        closed = socket.create_server(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        closed.close()
        done = program("ready", "--url", url, "--wait", "200ms")
        self.assertEqual(done.returncode, UNAVAILABLE)
        self.assertIn(url, done.stderr)
        self.assertIn("200ms", done.stderr)

    def test_it_says_why_a_gateway_is_not_ready(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            url = f"http://127.0.0.1:{server.getsockname()[1]}"

            def refuse() -> None:
                while True:
                    try:
                        connection, _ = server.accept()
                    except OSError:
                        return
                    with connection:
                        connection.recv(1000)
                        connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 13\r\n\r\ndisk is full\n")

            threading.Thread(target=refuse, daemon=True).start()
            done = program("ready", "--url", url, "--wait", "200ms")
            server.shutdown(socket.SHUT_RDWR)
        self.assertEqual((done.returncode, done.stderr), (UNAVAILABLE, f"pushpit: the gateway at {url} is not ready: disk is full\n"))

    def test_a_name_may_become_known_later(self) -> None:
        # No name server is asked for such a name.
        done = program("ready", "--url", "http://gateway..test:2197", "--wait", "200ms")
        self.assertEqual(done.returncode, UNAVAILABLE, done.stderr)
        self.assertIn("gateway..test", done.stderr)

    def test_it_gives_up_on_a_silent_port(self) -> None:
        silent = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        done = program("ready", "--url", f"http://127.0.0.1:{silent.getsockname()[1]}", "--wait", "300ms")
        self.assertEqual(done.returncode, UNAVAILABLE)
        self.assertIn("300ms", done.stderr)

    def test_it_waits_for_a_gateway_that_is_not_ready_yet(self) -> None:
        """A server that answers 503 twice and then 200."""
        listener = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        lines = [b"HTTP/1.1 503 Not Yet", b"HTTP/1.1 503 Not Yet", b"HTTP/1.1 200 OK"]

        def serve() -> None:
            for line in lines:
                connected, _ = listener.accept()
                with connected:
                    connected.recv(65_536)
                    connected.sendall(line + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")

        listener.settimeout(PATIENCE)
        thread = threading.Thread(target=serve)
        thread.start()
        done = program("ready", "--url", f"http://127.0.0.1:{listener.getsockname()[1]}", "--wait", "5s")
        thread.join(PATIENCE)
        self.assertEqual(done.returncode, 0)
        self.assertFalse(thread.is_alive())
