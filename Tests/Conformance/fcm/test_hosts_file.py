"""FCM's clients with Google's host names, which lead to the gateway."""
from __future__ import annotations

import json

import firebase_admin
import firebase_admin.credentials
import pyfcm
from firebase_admin import messaging
from google.oauth2 import service_account

from device_client import Phone, with_phones
from fcm_clients import NAME, SCOPES, FCMClients
from test_fcm import TOKEN
from test_fcm_devices import fcm, hello


class HostsFile(FCMClients):
    """Nothing is patched; the account has Google's token URL."""

    def setUp(self) -> None:
        super().setUp()
        with open(self.account, encoding="utf-8") as file:
            self.googles = json.load(file) | {"token_uri": "https://oauth2.googleapis.com/token"}

    def test_firebase_admin_reaches_the_gateway_by_googles_names(self) -> None:
        app = firebase_admin.initialize_app(firebase_admin.credentials.Certificate(self.googles))
        self.addCleanup(firebase_admin.delete_app, app)

        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.assertEqual(messaging.subscribe_to_topic(token, "a").success_count, 1)
            self.assertEqual(messaging.subscribe_to_topic_legacy(token, "b").success_count, 1)
            messaging.send(messaging.Message(condition="'a' in topics && 'b' in topics", data={"tag": "1"}))
            await self.assert_next_push(phone, "1")
        with_phones(self.gateway, body)

    def test_pyfcm_reaches_it_too(self) -> None:
        credentials = service_account.Credentials.from_service_account_info(self.googles, scopes=SCOPES)
        self.assertRegex(pyfcm.FCMNotification(credentials=credentials).notify(TOKEN, "a")["name"], NAME)
