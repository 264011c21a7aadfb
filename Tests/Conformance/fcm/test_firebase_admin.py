"""firebase-admin as it is on PyPI, over HTTP/1.1 and HTTP/2."""
from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import firebase_admin
import firebase_admin.credentials
from firebase_admin import exceptions, messaging

from device_client import Phone, with_phones
from fcm_clients import NAME, UNSUBSCRIBABLE, Effect, Firebase, failures
from gateway import PATIENCE
from test_fcm import DEAD, OWN_PROJECT, RECORDED, TOKEN
from test_fcm_devices import fcm, hello


class FirebaseAdmin(Firebase):
    def test_it_sends_messages(self) -> None:
        self.assertRegex(messaging.send(self.full_message()), NAME + "0:")
        self.assertRegex(messaging.send(messaging.Message(topic="/topics/t"), dry_run=True), r"/\d{19}\Z")
        self.assertRegex(messaging.send(messaging.Message(condition="'a' in topics")), r"/\d{19}\Z")
        self.assertEqual(messaging.send(messaging.Message(token=TOKEN), dry_run=True), f"projects/{OWN_PROJECT}/messages/fake_message_id")

    def test_apples_refusal_is_an_invalid_argument(self) -> None:
        """The token is unknown; it is an iPhone's, because `apns` is the only platform."""
        payload = messaging.APNSPayload(messaging.Aps(alert="a"))
        with self.assertRaises(exceptions.InvalidArgumentError) as raised:
            messaging.send(messaging.Message(token=TOKEN, apns=messaging.APNSConfig(headers={"apns-priority": "7"}, payload=payload)))
        response = raised.exception.http_response
        assert response is not None
        error = {"@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError", "statusCode": 400, "reason": "BadPriority"}
        self.assertEqual(response.json()["error"]["details"][1], error)

    def test_five_hundred_messages(self) -> None:
        self.assert_half_unregistered(messaging.send_each(self.half_unregistered()))

    def test_a_multicast_reaches_tokens_and_installation_ids(self) -> None:
        async def body(one: Phone, other: Phone) -> None:
            tokens = [fcm(await phone.ask(**hello(wants=["push"]))) for phone in (one, other)]
            for dry in (True, False):
                message = messaging.MulticastMessage([tokens[0]["token"], f"quota-exceeded:{DEAD}"], data={"tag": str(dry)}, fids=[tokens[1]["fid"]])
                batch = messaging.send_each_for_multicast(message, dry_run=dry)
                self.assertEqual([type(answer.exception) for answer in batch.responses], [type(None), messaging.QuotaExceededError, type(None)])
            for phone in (one, other):
                await self.assert_next_push(phone, "False")
        with_phones(self.gateway, body, count=2)

    def test_each_error_raises_its_exception(self) -> None:
        with self.without_pauses():
            for token, answer, kind in failures():
                with self.subTest(token=token[:20], answer=answer), self.answering(answer):
                    with self.assertRaises(firebase_admin.exceptions.FirebaseError) as caught:
                        messaging.send(messaging.Message(token=token))
                    self.assertEqual(type(caught.exception).__name__, kind)
        with self.assertRaisesRegex(firebase_admin.exceptions.InvalidArgumentError, "not a valid FCM registration token"):
            messaging.send(messaging.Message(token="INVALID_TOKEN"))

    def test_another_project_is_denied(self) -> None:
        app = firebase_admin.initialize_app(firebase_admin.credentials.Certificate(self.account), {"projectId": "736705283357"}, "other")
        self.addCleanup(firebase_admin.delete_app, app)
        with self.assertRaises(firebase_admin.exceptions.PermissionDeniedError) as caught:
            messaging.send(messaging.Message(token=TOKEN), app=app)
        self.assertEqual(caught.exception.http_response.json(), RECORDED["iam-denied"]["body"])

    def test_a_single_failure_is_retried(self) -> None:
        messaging.send(messaging.Message(token=TOKEN))
        rows: list[tuple[Effect, bool]] = [
            ({"answer": {"recorded": "internal"}}, False), ({"answer": {"recorded": "unavailable"}}, False), ({"close": "reset"}, False),
            ({"answer": {"recorded": "quota-project", "headers": {"retry-after": "0"}}}, False), ({"answer": {"recorded": "auth-expired"}}, True),
        ]
        for effect, is_renewed in rows:
            with self.subTest(effect), self.fault(effect, times=1) as seen:
                bearer = self.service._credential.token
                self.assertRegex(messaging.send(messaging.Message(token=TOKEN)), NAME)
                self.assertEqual((seen(), self.service._credential.token != bearer), (2, is_renewed))

    def test_each_error_has_its_number_of_tries(self) -> None:
        rows = {"unavailable": 5, "internal": 5, "third-party-auth-error": 3, "quota-exceeded": 1, "unregistered": 1}
        for word, tries in rows.items():
            with self.subTest(word), self.watch() as seen, self.without_pauses():
                with self.assertRaises(firebase_admin.exceptions.FirebaseError):
                    messaging.send(messaging.Message(token=f"{word}:{TOKEN}"))
                self.assertEqual(seen(), tries)

    def test_topics_reach_their_subscribers(self) -> None:
        rows = [(messaging.subscribe_to_topic, messaging.unsubscribe_from_topic), (messaging.subscribe_to_topic_legacy, messaging.unsubscribe_from_topic_legacy)]
        for column, (subscribe, unsubscribe) in enumerate(rows):
            async def body(phone: Phone) -> None:
                token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
                self.assert_reasons(subscribe([token, *UNSUBSCRIBABLE], "news"), column)
                self.assertEqual(subscribe(token, "/topics/news").success_count, 1)
                messaging.send(messaging.Message(topic="news", data={"tag": "dry"}), dry_run=True)
                messaging.send(messaging.Message(topic="news", data={"tag": "1"}))
                await self.assert_next_push(phone, "1")
                for _ in range(2):
                    self.assertEqual(unsubscribe([token], "news").success_count, 1)
                messaging.send(messaging.Message(topic="news", data={"tag": "2"}))
                messaging.send(messaging.Message(condition="!('news' in topics)", data={"tag": "3"}))
                await self.assert_next_push(phone, "3")
            with self.subTest(subscribe.__name__), self.without_pauses():
                with_phones(self.gateway, body)


class FirebaseAdminAsync(Firebase):
    """The asynchronous calls, which use HTTP/2 with httpx."""

    def run_all(self, body: Coroutine[Any, Any, None]) -> None:
        async def whole() -> None:
            try:
                await asyncio.wait_for(body, 6 * PATIENCE)
            finally:
                await self.service._async_client.aclose()
        asyncio.run(whole())

    def test_it_sends_messages(self) -> None:
        async def body() -> None:
            batch = await messaging.send_each_async([self.full_message(), messaging.Message(topic="t"), messaging.Message(token=f"unregistered:{TOKEN}")])
            for answer, pattern in zip(batch.responses, (NAME + "0:", r"/\d{19}\Z"), strict=False):
                self.assertRegex(answer.message_id or "", pattern)
            refusal = batch.responses[2].exception
            self.assertEqual((type(refusal), refusal.http_response.http_version), (messaging.UnregisteredError, "HTTP/2"))
            dry = await messaging.send_each_async([messaging.Message(token=TOKEN)], dry_run=True)
            self.assertEqual(dry.responses[0].message_id, f"projects/{OWN_PROJECT}/messages/fake_message_id")
        self.run_all(body())

    def test_five_hundred_messages(self) -> None:
        async def body() -> None:
            self.assert_half_unregistered(await messaging.send_each_async(self.half_unregistered()))
        self.run_all(body())

    def test_each_error_raises_its_exception(self) -> None:
        async def body() -> None:
            for token, answer, kind in failures():
                with self.subTest(token=token[:20], answer=answer), self.answering(answer):
                    batch = await messaging.send_each_async([messaging.Message(token=token)])
                    self.assertEqual(type(batch.responses[0].exception).__name__, kind)
        with self.without_pauses():
            self.run_all(body())

    def test_a_single_failure_is_retried(self) -> None:
        async def body() -> None:
            for name in ("internal", "unavailable", "auth-expired"):
                with self.subTest(name), self.fault({"answer": {"recorded": name}}, times=1) as seen:
                    batch = await messaging.send_each_async([messaging.Message(token=TOKEN)])
                    self.assertEqual((batch.success_count, seen()), (1, 2))
        self.run_all(body())

    def test_topics_reach_their_subscribers(self) -> None:
        async def body(phone: Phone, other: Phone) -> None:
            tokens = [fcm(await device.ask(**hello(wants=["push"]))) for device in (phone, other)]
            self.assert_reasons(await messaging.subscribe_to_topic_async([tokens[0]["token"], *UNSUBSCRIBABLE], "late"), 0)
            self.assertEqual((await messaging.subscribe_to_topic_async(tokens[0]["token"], "late")).success_count, 1)
            await messaging.send_each_async([messaging.Message(topic="late", data={"tag": "1"})])
            await self.assert_next_push(phone, "1")
            for _ in range(2):
                self.assertEqual((await messaging.unsubscribe_from_topic_async([tokens[0]["token"]], "late")).success_count, 1)
            await messaging.send_each_async([messaging.Message(topic="late", data={"tag": "2"})])
            message = messaging.MulticastMessage(data={"tag": "3"}, fids=[token["fid"] for token in tokens])
            self.assertEqual((await messaging.send_each_for_multicast_async(message)).success_count, 2)
            for device in (phone, other):
                await self.assert_next_push(device, "3")
            await self.service._async_client.aclose()
        with self.without_pauses():
            with_phones(self.gateway, body, count=2)
