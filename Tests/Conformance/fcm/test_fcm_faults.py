"""Faults on Google's calls: delays, silence, and how connections end."""
from __future__ import annotations

import contextlib
import json
import socket
from typing import Any

import httpx

from control import call, move_clock, set_fault
from device_client import Phone, with_phones
from fcm_faults import HIT, SEND, Faults, message, request
from gateway import PATIENCE
from h2_client import Code, FrameType
from test_faults import goaway
from test_fcm import DEAD
from test_fcm_devices import fcm, hello
from test_topics import BEARER

# Faults that end an HTTP/1.1 connection without an answer, and whether they reset it.
ENDS: list[tuple[Any, bool]] = [
    ({"reset": "CANCEL"}, True), ({"close": "reset"}, True), ({"wire": "resetConnection"}, True), ({"close": "end"}, False),
    ({"goAway": {"last": "before"}}, False), ({"goAway": {"last": "none"}}, False), ({"wire": "goawayShutdown"}, False),
]
# Three requests with different answers, and their statuses.
ROW = [request(), request('{"message":{}}'), request(json.dumps({"message": {"token": f"unregistered:{DEAD}"}}))]
ROW_STATUSES = [200, 400, 404]


class HTTP1(Faults):
    def test_a_delay_holds_its_answer_and_the_following_ones(self) -> None:
        move_clock(self.gateway, freeze=True)
        for pieces, count in ((ROW, 1), (["".join(ROW)], 1), (ROW * 400, 400)):
            with self.subTest(pieces=len(pieces)):
                connection = self.connection()
                fault = set_fault(self.gateway, {"delay": "5s"}, times=1)
                connection.send(pieces[0])
                self.wait_for(fault)
                connection.send(*pieces[1:])
                for step in ("4999ms", "1ms"):
                    self.assertEqual((self.fired(fault), connection.is_silent), (1, True))
                    move_clock(self.gateway, advance=step)
                self.assertEqual([connection.read().status for _ in ROW * count], ROW_STATUSES * count)
                connection.send(*ROW)
                self.assertEqual([connection.read().status for _ in ROW], ROW_STATUSES)

    def test_a_client_that_has_closed_its_side_gets_the_delayed_answer(self) -> None:
        fault = set_fault(self.gateway, {"delay": "1h"}, times=1)
        connection = self.connection()
        connection.send(request())
        connection.socket.shutdown(socket.SHUT_WR)
        self.wait_for(fault)
        move_clock(self.gateway, advance="1h")
        self.assertEqual(connection.read().status, 200)

    def test_a_silent_request_is_never_answered(self) -> None:
        set_fault(self.gateway, {"silence": True}, times=2)
        connection = self.connection()
        connection.send(request())
        with self.assertRaises(httpx.ReadTimeout):
            httpx.post(self.gateway.at().url(SEND, scheme="http"), json={}, headers=BEARER, timeout=httpx.Timeout(PATIENCE, read=0.3))
        connection.send(request())
        self.assertEqual(self.post().status_code, 200)
        move_clock(self.gateway, advance="24h")
        self.assertEqual(self.post().status_code, 200)
        self.assertTrue(connection.is_silent)

    def test_a_client_that_leaves_a_silent_request_is_forgotten(self) -> None:
        for count in (1, 1000):
            fault = set_fault(self.gateway, {"silence": True}, times=1)
            connection = self.connection()
            connection.send(request())
            self.wait_for(fault)
            connection.send(request() * count)
            self.assertEqual(self.metric("connections_open"), 2)
            connection.socket.close()
            self.assertIn(1, (self.metric("connections_open") for _ in range(100)), count)

    def test_faults_end_the_connection_without_an_answer(self) -> None:
        """Earlier answers are sent."""
        for effect, is_reset in ENDS:
            for effects in ([effect], [{"delay": "1h"}, effect]):
                with self.subTest(effects):
                    fault = set_fault(self.gateway, effects, nth=2)
                    connection = self.connection()
                    connection.send(request() * 2)
                    self.assertEqual(connection.read().status, 200)
                    self.wait_for(fault)
                    move_clock(self.gateway, advance="1h")
                    if is_reset:
                        self.assertRaises(ConnectionResetError, connection.read_to_end)
                    else:
                        self.assertEqual(connection.read_to_end(), b"")
            set_fault(self.gateway, effect, times=1)
            self.assertRaises(httpx.ReadError if is_reset else httpx.RemoteProtocolError, self.post)
            self.assertEqual(self.post().status_code, 200)

    def test_goaway_is_an_answer_with_connection_close(self) -> None:
        for effect, status in (({"goAway": {}}, 200), ([{"goAway": {"last": "request"}}, HIT], 503), ({"wire": "goawayIdle"}, 200)):
            set_fault(self.gateway, effect, times=1)
            connection = self.connection()
            connection.send(request() * 2)
            answer = connection.read()
            self.assertEqual((answer.status, answer["connection"], connection.read_to_end()), (status, "close", b""))

    def after_fault(self, *effects: Any) -> tuple[list[str], bytes]:
        """What the device and the sender get of two messages in one write if a fault hits the first."""
        tags: list[str] = []
        connection = self.connection()

        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            sent = [json.dumps({"message": {"token": token, "data": {"tag": tag}}}) for tag in ("hit", "after")]
            fault = set_fault(self.gateway, list(effects), times=1)
            connection.send(*map(request, sent))
            self.wait_for(fault)
            move_clock(self.gateway, advance="1h")
            self.post(token=token, data={"tag": "end"})
            while (tag := (await phone.receive())["payload"]["data"]["tag"]) != "end":
                tags.append(tag)
        with_phones(self.gateway, body)
        said = b""
        with contextlib.suppress(ConnectionResetError):
            while not connection.is_silent and (chunk := connection.socket.recv(65_536)):
                said += chunk
        return tags, said

    def test_nothing_is_served_after_an_end(self) -> None:
        for effect in (effect for effect, is_reset in ENDS if not is_reset):
            self.assertEqual((self.after_fault(effect), self.after_fault({"delay": "1h"}, effect)), (([], b""), ([], b"")), effect)

    def test_nothing_is_served_after_a_reset(self) -> None:
        for effect in (effect for effect, is_reset in ENDS if is_reset):
            self.assertEqual((self.after_fault(effect), self.after_fault({"delay": "1h"}, effect)), (([], b""), ([], b"")), effect)

    def test_nothing_is_served_after_a_black_hole(self) -> None:
        self.assertEqual(self.after_fault({"blackHole": True}), ([], b""))

    def test_a_sticky_fault_stays_with_its_connection(self) -> None:
        set_fault(self.gateway, [HIT, {"sticky": True}], times=1)
        connection = self.connection()
        connection.send(request() * 3)
        self.assertEqual([connection.read().status for _ in range(3)], [503] * 3)
        self.assertEqual(self.post().status_code, 200)
        call(self.gateway, "DELETE", "/faults")
        connection.send(request())
        self.assertEqual(connection.read().status, 200)


class HTTP2(Faults):
    def test_a_stream_is_reset(self) -> None:
        set_fault(self.gateway, {"reset": "REFUSED_STREAM"}, times=1)
        client = self.h2()
        client.send(message(1), message(3))
        self.assertEqual((client.answer(1).reset, client.answer(1).fields, client.answer(3).status), (Code.REFUSED_STREAM, {}, 200))

    def test_goaway_ends_the_http_2_connection(self) -> None:
        for last, named, is_answered in (("request", 3, True), ("before", 1, False), ("none", 0, False), (0x7FFF_FFFF, 0x7FFF_FFFF, True), (2, 2, False)):
            with self.subTest(last):
                client = self.h2()
                client.send(message(1))
                self.assertEqual(client.answer(1).status, 200)
                set_fault(self.gateway, {"goAway": {"code": "ENHANCE_YOUR_CALM", "debug": "too_many_pings", "last": last}}, times=1)
                client.send(message(3), message(5))
                with self.assertRaises(EOFError):
                    client.wait(lambda: False)
                said = [goaway(frame) for frame in client.frames if frame.kind == FrameType.GOAWAY]
                self.assertEqual(said, [(Code.ENHANCE_YOUR_CALM, named, b"too_many_pings")])
                self.assertEqual((3 in client.answers, 5 in client.answers), (is_answered, False))

    def test_a_delayed_answer_does_not_delay_others(self) -> None:
        set_fault(self.gateway, [{"delay": "1h"}, HIT], times=1)
        client = self.h2()
        client.send(message(1), message(3))
        self.assertEqual((client.answer(3).status, 1 in client.answers), (200, False))
        move_clock(self.gateway, advance="1h")
        self.assertEqual(client.answer(1).status, 503)
