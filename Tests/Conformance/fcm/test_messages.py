"""FCM messages in files: `check` and `send` accept the samples, and the log explains the legacy format."""
from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any

import httpx

from device_client import Phone, with_phones
from gateway import PATIENCE, Gateway, program
from test_fcm import RECORDED
from test_fcm_devices import fcm, hello
from test_tools import Files, Send

SAMPLES = Path(__file__).parents[1] / "fixtures/samples"
# For each sample: the exit code, and the findings with their places.
CHECKED: dict[str, tuple[int, list[str]]] = {
    "adobe-ios.json": (0, [": accepted"]),
    "adobe-ios-tester.json": (0, [": accepted"]),
    "adobe-android.json": (65, [": warning: this message has the format of the API", ":16:14: note: 'badge' is 1817", " as v1: error: Recipient of the message is not set. [fcm.no-target]"]),
    "adobe-fcm-tester.json": (65, [":2:9: note: 'to' becomes 'message.token'.", ":3:18: note: 'collapseKey' becomes 'message.android.collapse_key'.", '"badge": "1817"', " as v1: error: The token contains '<', which no registration token has. [fcm.token-malformed]"]),
    "fcm-image-rest-as-printed.txt": (0, [":24:18: warning: 'image' is not a Web Push header", ": accepted"]),
    "fcm-image-sdk-shape.json": (65, [':8:9: error: Invalid JSON payload received. Unknown name "imageUrl" at \'message.android.notification\': Cannot find field. [fcm.conversion]']),
}


class CheckMessages(Files):
    def test_check_judges_the_samples(self) -> None:
        for name, (code, said) in CHECKED.items():
            done = program("check", str(SAMPLES / name))
            self.assertEqual(done.returncode, code, done.stdout)
            for text in said:
                self.assertIn(text, done.stdout)


class SendMessages(Send):
    def test_a_message_is_sent_with_an_access_token(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            for scheme in ("https", "http"):
                done = self.send(str(SAMPLES / "adobe-fcm-tester.json"), "--to", token, scheme=scheme)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(b"'to' becomes 'message.token'.\n", done.stdout)
                self.assertIn(b'\n200\n{\n  "name": "projects/pushpit-local/messages/0:', done.stdout)
                push = await phone.receive()
                self.assertEqual((push["payload"]["collapseKey"], push["payload"]["data"]["badge"]), ("1476005", "1817"))
            await phone.ask(type="topic", op="subscribe", name="industry-tech")
            self.assertEqual(self.send(str(SAMPLES / "fcm-image-rest-as-printed.txt")).returncode, 0)
            self.assertEqual((await phone.receive())["payload"]["from"], "/topics/industry-tech")
            dry = self.send(str(SAMPLES / "fcm-image-rest-as-printed.txt"), "--dry-run")
            self.assertEqual((dry.returncode, dry.stdout[:4]), (0, b"200\n"))
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)


class Requests(unittest.TestCase):
    """Requests that are refused before their message is read, and the options for that."""

    def post(self, gateway: Gateway, path: str = "/v1/projects/demo/messages:send", **rest: Any) -> httpx.Response:
        rest = {"json": {"message": {"topic": "t"}}, "headers": {"authorization": "Bearer x"}} | rest
        return httpx.post(gateway.at().url(path, scheme="http"), timeout=PATIENCE, **rest)

    def test_the_legacy_format_is_refused_and_the_log_shows_the_new_one(self) -> None:
        sample = (SAMPLES / "adobe-fcm-tester.json").read_bytes()
        with Gateway() as gateway:
            gone = self.post(gateway, "/fcm/send", json=None, content=sample)
            self.assertEqual((gone.status_code, gone.json()), (404, RECORDED["legacy-gone"]["body"]))
            gateway.wait_for_log("[fcm.legacy-gone]")
            gateway.wait_for_log('As a request for messages:send: {"message":{"token":')
            modern = self.post(gateway, json=None, content=sample)
            self.assertEqual(modern.status_code, 400)
            self.assertIn("Unknown name \"to\": Cannot find field.", modern.json()["error"]["message"])
            gateway.wait_for_log(" 400 INVALID_ARGUMENT")
            self.assertEqual(gateway.log.count("[fcm.legacy-shape]"), 2)


del Send
