"""SIGTERM: open requests may finish, no new ones are accepted, and the process exits with 0."""
from __future__ import annotations

import signal
import unittest

from gateway import PATIENCE, Gateway
from h2_client import BODY, Client, Code, Frame, FrameType, encode, fields, frames, push

REASON = b'{"reason":"Shutdown"}'


def goaways(client: Client) -> list[Frame]:
    return [frame for frame in client.frames if frame.kind == FrameType.GOAWAY]


class Shutdown(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway("--listen", "apns=127.0.0.1:0"))

    def connected(self) -> Client:
        client = self.enterContext(Client(self.gateway.tls("h2", role="apns", certificate=True)))
        client.start()
        return client

    def terminate(self, client: Client) -> Frame:
        """Sends SIGTERM and waits for the GOAWAY."""
        self.gateway.process.send_signal(signal.SIGTERM)
        client.wait(lambda: bool(goaways(client)))
        return goaways(client)[0]

    def assert_closed(self, client: Client) -> None:
        with self.assertRaises(EOFError):
            client.wait(lambda: False)
        client.socket.close()

    def test_an_open_stream_is_finished(self) -> None:
        client = self.connected()
        client.send(push(1))
        self.assertEqual(client.answer(1).status, 200)
        client.send(frames.headers(3, encode(fields()), end_stream=False))
        client.ping()
        goaway = self.terminate(client)
        self.assertEqual(goaway.payload, frames.uint32(3) + frames.uint32(Code.NO_ERROR) + REASON)
        client.send(frames.data(3, BODY))
        self.assertEqual(client.answer(3).status, 200)
        self.assert_closed(client)
        self.assertEqual(self.gateway.process.wait(PATIENCE), 0)

    def test_an_idle_connection_gets_goaway_and_is_closed(self) -> None:
        client = self.connected()
        client.send(push(1))
        self.assertEqual(client.answer(1).status, 200)
        goaway = self.terminate(client)
        self.assertEqual(goaway.payload, frames.uint32(1) + frames.uint32(Code.NO_ERROR) + REASON)
        self.assert_closed(client)
        self.assertEqual(self.gateway.process.wait(PATIENCE), 0)

    def test_a_stream_after_the_goaway_is_ignored(self) -> None:
        client = self.connected()
        client.send(frames.headers(1, encode(fields()), end_stream=False))
        client.ping()
        self.terminate(client)
        client.send(push(3), frames.data(1, BODY))
        self.assertEqual(client.answer(1).status, 200)
        self.assert_closed(client)
        self.assertEqual(client.answers[3].status if 3 in client.answers else 0, 0)
        self.assertEqual(self.gateway.process.wait(PATIENCE), 0)

    def test_no_new_connection_is_accepted_while_it_drains(self) -> None:
        client = self.connected()
        client.send(frames.headers(1, encode(fields()), end_stream=False))
        client.ping()
        self.terminate(client)
        with self.assertRaises(ConnectionRefusedError):
            self.gateway.at("apns").connect()
        client.send(frames.data(1, BODY))
        self.assertEqual(client.answer(1).status, 200)

    def test_a_stream_that_never_ends_is_closed_after_the_drain_timeout(self) -> None:
        with Gateway("--drain-timeout", "100ms", "--listen", "apns=127.0.0.1:0") as gateway:
            with Client(gateway.tls("h2", role="apns", certificate=True)) as client:
                client.start()
                client.send(frames.headers(1, encode(fields()), end_stream=False))
                client.ping()
                gateway.process.send_signal(signal.SIGTERM)
                self.assert_closed(client)
                self.assertEqual(gateway.process.wait(PATIENCE), 0)
