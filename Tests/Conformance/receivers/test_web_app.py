"""A page in an unmodified Chromium registers with Firebase as its JavaScript SDK does, and gets FCM messages v1.

It is not the SDK: see web_app.py.
"""
from __future__ import annotations

import json
import unittest

import requests

from browsers import Chromium
from gateway import PATIENCE, Gateway
from receiver_page import ReceiverPage
from receivers import ChromiumCase
from test_senders import ADMIN_SAYS, ADMIN_SENDS, send_with_firebase_admin, summary
from web_app import PAGE, WORKER


@unittest.skipUnless(Chromium.path(), "needs chromium")
class WebApp(ChromiumCase):
    @classmethod
    def make_page(cls) -> ReceiverPage:
        return ReceiverPage(PAGE, WORKER)

    @classmethod
    def make_gateway(cls) -> Gateway:
        return cls.enterClassContext(Gateway("--allow-origin", cls.pages[0].origin))

    def send_message(self, token: str, **message: object) -> requests.Response:
        return requests.post(
            self.gateway.at().url("/v1/projects/shop/messages:send"), json={"message": {"token": token} | message},
            headers={"authorization": "Bearer any"}, verify=self.gateway.authority, timeout=PATIENCE)

    def test_a_visible_page_gets_a_message_and_otherwise_the_worker_shows_it(self) -> None:
        token = self.browser.run("getToken()")
        self.assertRegex(token, r"^[\w-]{22}:APA91b[\w-]{134}$")
        name = self.send_message(token, notification={"title": "Häppy 🎉"}, data={"k": "v"}).json()["name"]
        self.browser.wait_for("messages.length > 0")
        (message,) = json.loads(self.browser.run("JSON.stringify(messages)"))
        self.assertEqual((message["notification"], message["data"]), ({"title": "Häppy 🎉"}, {"k": "v"}))
        self.assertEqual(message["from"], "900000000000")
        self.assertTrue(name.endswith(message["fcmMessageId"]))
        self.assertEqual(json.loads(self.browser.run("shown()")), [])

        # No page of the app is open, so its worker shows a notification.
        pushes = self.pages[0].pushes[self.path]
        self.open(1)
        self.send_message(token, webpush={
            "notification": {"title": "Lunch", "body": "Is ready"}, "fcm_options": {"link": "https://shop.example/lunch"}})
        self.wait_until(lambda: len(pushes) == 2)
        self.open(0)
        (shown,) = json.loads(self.browser.run("shown()"))
        self.assertEqual((shown["title"], shown["body"]), ("Lunch", "Is ready"))
        self.assertEqual(shown["data"]["FCM_MSG"]["notification"]["click_action"], "https://shop.example/lunch")

    def test_firebase_admin_reaches_a_page(self) -> None:
        token = self.browser.run("getToken()")
        self.assertEqual(send_with_firebase_admin(self.gateway, token), ADMIN_SAYS)
        self.browser.wait_for(f"messages.length >= {len(ADMIN_SENDS)}")
        messages = json.loads(self.browser.run("JSON.stringify(messages)"))
        self.assertEqual([summary(message) for message in messages], ADMIN_SENDS)

    def test_a_token_that_is_refreshed_stays_and_one_that_is_deleted_ends(self) -> None:
        token = self.browser.run(f"getToken({json.dumps(self.key)})")  # Not the key of FCM.
        self.assertEqual(self.browser.run(f"refresh({json.dumps(token)})"), token)
        self.send_message(token, data={"k": "v"})
        self.browser.wait_for("messages.length > 0")
        self.assertEqual(self.browser.run("messages[0].data.k"), "v")
        self.browser.run(f"deleteToken({json.dumps(token)})")
        answer = self.send_message(token, data={"k": "v"})
        self.assertEqual((answer.status_code, answer.json()["error"]["details"][0]["errorCode"]), (404, "UNREGISTERED"))

    def test_a_page_of_an_origin_that_is_not_allowed_gets_no_token(self) -> None:
        self.open(1)
        self.assertEqual(self.browser.run("getToken().catch(String)"), "TypeError: Failed to fetch")


if __name__ == "__main__":
    unittest.main()
