"""The scenarios of FCM with firebase-admin and httpx, and what reaches a device."""
from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import firebase_admin.exceptions
import httpx
from firebase_admin import messaging

from control import call
from device_client import Phone, with_phones
from fcm_clients import Firebase
from gateway import PATIENCE, TOPIC
from test_fcm import OWN_PROJECT, RECORDED, TOKEN
from test_fcm_devices import fcm, hello
from test_scenarios import OTHER, set_scenario


class OfFCM(Firebase):
    """Scenarios with firebase-admin and httpx."""

    def with_scenario(self, name: str) -> Iterator[None]:
        """Runs the body with the scenario set for all, for a project and for one app, and checks that others are not affected."""
        for body in ({}, {"app": OWN_PROJECT}, {"app": TOPIC}):
            set_scenario(self.gateway, name, **body)
            yield
            self.assertEqual(call(self.gateway, "DELETE", f"/scenarios/{name}"), (204, None))
            set_scenario(self.gateway, name, app=OTHER)
            self.assertRegex(self.send(TOKEN), "messages/")
            self.assertEqual([fault["seen"] for fault in call(self.gateway, "GET", "/faults")[1]["faults"]], [0])
            self.assertEqual(call(self.gateway, "DELETE", f"/scenarios/{name}"), (204, None))

    def send(self, token: str, tag: str = "") -> str:
        return messaging.send(messaging.Message(token=token, data={"tag": tag}))

    def post(self, token: str, http2: bool) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.service._credential.token}"}
        with httpx.Client(http2=http2, http1=not http2, verify=self.gateway.context(), timeout=PATIENCE, headers=headers) as client:
            return client.post(self.gateway.at().url(f"/v1/projects/{OWN_PROJECT}/messages:send"), json={"message": {"token": token}})

    def test_503_but_delivered(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            for _ in self.with_scenario("fcm-503-but-delivered"):
                with self.without_pauses(), self.assertRaises(firebase_admin.exceptions.UnavailableError):
                    self.send(token, "again and again")
                for _ in range(5):
                    await self.assert_next_push(phone, "again and again")
                for http2 in (True, False):
                    answer = self.post(token, http2)
                    self.assertEqual((answer.status_code, answer.json()["error"]["status"], (await phone.receive())["type"]), (503, "UNAVAILABLE", "push"))
            self.send(token, "once")
            await self.assert_next_push(phone, "once")
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_502_html(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            for _ in self.with_scenario("fcm-502-html"):
                with self.assertRaises(firebase_admin.exceptions.UnknownError) as caught:
                    self.send(token)
                for said in (caught.exception.http_response, self.post(token, True), self.post(token, False)):
                    self.assertEqual((said.status_code, said.headers["content-type"]), (502, "text/html; charset=UTF-8"))
                    self.assertIn(RECORDED["html-502"]["body"].split("…")[0].strip(), said.text)
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_quota_with_retry_after(self) -> None:
        """Its urllib3 waits as long as Retry-After says."""
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            for _ in self.with_scenario("fcm-quota-with-retry-after"):
                for number in range(10):
                    self.send(token, str(number))
                with mock.patch("time.sleep") as sleep, self.assertRaises(firebase_admin.exceptions.ResourceExhaustedError) as caught:
                    self.send(token)
                self.assertNotIsInstance(caught.exception, messaging.QuotaExceededError)
                self.assertEqual([said.args for said in sleep.call_args_list], [(60,)] * 4)
                answer = self.post(token, True)
                self.assertEqual((answer.status_code, answer.headers["retry-after"]), (429, "60"))
                self.assertEqual(answer.json()["error"]["details"][0]["reason"], "RATE_LIMIT_EXCEEDED")
                for number in range(10):
                    await self.assert_next_push(phone, str(number))
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)
