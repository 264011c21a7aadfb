"""What tests of FCM's clients share: a gateway that each client reaches, and the errors that clients make of its answers."""
from __future__ import annotations

import json
import os
import socket
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from typing import Any
from unittest import mock
from warnings import catch_warnings, simplefilter

import firebase_admin
import firebase_admin.credentials
from firebase_admin import _http_client, messaging

from control import call, set_fault
from device_client import Phone
from gateway import Gateway
from test_fcm import DEAD, IMAGE, OWN_PROJECT, TOKEN

SCOPES = ["https://www.googleapis.com/auth/firebase.messaging"]
GOOGLE = ("fcm.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com")
NAME = rf"\Aprojects/{OWN_PROJECT}/messages/"
# The words of magic tokens, and the exception that firebase-admin and async-firebase raise for each.
WORDS = {
    "unregistered": "UnregisteredError", "unregistered.apns": "UnregisteredError", "sender-id-mismatch": "SenderIdMismatchError",
    "quota-exceeded": "QuotaExceededError", "third-party-auth-error": "ThirdPartyAuthError", "third-party-auth-error.apns": "ThirdPartyAuthError",
    "invalid-argument": "InvalidArgumentError", "unavailable": "UnavailableError", "internal": "InternalError",
}
# The same for recorded answers that a fault gives.
ANSWERS = {
    "bad-token-short": "InvalidArgumentError", "bad-token-2018": "InvalidArgumentError", "apns-dataonly-priority": "InvalidArgumentError",
    "oversize-2018": "InvalidArgumentError", "oversize-android": "InvalidArgumentError", "oversize-ios": "InvalidArgumentError",
    "apns-token-disabled": "InvalidArgumentError", "apns-token-not-for-topic": "InvalidArgumentError", "aps-empty": "InvalidArgumentError",
    "third-party-auth-apns": "ThirdPartyAuthError", "third-party-auth-env": "ThirdPartyAuthError", "third-party-auth-2026": "ThirdPartyAuthError",
    "third-party-auth-2026-apns": "ThirdPartyAuthError", "unregistered-apns": "UnregisteredError", "sender-mismatch": "SenderIdMismatchError",
    "topic-quota": "QuotaExceededError", "quota-device": "QuotaExceededError", "quota-project": "ResourceExhaustedError",
    "oversize-android-2024": "InvalidArgumentError", "internal": "InternalError", "unavailable": "UnavailableError",
    "auth-missing": "UnauthenticatedError", "auth-invalid": "UnauthenticatedError", "auth-expired": "UnauthenticatedError",
    "scope-insufficient": "PermissionDeniedError", "iam-denied": "PermissionDeniedError", "iam-denied-nodetails": "PermissionDeniedError",
    "api-disabled": "PermissionDeniedError", "html-502": "UnknownError",
}
# Further statuses without an error code, and error codes that FCM has not been seen to send.
STATUSES = {404: "NotFoundError", 409: "ConflictError", 412: "FailedPreconditionError"}
PLATFORM = {
    "FAILED_PRECONDITION": (400, "FailedPreconditionError"), "OUT_OF_RANGE": (400, "OutOfRangeError"), "CONFLICT": (409, "ConflictError"),
    "ABORTED": (409, "AbortedError"), "ALREADY_EXISTS": (409, "AlreadyExistsError"), "CANCELLED": (499, "CancelledError"),
    "DATA_LOSS": (500, "DataLossError"), "UNKNOWN": (500, "UnknownError"), "DEADLINE_EXCEEDED": (504, "DeadlineExceededError"),
}
# Tokens that can't be subscribed: the reason in the API of 2026 and in the Instance ID API.
UNSUBSCRIBABLE = {
    DEAD: ("UNREGISTERED", "NOT_FOUND"), f"unregistered:{DEAD}": ("UNREGISTERED", "NOT_FOUND"), "garbage": ("INVALID_ARGUMENT", "INVALID_ARGUMENT"),
    f"sender-id-mismatch:{DEAD}": ("SENDER_ID_MISMATCH", "PERMISSION_DENIED"), f"quota-exceeded:{DEAD}": ("QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED"),
    f"internal:{DEAD}": ("INTERNAL", "INTERNAL"), f"unavailable:{DEAD}": ("UNAVAILABLE", "DEADLINE_EXCEEDED"),
}
Effect = dict[str, Any]


def failures() -> list[tuple[str, Effect | None, str]]:
    """A row for each failing send: the token, a fault, and the exception's name."""
    return [
        *((f"{word}:{TOKEN}", None, kind) for word, kind in WORDS.items()),
        ("INVALID_TOKEN", None, "InvalidArgumentError"),
        *((TOKEN, {"recorded": name}, kind) for name, kind in ANSWERS.items()),
        *((TOKEN, {"status": status, "contentType": "text/html", "body": "<p>No.</p>"}, kind) for status, kind in STATUSES.items()),
        *((TOKEN, {"status": status, "body": json.dumps({"error": {"code": status, "message": "No.", "status": word}})}, kind)
          for word, (status, kind) in PLATFORM.items()),
    ]


def look_up(gateway: Gateway) -> Callable[..., Any]:
    """Replaces the system's lookup. Google's host names lead to the gateway, as with a hosts file and a listener on port 443. Other names are unknown."""
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
    """With a gateway that accepts only tokens of the account in its credentials."""

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
        """Sets the fault during the `with` block, which gets a function for the number of requests that the fault has seen."""
        name = set_fault(self.gateway, effect, **rest)
        try:
            yield lambda: next(row["seen"] for row in call(self.gateway, "GET", "/faults")[1]["faults"] if row["id"] == name)
        finally:
            call(self.gateway, "DELETE", f"/faults/{name}")

    def watch(self) -> Any:
        """A fault that never fires, which counts requests."""
        return self.fault({"silence": True}, nth=1_000_000)

    @contextmanager
    def answering(self, answer: Effect | None) -> Iterator[None]:
        if answer is None:
            yield
        else:
            with self.fault({"answer": answer}):
                yield

    async def assert_next_push(self, phone: Phone, tag: str) -> None:
        self.assertEqual((await phone.receive())["payload"]["data"], {"tag": tag})

    def assert_reasons(self, said: Any, column: int) -> None:
        """The answer to one valid token and the tokens that can't be subscribed after it."""
        self.assertEqual((said.success_count, said.failure_count), (1, len(UNSUBSCRIBABLE)))
        expected = [reasons[column] for reasons in UNSUBSCRIBABLE.values()]
        self.assertEqual([(error.index, error.reason) for error in said.errors], list(enumerate(expected, 1)))


class Firebase(FCMClients):
    """Patched: two URLs that are constants of its class, and one that its constructor sets."""

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
        """Also patched: the time between tries."""
        with mock.patch.object(_http_client.DEFAULT_RETRY_CONFIG, "backoff_factor", 0), \
                mock.patch.object(_http_client.DEFAULT_HTTPX_RETRY_CONFIG, "backoff_factor", 0):
            yield

    def full_message(self) -> messaging.Message:
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

    def half_unregistered(self) -> list[messaging.Message]:
        return [messaging.Message(token=TOKEN if number % 2 else f"unregistered:{TOKEN}") for number in range(500)]

    def assert_half_unregistered(self, batch: messaging.BatchResponse) -> None:
        self.assertEqual((batch.success_count, batch.failure_count), (250, 250))
        self.assertTrue(all(isinstance(answer.exception, messaging.UnregisteredError) for answer in batch.responses[::2]))
        self.assertEqual(len({answer.message_id for answer in batch.responses[1::2]}), 250)
