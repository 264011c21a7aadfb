"""Clients whose checkins, registrations, logins and frames are wrong get the answers of Google's services."""
from __future__ import annotations

import time
import unittest
from urllib.parse import urlencode

from bad_input_case import BadInputCase
from http1_client import Connection
from receiver_client import (
    APP, CLOSE, DATA, IQ, LOGIN, LOGIN_ANSWER, PING, PING_ACK, SELECTIVE_ACK, STREAM_ACK, VERSION, ReceiverID, acknowledgement,
    checkin, encrypted, fixed64, frame, login, proto, proto_fields, read_frame, varint)

NESTED = b""
for _ in range(5000):
    NESTED = proto((4, NESTED))
DAMAGED_CHECKINS = {
    "cut off in a number": b"\x10", "cut off in a field": checkin()[:-1], "a number without an end": b"\x10" + b"\xff" * 11,
    "a length that lies": b"\x22\x7f\0", "a length over 2^63": b"\x22" + b"\xff" * 9 + b"\1", "the field 0": b"\0\0",
    "an unknown type": b"\x17", "a group": b"\x13" * 1000, "no protobuf": b"{}" * 1000,
}
ODD_CHECKINS = {
    "nothing": b"", "an id as text": proto((2, "7")), "an id of 8 bytes": fixed64(2, 7), "a token as a number": proto((13, 7)),
    "deep": NESTED, "unknown fields": proto(*((number, 1) for number in range(100, 5000))),
}
# Longest frame.
LONGEST = 256 << 10
WRONG = ReceiverID(7, 7)


class BadCheckins(BadInputCase):
    """Chromium begins again at once, without a pause, if a checkin is answered 400 or 401."""

    def check(self, body: bytes, **headers: str) -> ReceiverID:
        status, answer, _ = self.caller.raw("POST", "/checkin", body, **headers)
        self.assertEqual(status, 200)
        given = dict(proto_fields(answer))
        self.assertEqual(given[1], 1)
        self.assertTrue(0 < int(given[7]) < 1 << 63 and 0 < int(given[8]) < 1 << 63)
        return ReceiverID(int(given[7]), int(given[8]))

    def test_a_checkin_that_cannot_be_read_counts_as_a_first_one(self) -> None:
        for name, body in (DAMAGED_CHECKINS | ODD_CHECKINS).items():
            with self.subTest(name):
                self.assertNotEqual(self.check(body), self.known)

    def test_a_wrong_token_gets_a_new_id(self) -> None:
        for known in (WRONG, ReceiverID(self.known.android, 7), ReceiverID((1 << 64) - 1, 1)):
            self.assertNotEqual(self.check(checkin(known)).android, known.android)
        self.assertEqual(self.check(checkin(self.known)), self.known)

    def test_more_than_a_mebibyte_is_not_answered_400_or_401(self) -> None:
        status, _, _ = self.caller.raw("POST", "/checkin", proto((99, b"x" * (1 << 20))))
        self.assertNotIn(status, (400, 401))


class BadRegistrations(BadInputCase):
    FIELDS = {"app": APP, "X-subtype": "wp:https://page.example/#1-V2", "device": "1", "sender": "745476177629"}

    def register(self, form: str, authorization: str | None = None) -> tuple[int, str]:
        answer = self.caller.ask("POST", "/c2dm/register3", form.encode(), content_type="application/x-www-form-urlencoded",
                                 authorization=authorization or self.known.authorization)
        return answer.status, answer.text

    def test_a_wrong_login_is_refused(self) -> None:
        texts = (WRONG.authorization, f"AidLogin {self.known.android}:7", "AidLogin", "AidLogin x:y", "AidLogin 1:2:3", "Bearer x",
                 f"AidLogin {'9' * 5000}:1", f"AidLogin {self.known.android}: {self.known.token}")
        for text in texts:
            with self.subTest(text[:40]):
                self.assertEqual(self.register(urlencode(self.FIELDS), text), (401, "Error=AUTHENTICATION_FAILED"))

    def test_a_form_without_a_field_is_refused(self) -> None:
        forms = {name: {key: value for key, value in self.FIELDS.items() if key != name} for name in ("app", "device", "sender")}
        for name in ("app", "sender"):
            forms[f"empty {name}"] = self.FIELDS | {name: ""}
        for name in self.FIELDS:
            forms[f"long {name}"] = self.FIELDS | {name: "x" * 20_000}
        for name, fields in forms.items():
            with self.subTest(name):
                self.assertEqual(self.register(urlencode(fields)), (200, "Error=INVALID_PARAMETERS"))
        for form in ("", "&&&", "=", "%", "app=%zz&sender&device", "\0\xff"):
            self.assertEqual(self.register(form), (200, "Error=INVALID_PARAMETERS"))

    def test_a_sender_that_no_one_can_have_is_refused(self) -> None:
        for sender in ("any", "BAAA", "*", "9" * 21):
            with self.subTest(sender):
                self.assertEqual(self.register(urlencode(self.FIELDS | {"sender": sender})), (200, "Error=INVALID_SENDER"))

    def test_repeated_fields_are_no_error(self) -> None:
        form = urlencode(self.FIELDS)
        status, text = self.register(f"{form}&{form}")
        self.assertEqual((status, text), self.register(form))
        self.assertRegex(text, r"^token=[\w-]{11}:APA91b[\w-]{134}$")

    def test_a_deletion_of_nothing_succeeds(self) -> None:
        status, text = self.register(urlencode(self.FIELDS | {"delete": "true", "sender": "*", "app": "never"}))
        self.assertEqual((status, text[:6]), (200, "token="))


class BadFrames(BadInputCase):
    def test_frames_that_are_wrong_end_the_connection_without_an_answer(self) -> None:
        rows = {
            "unknown tag": bytes([5, 0]), "large tag": b"\xff\0", "answer of a server": frame(LOGIN_ANSWER), "close": frame(CLOSE),
            "heartbeat before the login": frame(PING), "ack before the login": acknowledgement(STREAM_ACK),
            "data before the login": frame(DATA), "too long": bytes([LOGIN]) + varint(LONGEST + 1),
            "length without an end": bytes([LOGIN]) + b"\xff" * 20, "2^64": bytes([LOGIN]) + b"\xff" * 9 + b"\1",
            "cut off": frame(LOGIN, b"\x0a\x7fab"), "group": frame(LOGIN, b"\x0b"), "field 0": frame(LOGIN, b"\0"),
        }
        for name, raw in rows.items():
            with self.subTest(name), Connection(self.gateway.at().connect()) as connection:
                connection.send(VERSION, raw)
                self.assertEqual(connection.read_to_end(), b"")

    def test_an_unknown_version_ends_the_connection(self) -> None:
        with Connection(self.gateway.at().connect()) as connection:
            connection.send(bytes([40]), login(self.known)[1:])
            self.assertNotIn(b"mcs.android.com", connection.read_to_end())

    def test_a_wrong_login_is_answered_401_and_ends(self) -> None:
        texts = ("", "x", "-", "9" * 5000, "0x10")
        bodies = [login(WRONG)[1:], login(ReceiverID(self.known.android, 7))[1:], frame(LOGIN)]
        bodies += [frame(LOGIN, proto((1, "a"), (3, text), (5, text))) for text in texts] + [frame(LOGIN, proto((3, 1), (5, 1)))]
        for raw in bodies:
            with self.subTest(raw[:60]), Connection(self.gateway.at().connect()) as connection:
                connection.send(VERSION, raw)
                self.assertEqual(connection.take(1), VERSION)
                tag, fields = read_frame(connection)
                self.assertEqual((tag, dict(proto_fields(fields[3]))), (LOGIN_ANSWER, {1: 401, 2: b"Authentication failed"}))
                self.assertEqual(connection.read_to_end(), b"")

    def logged_in(self, known: ReceiverID | None = None) -> Connection:
        connection = self.enterContext(Connection(self.gateway.at().connect()))
        connection.send(login(known or self.known))
        connection.take(1)
        self.assertEqual(read_frame(connection)[0], LOGIN_ANSWER)
        return connection

    def test_a_second_login_ends_the_connection(self) -> None:
        connection = self.logged_in()
        connection.send(login(self.known)[1:])
        self.assertEqual(connection.read_to_end(), b"")

    def test_damage_after_the_login_ends_the_connection(self) -> None:
        for raw in (frame(PING, b"\x0a\x7f"), bytes([9, 0]), acknowledgement(SELECTIVE_ACK, b"\x0a\x7f"), frame(IQ, b"\x3a\1\x0b")):
            with self.subTest(raw):
                connection = self.logged_in()
                connection.send(raw)
                self.assertEqual(connection.read_to_end(), b"")

    def test_acks_of_what_was_never_sent_are_no_error(self) -> None:
        known = self.caller.check_in()
        token = self.caller.register(known, self.sender.key)
        connection = self.logged_in(known)
        names = b"".join(proto((1, name)) for name in ("", "0:1%0", "x" * 60_000))
        connection.send(acknowledgement(SELECTIVE_ACK, names), frame(PING, proto((2, 1 << 62))), frame(PING, proto((2, (1 << 64) - 1))))
        self.assertEqual([read_frame(connection)[0] for _ in range(2)], [PING_ACK, PING_ACK])
        answer = self.caller.ask("POST", f"/fcm/send/{token}", encrypted(), ttl="60", content_encoding="aes128gcm",
                                 authorization=self.sender.authorization())
        self.assertEqual((answer.status, read_frame(connection)[0]), (201, DATA))

    def test_clients_have_ten_seconds_to_log_in(self) -> None:
        """One has said nothing, one its version, one a part of its login, and one sends a byte from time to time."""
        began = time.monotonic()
        opened = [Connection(self.gateway.at().connect(timeout=20)) for _ in range(3)]
        with opened[0], opened[1], opened[2]:
            opened[1].send(VERSION)
            opened[2].send(login(self.known)[:40])
            for connection in opened[1:]:
                connection.socket.settimeout(20)
                self.assertEqual(connection.socket.recv(1000), b"")
        self.assertTrue(9.5 < time.monotonic() - began < 13, time.monotonic() - began)


if __name__ == "__main__":
    unittest.main()
