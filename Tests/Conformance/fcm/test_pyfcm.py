"""pyfcm as it is on PyPI."""
from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import aiohttp
import pyfcm.baseapi
import pyfcm.errors
import requests

from device_client import Phone, with_phones
from fcm_clients import NAME, Effect, FCMClients
from gateway import PATIENCE
from test_fcm import IMAGE, TOKEN
from test_fcm_devices import fcm, hello


class PyFCM(FCMClients):
    """Patched: its URL, which is a constant of a class."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(pyfcm.baseapi.BaseAPI, "FCM_END_POINT_BASE", self.gateway.at().url("/v1/projects")))
        self.fcm = pyfcm.FCMNotification(service_account_file=self.account)

    @contextmanager
    def without_pauses(self) -> Iterator[mock.Mock]:
        """Also patched: the pauses of pyfcm and urllib3 are recorded instead of slept."""
        with mock.patch("time.sleep") as sleep:
            yield sleep

    def test_it_sends_once(self) -> None:
        """With a Retry-After in an answer, even with 200, it would wait and send again forever."""
        rows: list[tuple[dict[str, Any], str]] = [
            ({"fcm_token": TOKEN, "notification_title": "a", "notification_body": "b", "notification_image": IMAGE, "data_payload": {"k": "v"},
              "android_config": {"ttl": "5s", "priority": "high"}, "webpush_config": {"headers": {"TTL": "5"}}, "fcm_options": {"analytics_label": "l"},
              "apns_config": {"payload": {"aps": {"alert": "x", "badge": 1}}}}, "0:"),
            ({"fcm_token": TOKEN, "data_payload": {"k": "v"}}, "0:"), ({"fcm_token": TOKEN, "notification_title": "a", "dry_run": True}, "fake_message_id"),
            ({"topic_name": "t", "notification_title": "a"}, r"\d{19}\Z"), ({"topic_condition": "'a' in topics", "notification_title": "a"}, r"\d{19}\Z"),
        ]
        for message, name in rows:
            with self.subTest(message), self.watch() as seen, self.without_pauses() as sleep:
                self.assertRegex(self.fcm.notify(**message)["name"], NAME + name)
                self.assertEqual((seen(), sleep.call_args_list), (1, []))

    def test_a_topic_message_reaches_its_subscriber(self) -> None:
        """pyfcm has no call to subscribe, so the device subscribes."""
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            await phone.ask(type="topic", op="subscribe", name="news")
            self.fcm.notify(fcm_token=token, data_payload={"tag": "dry"}, dry_run=True)
            for message in ({"fcm_token": token}, {"topic_name": "news"}, {"topic_condition": "'news' in topics"}):
                self.fcm.notify(**message, data_payload={"tag": str(message)})
                await self.assert_next_push(phone, str(message))
        with_phones(self.gateway, body)

    def test_each_error_raises_its_exception(self) -> None:
        rows: list[tuple[str, type[Exception], int]] = [
            ("unregistered", pyfcm.errors.FCMNotRegisteredError, 1), ("sender-id-mismatch", pyfcm.errors.FCMSenderIdMismatchError, 1),
            ("invalid-argument", pyfcm.errors.InvalidDataError, 1), ("third-party-auth-error", pyfcm.errors.AuthenticationError, 1),
            ("quota-exceeded", pyfcm.errors.FCMServerError, 1), ("internal", pyfcm.errors.FCMServerError, 1),
            ("unavailable", requests.exceptions.RetryError, 11),
        ]
        for word, kind, tries in rows:
            with self.subTest(word), self.watch() as seen, self.without_pauses():
                with self.assertRaises(kind):
                    self.fcm.notify(fcm_token=f"{word}:{TOKEN}", notification_title="a")
                self.assertEqual(seen(), tries)
        with self.assertRaisesRegex(pyfcm.errors.InvalidDataError, "not a valid FCM registration token"):
            self.fcm.notify(fcm_token="INVALID_TOKEN", notification_title="a")

    def test_a_single_failure_is_retried(self) -> None:
        rows: list[tuple[Effect, list[int]]] = [
            ({"recorded": "unavailable"}, []), ({"recorded": "html-502"}, []), ({"recorded": "auth-expired"}, []),
            ({"recorded": "quota-project", "headers": {"retry-after": "7"}}, [7]),
        ]
        for answer, pauses in rows:
            with self.subTest(answer), self.fault({"answer": answer}, times=1) as seen, self.without_pauses() as sleep:
                self.assertRegex(self.fcm.notify(fcm_token=TOKEN, notification_title="a")["name"], NAME)
                self.assertEqual((seen(), [said.args[0] for said in sleep.call_args_list]), (2, pauses))

    def test_many_sends_at_once(self) -> None:
        """aiohttp reads SSL_CERT_FILE when it is imported, which is before the gateway starts, so its context is created again."""
        params = [{"fcm_token": TOKEN if number % 2 else f"quota-exceeded:{TOKEN}", "notification_title": "a"} for number in range(100)]
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)  # pyfcm does not close its loop.
        with mock.patch.object(asyncio, "new_event_loop", return_value=loop), \
                mock.patch.object(aiohttp.connector, "_SSL_CONTEXT_VERIFIED", aiohttp.connector._make_ssl_context(True)):
            answers = self.fcm.async_notify_multiple_devices(params, timeout=PATIENCE)
        self.assertEqual([answer["error"]["details"][0]["errorCode"] for answer in answers[::2]], ["QUOTA_EXCEEDED"] * 50)
        self.assertEqual(len({answer["name"] for answer in answers[1::2]}), 50)
