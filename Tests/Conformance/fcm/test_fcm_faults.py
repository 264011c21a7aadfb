"""Faults on Google's calls: recorded answers by name, and what becomes of connections."""
from __future__ import annotations

import contextlib
import json
import re
import socket
from pathlib import Path
from typing import Any

import httpx

from control import call, move_clock, set_fault
from device_client import Phone, with_phones
from gateway import PATIENCE
from h2_client import Client, Code, FrameType, encode, frames
from http1_client import Answer, Connection
from test_faults import goaway
from test_fcm import DEAD, RECORDED, REQUESTS
from test_fcm_devices import fcm, hello
from test_topics import BEARER, Topics

SEND = "/v1/projects/demo/messages:send"
HIT = {"answer": {"status": 503, "reason": "UNAVAILABLE"}}
FORMAT1 = {"x-goog-api-format-version": "1"}
FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
# Rows that are neither asked for in test_fcm.py nor answered by name, and where they are reproduced.
ELSEWHERE = {"iid-invalid": "fcm/test_topics.py", "iid-batch-mixed": "fcm/test_topics.py", "oauth-window": "fcm/test_fcm.py"}
NOT_OURS = {"connect-subscribe": "another product's endpoint"}
# Abridged in the row: title and sentences alone are compared. What is asked for.
PAGES = {"batch-gone": "/batch", "html-502": SEND}


def error(status: int, name: str, message: str, *details: dict[str, Any]) -> dict[str, Any]:
    return {"status": status, "body": {"error": {"code": status, "message": message, "status": name, "details": list(details)}}}


def like(name: str, **changes: Any) -> dict[str, Any]:
    return RECORDED[name] | {"body": {"error": RECORDED[name]["body"]["error"] | changes}}


INVALID = {"@type": FCM_ERROR, "errorCode": "INVALID_ARGUMENT"}
EMPTY = "Value of [aps] must be a non-empty dictionary."
# The answers whose names are no row's, as rows.
NAMED = {
    "oversize-ios": like("oversize-android", message="iOS message is too big"),
    "third-party-auth-2026": like("third-party-auth-2026-apns", details=RECORDED["third-party-auth-2026-apns"]["body"]["error"]["details"][:1]),
    "apns-token-disabled": error(400, "INVALID_ARGUMENT", "APNs device token is disabled.", INVALID, {
        "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError", "statusCode": 410, "reason": "Unregistered"}),
    "aps-empty": error(400, "INVALID_ARGUMENT", EMPTY, {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [
        {"field": "message.apns.payload.aps", "description": EMPTY}]}, INVALID),
    "unavailable": error(503, "UNAVAILABLE", "The service is currently unavailable.", {"@type": FCM_ERROR, "errorCode": "UNAVAILABLE"}),
    "auth-expired": like("auth-invalid", details=[RECORDED["auth-missing"]["body"]["error"]["details"][0] | {"reason": "ACCESS_TOKEN_EXPIRED"}]),
}
# The ends of an HTTP/1.1 connection without an answer, and whether it is a reset.
ENDS: list[tuple[Any, bool]] = [
    ({"reset": "CANCEL"}, True), ({"close": "reset"}, True), ({"wire": "resetConnection"}, True), ({"close": "end"}, False),
    ({"goAway": {"last": "before"}}, False), ({"goAway": {"last": "none"}}, False), ({"wire": "goawayShutdown"}, False),
]


def request(body: str = '{"message":{"topic":"t"}}', path: str = SEND) -> str:
    return f"POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer x\r\ncontent-length: {len(body)}\r\n\r\n{body}"


def message(stream: int) -> bytes:
    block = encode([(":method", "POST"), (":scheme", "https"), (":path", SEND), (":authority", "localhost"), ("authorization", "Bearer x")])
    return frames.headers(stream, block, end_stream=False) + frames.data(stream, b'{"message":{"topic":"t"}}')


# Three that are answered differently, and how.
ROW = [request(), request('{"message":{}}'), request(json.dumps({"message": {"token": f"unregistered:{DEAD}"}}))]
ROW_STATUSES = [200, 400, 404]


class Provider(Connection):
    """Reads answers in chunks too."""

    def read(self, method: str = "GET") -> Answer:
        line, fields, body = self.line(), [], b""
        while text := self.line():
            name, _, value = text.partition(": ")
            fields.append((name.lower(), value))
        answer = Answer(line, fields, b"")
        if answer["transfer-encoding"] != "chunked":
            return Answer(line, fields, self.take(int(answer["content-length"])))
        while count := int(self.line(), 16):
            body += self.take(count)
            self.line()
        self.line()
        return Answer(line, fields, body)

    def line(self) -> str:
        text = b""
        while not text.endswith(b"\r\n"):
            text += self.take(1)
        return text[:-2].decode()


class Faults(Topics):
    def post(self, project: str = "demo", headers: dict[str, str] | None = None, **message: Any) -> httpx.Response:
        return self.client.post(f"/v1/projects/{project}/messages:send", json={"message": message or {"topic": "t"}}, headers=headers)

    def connection(self) -> Provider:
        return self.enterContext(Provider(self.gateway.at().connect()))

    def h2(self) -> Client:
        client = self.enterContext(Client(self.gateway.at().connect()))
        client.start()
        return client

    def fired(self, fault: str) -> int:
        return next(row["fired"] for row in call(self.gateway, "GET", "/faults")[1]["faults"] if row["id"] == fault)

    def metric(self, name: str) -> int:
        page = self.client.get("/metrics", headers={"host": "localhost"}).text
        return int(next(line.split()[1] for line in page.splitlines() if line.startswith(f"pushpit_{name} ")))


class Recorded(Faults):
    def names(self) -> list[str]:
        _, said = call(self.gateway, "POST", "/faults", {"effect": {"answer": {"recorded": "none"}}})
        return said["error"]["message"].removeprefix("'recorded' must be one of ").removesuffix(".").split(", ")

    def test_each_is_answered_by_its_name(self) -> None:
        url = self.gateway.at().url("")
        other = self.enterContext(httpx.Client(http2=True, verify=self.gateway.context(), base_url=url, headers=BEARER, timeout=PATIENCE))
        for name in sorted({*self.names()} - {*PAGES}):
            row = RECORDED.get(name) or NAMED[name]
            project = re.search(r"\d{12}|$", json.dumps(row["body"]))[0] or "demo"
            set_fault(self.gateway, {"answer": {"recorded": name}}, times=2)
            for client in (self.client, other):
                with self.subTest(name, http2=client is other):
                    answer = client.post(f"/v1/projects/{project}/messages:send", json={"message": {"topic": "t"}})
                    self.assertEqual((answer.status_code, answer.json()), (row["status"], row["body"]))
                    self.assertEqual(answer.text, json.dumps(row["body"], indent=2, ensure_ascii=False) + "\n")
                    self.assertEqual(answer.headers.get("www-authenticate"), row.get("headers", {}).get("WWW-Authenticate"))
                    self.assertEqual(answer.headers["content-type"], "application/json; charset=UTF-8")
                    self.assertNotIn("retry-after", answer.headers)

    def test_pages_have_googles_title(self) -> None:
        set_fault(self.gateway, {"answer": {"recorded": "html-502"}})
        for name, path in PAGES.items():
            row, answer = RECORDED[name], self.client.post(path)
            self.assertEqual((answer.status_code, answer.headers["content-type"]), (row["status"], row["headers"]["Content-Type"]))
            for piece in row["body"].split("…"):
                self.assertIn(piece.strip(), answer.text)

    def test_every_row_is_reproduced(self) -> None:
        by_name = self.names()
        self.assertEqual(set(by_name) - set(RECORDED), set(NAMED))
        set_fault(self.gateway, {"answer": {"recorded": "aps-empty"}}, times=1)
        self.assertEqual(self.post(headers=FORMAT1).json(), RECORDED["aps-empty-format1"]["body"])
        for name, file in ELSEWHERE.items():
            self.assertIn(f'RECORDED["{name}"]["body"]', (Path(__file__).parents[1] / file).read_text())
        ours = {*REQUESTS, *by_name, *ELSEWHERE, *PAGES}
        self.assertEqual(set(RECORDED) - ours, set(NOT_OURS))


class HTTP1(Faults):
    def test_a_delay_holds_the_answer_and_those_behind_it(self) -> None:
        move_clock(self.gateway, freeze=True)
        for pieces, count in ((ROW, 1), (["".join(ROW)], 1), (ROW * 400, 400)):
            with self.subTest(pieces=len(pieces)):
                connection = self.connection()
                fault = set_fault(self.gateway, {"delay": "5s"}, times=1)
                connection.send(pieces[0])
                self.gateway.wait_for_log(f"{fault} was set")
                connection.send(*pieces[1:])
                for step in ("4999ms", "1ms"):
                    self.assertEqual((self.fired(fault), connection.is_silent), (1, True))
                    move_clock(self.gateway, advance=step)
                self.assertEqual([connection.read().status for _ in ROW * count], ROW_STATUSES * count)
                connection.send(*ROW)
                self.assertEqual([connection.read().status for _ in ROW], ROW_STATUSES)

    def test_a_client_that_has_no_more_to_say_is_answered(self) -> None:
        fault = set_fault(self.gateway, {"delay": "1h"}, times=1)
        connection = self.connection()
        connection.send(request())
        connection.socket.shutdown(socket.SHUT_WR)
        self.gateway.wait_for_log(f"{fault} was set")
        move_clock(self.gateway, advance="1h")
        self.assertEqual(connection.read().status, 200)

    def test_silence(self) -> None:
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

    def test_who_leaves_a_silence_is_forgotten(self) -> None:
        for count in (1, 1000):
            fault = set_fault(self.gateway, {"silence": True}, times=1)
            connection = self.connection()
            connection.send(request())
            self.gateway.wait_for_log(f"{fault} was set")
            connection.send(request() * count)
            self.assertEqual(self.metric("connections_open"), 2)
            connection.socket.close()
            self.assertIn(1, (self.metric("connections_open") for _ in range(100)), count)

    def test_ends_without_an_answer(self) -> None:
        """What was answered before goes out."""
        for effect, is_reset in ENDS:
            for effects in ([effect], [{"delay": "1h"}, effect]):
                with self.subTest(effects):
                    fault = set_fault(self.gateway, effects, nth=2)
                    connection = self.connection()
                    connection.send(request() * 2)
                    self.assertEqual(connection.read().status, 200)
                    self.gateway.wait_for_log(f"{fault} was set")
                    move_clock(self.gateway, advance="1h")
                    if is_reset:
                        self.assertRaises(ConnectionResetError, connection.read_to_end)
                    else:
                        self.assertEqual(connection.read_to_end(), b"")
            set_fault(self.gateway, effect, times=1)
            self.assertRaises(httpx.ReadError if is_reset else httpx.RemoteProtocolError, self.post)
            self.assertEqual(self.post().status_code, 200)

    def test_goaway_is_an_answer_and_an_end(self) -> None:
        for effect, status in (({"goAway": {}}, 200), ([{"goAway": {"last": "request"}}, HIT], 503), ({"wire": "goawayIdle"}, 200)):
            set_fault(self.gateway, effect, times=1)
            connection = self.connection()
            connection.send(request() * 2)
            answer = connection.read()
            self.assertEqual((answer.status, answer["connection"], connection.read_to_end()), (status, "close", b""))

    def behind(self, *effects: Any) -> tuple[list[str], bytes]:
        """What device and sender get of two messages that come in one piece, the first of which is hit."""
        tags: list[str] = []
        connection = self.connection()

        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            sent = [json.dumps({"message": {"token": token, "data": {"tag": tag}}}) for tag in ("hit", "behind")]
            fault = set_fault(self.gateway, list(effects), times=1)
            connection.send(*map(request, sent))
            self.gateway.wait_for_log(f"{fault} was set")
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

    def test_nothing_is_served_behind_an_end(self) -> None:
        for effect in (effect for effect, is_reset in ENDS if not is_reset):
            self.assertEqual((self.behind(effect), self.behind({"delay": "1h"}, effect)), (([], b""), ([], b"")), effect)

    def test_nothing_is_served_behind_a_reset(self) -> None:
        for effect in (effect for effect, is_reset in ENDS if is_reset):
            self.assertEqual((self.behind(effect), self.behind({"delay": "1h"}, effect)), (([], b""), ([], b"")), effect)

    def test_nothing_is_served_behind_a_black_hole(self) -> None:
        self.assertEqual(self.behind({"blackHole": True}), ([], b""))

    def test_it_sticks_to_its_connection(self) -> None:
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

    def test_the_end_with_goaway(self) -> None:
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

    def test_an_answer_waits_and_others_pass_it_by(self) -> None:
        set_fault(self.gateway, [{"delay": "1h"}, HIT], times=1)
        client = self.h2()
        client.send(message(1), message(3))
        self.assertEqual((client.answer(3).status, 1 in client.answers), (200, False))
        move_clock(self.gateway, advance="1h")
        self.assertEqual(client.answer(1).status, 503)
