"""google-auth as it is on PyPI."""
from __future__ import annotations

import json
from datetime import timedelta
from unittest import mock

import google.auth._helpers
import requests
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2 import service_account

from control import call, move_clock
from fcm_clients import SCOPES, FCMClients
from gateway import PATIENCE
from test_fcm import OWN_PROJECT, RECORDED


class GoogleAuth(FCMClients):
    """Nothing is patched: the account has the gateway's token URL."""

    def setUp(self) -> None:
        super().setUp()
        self.credentials = service_account.Credentials.from_service_account_file(self.account, scopes=SCOPES)
        self.credentials.refresh(Request())
        self.url = self.gateway.at().url(f"/v1/projects/{OWN_PROJECT}/messages:send")

    def send(self, session: requests.Session | None = None) -> requests.Response:
        """Sends with its session, or without one with the current access token."""
        headers = {} if session else {"authorization": f"Bearer {self.credentials.token}"}
        return (session or requests).post(self.url, json={"message": {"topic": "t"}}, headers=headers, timeout=PATIENCE)

    def assert_expired(self) -> None:
        late = self.send()
        error = late.json()["error"]
        self.assertEqual((late.status_code, error["message"]), (401, RECORDED["auth-invalid"]["body"]["error"]["message"]))
        self.assertEqual((error["status"], error["details"][0]["reason"]), ("UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED"))

    def test_its_access_token_is_valid_for_an_hour(self) -> None:
        left = self.credentials.expiry - google.auth._helpers.utcnow()
        self.assertEqual((self.credentials.valid, timedelta(minutes=59) < left < timedelta(minutes=60)), (True, True))
        self.assertEqual(self.send().status_code, 200)
        move_clock(self.gateway, advance="59m")
        self.assertEqual(self.send().status_code, 200)
        move_clock(self.gateway, advance="2m")
        self.assert_expired()

    def test_a_session_fetches_a_new_token_after_a_refusal(self) -> None:
        first = self.credentials.token
        with AuthorizedSession(self.credentials) as session, self.fault({"answer": {"recorded": "auth-expired"}}, times=1) as seen:
            self.assertEqual((self.send(session).status_code, seen()), (200, 2))
        self.assertNotEqual(self.credentials.token, first)

    def test_a_session_fetches_a_new_token_when_all_clocks_have_moved(self) -> None:
        """Our own clock is patched in google-auth's helpers."""
        first, now = self.credentials.token, google.auth._helpers.utcnow
        move_clock(self.gateway, advance="61m")
        with mock.patch.object(google.auth._helpers, "utcnow", lambda: now() + timedelta(minutes=61)), AuthorizedSession(self.credentials) as session:
            self.assertEqual(self.send(session).status_code, 200)
        self.assertNotEqual(self.credentials.token, first)

    def test_a_session_fetches_a_new_token_when_the_gateways_clock_has_moved(self) -> None:
        move_clock(self.gateway, advance="300h")
        with AuthorizedSession(self.credentials) as session:
            self.assertEqual(self.send(session).status_code, 200)

    def test_a_session_fetches_another_bearer_when_its_own_was_ended(self) -> None:
        first = self.credentials.token
        self.assertEqual(call(self.gateway, "POST", "/credentials/expire", {"project": OWN_PROJECT}), (200, {"expired": 1}))
        self.assert_expired()
        with AuthorizedSession(self.credentials) as session:
            self.assertEqual(self.send(session).status_code, 200)
        self.assertNotEqual(self.credentials.token, first)

    def test_an_unknown_account_gets_no_access_token(self) -> None:
        with open(self.account, encoding="utf-8") as file:
            other = json.load(file) | {"client_email": "who@example.com"}
        with self.assertRaisesRegex(google.auth.exceptions.RefreshError, "account not found"):
            service_account.Credentials.from_service_account_info(other, scopes=SCOPES).refresh(Request())
