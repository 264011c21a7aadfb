"""Wrong calls of Firebase Installations and of the registrations of web apps."""
from __future__ import annotations

import json
import unittest

from bad_input_case import BadInputCase


class BadFirebaseCalls(BadInputCase):
    BASE = "/v1/projects/shop"
    WEB = {"endpoint": "https://fcm.googleapis.com/fcm/send/x", "auth": "YWFhYWFhYWFhYWFhYWFhYQ", "p256dh": ""}

    def error(self, method: str, path: str, body: object, **headers: str) -> tuple[int, str]:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        answer = self.caller.ask(method, self.BASE + path, raw, x_goog_api_key="any", **headers)
        self.assertNotEqual(answer.status, 200, answer.text)
        return answer.status, json.loads(answer.text)["error"]["status"]

    def install(self) -> dict:
        body = json.dumps({"fid": "", "appId": "1:2:web:3", "authVersion": "FIS_v2", "sdkVersion": "w:0.6.17"}).encode()
        return json.loads(self.caller.ask("POST", f"{self.BASE}/installations", body, x_goog_api_key="any").text)

    def test_a_bad_installation_is_an_invalid_argument(self) -> None:
        for body in (b"", b"{", b"[" * 10_000, [], {}, {"fid": ""}, {"appId": "a"}, {"fid": 1, "appId": "a"}, {"fid": "", "appId": ""},
                     {"fid": "x" * 2000, "appId": "a"}):
            with self.subTest(str(body)[:40]):
                self.assertEqual(self.error("POST", "/installations", body), (400, "INVALID_ARGUMENT"))

    def test_a_wrong_refresh_token_is_unauthenticated_and_an_unknown_installation_not_found(self) -> None:
        made = self.install()
        path = f"/installations/{made['fid']}"
        for wrong in ("", "FIS_v2", "FIS_v2 x", made["refreshToken"]):
            self.assertEqual(self.error("POST", f"{path}/authTokens:generate", {}, authorization=wrong), (401, "UNAUTHENTICATED"))
        self.assertEqual(self.error("POST", "/installations/none/authTokens:generate", {}), (404, "NOT_FOUND"))
        self.assertEqual(self.error("DELETE", "/installations/none", {}), (404, "NOT_FOUND"))

    def test_a_registration_without_the_token_of_an_installation_is_unauthenticated(self) -> None:
        for wrong in ("", "FIS", "FIS a.b.c", "a.b.c", "x" * 5000, "FIS e30.e30.e30"):
            got = self.error("POST", "/registrations", {"web": self.WEB}, x_goog_firebase_installations_auth=wrong)
            self.assertEqual(got, (401, "UNAUTHENTICATED"))

    def test_a_bad_registration_is_an_invalid_argument(self) -> None:
        auth = self.install()["authToken"]["token"]
        good = self.WEB | {"endpoint": f"https://x/{self.caller.register(self.known, self.sender.key)}", "p256dh": self.sender.key}
        wrong = [good | change for change in (
            {"endpoint": ""}, {"endpoint": "https://fcm.googleapis.com/fcm/send/unknown"}, {"auth": "YQ"}, {"auth": "!"}, {"p256dh": "BA"},
            {"p256dh": self.sender.key[:-1]}, {"p256dh": "A" + self.sender.key[1:]}, {"p256dh": 7})]
        for web in (None, [], {}, *wrong):
            with self.subTest(str(web)):
                got = self.error("POST", "/registrations", {"web": web}, x_goog_firebase_installations_auth=f"FIS {auth}")
                self.assertEqual(got, (400, "INVALID_ARGUMENT"))
        for method in ("PATCH", "DELETE"):
            got = self.error(method, "/registrations/unknown", {"web": good}, x_goog_firebase_installations_auth=auth)
            self.assertEqual(got, (404, "NOT_FOUND"))


if __name__ == "__main__":
    unittest.main()
