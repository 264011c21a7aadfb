"""Faults on Google's calls: recorded answers by name, which calls are hit, what reaches devices, what becomes of connections."""
from __future__ import annotations

import contextlib
import json
import re
import socket
import unittest
from pathlib import Path
from typing import Any

import httpx

from control import call, move_clock, set_fault
from device_client import Phone, with_phones
from gateway import PATIENCE, TOPIC
from h2_client import Client, Code, FrameType, encode, frames, push
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
# FCM's words with their statuses; what a token's magic prefix is for the same.
WORDS: list[tuple[int, str, str]] = [
    (404, "UNREGISTERED", "unregistered"), (403, "SENDER_ID_MISMATCH", "sender-id-mismatch"), (429, "QUOTA_EXCEEDED", "quota-exceeded"),
    (503, "UNAVAILABLE", "unavailable"), (500, "INTERNAL", "internal"), (401, "THIRD_PARTY_AUTH_ERROR", "third-party-auth-error"),
    (400, "INVALID_ARGUMENT", "invalid-argument"),
]
# Effects, the status, and how often the device gets it.
DELIVERIES: list[tuple[Any, int, int]] = [
    (HIT, 503, 0), ({"answer": {"status": 200}}, 200, 0), ([{"deliver": 1}, HIT], 503, 1), ([{"deliver": 2}, HIT], 503, 2),
    ({"deliver": 2}, 200, 2), ({"deliver": 1}, 200, 1), ({"deliver": 0}, 200, 0), ([{"deliver": 0}, HIT], 503, 0),
]
# Calls about topics, with the device's token and FID, and what `to` is: they subscribe it to `t`, unsubscribe it, or look.
Row = tuple[str, str, str | None]
SUBSCRIBING: list[Row] = [
    ("POST", "/v1/projects/p/registrations/{fid}/topicSubscriptions?topicName=t", None),
    ("PATCH", "/v1/projects/p/registrations/{fid}/topicSubscriptions/t?allowMissing=true", None),
    ("POST", "/v1/projects/p/registrations/{fid}/topicSubscriptions/t:subscribe", None),
    ("POST", "/iid/v1:batchAdd", "/topics/t"), ("POST", "/iid/v1/{token}/rel/topics/t", None),
]
UNSUBSCRIBING: list[Row] = [
    ("DELETE", "/v1/projects/p/registrations/{fid}/topicSubscriptions/t", None), ("POST", "/iid/v1:batchRemove", "/topics/t"),
    ("POST", "/v1/projects/p/registrations/{fid}/topicSubscriptions/t:unsubscribe", None),
]
LOOKING: list[Row] = [("GET", "/iid/info/{token}", None), ("GET", "/v1/projects/p/registrations/{fid}/topicSubscriptions", None), ("POST", "/iid/v1:batchImport", None)]
CALLS = SUBSCRIBING + UNSUBSCRIBING + LOOKING
# The ends of an HTTP/1.1 connection without an answer, and whether it is a reset.
ENDS: list[tuple[Any, bool]] = [
    ({"reset": "CANCEL"}, True), ({"close": "reset"}, True), ({"wire": "resetConnection"}, True), ({"close": "end"}, False),
    ({"goAway": {"last": "before"}}, False), ({"goAway": {"last": "none"}}, False), ({"wire": "goawayShutdown"}, False),
]
BAD: list[tuple[dict[str, Any], str]] = [
    ({"recorded": "none"}, "recorded"), ({"recorded": ""}, "recorded"), ({"recorded": 5}, "recorded"),
    ({"recorded": "oversize-android", "status": 500}, "status"), ({"recorded": "oversize-android", "reason": "INTERNAL"}, "body"),
    ({"recorded": "oversize-android", "body": "x"}, "body"), ({"recorded": "html-502", "headers": {"connection": "x"}}, "headers/connection"),
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

    def topics_call(self, row: Row, token: dict[str, str]) -> httpx.Response:
        method, path, to = row
        body = {"to": to, "registration_tokens": [token["token"]]} if to else {}
        return self.client.request(method, path.format_map(token), json=None if method == "DELETE" else body, headers={"access_token_auth": "true"})

    def topics(self, token: dict[str, str]) -> list[str]:
        said = self.client.get(f"/v1/projects/p/registrations/{token['fid']}/topicSubscriptions").json()
        return [row["topicName"] for row in said.get("topicSubscriptions", [])]

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

    def test_bad_ones_are_refused(self) -> None:
        for answer, pointer in BAD:
            with self.subTest(answer):
                status, said = call(self.gateway, "POST", "/faults", {"effect": [{"delay": "1s"}, {"answer": answer}]})
                self.assertEqual((status, said["error"]["pointer"]), (400, f"/effect/1/answer/{pointer}"))
        self.assertEqual(call(self.gateway, "GET", "/faults")[1]["faults"], [])


class Reasons(Faults):
    def test_a_word_has_its_body(self) -> None:
        for status, word, magic in WORDS:
            with self.subTest(word):
                set_fault(self.gateway, {"answer": {"status": status, "reason": word}}, nth=2)
                true, answer = self.post(token=f"{magic}:{DEAD}"), self.post()
                self.assertEqual((answer.status_code, answer.text), (status, true.text))
                self.assertEqual(answer.json()["error"]["details"], [{"@type": FCM_ERROR, "errorCode": word}])
        set_fault(self.gateway, {"answer": {"status": 500, "reason": "OWN_WORD"}})
        said = self.post().json()["error"]
        self.assertEqual((said["code"], said["status"], said["details"]), (500, "INTERNAL", [{"@type": FCM_ERROR, "errorCode": "OWN_WORD"}]))

    def test_retry_after_is_there_when_asked_for(self) -> None:
        for form in ({"status": 503, "reason": "UNAVAILABLE"}, {"status": 429, "reason": "QUOTA_EXCEEDED"}, {"recorded": "quota-mem"}):
            for headers in ({}, {"Retry-After": "30"}):
                set_fault(self.gateway, {"answer": form | {"headers": headers}}, times=1)
                self.assertEqual(self.post().headers.get("retry-after"), headers.get("Retry-After"))

    def test_error_format_1_is_kept(self) -> None:
        wanted = {"code": 503, "message": "The service is currently unavailable.", "status": "UNAVAILABLE", "errors": [
            {"message": "The service is currently unavailable.", "domain": "global", "reason": "backendError"}]}
        set_fault(self.gateway, HIT)
        self.assertEqual(self.post(headers=FORMAT1).json(), {"error": wanted})
        compact = self.client.post(f"{SEND}?$.xgafv=1&prettyPrint=false", json={})
        self.assertEqual((compact.json(), compact.text.count("\n")), ({"error": wanted}, 0))


class Deliveries(Faults):
    def test_what_reaches_the_device(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            await phone.ask(type="topic", op="subscribe", name="t")
            for effect, status, count in DELIVERIES:
                for target in ({"token": token}, {"topic": "t"}):
                    with self.subTest(effect, target=next(iter(target))):
                        set_fault(self.gateway, effect, times=1)
                        self.assertEqual(self.post(**target, data={"tag": "hit"}).status_code, status)
                        self.assertEqual(self.post(**target, data={"tag": "end"}).status_code, 200)
                        found = [await phone.receive() for _ in range(count + 1)]
                        self.assertEqual([push["payload"]["data"]["tag"] for push in found], ["hit"] * count + ["end"])
                        self.assertEqual(len({push["id"] for push in found}), min(count, 1) + 1)
        with_phones(self.gateway, body)


class Matching(Faults):
    def test_which_messages(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(device={"platform": "android", "app": TOPIC, "project": "p"}, wants=[])))["token"]
            sends: dict[str, dict[str, Any]] = {
                "device": {"project": "p", "token": token}, "topic": {"project": "p", "topic": "news"}, "other": {"project": "q", "topic": "t"},
                "dead": {"project": "q", "token": f"unregistered:{DEAD}"}, "bad": {"project": "q", "token": "x"}}
            rows: list[tuple[dict[str, Any], set[str]]] = [
                ({}, set(sends)), ({"provider": "fcm"}, set(sends)), ({"provider": "apns"}, set()), ({"token": token}, {"device"}),
                ({"token": token.swapcase()}, set()), ({"topic": "news"}, {"topic"}), ({"topic": "NEWS"}, set()), ({"app": "p"}, {"device", "topic"}),
                ({"app": "q"}, {"other", "dead", "bad"}), ({"app": TOPIC}, {"device"}), ({"reason": "UNREGISTERED"}, {"dead"}),
                ({"reason": "INVALID_ARGUMENT"}, {"bad"}), ({"reason": "accepted"}, {"device", "topic", "other"}), ({"pushType": "alert"}, set()),
                ({"app": "p", "topic": "news", "reason": "accepted"}, {"topic"}), ({"app": "q", "topic": "news"}, set())]
            for match, expected in rows:
                with self.subTest(match):
                    fault = set_fault(self.gateway, {"answer": {"status": 418, "body": "hit"}}, match=match)
                    found = {name for name, send in sends.items() if self.post(**send).status_code == 418}
                    self.assertEqual((found, self.fired(fault)), (expected, len(expected)))
                    call(self.gateway, "DELETE", "/faults")
        with_phones(self.gateway, body)

    def test_when(self) -> None:
        for rest, expected in [({"nth": 2}, [200, 503, 200, 200]), ({"times": 2}, [503, 503, 200, 200]), ({"every": 2}, [200, 503] * 2),
                               ({"after": 3}, [200, 200, 200, 503])]:
            with self.subTest(rest):
                connection = self.connection()
                set_fault(self.gateway, HIT, **rest)
                connection.send(request() * 4)
                self.assertEqual([connection.read().status for _ in range(4)], expected)
                call(self.gateway, "DELETE", "/faults")

    def test_each_provider_has_its_own(self) -> None:
        for provider, expected in [("apns", (503, 200)), ("fcm", (200, 503))]:
            set_fault(self.gateway, HIT, match={"provider": provider})
            client = self.h2()
            client.send(push(1), message(3))
            self.assertEqual((client.answer(1).status, client.answer(3).status), expected)
            call(self.gateway, "DELETE", "/faults")


class TopicCalls(Faults):
    def with_device(self, body: Any) -> None:
        async def run(phone: Phone) -> None:
            body(fcm(await phone.ask(**hello(device={"platform": "android", "app": TOPIC, "project": "p"}, wants=[]))))
        with_phones(self.gateway, run)

    def test_they_change_nothing(self) -> None:
        def body(token: dict[str, str]) -> None:
            for rows, before, after in ((SUBSCRIBING, [], ["t"]), (UNSUBSCRIBING, ["t"], [])):
                for row in rows:
                    with self.subTest(row):
                        set_fault(self.gateway, HIT, times=1)
                        answer = self.topics_call(row, token)
                        self.assertEqual((answer.status_code, answer.json()["error"]["status"]), (503, "UNAVAILABLE"))
                        self.assertEqual(self.topics(token), before)
                        set_fault(self.gateway, [{"deliver": 1}, HIT], times=1)
                        self.assertEqual((self.topics_call(row, token).status_code, self.topics(token)), (503, after))
                        back = (UNSUBSCRIBING if after else SUBSCRIBING)[0]
                        self.assertEqual((self.topics_call(back, token).status_code, self.topics(token)), (200, before))
                self.topics_call(SUBSCRIBING[0], token)
        self.with_device(body)

    def test_others_are_never_hit(self) -> None:
        paths = ("/token", "/fcm/send", "/batch", "/v1/projects/demo/messages", "/iid/other")
        before = [self.client.post(path, data={"a": "b"}).status_code for path in paths]
        fault = set_fault(self.gateway, HIT)
        self.assertEqual([self.client.post(path, data={"a": "b"}).status_code for path in paths], before)
        self.assertEqual((before[0], self.fired(fault)), (400, 0))

    def unlike(self, match: dict[str, str], hit: list[Row], others: list[Row] = []) -> list[Row]:
        """Those of the calls with which a fault that matches so does what it should not."""
        found: list[Row] = []

        def body(token: dict[str, str]) -> None:
            said = {name: value.format_map(token) for name, value in match.items()}
            for row in hit + others:
                fault = set_fault(self.gateway, HIT, match=said)
                self.topics_call(row, token)
                if self.fired(fault) != (row in hit):
                    found.append(row)
                call(self.gateway, "DELETE", "/faults")
        self.with_device(body)
        return found

    def test_which_calls(self) -> None:
        of_project, of_iid = [row for row in CALLS if "{fid}" in row[1]], [row for row in CALLS if "/iid/" in row[1]]
        rows: list[tuple[dict[str, str], list[Row], list[Row]]] = [
            ({}, CALLS, []), ({"provider": "fcm"}, CALLS, []), ({"provider": "apns"}, [], CALLS), ({"app": "p"}, of_project, of_iid),
            ({"app": "q"}, [], CALLS), ({"token": "{fid}"}, of_project, []), ({"topic": "u"}, [], CALLS)]
        for match, hit, others in rows:
            self.assertEqual(self.unlike(match, hit, others), [], match)

    def test_all_match_by_their_topic(self) -> None:
        self.assertEqual(self.unlike({"topic": "t"}, SUBSCRIBING + UNSUBSCRIBING), [])

    def test_instance_id_matches_by_token(self) -> None:
        self.assertEqual(self.unlike({"token": "{token}"}, [SUBSCRIBING[4], LOOKING[0]]), [])

    def test_they_match_by_what_is_true(self) -> None:
        unknown = ("GET", f"/v1/projects/p/registrations/{DEAD}/topicSubscriptions", None)
        self.assertEqual(self.unlike({"reason": "accepted"}, [], [unknown]), [])


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


class Told(Faults):
    def test_a_hit_is_an_event_and_a_line(self) -> None:
        for effect, path, rule, count in [(HIT, SEND, "custom", 2), ({"wire": "500InternalServerError"}, SEND, "500InternalServerError", 2),
                                          (HIT, "/iid/v1:batchAdd", "custom", 1), ({"delay": "1ms"}, SEND, "custom", 2)]:
            with self.subTest(effect, path=path):
                before = self.metric("events_total")
                fault = set_fault(self.gateway, effect, times=1)
                self.client.post(path, json={"message": {"topic": "t"}})
                lines = [line for line in self.gateway.log.splitlines() if f"{fault} was set" in line]
                self.assertEqual(len(lines), 1)
                self.assertRegex(lines[0], rf"Z info fault rule=fault\.{rule}( status=\d+)? method=POST path={path} because=\"{fault} was set through the control API\"\Z")
                self.assertEqual(self.metric("events_total") - before, count)
