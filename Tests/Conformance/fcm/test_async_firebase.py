"""async-firebase as it is on PyPI."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any
from unittest import mock

import async_firebase._credentials
from async_firebase import AsyncFirebaseClient
from async_firebase import messages as async_messages

from device_client import Phone, with_phones
from fcm_clients import NAME, UNSUBSCRIBABLE, FCMClients, failures
from gateway import PATIENCE
from test_fcm import IMAGE, OWN_PROJECT, TOKEN
from test_fcm_devices import fcm, hello


class AsyncFirebase(FCMClients):
    """Patched: two URLs that are attributes, and the token URL, which is a constant of a module."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(async_firebase._credentials, "TOKEN_URL", self.gateway.at().url("/token")))
        # It logs to the root logger, which would configure that logger for all later tests.
        self.enterContext(mock.patch.object(logging.root, "handlers", [logging.NullHandler()]))

    def message(self, **target: str) -> async_messages.Message:
        """The client can't send a message without data."""
        return async_messages.Message(**target, data={"k": "v"})

    def with_client(self, body: Callable[[AsyncFirebaseClient], Coroutine[Any, Any, None]], http2: bool = False) -> None:
        async def whole() -> None:
            async with self.client(http2) as client:
                await asyncio.wait_for(body(client), 3 * PATIENCE)
        asyncio.run(whole())

    def client(self, http2: bool = False) -> AsyncFirebaseClient:
        client = AsyncFirebaseClient(use_http2=http2)
        client.creds_from_service_account_file(self.account)
        client.BASE_URL = client.IID_URL = self.gateway.at().url("")
        return client

    def test_it_sends_messages(self) -> None:
        full = async_messages.Message(
            token=TOKEN, data={"k": "v"}, notification=async_messages.Notification("a", "b", IMAGE), fcm_options=async_messages.FcmOptions("l"),
            android=async_messages.AndroidConfig.build(
                priority="high", ttl=3, collapse_key="c", data={"n": 1}, title="a", color="#aabbcc", notification_count=2, vibrate_timings_millis=[100, 50],
                visibility=async_messages.Visibility.PRIVATE, light_settings=async_messages.LightSettings("#aabbccdd", 200, 300)),
            apns=async_messages.APNSConfig.build(priority=5, title="t", badge=1, sound="default", mutable_content=True, custom_data={"x": "y"}),
            webpush=async_messages.WebpushConfig.build(data={"k": "v"}, title="a", link="https://a.example"))
        for http2, version in ((False, "HTTP/1.1"), (True, "HTTP/2")):
            async def body(client: AsyncFirebaseClient) -> None:
                for message, pattern in ((full, "0:"), (self.message(topic="t"), r"\d{19}\Z"), (self.message(condition="'a' in topics"), r"\d{19}\Z")):
                    answer = await client.send(message)
                    self.assertRegex(answer.message_id or str(answer.exception), NAME + pattern)
                dry = await client.send(self.message(token=TOKEN), dry_run=True)
                self.assertEqual(dry.message_id, f"projects/{OWN_PROJECT}/messages/fake_message_id")
                refused = await client.send(self.message(token=f"unregistered:{TOKEN}"))
                self.assertEqual(refused.exception.http_response.http_version, version)
            with self.subTest(version):
                self.with_client(body, http2)

    def test_five_hundred_messages(self) -> None:
        async def body(client: AsyncFirebaseClient) -> None:
            messages = [self.message(token=TOKEN if number % 2 else f"unregistered:{TOKEN}") for number in range(500)]
            batch = await client.send_each(messages)
            self.assertEqual((batch.success_count, batch.failure_count), (250, 250))
            self.assertEqual({type(answer.exception).__name__ for answer in batch.responses[::2]}, {"UnregisteredError"})
        for http2 in (False, True):
            with self.subTest(http2=http2):
                self.with_client(body, http2)

    def test_each_error_raises_its_exception(self) -> None:
        async def body(client: AsyncFirebaseClient) -> None:
            for token, answer, kind in failures():
                with self.subTest(token=token[:20], answer=answer), self.answering(answer):
                    refused = await client.send(self.message(token=token))
                    self.assertEqual((type(refused.exception).__name__, refused.success), (kind, False))
        self.with_client(body)

    def test_topics_reach_their_subscribers(self) -> None:
        for column, names in enumerate((("subscribe_to_topic", "unsubscribe_from_topic"), ("subscribe_devices_to_topic", "unsubscribe_devices_from_topic"))):
            async def body(phone: Phone) -> None:
                async with self.client() as client:
                    subscribe, unsubscribe = (getattr(client, name) for name in names)
                    token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
                    self.assert_reasons(await subscribe([token, *UNSUBSCRIBABLE], "news"), column)
                    self.assertEqual((await subscribe([token], "news")).success_count, 1)
                    await client.send(async_messages.Message(topic="news", data={"tag": "1"}))
                    await self.assert_next_push(phone, "1")
                    for _ in range(2):
                        self.assertEqual((await unsubscribe([token], "news")).success_count, 1)
                    await client.send(async_messages.Message(topic="news", data={"tag": "2"}))
                    batch = await client.send_each_for_multicast(async_messages.MulticastMessage([token], data={"tag": "3"}))
                    self.assertEqual(batch.success_count, 1)
                    await self.assert_next_push(phone, "3")
            with self.subTest(names):
                with_phones(self.gateway, body)
