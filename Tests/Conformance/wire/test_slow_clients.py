"""Clients that are slow, silent or half closed, or that never read: what they get, and that they do not harm others."""
from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import time
import unittest

from device_client import IPHONE, handshake
from gateway import BINARY, PATIENCE, Address, Gateway, environment, shared_credentials
from h2_client import Client, FrameType, Setting, encode, frames, push
from http1_client import Connection
from websocket_frames import CLOSE, PING, PONG, TEXT, read_frame
from websocket_frames import BINARY as BINARY_FRAME
from websocket_frames import frame as socket_frame

# Google's page for unknown paths repeats the path and writes each quote as six bytes.
LONG = b"/v1/" + b'"' * 6000


def request(last: bool = False) -> bytes:
    return b"GET " + LONG + b" HTTP/1.1\r\nHost: localhost\r\n" + (b"Connection: close\r\n" if last else b"") + b"\r\n"


def with_small_buffer(address: Address) -> socket.socket:
    """A client whose kernel buffers only a few kilobytes that it has not read."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.settimeout(PATIENCE)
    plain.connect((address.host, address.port))
    return plain


def wait_for_head_timeout(gateway: Gateway) -> None:
    """Until another client, which starts a request head now and never finishes it, has its 408."""
    with Connection(gateway.at().connect()) as waiting:
        waiting.send(b"GET /livez HTTP/1.1\r\n")
        assert waiting.read().status == 408


def send_until_closed(connection: Connection, piece: bytes) -> None:
    """Sends the piece ten times a second until the gateway answers or closes the connection."""
    deadline = time.monotonic() + PATIENCE
    while not select.select([connection.socket], [], [], 0.1)[0]:
        if time.monotonic() > deadline:
            raise AssertionError("the connection was neither answered nor closed")
        connection.send(piece)


class SlowClients(unittest.TestCase):
    def test_a_head_that_comes_slowly_times_out(self) -> None:
        with Gateway("--head-timeout", "500ms") as gateway:
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ")
                send_until_closed(connection, b"a")
                self.assertEqual(connection.read().status, 408)
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"\x16\x03\x01\x02\x00\x01\x00")
                send_until_closed(connection, b"\x00")
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"P")
                send_until_closed(connection, b"")

    def test_the_stall_timeout_and_not_the_head_timeout_is_for_bodies(self) -> None:
        begun_post = b"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"
        with Gateway("--head-timeout", "200ms", "--stall-timeout", "1h") as gateway:
            with Connection(gateway.at().connect()) as connection:
                connection.send(begun_post)
                wait_for_head_timeout(gateway)
                self.assertTrue(connection.is_silent)
        with Gateway("--head-timeout", "1h", "--stall-timeout", "200ms") as gateway:
            with Connection(gateway.at().connect()) as connection:
                connection.send(begun_post)
                self.assertEqual(connection.read().status, 408)

    def test_a_client_that_reads_late_gets_the_whole_last_answer(self) -> None:
        with Gateway("--log-level", "none", "--head-timeout", "2s") as gateway:
            with Connection(with_small_buffer(gateway.at())) as connection:
                connection.send(request() * 99, request(last=True))
                wait_for_head_timeout(gateway)
                self.assertEqual(connection.read_to_end().count(b"HTTP/1.1 404"), 100)

    def test_a_client_that_has_closed_its_side_gets_all_answers(self) -> None:
        with Gateway("--log-level", "none", "--head-timeout", "300ms") as gateway:
            with Connection(with_small_buffer(gateway.at())) as connection:
                connection.send(request() * 100)
                connection.socket.shutdown(socket.SHUT_WR)
                wait_for_head_timeout(gateway)
                pages = connection.read_to_end().split(b"HTTP/1.1 404")[1:]
                self.assertEqual([len(page) for page in pages], [len(pages[0])] * 100)

    def test_a_client_that_never_reads_is_disconnected(self) -> None:
        with Gateway("--stall-timeout", "500ms", "--log-level", "none") as gateway:
            with Connection(with_small_buffer(gateway.at())) as connection:
                connection.send(request() * 99, request(last=True))
                self.wait_until_open(gateway, 1)

    def wait_until_open(self, gateway: Gateway, count: int) -> None:
        """Until that many connections are open, including the one that asks."""
        deadline = time.monotonic() + PATIENCE
        with Connection(gateway.at().connect()) as asking:
            while time.monotonic() < deadline:
                page = asking.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
                if f"pushpit_connections_open {count}\n" in page:
                    return
        self.fail(page)


class UnreadOutput(unittest.TestCase):
    def test_the_newest_stream_limit_is_sent_when_the_client_acknowledges_the_others(self) -> None:
        """Each accepted push raises the limit and each refused push lowers it. Unacknowledged SETTINGS do not pile up."""
        with Gateway("--listen", "apns=127.0.0.1:0") as gateway, Client(gateway.at("apns").connect()) as client:
            client.start(acknowledge=False)
            for n in range(41):
                client.send(push(1 + 2 * n, bearer=n % 2 == 0))
                client.answer(1 + 2 * n)
            self.assertEqual(len(client.limits), 8)
            client.acknowledge()
            client.wait(lambda: len(client.limits) == 9)
            self.assertEqual(client.limits[-1], 1000)

    def test_requests_are_answered_while_no_process_reads_the_log(self) -> None:
        process = subprocess.Popen(
            [BINARY, "--listen", "127.0.0.1:0", "--certs", shared_credentials().name], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment())
        self.addCleanup(self.end, process)
        assert process.stdout and process.stderr
        banner = ""
        while "A first push" not in banner:
            banner += os.read(process.stdout.fileno(), 65_536).decode()
        found = re.search(r"https://127\.0\.0\.1:(\d+)", banner)
        assert found
        address = Address("127.0.0.1", int(found[1]), "any")
        for _ in range(2000):
            with Connection(address.connect()) as connection:
                connection.send(b"BAD\r\n\r\n")
                self.assertIn(b"400", connection.read_to_end())
        os.read(process.stderr.fileno(), 1 << 20)
        with Connection(address.connect()) as connection:
            connection.send(b"BAD\r\n\r\n")
            connection.read_to_end()
        self.assertRegex(os.read(process.stderr.fileno(), 1 << 20).decode(), r"\d+ log lines were lost")

    def end(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        process.communicate(timeout=PATIENCE)


class BoundedMemory(unittest.TestCase):
    def test_answers_that_wait_for_a_window_use_bounded_memory(self) -> None:
        with Gateway("--log-level", "none") as gateway:
            before = gateway.resident_bytes
            pseudo = [(":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", LONG[:3900].decode())]
            for _ in range(8):
                client = self.enterContext(Client(gateway.at().connect()))
                client.send(frames.PREFACE, frames.settings((Setting.INITIAL_WINDOW_SIZE, 0)))
                client.send(*(frames.headers(1 + 2 * n, encode(pseudo)) for n in range(900)))
                client.wait(lambda client=client: any(f.kind == FrameType.RST_STREAM for f in client.frames))
            self.assertLess(gateway.resident_bytes - before, 60 << 20)

    def test_an_unfinished_message_on_a_device_socket_times_out(self) -> None:
        with Gateway("--stall-timeout", "500ms") as gateway:
            with Connection(gateway.at().connect()) as connection:
                self.assertEqual(connection.ask(handshake()).status, 101)
                hello = json.dumps({"type": "hello", "device": IPHONE})
                connection.send(socket_frame(TEXT, hello.encode()))
                read_frame(connection)
                connection.send(socket_frame(TEXT, b"x" * 1000, final=False))
                end = read_frame(connection)
                self.assertEqual((end.opcode, end.code), (CLOSE, 1008))


class Hellos(unittest.TestCase):
    ROWS = [
        ({"platform": "ios", "app": "a" * 257}, "/device/app"), ({"platform": "ios", "app": "a", "name": "n" * 10_000}, "/device/name"),
        ({"platform": "ios", "app": "a", "id": ""}, "/device/id"), ({"platform": "ios"}, "/device/app"),
        ({"app": "a"}, "/device/platform"), ({"platform": "ios", "app": "a", "environment": "test"}, "/device/environment"),
    ]

    def test_an_error_points_to_the_wrong_member_of_a_device(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            self.assertEqual(connection.ask(handshake()).status, 101)
            for device, pointer in self.ROWS:
                connection.send(socket_frame(TEXT, json.dumps({"type": "hello", "device": device}).encode()))
                said = json.loads(read_frame(connection).payload)
                self.assertEqual((said["type"], said.get("code"), said.get("pointer")), ("error", "badDevice", pointer))


class Heartbeat(unittest.TestCase):
    def connected_device(self, gateway: Gateway) -> Connection:
        connection = self.enterContext(Connection(gateway.at().connect()))
        self.assertEqual(connection.ask(handshake()).status, 101)
        connection.send(socket_frame(TEXT, json.dumps({"type": "hello", "device": IPHONE}).encode()))
        self.assertEqual(json.loads(read_frame(connection).payload)["heartbeat"], "1s")
        return connection

    def test_a_silent_socket_is_pinged_and_then_closed(self) -> None:
        with Gateway("--heartbeat", "1s") as gateway:
            silent, alive = self.connected_device(gateway), self.connected_device(gateway)
            self.assertEqual(read_frame(silent).opcode, PING)
            while silent.is_silent:
                if select.select([alive.socket, silent.socket], [], [], PATIENCE) == ([], [], []):
                    self.fail("neither socket was pinged or closed")
                if not alive.is_silent:
                    self.assertEqual(read_frame(alive).opcode, PING)
                    alive.send(socket_frame(PONG, b""))
            silent.read_to_end()
            alive.send(socket_frame(TEXT, b'{"type":"ping"}'))
            found = read_frame(alive)
            while found.opcode == PING:
                found = read_frame(alive)
            self.assertEqual(json.loads(found.payload), {"type": "pong"})

    def test_messages_after_our_close_are_ignored(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            self.assertEqual(connection.ask(handshake()).status, 101)
            hello = json.dumps({"type": "hello", "device": IPHONE}).encode()
            connection.send(socket_frame(BINARY_FRAME, b"binary"), socket_frame(TEXT, hello))
            self.assertEqual(read_frame(connection).code, 1003)
            with Connection(gateway.at().connect()) as asking:
                page = asking.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
            self.assertIn("pushpit_devices 0\n", page)
