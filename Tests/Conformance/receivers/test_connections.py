"""Connections of MCS: listeners for them alone, a client that connects twice, and connections that a fault cuts."""
from __future__ import annotations

import json
import unittest
from typing import Any

from gateway import Gateway
from http1_client import Connection
from receiver_client import CLOSE, DATA, LOGIN_ANSWER, PING, Caller, Sender, frame, login, proto, read_frame


class Connections(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--listen", "127.0.0.1:0", "--listen", "mcs=127.0.0.1:0"))

    def setUp(self) -> None:
        self.caller = self.enterContext(Caller(self.gateway))
        self.sender = Sender()
        self.known = self.caller.check_in()
        self.token = self.caller.register(self.known, self.sender.key)

    def connect(self, role: str = "any", tls: bool = True) -> Connection:
        """A connection that has logged in."""
        socket = self.gateway.tls(role=role) if tls else self.gateway.at(role).connect()
        connection = self.enterContext(Connection(socket))
        connection.send(login(self.known))
        self.assertEqual(connection.take(1), b"\x29")
        self.assertEqual(read_frame(connection)[0], LOGIN_ANSWER)
        return connection

    def push(self, body: bytes = b"x") -> int:
        return self.caller.ask(
            "POST", f"/fcm/send/{self.token}", body, ttl="60", content_encoding="aes128gcm",
            authorization=self.sender.authorization()).status

    def fault(self, effect: Any) -> None:
        fault = {"match": {"provider": "webpush", "token": self.token}, "effect": effect, "times": 1}
        self.assertEqual(self.caller.ask("POST", "/api/v1/faults", json.dumps(fault).encode()).status, 201)

    def read_push(self, connection: Connection) -> bytes:
        tag, fields = read_frame(connection)
        self.assertEqual(tag, DATA)
        return fields[21]

    def assert_closed(self, connection: Connection) -> None:
        """The client gets a Close, so that it connects again at once."""
        self.assertEqual(read_frame(connection)[0], CLOSE)
        self.assertEqual(connection.socket.recv(100), b"")

    def test_a_listener_for_mcs_with_and_without_tls(self) -> None:
        for tls in (True, False):
            with self.subTest(tls=tls):
                connection = self.connect("mcs", tls)
                self.push(b"one")
                self.assertEqual(self.read_push(connection), b"one")
                connection.send(frame(PING, proto((2, 2))))
        other = self.enterContext(Connection(self.gateway.at("mcs").connect()))
        other.send("GET / HTTP/1.1\r\n\r\n")
        self.assertEqual(other.socket.recv(100), b"")

    def test_the_older_connection_of_a_client_is_closed(self) -> None:
        old, new = self.connect(), self.connect()
        self.assert_closed(old)
        self.push(b"for the new one")
        self.assertEqual(self.read_push(new), b"for the new one")

    def test_a_fault_cuts_the_connection_and_the_push_waits(self) -> None:
        connection = self.connect()
        self.fault({"disconnect": True})
        self.assertEqual(self.push(b"late"), 201)
        self.assert_closed(connection)
        self.assertEqual(self.read_push(self.connect()), b"late")

    def test_faults_of_delivery(self) -> None:
        connection = self.connect()
        for effect in ({"deliver": 0}, {"deliver": 2}):
            self.fault(effect)
            self.assertEqual(self.push(json.dumps(effect).encode()), 201)
        self.push(b"next")
        self.assertEqual([self.read_push(connection) for _ in range(3)], [b'{"deliver": 2}'] * 2 + [b"next"])

    def test_a_late_push_arrives_without_another_frame(self) -> None:
        connection = self.connect()
        self.fault({"deliverAfter": "300ms"})
        self.assertEqual(self.push(b"late"), 201)
        self.assertEqual(self.read_push(connection), b"late")

    def test_faults_of_the_answer(self) -> None:
        for effect, status in (({"status": 410}, 410), ({"status": 429, "headers": {"retry-after": "60"}}, 429)):
            with self.subTest(status):
                self.fault({"answer": effect})
                answer = self.caller.ask("POST", f"/fcm/send/{self.token}", b"", ttl="60", authorization=self.sender.authorization())
                self.assertEqual(answer.status, status)
                self.assertEqual(answer.text == "push subscription has unsubscribed or expired.\n", status == 410)
                self.assertEqual(answer.headers.get("retry-after"), "60" if status == 429 else None)


if __name__ == "__main__":
    unittest.main()
