"""Firefox's WebSocket with messages that are wrong."""
from __future__ import annotations

import json
import unittest

from autopush_client import AutopushSocket, channel, hello, message, register
from bad_input_case import BadInputCase
from receiver_client import encrypted
from websocket_frames import BINARY, TEXT, frame

INTERNAL_ERROR = 1011


class BadAutopush(BadInputCase):
    def open(self, *first: bytes) -> AutopushSocket:
        socket = self.enterContext(AutopushSocket(self.gateway.at().connect()))
        socket.send(*first)
        return socket

    def greeted(self, **more: object) -> tuple[AutopushSocket, str]:
        socket = self.open(hello(**more))
        return socket, socket.receive()["uaid"]

    def push(self, endpoint: str, body: bytes = encrypted()) -> int:
        return self.caller.ask("POST", "/wpush" + endpoint.partition("/wpush")[2], body, ttl="60", content_encoding="aes128gcm").status

    def test_broken_json_closes_the_socket(self) -> None:
        texts = (b"", b"{", b"{}}", b"[]", b"7", b'"x"', b"null", b'{"messageType":"hello",}', b"[" * 60_000, b'{"a":' * 10_000, b'{"a":"\\u"}')
        for text in texts:
            with self.subTest(text[:20]):
                self.assertEqual(self.open(frame(TEXT, text)).close_code(), INTERNAL_ERROR)
                socket, _ = self.greeted()
                socket.send(frame(TEXT, text))
                self.assertEqual(socket.close_code(), INTERNAL_ERROR)

    def test_messages_that_are_no_text_close_the_socket(self) -> None:
        self.assertEqual(self.open(frame(TEXT, b"\xff")).close_code(), 1007)
        self.assertIn(self.open(frame(BINARY, b"\xff\0")).close_code(), (1003, INTERNAL_ERROR))
        self.assertEqual(self.open(frame(TEXT, claims=2 << 20)).close_code(), 1009)

    def test_messages_before_hello_and_a_second_hello_close_the_socket(self) -> None:
        for raw in (register(1), message(messageType="ack", updates=[]), message(messageType="any"), hello() + hello()):
            socket = self.open(raw)
            if raw == hello() * 2:
                socket.receive()
            self.assertEqual(socket.close_code(), INTERNAL_ERROR)

    def test_a_ping_and_unknown_messages_are_no_error(self) -> None:
        socket, _ = self.greeted()
        socket.send(message(messageType="other"), message(messageType=7), message(a=1), message(messageType="nack"))
        self.assertEqual(socket.ask(message()), {})

    def test_an_id_that_is_unknown_or_wrong_is_replaced(self) -> None:
        for given in ("0" * 32, "", "x" * 129, "x" * 50_000, 7, None, ["a"], {"a": 1}):
            _, uaid = self.greeted(uaid=given)
            self.assertRegex(uaid, "^[0-9a-f]{32}$")
            self.assertNotEqual(uaid, given)

    def test_the_id_of_another_client_closes_its_older_socket(self) -> None:
        owner, uaid = self.greeted()
        endpoint = owner.ask(register(10))["pushEndpoint"]
        other, same = self.greeted(uaid=uaid)
        self.assertEqual(same, uaid)
        self.assertEqual(self.push(endpoint), 201)
        self.assertEqual(other.receive()["channelID"], channel(10))
        # Mozilla's service calls it a ghost. Nothing is sent to it any more.
        self.assertGreater(owner.close_code(), 0)

    def test_bad_registrations_are_answered_400(self) -> None:
        socket, _ = self.greeted()
        for wrong in ("", "x", channel(1).upper().replace("0", "A"), channel(1) + "0", "-" * 36, 7, None, ["a"], "x" * 5000):
            with self.subTest(str(wrong)[:40]):
                self.assertEqual(socket.ask(register(1, channelID=wrong))["status"], 400)
        for key in ("", "x", "BA", "A" + self.sender.key[1:], self.sender.key * 100):
            with self.subTest(key[:40]):
                said = socket.ask(register(1, key=key))
                self.assertEqual((said["messageType"], said["status"], said["channelID"]), ("register", 400, channel(1)))
        self.assertEqual(socket.ask(register(1, key=self.sender.key))["status"], 200)

    def test_the_channel_of_another_client_keeps_its_pushes(self) -> None:
        owner, _ = self.greeted()
        endpoint = owner.ask(register(20))["pushEndpoint"]
        thief, _ = self.greeted()
        self.assertNotEqual(thief.ask(register(20))["pushEndpoint"], endpoint)
        self.assertEqual(self.push(endpoint), 201)
        self.assertEqual(owner.receive()["channelID"], channel(20))
        self.assertEqual(thief.ask(message()), {})

    def test_acks_of_unknown_pushes_are_no_error(self) -> None:
        socket, _ = self.greeted()
        endpoint = socket.ask(register(30))["pushEndpoint"]
        self.assertEqual(self.push(endpoint), 201)
        version = socket.receive()["version"]
        for updates in ([], {}, 7, None, [{}], [7], [{"version": 7}], [{"version": "x", "code": "y"}], [{"version": "0" * 50_000}]):
            socket.send(message(messageType="ack", updates=updates))
        stranger, _ = self.greeted()
        stranger.send(message(messageType="ack", updates=[{"channelID": channel(30), "version": version, "code": 100}]))
        self.assertEqual((stranger.ask(message()), socket.ask(message())), ({}, {}))
        self.assertEqual(self.acks(), 0)
        socket.send(message(messageType="ack", updates=[{"channelID": channel(30), "version": version, "code": 100}]))
        socket.ask(message())
        self.assertEqual(self.acks(), 1)

    def test_a_client_that_acknowledges_nothing_gets_its_whole_backlog_each_time(self) -> None:
        socket, uaid = self.greeted()
        endpoint = socket.ask(register(40))["pushEndpoint"]
        # More than the gateway keeps unsent for a socket.
        count = 400
        for _ in range(count):
            self.assertEqual(self.push(endpoint, b"x" * 4000), 201)
            socket.receive()
        for _ in range(2):
            socket.close()
            socket, same = self.greeted(uaid=uaid)
            self.assertEqual(same, uaid)
            self.assertEqual({socket.receive()["messageType"] for _ in range(count)}, {"notification"})
        self.assertEqual(socket.ask(message()), {})
        dropped = self.caller.ask("GET", "/api/v1/events?kind=dropped", accept="application/json").text
        self.assertEqual(json.loads(dropped)["events"], [])

    def acks(self) -> int:
        return len(json.loads(self.caller.ask("GET", "/api/v1/events?kind=callback", accept="application/json").text)["events"])


if __name__ == "__main__":
    unittest.main()
