"""Web pushes to Firefox that are wrong get the answers of Mozilla's service, as far as they are known."""
from __future__ import annotations

import json
import time
import unittest
from typing import ClassVar

from autopush_client import AutopushSocket, hello, register
from bad_input_case import BadInputCase
from receiver_client import DAY, Sender, encrypted, other_signature

CLAIM_SENTENCE = (
    'Invalid VAPID token: A value in the vapid claims is either missing or incorrectly specified (e.g. "exp":"12345" or "sub":null).'
    " Please correct and retry.")


class BadMozillaPushes(BadInputCase):
    path: ClassVar[str]
    """The path of an endpoint with a key."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        with AutopushSocket(cls.gateway.at().connect()) as socket:
            socket.ask(hello())
            cls.path = "/wpush" + socket.ask(register(1, key=cls.sender.key + "="))["pushEndpoint"].partition("/wpush")[2]

    def refused(self, status: int, number: int, text: str, authorization: str | None, path: str | None = None, body: bytes = encrypted(),
                **headers: str | None) -> None:
        fields = {"ttl": "60", "content_encoding": "aes128gcm", "authorization": authorization} | headers
        given = {name: value for name, value in fields.items() if value is not None}
        answer = self.caller.ask("POST", path or self.path, body, **given)
        said = json.loads(answer.text) if answer.text else {}
        self.assertEqual((answer.status, said.get("errno"), said.get("message")), (status, number, text))
        self.assertEqual(list(said), ["code", "errno", "error", "message", "more_info"])

    def signed(self, **changes: object) -> str:
        return self.sender.authorization(**{"aud": "https://updates.push.services.mozilla.com"} | changes)

    def test_each_claim(self) -> None:
        now = int(time.time())
        rows: list[tuple[dict[str, object], str]] = [
            ({"exp": now - 10}, "ExpiredSignature"), ({"exp": now + DAY + 600}, "The VAPID token expiration is too long"),
            ({"aud": "https://other.example"}, "Invalid VAPID audience"), ({"aud": ""}, "Invalid VAPID audience"),
            ({"exp": None}, CLAIM_SENTENCE), ({"exp": str(now + 3600)}, CLAIM_SENTENCE)]
        for changes, text in rows:
            with self.subTest(str(changes)):
                self.refused(401, 109, text, self.signed(**changes))

    def test_signatures_and_keys(self) -> None:
        good = self.signed()
        token = good.split("t=")[1].partition(",")[0]
        rows = [
            ("InvalidSignature", good.replace(token, other_signature(token))), ("VAPID public key mismatch", Sender().authorization()),
            ("Missing VAPID public key", f"vapid t={token}"), ("Missing VAPID token", f"vapid k={self.sender.key}"),
            ("Missing VAPID token", None), ("Invalid VAPID public key", f"vapid t={token}, k=BA"), ("Unknown auth scheme", "Basic eDp5")]
        for text, authorization in rows:
            with self.subTest(text):
                self.refused(401, 109, text, authorization)

    def test_unknown_and_ended_tokens(self) -> None:
        for token in ("unknown", "x" * 3000, "%00"):
            self.refused(404, 102, "Invalid token", self.signed(), f"/wpush/v2/{token}")
        with AutopushSocket(self.gateway.at().connect()) as socket:
            socket.ask(hello())
            path = "/wpush" + socket.ask(register(2))["pushEndpoint"].partition("/wpush")[2]
            socket.ask(register(2, messageType="unregister"))
        self.refused(410, 106, "No such subscription", None, path)

    def test_fields(self) -> None:
        good = self.signed()
        self.refused(413, 104, "Request payload is too large", good, body=b"x" * 4097)
        for ttl in (None, "", "soon"):
            self.refused(400, 111, "Missing TTL value", good, ttl=ttl)
        rows = [(114, "TTL must be greater than 0", {"ttl": "-1"}), (113, "Topic must be no greater than 32 characters", {"topic": "x" * 33}),
                (113, "Topic must be URL and Filename safe Base64 alphabet", {"topic": "a b"})]
        for number, text, headers in rows:
            with self.subTest(text):
                self.refused(400, number, text, good, **headers)

    def test_encodings(self) -> None:
        good = self.signed()
        rows: list[tuple[str, dict[str, str | None]]] = [
            ("Missing Content-Encoding header", {"content_encoding": None}), ("Unknown Content-Encoding header", {"content_encoding": "gzip"}),
            ("Missing Encryption header", {"content_encoding": "aesgcm"}),
            ("Missing salt value in Encryption header", {"content_encoding": "aesgcm", "encryption": "rs=1", "crypto_key": "dh=BA"}),
            ("Do not include 'dh' header in aes128gcm Crypto-Key header", {"crypto_key": "dh=BA"})]
        for text, headers in rows:
            with self.subTest(text):
                self.refused(400, 110, text, good, **headers)


if __name__ == "__main__":
    unittest.main()
