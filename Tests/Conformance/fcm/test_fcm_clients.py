"""FCM's clients as they are on PyPI: firebase-admin, google-auth, pyfcm and async-firebase. What is changed in each stands in its class."""
from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import unittest
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import Any
from unittest import mock
from warnings import catch_warnings, simplefilter

import aiohttp
import async_firebase._credentials
import firebase_admin
import firebase_admin.credentials
import google.auth._helpers
import pyfcm.baseapi
import pyfcm.errors
import requests
from async_firebase import AsyncFirebaseClient
from async_firebase import messages as async_messages
from firebase_admin import _http_client, messaging
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2 import service_account

from control import call, move_clock, set_fault
from device_client import Phone, with_phones
from gateway import PATIENCE, Gateway
from test_fcm import DEAD, IMAGE, OWN_PROJECT, RECORDED, TOKEN
from test_fcm_devices import fcm, hello

SCOPES = ["https://www.googleapis.com/auth/firebase.messaging"]
GOOGLE = ("fcm.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com")
NAME = rf"\Aprojects/{OWN_PROJECT}/messages/"

# Words of magic tokens, and the exception that firebase-admin and async-firebase make of each.
WORDS = {
    "unregistered": "UnregisteredError", "unregistered.apns": "UnregisteredError", "sender-id-mismatch": "SenderIdMismatchError",
    "quota-exceeded": "QuotaExceededError", "third-party-auth-error": "ThirdPartyAuthError", "third-party-auth-error.apns": "ThirdPartyAuthError",
    "invalid-argument": "InvalidArgumentError", "unavailable": "UnavailableError", "internal": "InternalError",
}
# Recorded answers that a fault gives, likewise.
ANSWERS = {
    "bad-token-short": "InvalidArgumentError", "bad-token-2018": "InvalidArgumentError", "apns-dataonly-priority": "InvalidArgumentError",
    "oversize-2018": "InvalidArgumentError", "oversize-android": "InvalidArgumentError", "oversize-ios": "InvalidArgumentError",
    "apns-token-disabled": "InvalidArgumentError", "apns-token-not-for-topic": "InvalidArgumentError", "aps-empty": "InvalidArgumentError",
    "third-party-auth-apns": "ThirdPartyAuthError", "third-party-auth-env": "ThirdPartyAuthError", "third-party-auth-2026": "ThirdPartyAuthError",
    "third-party-auth-2026-apns": "ThirdPartyAuthError", "unregistered-apns": "UnregisteredError", "sender-mismatch": "SenderIdMismatchError",
    "topic-quota": "QuotaExceededError", "quota-mem": "ResourceExhaustedError", "internal": "InternalError", "unavailable": "UnavailableError",
    "auth-missing": "UnauthenticatedError", "auth-invalid": "UnauthenticatedError", "auth-expired": "UnauthenticatedError",
    "scope-insufficient": "PermissionDeniedError", "iam-denied": "PermissionDeniedError", "iam-denied-nodetails": "PermissionDeniedError",
    "api-disabled": "PermissionDeniedError", "html-502": "UnknownError",
}
# Further statuses without a word, and words that FCM was not seen to say.
STATUSES = {404: "NotFoundError", 409: "ConflictError", 412: "FailedPreconditionError"}
PLATFORM = {
    "FAILED_PRECONDITION": (400, "FailedPreconditionError"), "OUT_OF_RANGE": (400, "OutOfRangeError"), "CONFLICT": (409, "ConflictError"),
    "ABORTED": (409, "AbortedError"), "ALREADY_EXISTS": (409, "AlreadyExistsError"), "CANCELLED": (499, "CancelledError"),
    "DATA_LOSS": (500, "DataLossError"), "UNKNOWN": (500, "UnknownError"), "DEADLINE_EXCEEDED": (504, "DeadlineExceededError"),
}
# Tokens that can't be subscribed: the reason by the API of 2026 and by Instance ID.
UNSUBSCRIBABLE = {
    DEAD: ("UNREGISTERED", "NOT_FOUND"), f"unregistered:{DEAD}": ("UNREGISTERED", "NOT_FOUND"), "garbage": ("INVALID_ARGUMENT", "INVALID_ARGUMENT"),
    f"sender-id-mismatch:{DEAD}": ("SENDER_ID_MISMATCH", "PERMISSION_DENIED"), f"quota-exceeded:{DEAD}": ("QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED"),
    f"internal:{DEAD}": ("INTERNAL", "INTERNAL"), f"unavailable:{DEAD}": ("UNAVAILABLE", "DEADLINE_EXCEEDED"),
}
Effect = dict[str, Any]


def failures() -> list[tuple[str, Effect | None, str]]:
    """For one send each: the token, a fault, the exception's name."""
    return [
        *((f"{word}:{TOKEN}", None, kind) for word, kind in WORDS.items()),
        ("INVALID_TOKEN", None, "InvalidArgumentError"),
        *((TOKEN, {"recorded": name}, kind) for name, kind in ANSWERS.items()),
        *((TOKEN, {"status": status, "contentType": "text/html", "body": "<p>No.</p>"}, kind) for status, kind in STATUSES.items()),
        *((TOKEN, {"status": status, "body": json.dumps({"error": {"code": status, "message": "No.", "status": word}})}, kind)
          for word, (status, kind) in PLATFORM.items()),
    ]


def look_up(gateway: Gateway) -> Callable[..., Any]:
    """Instead of the system's: Google's names are the gateway, as by a hosts file and a listener on port 443; there are no others."""
    system = socket.getaddrinfo

    def answer(host: str | bytes | None, port: Any, *rest: Any, **more: Any) -> Any:
        host = host.decode() if isinstance(host, bytes) else host
        if host in GOOGLE and port == 443:
            return system("127.0.0.1", gateway.at().port, *rest, **more)
        if host not in (None, "localhost", "127.0.0.1"):
            raise socket.gaierror(socket.EAI_NONAME, f"{host} is not known here")
        return system(host, port, *rest, **more)
    return answer


class FCMClients(unittest.TestCase):
    """With a gateway that takes nothing but tokens of its own account."""

    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway("--auth", "strict"))
        self.account = str(self.gateway.certificates / "service-account.json")
        authority = {"REQUESTS_CA_BUNDLE": self.gateway.authority, "SSL_CERT_FILE": self.gateway.authority}
        self.enterContext(mock.patch.dict(os.environ, authority))
        self.enterContext(mock.patch.object(socket, "getaddrinfo", look_up(self.gateway)))
        self.enterContext(catch_warnings())
        simplefilter("ignore", DeprecationWarning)

    @contextmanager
    def fault(self, effect: Any, **rest: Any) -> Iterator[Callable[[], int]]:
        """While it is set; tells how many requests it has seen."""
        name = set_fault(self.gateway, effect, **rest)
        try:
            yield lambda: next(row["seen"] for row in call(self.gateway, "GET", "/faults")[1]["faults"] if row["id"] == name)
        finally:
            call(self.gateway, "DELETE", f"/faults/{name}")

    def watch(self) -> Any:
        """A fault that never comes, for its count."""
        return self.fault({"silence": True}, nth=1_000_000)

    @contextmanager
    def going_wrong(self, answer: Effect | None) -> Iterator[None]:
        if answer is None:
            yield
        else:
            with self.fault({"answer": answer}):
                yield

    async def hears(self, phone: Phone, tag: str) -> None:
        self.assertEqual((await phone.receive())["payload"]["data"], {"tag": tag})

    def assertReasons(self, said: Any, column: int) -> None:
        """Of one good token and the unsubscribable behind it."""
        self.assertEqual((said.success_count, said.failure_count), (1, len(UNSUBSCRIBABLE)))
        expected = [reasons[column] for reasons in UNSUBSCRIBABLE.values()]
        self.assertEqual([(error.index, error.reason) for error in said.errors], list(enumerate(expected, 1)))


class Firebase(FCMClients):
    """Changed: two addresses that are constants of its class, and one that its constructor makes."""

    def setUp(self) -> None:
        super().setUp()
        service, url = messaging._MessagingService, self.gateway.at().url
        self.enterContext(mock.patch.multiple(service, FCM_URL=url("/v1/projects/{0}/messages:send"), IID_URL=url("")))
        self.app = firebase_admin.initialize_app(firebase_admin.credentials.Certificate(self.account))
        self.addCleanup(firebase_admin.delete_app, self.app)
        self.service = messaging._get_messaging_service(None)
        self.service._fcm_topic_url = url(f"/v1/projects/{OWN_PROJECT}/registrations")

    @contextmanager
    def without_pauses(self) -> Iterator[None]:
        """Changed too: how long it waits between tries."""
        with mock.patch.object(_http_client.DEFAULT_RETRY_CONFIG, "backoff_factor", 0), \
                mock.patch.object(_http_client.DEFAULT_HTTPX_RETRY_CONFIG, "backoff_factor", 0):
            yield

    def full(self) -> messaging.Message:
        return messaging.Message(
            token=TOKEN, data={"k": "v"}, notification=messaging.Notification("a", "b", IMAGE), fcm_options=messaging.FCMOptions("l"),
            android=messaging.AndroidConfig(collapse_key="c", priority="high", ttl=timedelta(seconds=3.5), notification=messaging.AndroidNotification(
                color="#aabbcc", body_loc_key="k", body_loc_args=["x"], event_timestamp=datetime.now(timezone.utc), vibrate_timings_millis=[100, 50],
                visibility="private", priority="max", notification_count=2,
                light_settings=messaging.LightSettings("#aabbccdd", 200, 300))),
            apns=messaging.APNSConfig(headers={"apns-priority": "5"}, payload=messaging.APNSPayload(messaging.Aps(
                alert=messaging.ApsAlert(title="t"), badge=1, sound="default", content_available=True, mutable_content=True), x="y"),
                fcm_options=messaging.APNSFCMOptions(image=IMAGE)),
            webpush=messaging.WebpushConfig(headers={"TTL": "5"}, notification=messaging.WebpushNotification("a", actions=[messaging.WebpushNotificationAction("b", "c")]),
                                            fcm_options=messaging.WebpushFCMOptions("https://a.example")))

    def half_dead(self) -> list[messaging.Message]:
        return [messaging.Message(token=TOKEN if number % 2 else f"unregistered:{TOKEN}") for number in range(500)]

    def assertHalf(self, batch: messaging.BatchResponse) -> None:
        self.assertEqual((batch.success_count, batch.failure_count), (250, 250))
        self.assertTrue(all(isinstance(answer.exception, messaging.UnregisteredError) for answer in batch.responses[::2]))
        self.assertEqual(len({answer.message_id for answer in batch.responses[1::2]}), 250)


class FirebaseAdmin(Firebase):
    def test_it_sends(self) -> None:
        self.assertRegex(messaging.send(self.full()), NAME + "0:")
        self.assertRegex(messaging.send(messaging.Message(topic="/topics/t"), dry_run=True), r"/\d{19}\Z")
        self.assertRegex(messaging.send(messaging.Message(condition="'a' in topics")), r"/\d{19}\Z")
        self.assertEqual(messaging.send(messaging.Message(token=TOKEN), dry_run=True), f"projects/{OWN_PROJECT}/messages/fake_message_id")

    def test_five_hundred(self) -> None:
        self.assertHalf(messaging.send_each(self.half_dead()))

    def test_a_multicast_reaches_tokens_and_installations(self) -> None:
        async def body(one: Phone, other: Phone) -> None:
            tokens = [fcm(await phone.ask(**hello(wants=["push"]))) for phone in (one, other)]
            for dry in (True, False):
                message = messaging.MulticastMessage([tokens[0]["token"], f"quota-exceeded:{DEAD}"], data={"tag": str(dry)}, fids=[tokens[1]["fid"]])
                batch = messaging.send_each_for_multicast(message, dry_run=dry)
                self.assertEqual([type(answer.exception) for answer in batch.responses], [type(None), messaging.QuotaExceededError, type(None)])
            for phone in (one, other):
                await self.hears(phone, "False")
        with_phones(self.gateway, body, count=2)

    def test_each_error_is_its_exception(self) -> None:
        with self.without_pauses():
            for token, answer, kind in failures():
                with self.subTest(token=token[:20], answer=answer), self.going_wrong(answer):
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

    def test_what_happens_once_is_survived(self) -> None:
        messaging.send(messaging.Message(token=TOKEN))
        rows: list[tuple[Effect, bool]] = [
            ({"answer": {"recorded": "internal"}}, False), ({"answer": {"recorded": "unavailable"}}, False), ({"close": "reset"}, False),
            ({"answer": {"recorded": "quota-mem", "headers": {"retry-after": "0"}}}, False), ({"answer": {"recorded": "auth-expired"}}, True),
        ]
        for effect, is_renewed in rows:
            with self.subTest(effect), self.fault(effect, times=1) as seen:
                bearer = self.service._credential.token
                self.assertRegex(messaging.send(messaging.Message(token=TOKEN)), NAME)
                self.assertEqual((seen(), self.service._credential.token != bearer), (2, is_renewed))

    def test_how_often_it_tries(self) -> None:
        rows = {"unavailable": 5, "internal": 5, "third-party-auth-error": 3, "quota-exceeded": 1, "unregistered": 1}
        for word, tries in rows.items():
            with self.subTest(word), self.watch() as seen, self.without_pauses():
                with self.assertRaises(firebase_admin.exceptions.FirebaseError):
                    messaging.send(messaging.Message(token=f"{word}:{TOKEN}"))
                self.assertEqual(seen(), tries)

    def test_topics_reach_who_is_subscribed(self) -> None:
        rows = [(messaging.subscribe_to_topic, messaging.unsubscribe_from_topic), (messaging.subscribe_to_topic_legacy, messaging.unsubscribe_from_topic_legacy)]
        for column, (subscribe, unsubscribe) in enumerate(rows):
            async def body(phone: Phone) -> None:
                token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
                self.assertReasons(subscribe([token, *UNSUBSCRIBABLE], "news"), column)
                self.assertEqual(subscribe(token, "/topics/news").success_count, 1)
                messaging.send(messaging.Message(topic="news", data={"tag": "dry"}), dry_run=True)
                messaging.send(messaging.Message(topic="news", data={"tag": "1"}))
                await self.hears(phone, "1")
                for _ in range(2):
                    self.assertEqual(unsubscribe([token], "news").success_count, 1)
                messaging.send(messaging.Message(topic="news", data={"tag": "2"}))
                messaging.send(messaging.Message(condition="!('news' in topics)", data={"tag": "3"}))
                await self.hears(phone, "3")
            with self.subTest(subscribe.__name__), self.without_pauses():
                with_phones(self.gateway, body)


class FirebaseAdminAsync(Firebase):
    """Its half that speaks HTTP/2, by httpx."""

    def run_all(self, body: Coroutine[Any, Any, None]) -> None:
        async def whole() -> None:
            try:
                await asyncio.wait_for(body, 6 * PATIENCE)
            finally:
                await self.service._async_client.aclose()
        asyncio.run(whole())

    def test_it_sends(self) -> None:
        async def body() -> None:
            batch = await messaging.send_each_async([self.full(), messaging.Message(topic="t"), messaging.Message(token=f"unregistered:{TOKEN}")])
            for answer, pattern in zip(batch.responses, (NAME + "0:", r"/\d{19}\Z"), strict=False):
                self.assertRegex(answer.message_id or "", pattern)
            refusal = batch.responses[2].exception
            self.assertEqual((type(refusal), refusal.http_response.http_version), (messaging.UnregisteredError, "HTTP/2"))
            dry = await messaging.send_each_async([messaging.Message(token=TOKEN)], dry_run=True)
            self.assertEqual(dry.responses[0].message_id, f"projects/{OWN_PROJECT}/messages/fake_message_id")
        self.run_all(body())

    def test_five_hundred(self) -> None:
        async def body() -> None:
            self.assertHalf(await messaging.send_each_async(self.half_dead()))
        self.run_all(body())

    def test_each_error_is_its_exception(self) -> None:
        async def body() -> None:
            for token, answer, kind in failures():
                with self.subTest(token=token[:20], answer=answer), self.going_wrong(answer):
                    batch = await messaging.send_each_async([messaging.Message(token=token)])
                    self.assertEqual(type(batch.responses[0].exception).__name__, kind)
        with self.without_pauses():
            self.run_all(body())

    def test_what_happens_once_is_survived(self) -> None:
        async def body() -> None:
            for name in ("internal", "unavailable", "auth-expired"):
                with self.subTest(name), self.fault({"answer": {"recorded": name}}, times=1) as seen:
                    batch = await messaging.send_each_async([messaging.Message(token=TOKEN)])
                    self.assertEqual((batch.success_count, seen()), (1, 2))
        self.run_all(body())

    def test_topics_reach_who_is_subscribed(self) -> None:
        async def body(phone: Phone, other: Phone) -> None:
            tokens = [fcm(await device.ask(**hello(wants=["push"]))) for device in (phone, other)]
            self.assertReasons(await messaging.subscribe_to_topic_async([tokens[0]["token"], *UNSUBSCRIBABLE], "late"), 0)
            self.assertEqual((await messaging.subscribe_to_topic_async(tokens[0]["token"], "late")).success_count, 1)
            await messaging.send_each_async([messaging.Message(topic="late", data={"tag": "1"})])
            await self.hears(phone, "1")
            for _ in range(2):
                self.assertEqual((await messaging.unsubscribe_from_topic_async([tokens[0]["token"]], "late")).success_count, 1)
            await messaging.send_each_async([messaging.Message(topic="late", data={"tag": "2"})])
            message = messaging.MulticastMessage(data={"tag": "3"}, fids=[token["fid"] for token in tokens])
            self.assertEqual((await messaging.send_each_for_multicast_async(message)).success_count, 2)
            for device in (phone, other):
                await self.hears(device, "3")
            await self.service._async_client.aclose()
        with self.without_pauses():
            with_phones(self.gateway, body, count=2)


class HostsFile(FCMClients):
    """Nothing is changed in these but the account's token URL, which is Google's again."""

    def setUp(self) -> None:
        super().setUp()
        with open(self.account, encoding="utf-8") as file:
            self.googles = json.load(file) | {"token_uri": "https://oauth2.googleapis.com/token"}

    def test_firebase_admin_finds_the_gateway_by_googles_names(self) -> None:
        app = firebase_admin.initialize_app(firebase_admin.credentials.Certificate(self.googles))
        self.addCleanup(firebase_admin.delete_app, app)

        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.assertEqual(messaging.subscribe_to_topic(token, "a").success_count, 1)
            self.assertEqual(messaging.subscribe_to_topic_legacy(token, "b").success_count, 1)
            messaging.send(messaging.Message(condition="'a' in topics && 'b' in topics", data={"tag": "1"}))
            await self.hears(phone, "1")
        with_phones(self.gateway, body)

    def test_pyfcm_finds_it_too(self) -> None:
        credentials = service_account.Credentials.from_service_account_info(self.googles, scopes=SCOPES)
        self.assertRegex(pyfcm.FCMNotification(credentials=credentials).notify(TOKEN, "a")["name"], NAME)


class GoogleAuth(FCMClients):
    """Nothing is changed in it: the account names the gateway's token URL."""

    def setUp(self) -> None:
        super().setUp()
        self.credentials = service_account.Credentials.from_service_account_file(self.account, scopes=SCOPES)
        self.credentials.refresh(Request())
        self.url = self.gateway.at().url(f"/v1/projects/{OWN_PROJECT}/messages:send")

    def send(self, session: requests.Session | None = None) -> requests.Response:
        """By its own session; else with the bearer that there is now."""
        headers = {} if session else {"authorization": f"Bearer {self.credentials.token}"}
        return (session or requests).post(self.url, json={"message": {"topic": "t"}}, headers=headers, timeout=PATIENCE)

    def assertExpired(self) -> None:
        late = self.send()
        error = late.json()["error"]
        self.assertEqual((late.status_code, error["message"]), (401, RECORDED["auth-invalid"]["body"]["error"]["message"]))
        self.assertEqual((error["status"], error["details"][0]["reason"]), ("UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED"))

    def test_its_bearer_is_good_for_an_hour(self) -> None:
        left = self.credentials.expiry - google.auth._helpers.utcnow()
        self.assertEqual((self.credentials.valid, timedelta(minutes=59) < left < timedelta(minutes=60)), (True, True))
        self.assertEqual(self.send().status_code, 200)
        move_clock(self.gateway, advance="59m")
        self.assertEqual(self.send().status_code, 200)
        move_clock(self.gateway, advance="2m")
        self.assertExpired()

    def test_a_session_fetches_another_when_it_is_refused(self) -> None:
        first = self.credentials.token
        with AuthorizedSession(self.credentials) as session, self.fault({"answer": {"recorded": "auth-expired"}}, times=1) as seen:
            self.assertEqual((self.send(session).status_code, seen()), (200, 2))
        self.assertNotEqual(self.credentials.token, first)

    def test_a_session_fetches_another_when_all_clocks_have_moved(self) -> None:
        """Ours is patched in google-auth's helpers."""
        first, now = self.credentials.token, google.auth._helpers.utcnow
        move_clock(self.gateway, advance="61m")
        with mock.patch.object(google.auth._helpers, "utcnow", lambda: now() + timedelta(minutes=61)), AuthorizedSession(self.credentials) as session:
            self.assertEqual(self.send(session).status_code, 200)
        self.assertNotEqual(self.credentials.token, first)

    def test_a_session_fetches_another_when_the_gateways_clock_has_moved(self) -> None:
        move_clock(self.gateway, advance="300h")
        with AuthorizedSession(self.credentials) as session:
            self.assertEqual(self.send(session).status_code, 200)

    def test_a_key_that_is_not_the_accounts_gets_no_bearer(self) -> None:
        with open(self.account, encoding="utf-8") as file:
            other = json.load(file) | {"client_email": "who@example.com"}
        with self.assertRaisesRegex(google.auth.exceptions.RefreshError, "account not found"):
            service_account.Credentials.from_service_account_info(other, scopes=SCOPES).refresh(Request())


class PyFCM(FCMClients):
    """Changed: its address, a constant of a class."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(pyfcm.baseapi.BaseAPI, "FCM_END_POINT_BASE", self.gateway.at().url("/v1/projects")))
        self.fcm = pyfcm.FCMNotification(service_account_file=self.account)

    @contextmanager
    def without_pauses(self) -> Iterator[mock.Mock]:
        """Changed too: its pauses, and those of the urllib3 below it, are told and not slept."""
        with mock.patch("time.sleep") as sleep:
            yield sleep

    def test_it_sends_once(self) -> None:
        """A Retry-After, even with 200, would make it wait and send again for ever."""
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

    def test_a_message_to_a_topic_reaches_who_is_subscribed(self) -> None:
        """It has nothing to subscribe with."""
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            await phone.ask(type="topic", op="subscribe", name="news")
            self.fcm.notify(fcm_token=token, data_payload={"tag": "dry"}, dry_run=True)
            for message in ({"fcm_token": token}, {"topic_name": "news"}, {"topic_condition": "'news' in topics"}):
                self.fcm.notify(**message, data_payload={"tag": str(message)})
                await self.hears(phone, str(message))
        with_phones(self.gateway, body)

    def test_each_error_is_its_exception(self) -> None:
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

    def test_what_happens_once_is_survived(self) -> None:
        rows: list[tuple[Effect, list[int]]] = [
            ({"recorded": "unavailable"}, []), ({"recorded": "html-502"}, []), ({"recorded": "auth-expired"}, []),
            ({"recorded": "quota-mem", "headers": {"retry-after": "7"}}, [7]),
        ]
        for answer, pauses in rows:
            with self.subTest(answer), self.fault({"answer": answer}, times=1) as seen, self.without_pauses() as sleep:
                self.assertRegex(self.fcm.notify(fcm_token=TOKEN, notification_title="a")["name"], NAME)
                self.assertEqual((seen(), [said.args[0] for said in sleep.call_args_list]), (2, pauses))

    def test_many_at_once(self) -> None:
        """aiohttp reads SSL_CERT_FILE when it is imported, which was before there was a gateway: that context is made anew."""
        params = [{"fcm_token": TOKEN if number % 2 else f"quota-exceeded:{TOKEN}", "notification_title": "a"} for number in range(100)]
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)  # It leaves its own open.
        with mock.patch.object(asyncio, "new_event_loop", return_value=loop), \
                mock.patch.object(aiohttp.connector, "_SSL_CONTEXT_VERIFIED", aiohttp.connector._make_ssl_context(True)):
            answers = self.fcm.async_notify_multiple_devices(params, timeout=PATIENCE)
        self.assertEqual([answer["error"]["details"][0]["errorCode"] for answer in answers[::2]], ["QUOTA_EXCEEDED"] * 50)
        self.assertEqual(len({answer["name"] for answer in answers[1::2]}), 50)


class AsyncFirebase(FCMClients):
    """Changed: two addresses that are attributes, and the token URL, a constant of a module."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(mock.patch.object(async_firebase._credentials, "TOKEN_URL", self.gateway.at().url("/token")))
        # It writes to the root logger, which would be set up by that for all that follow.
        self.enterContext(mock.patch.object(logging.root, "handlers", [logging.NullHandler()]))

    def message(self, **target: str) -> async_messages.Message:
        """None goes without data."""
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

    def test_it_sends(self) -> None:
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

    def test_five_hundred(self) -> None:
        async def body(client: AsyncFirebaseClient) -> None:
            messages = [self.message(token=TOKEN if number % 2 else f"unregistered:{TOKEN}") for number in range(500)]
            batch = await client.send_each(messages)
            self.assertEqual((batch.success_count, batch.failure_count), (250, 250))
            self.assertEqual({type(answer.exception).__name__ for answer in batch.responses[::2]}, {"UnregisteredError"})
        for http2 in (False, True):
            with self.subTest(http2=http2):
                self.with_client(body, http2)

    def test_each_error_is_its_exception(self) -> None:
        async def body(client: AsyncFirebaseClient) -> None:
            for token, answer, kind in failures():
                with self.subTest(token=token[:20], answer=answer), self.going_wrong(answer):
                    refused = await client.send(self.message(token=token))
                    self.assertEqual((type(refused.exception).__name__, refused.success), (kind, False))
        self.with_client(body)

    def test_topics_reach_who_is_subscribed(self) -> None:
        for column, names in enumerate((("subscribe_to_topic", "unsubscribe_from_topic"), ("subscribe_devices_to_topic", "unsubscribe_devices_from_topic"))):
            async def body(phone: Phone) -> None:
                async with self.client() as client:
                    subscribe, unsubscribe = (getattr(client, name) for name in names)
                    token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
                    self.assertReasons(await subscribe([token, *UNSUBSCRIBABLE], "news"), column)
                    self.assertEqual((await subscribe([token], "news")).success_count, 1)
                    await client.send(async_messages.Message(topic="news", data={"tag": "1"}))
                    await self.hears(phone, "1")
                    for _ in range(2):
                        self.assertEqual((await unsubscribe([token], "news")).success_count, 1)
                    await client.send(async_messages.Message(topic="news", data={"tag": "2"}))
                    batch = await client.send_each_for_multicast(async_messages.MulticastMessage([token], data={"tag": "3"}))
                    self.assertEqual(batch.success_count, 1)
                    await self.hears(phone, "3")
            with self.subTest(names):
                with_phones(self.gateway, body)
