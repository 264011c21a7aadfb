"""Web pushes to simulated browsers: Pushpit has the private keys, decrypts the pushes and explains what is wrong."""
from __future__ import annotations

import base64
import json
import os
import unittest
from typing import Any

import pywebpush
import requests
from py_vapid import Vapid02

from gateway import PATIENCE, Gateway


def encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


class SimulatedBrowsers(unittest.TestCase):
    """A device with the platform web has a subscription, in the form that browsers give to pages."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        cls.session = cls.enterClassContext(requests.Session())
        cls.session.verify, cls.session.trust_env = cls.gateway.authority, False
        cls.vapid = Vapid02()
        cls.vapid.generate_keys()

    def api(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.session.request(
            method, self.gateway.at().url(f"/api/v1{path}"), json=body, headers={"accept": "application/json"}, timeout=PATIENCE)
        self.assertLess(answer.status_code, 300, answer.text)
        return answer.json() if answer.content else None

    def make(self, **members: Any) -> dict[str, Any]:
        body = {"platform": "web", "app": "https://shop.example"} | members
        return self.api("POST", "/devices", body)["devices"][0]

    def push(self, device: dict[str, Any], text: str = "{}", **options: Any) -> int:
        """pywebpush sends to the device as to any subscription."""
        options = {"subscription_info": device["subscription"], "ttl": 60} | options
        return pywebpush.webpush(
            data=text, vapid_private_key=self.vapid, vapid_claims={"sub": "mailto:ops@shop.example"},
            requests_session=self.session, **options).status_code

    def message(self) -> dict[str, Any]:
        return self.api("GET", "/messages?limit=1")["messages"][0]

    def kinds(self, device: dict[str, Any]) -> list[str]:
        events = self.api("GET", f"/events?device={device['id']}")["events"]
        return [f"{event['kind']} {event.get('why') or ''}".strip() for event in events]

    def test_a_push_is_decrypted(self) -> None:
        device = self.make()
        text = json.dumps({"title": "Grüße", "n": 1})
        for encoding in ("aes128gcm", "aesgcm"):
            with self.subTest(encoding):
                self.assertEqual(self.push(device, text, content_encoding=encoding), 201)
                message = self.message()
                self.assertEqual(message["request"]["body"], {"title": "Grüße", "n": 1})
                self.assertEqual((message["encryption"]["encoding"], message["findings"]), (encoding, []))
                self.assertGreater(message["encryption"]["bytes"], len(text))
        self.assertEqual(self.kinds(device)[-2:], ["delivered fcm.delivered", "callback web.push"])

    def test_the_text_is_found_and_expected(self) -> None:
        device = self.make()
        self.push(device, json.dumps({"order": "4711"}))
        self.assertEqual(len(self.api("GET", "/messages?text=4711")["messages"]), 1)

    def test_a_push_that_can_not_be_decrypted_is_explained(self) -> None:
        device = self.make()
        other = self.make()["subscription"]["keys"]
        own = device["subscription"]["keys"]
        for keys, words in (({"p256dh": other["p256dh"]}, "another p256dh"), ({"auth": encoded(os.urandom(16))}, "another p256dh or auth")):
            with self.subTest(words):
                subscription = device["subscription"] | {"keys": own | keys}
                self.assertEqual(self.push(device, "x", subscription_info=subscription), 201)
                finding = self.message()["findings"][0]
                self.assertEqual(finding["rule"], "browser.unreadable")
                self.assertIn(words, finding["message"])
        self.assertEqual(self.kinds(device)[-1], "dropped browser.unreadable")

    def test_a_closed_browser_gets_the_newest_of_a_topic(self) -> None:
        device = self.make(state={"online": False})
        for number in (1, 2):
            self.push(device, json.dumps({"n": number}), headers={"topic": "news"})
        self.push(device, json.dumps({"n": 3}), ttl=0)
        self.api("PATCH", f"/devices/{device['id']}", {"state": {"online": True}})
        kinds = self.kinds(device)
        self.assertEqual(kinds.count("stored fcm.pending"), 2, kinds)
        self.assertEqual(len([kind for kind in kinds if kind.startswith("delivered")]), 1, kinds)

    def test_keys_of_the_client_stay_with_it(self) -> None:
        key = self.make()["subscription"]["keys"]["p256dh"]
        device = self.make(subscription={"keys": {"p256dh": key, "auth": encoded(bytes(16))}})
        self.assertEqual(device["subscription"]["keys"], {"p256dh": key, "auth": encoded(bytes(16))})
        self.assertEqual(self.push(device, "secret"), 201)
        self.assertEqual(self.message()["request"]["body"]["encoding"], "aes128gcm")

    def test_another_key_and_a_deleted_device(self) -> None:
        point = self.make()["subscription"]["keys"]["p256dh"]
        device = self.make(subscription={"applicationServerKey": point})
        with self.assertRaises(pywebpush.WebPushException) as caught:
            self.push(device)
        self.assertEqual(caught.exception.response.status_code, 403)
        device = self.make()
        self.api("DELETE", f"/devices/{device['id']}")
        with self.assertRaises(pywebpush.WebPushException) as caught:
            self.push(device)
        self.assertEqual(caught.exception.response.status_code, 410)

    def test_services_answer_in_their_own_words(self) -> None:
        for service, path, status in (("mozilla", "/wpush/v2/", 413), ("apple", "/web.push.apple.com/", 413), ("google", "/fcm/send/", 400)):
            with self.subTest(service):
                device = self.make(subscription={"pushService": service})
                self.assertIn(path, device["subscription"]["endpoint"])
                self.assertEqual(self.push(device), 201)
                with self.assertRaises(pywebpush.WebPushException) as caught:
                    self.push(device, "x" * 4200)
                self.assertEqual(caught.exception.response.status_code, status)

    def test_a_declarative_push_is_shown_by_safari(self) -> None:
        text = json.dumps({"web_push": 8030, "notification": {"title": "Hello", "navigate": "https://shop.example/a"}})
        safari, chrome = self.make(subscription={"pushService": "apple"}), self.make()
        for device in (safari, chrome):
            self.push(device, text)
        self.assertEqual(self.kinds(safari)[-1], "presented web.declarative")
        self.assertEqual(self.kinds(chrome)[-1], "callback web.push")
        self.assertEqual(self.api("GET", f"/devices/{safari['id']}/shade")["shade"][0]["title"], "Hello")

    def test_subscriptions_are_listed(self) -> None:
        device = self.make(app="https://listed.example")
        rows = self.api("GET", "/subscriptions?app=https://listed.example")["subscriptions"]
        self.assertEqual([row["endpoint"] for row in rows], [device["subscription"]["endpoint"]])


if __name__ == "__main__":
    unittest.main()
