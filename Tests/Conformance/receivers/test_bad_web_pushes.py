"""Web pushes that are wrong get the answers of Google's service, as far as they are known."""
from __future__ import annotations

import json
import time
import unittest
from typing import ClassVar

from bad_input_case import BadInputCase
from http1_client import Connection
from receiver_client import DAY, Answer, Caller, Sender, encrypted, login, other_signature, read_frame

INVALID_JWT = "permission denied: invalid JWT provided"
FORMAT = (
    "authorization header had no public application server key specified. Authorization header should have the following format: "
    "vapid t=jwtToken; k=base64(publicApplicationServerKey)")


class BadWebPushes(BadInputCase):
    token: ClassVar[str]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        with Caller(cls.gateway) as caller:
            cls.token = caller.register(cls.known, cls.sender.key)

    def push(self, authorization: str | None, token: str | None = None, body: bytes = encrypted(), **headers: str | None) -> Answer:
        fields = {"ttl": "60", "content_encoding": "aes128gcm", "authorization": authorization} | headers
        given = {name: value for name, value in fields.items() if value is not None}
        return self.caller.ask("POST", f"/fcm/send/{token or self.token}", body, **given)

    def refused(self, status: int, text: str, authorization: str | None, **more: str | None) -> None:
        answer = self.push(authorization, **more)
        self.assertEqual((answer.status, answer.text), (status, f"{text}\n"))
        self.assertEqual(answer.headers["content-type"], "text/plain; charset=utf-8")

    def test_each_claim(self) -> None:
        now, aud = int(time.time()), "aud claim in the token MUST include the origin of the push resource URL"
        rows: list[tuple[dict[str, object], str]] = [
            ({"exp": None}, "exp claim is missing"), ({"exp": now - 10}, "token has expired"), ({"exp": 0}, "token has expired"),
            ({"exp": now + DAY + 600}, "exp claim MUST NOT be more than 24 hours from the time of the request"),
            ({"aud": None}, aud), ({"aud": ""}, aud), ({"aud": "https://other.example"}, aud), ({"aud": "fcm.googleapis.com"}, aud),
            ({"aud": 7}, aud), ({"head": {"alg": "none"}}, INVALID_JWT), ({"head": {"alg": "HS256"}}, INVALID_JWT),
            ({"head": {"typ": "JWT"}}, INVALID_JWT), ({"head": []}, INVALID_JWT)]
        for changes, text in rows:
            with self.subTest(str(changes)):
                self.refused(403, text, self.sender.authorization(**changes))
        for changes in ({"sub": None}, {"sub": "nobody"}, {"aud": "https://jmt17.google.com"}, {"aud": "https://fcm.googleapis.com:443"}):
            self.assertEqual(self.push(self.sender.authorization(**changes)).status, 201)

    def test_each_part_of_the_signature(self) -> None:
        good, other = self.sender.token(), Sender()
        head, claims, signature = good.split(".")
        for wrong in (other_signature(good), f"{head}.{claims}.", f"{head}.{claims}", f"{head}.{claims}.{signature}.", f"{head}..{signature}",
                      f"{head}.{claims}.{signature}{signature}", ".", "..", "!.!.!", "x" * 5000, f"{head}.{'W1tb' * 1000}.{signature}"):
            with self.subTest(wrong[:40]):
                self.refused(403, INVALID_JWT, f"vapid t={wrong}, k={self.sender.key}")
        self.refused(403, INVALID_JWT, f"vapid t={good}, k={other.key}")

    def test_another_key_than_the_page_has(self) -> None:
        text = ("the VAPID credentials in the authorization header do not correspond to the credentials used to create the "
                "subscriptions.")
        self.refused(403, text, Sender().authorization())

    def test_each_error_of_the_key(self) -> None:
        good = self.sender.token()
        for text, key in (
            ("public key must be 65 bytes long", self.sender.key[:-4]), ("public key must be 65 bytes long", "BA"),
            ("public key must be in uncompressed form. (First byte needs to be 0x04)", "A" + self.sender.key[1:]),
            ("make sure the public key is base64url-encoded [RFC7515]", self.sender.key[:-1] + "!"),
            ("VAPID public key must be on the P-256 curve", "BAAA" + self.sender.key[4:]),
        ):
            with self.subTest(text):
                self.refused(403, text, f"vapid t={good}, k={key}")
        self.refused(403, FORMAT, f"vapid t={good}")
        for wrong in ("vapid", "vapid ,;=", f"vapid k={self.sender.key}", "Basic eDp5", "x"):
            self.assertEqual(self.push(wrong).status, 403)

    def test_without_authorization(self) -> None:
        self.refused(401, "authorization header must be specified.", None)

    def test_unknown_and_ended_tokens(self) -> None:
        text = "A valid push subscription endpoint should be specified in the URL as such: https://fcm.googleapis.com/wp/<token>"
        for token in ("unknown", "%00", "x" * 3000, self.token[:-1], "a%2Fb"):
            self.refused(404, text, self.sender.authorization(), token=token)
        self.refused(404, text, None, token="unknown")
        page = "wp:https://gone.example/#1-V2"
        ended = self.caller.register(self.known, self.sender.key, page)
        form = f"app=org.chromium.linux&X-subtype={page.replace('#', '%23')}&device=1&sender=*&delete=true"
        self.caller.ask("POST", "/c2dm/register3", form.encode(), authorization=self.known.authorization)
        self.refused(410, "push subscription has unsubscribed or expired.", self.sender.authorization(), token=ended)

    def test_a_body_over_the_limit_is_refused_before_everything_else(self) -> None:
        text = "binary data passed in the request must be less than 4096 bytes"
        for size in (4097, 60_000, 100_000, 1 << 20):
            with self.subTest(size):
                answer = self.caller.ask("POST", "/fcm/send/unknown", b"x" * size)
                self.assertEqual((answer.status, answer.text), (400, f"{text}\n"))
        self.assertEqual(self.push(self.sender.authorization(), body=b"x" * 4096).status, 201)

    def test_wrong_lifetimes_and_topics(self) -> None:
        good = self.sender.authorization()
        for ttl in (None, "", "soon", "-1", "+5", "1.5"):
            self.assertEqual(self.push(good, ttl=ttl).status, 400, ttl)
        for topic in ("", "x" * 33, "a b", "a+b", "ä"):
            self.assertEqual(self.push(good, topic=topic.encode().decode("latin-1")).status, 400, topic)

    def test_bodies_that_cannot_be_decrypted_reach_the_client(self) -> None:
        """Google's service can't read them, so it does not refuse them."""
        known = self.caller.check_in()
        token = self.caller.register(known, self.sender.key)
        bodies = [encrypted(record=size) for size in (0, 1, 17, (1 << 32) - 1)]
        bodies += [encrypted(key=b""), encrypted(key=b"k" * 255), encrypted(salt=b""), encrypted()[:20], b"x"]
        with Connection(self.gateway.at().connect()) as connection:
            connection.send(login(known))
            connection.take(1)
            read_frame(connection)
            for body in bodies:
                self.assertEqual(self.push(self.sender.authorization(), token, body).status, 201)
                self.assertEqual(read_frame(connection)[1][21], body)
        shown = json.loads(self.caller.ask("GET", "/api/v1/messages?limit=20").text)["messages"]
        self.assertEqual([one["provider"] for one in shown[: len(bodies)]], ["webpush"] * len(bodies))


if __name__ == "__main__":
    unittest.main()
