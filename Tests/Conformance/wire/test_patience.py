"""What slow, silent, half-closed and forgetful peers get, and what they can't do to others."""
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
from gateway import BINARY, PATIENCE, Address, Gateway, environment, made_once
from h2_client import Client, FrameType, Setting, encode, frames, push
from http1_client import Connection
from websocket_frames import frame as socket_frame
from websocket_frames import read_frame

# Quotes come back six times as long in Google's page for paths that are not there.
LONG = b"/v1/" + b'"' * 6000


def request(last: bool = False) -> bytes:
    return b"GET " + LONG + b" HTTP/1.1\r\nHost: localhost\r\n" + (b"Connection: close\r\n" if last else b"") + b"\r\n"


def reader_of_little(address: Address) -> socket.socket:
    """A client whose kernel takes next to nothing ahead of it."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.settimeout(PATIENCE)
    plain.connect((address.host, address.port))
    return plain


def outlast(gateway: Gateway) -> None:
    """Until the gateway's own time for a head is up: another client has begun one and waits for its 408."""
    with Connection(gateway.at().connect()) as waiting:
        waiting.send(b"GET /livez HTTP/1.1\r\n")
        assert waiting.read().status == 408


def drip(connection: Connection, piece: bytes, every: float) -> float:
    """Sends a piece again and again until the gateway ends it; how long that took."""
    begun = time.monotonic()
    while time.monotonic() < begun + PATIENCE:
        if select.select([connection.socket], [], [], every)[0]:
            return time.monotonic() - begun
        connection.send(piece)
    raise AssertionError("never ended")


class SlowPeers(unittest.TestCase):
    def test_a_head_has_its_time_however_it_drips(self) -> None:
        with Gateway("--head-timeout", "500ms") as gateway:
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ")
                self.assertLess(drip(connection, b"a", 0.1), 3)
                self.assertEqual(connection.read().status, 408)
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"\x16\x03\x01\x02\x00\x01\x00")
                self.assertLess(drip(connection, b"\x00", 0.1), 3)
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"P")
                self.assertLess(drip(connection, b"", 0.1), 3)

    def test_a_body_has_the_stall_time_and_not_the_heads(self) -> None:
        with Gateway("--head-timeout", "200ms", "--stall-timeout", "2s") as gateway:
            with Connection(gateway.at().connect()) as connection:
                connection.send(b"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")
                begun = time.monotonic()
                self.assertEqual(connection.read().status, 408)
                self.assertGreater(time.monotonic() - begun, 1.5)

    def test_a_slow_reader_gets_all_of_the_last_answer(self) -> None:
        with Gateway("--log-level", "none", "--head-timeout", "2s") as gateway:
            with Connection(reader_of_little(gateway.at())) as connection:
                connection.send(request() * 99, request(last=True))
                outlast(gateway)
                self.assertEqual(connection.read_to_end().count(b"HTTP/1.1 404"), 100)

    def test_a_client_that_has_ended_its_side_gets_its_answers(self) -> None:
        with Gateway("--log-level", "none", "--head-timeout", "300ms") as gateway:
            with Connection(reader_of_little(gateway.at())) as connection:
                connection.send(request() * 100)
                connection.socket.shutdown(socket.SHUT_WR)
                outlast(gateway)
                pages = connection.read_to_end().split(b"HTTP/1.1 404")[1:]
                self.assertEqual([len(page) for page in pages], [len(pages[0])] * 100)

    def test_a_reader_that_never_reads_is_let_go(self) -> None:
        with Gateway("--stall-timeout", "500ms", "--log-level", "none") as gateway:
            with Connection(reader_of_little(gateway.at())) as connection:
                connection.send(request() * 99, request(last=True))
                self.wait_until_open(gateway, 1)

    def wait_until_open(self, gateway: Gateway, count: int) -> None:
        """Until so many connections are open, the one that asks among them."""
        deadline = time.monotonic() + PATIENCE
        with Connection(gateway.at().connect()) as asking:
            while time.monotonic() < deadline:
                page = asking.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
                if f"pushpit_connections_open {count}\n" in page:
                    return
        self.fail(page)


class Freezing(unittest.TestCase):
    def test_the_newest_limit_is_told_once_the_peer_acknowledges(self) -> None:
        """Each good push raises the limit and each bad one drops it: SETTINGS that nobody acknowledges don't pile up."""
        with Gateway("--listen", "apns=127.0.0.1:0") as gateway, Client(gateway.at("apns").connect()) as client:
            client.start(acknowledge=False)
            for n in range(41):
                client.send(push(1 + 2 * n, bearer=n % 2 == 0))
                client.answer(1 + 2 * n)
            self.assertEqual(len(client.limits), 8)
            client.acknowledge()
            client.wait(lambda: len(client.limits) == 9)
            self.assertEqual(client.limits[-1], 1000)

    def test_a_log_that_nobody_reads_stops_nothing(self) -> None:
        process = subprocess.Popen(
            [BINARY, "--listen", "127.0.0.1:0", "--certs", made_once().name], stdout=subprocess.PIPE,
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


class Hoarding(unittest.TestCase):
    def test_answers_that_no_window_lets_out_are_bounded(self) -> None:
        with Gateway("--log-level", "none") as gateway:
            before = gateway.resident_bytes
            pseudo = [(":method", "GET"), (":scheme", "http"), (":authority", "localhost"), (":path", LONG[:3900].decode())]
            for _ in range(8):
                client = self.enterContext(Client(gateway.at().connect()))
                client.send(frames.PREFACE, frames.settings((Setting.INITIAL_WINDOW_SIZE, 0)))
                client.send(*(frames.headers(1 + 2 * n, encode(pseudo)) for n in range(900)))
                client.wait(lambda client=client: any(f.kind == FrameType.RST_STREAM for f in client.frames))
            self.assertLess(gateway.resident_bytes - before, 60 << 20)

    def test_a_message_that_is_begun_and_not_ended_is_given_up(self) -> None:
        with Gateway("--stall-timeout", "500ms") as gateway:
            with Connection(gateway.at().connect()) as connection:
                self.assertEqual(connection.ask(handshake()).status, 101)
                hello = json.dumps({"type": "hello", "device": IPHONE})
                connection.send(socket_frame(1, hello.encode()))
                read_frame(connection)
                connection.send(socket_frame(1, b"x" * 1000, final=False))
                end = read_frame(connection)
                self.assertEqual((end.opcode, end.code), (8, 1008))


class Hellos(unittest.TestCase):
    ROWS = [
        ({"platform": "ios", "app": "a" * 257}, "/device/app"), ({"platform": "ios", "app": "a", "name": "n" * 10_000}, "/device/name"),
        ({"platform": "ios", "app": "a", "id": ""}, "/device/id"), ({"platform": "ios"}, "/device/app"),
        ({"app": "a"}, "/device/platform"), ({"platform": "ios", "app": "a", "environment": "test"}, "/device/environment"),
    ]

    def test_what_is_wrong_with_a_device_is_named(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            self.assertEqual(connection.ask(handshake()).status, 101)
            for device, pointer in self.ROWS:
                connection.send(socket_frame(1, json.dumps({"type": "hello", "device": device}).encode()))
                said = json.loads(read_frame(connection).payload)
                self.assertEqual((said["type"], said.get("code"), said.get("pointer")), ("error", "badDevice", pointer))


class Heartbeat(unittest.TestCase):
    def greeted(self, gateway: Gateway) -> Connection:
        connection = self.enterContext(Connection(gateway.at().connect()))
        self.assertEqual(connection.ask(handshake()).status, 101)
        connection.send(socket_frame(1, json.dumps({"type": "hello", "device": IPHONE}).encode()))
        self.assertEqual(json.loads(read_frame(connection).payload)["heartbeat"], "1s")
        return connection

    def test_a_silent_socket_is_pinged_and_then_closed(self) -> None:
        with Gateway("--heartbeat", "1s") as gateway:
            silent, alive = self.greeted(gateway), self.greeted(gateway)
            begun = time.monotonic()
            while time.monotonic() < begun + 3.5:
                if not alive.is_silent:
                    self.assertEqual(read_frame(alive).opcode, 9)
                    alive.send(socket_frame(10, b""))
                select.select([alive.socket], [], [], 0.1)
            self.assertEqual(read_frame(silent).opcode, 9)
            silent.read_to_end()
            alive.send(socket_frame(1, b'{"type":"ping"}'))
            found = read_frame(alive)
            while found.opcode == 9:
                found = read_frame(alive)
            self.assertEqual(json.loads(found.payload), {"type": "pong"})

    def test_nothing_said_behind_our_close_is_heard(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            self.assertEqual(connection.ask(handshake()).status, 101)
            hello = json.dumps({"type": "hello", "device": IPHONE}).encode()
            connection.send(socket_frame(2, b"binary"), socket_frame(1, hello))
            self.assertEqual(read_frame(connection).code, 1003)
            with Connection(gateway.at().connect()) as asking:
                page = asking.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
            self.assertIn("pushpit_devices 0\n", page)
