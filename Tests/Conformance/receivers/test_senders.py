"""Unmodified packages that send, in programs under `pushpit exec`, reach simulated browsers, and apps that receive.

What they send to real browsers is in open_browser.py and test_web_app.py.
"""
from __future__ import annotations

import json
import unittest

import py_vapid
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.utils import base64url_encode

from gateway import Gateway
from gateway_case import GatewayCase
from python_programs import APPS, WEB_PUSH_PACKAGES, Fields, PythonCase, run_backend, send_web_pushes

# Services of simulated browsers, and their statuses for another key than the page's.
OTHER_KEY = {"google": 403, "mozilla": 401, "apple": 400}
ROWS = [(package, service) for package in WEB_PUSH_PACKAGES for service in OTHER_KEY]
PROJECT = "900000000000"
# What firebase-admin says of its sends, and what arrives: from where, the data, and the notification.
ADMIN_SAYS = {"errors": [None, None, "UnregisteredError", None, "InvalidArgumentError", *[None] * 3], "topics": [1, 1]}
LUNCH = {"title": "Lunch", "body": "Is ready", "tag": "meal", "click_action": "https://shop.example/lunch"}
ADMIN_SENDS = [
    (PROJECT, {"text": "send"}, None), (PROJECT, {"text": "send_each"}, None), (PROJECT, {"for": "web"}, LUNCH),
    ("/topics/meals", {"text": "topic"}, None), (PROJECT, {"text": "last"}, None)]


def send_with_firebase_admin(gateway: Gateway, token: str) -> Fields:
    return run_backend(gateway, "firebase_admin_backend.py", token)


def summary(message: Fields) -> tuple[str, Fields, Fields | None]:
    return message["from"], message["data"], message.get("notification")


class WebPushPackages(GatewayCase):
    def make(self, service: str, vapid: py_vapid.Vapid) -> Fields:
        """A simulated browser that takes only pushes with this key."""
        point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        wish = {"pushService": service, "applicationServerKey": base64url_encode(point).decode()}
        return self.api("/devices", "POST", platform="web", app="https://shop.example", subscription=wish)["devices"][0]

    def test_each_package_reaches_simulated_browsers(self) -> None:
        own, other = py_vapid.Vapid(), py_vapid.Vapid()
        for vapid in (own, other):
            vapid.generate_keys()
        devices = [self.make(service, own) for _, service in ROWS]
        bodies = [{"title": f"Grüße {package} {service}"} for package, service in ROWS]
        pushes = [
            (package, device["subscription"], json.dumps(body))
            for (package, _), device, body in zip(ROWS, devices, bodies, strict=True)]
        self.assertEqual(send_web_pushes(self.gateway, own, pushes), [201] * len(ROWS))
        messages = list(reversed(self.api("/messages")["messages"]))
        self.assertEqual([message["request"]["body"] for message in messages], bodies)
        self.assertEqual([message["findings"] for message in messages], [[]] * len(ROWS))
        self.assertEqual(send_web_pushes(self.gateway, other, pushes), [OTHER_KEY[service] for _, service in ROWS])
        for device in devices:
            self.api(f"/devices/{device['id']}", "DELETE")
        self.assertEqual(send_web_pushes(self.gateway, own, pushes), [410] * len(ROWS))


class FirebaseAdmin(PythonCase):
    def test_it_reaches_apps_that_receive(self) -> None:
        for app in APPS:
            with self.subTest(app):
                program = self.start(app)
                self.assertEqual(send_with_firebase_admin(self.gateway, program.next("token")), ADMIN_SAYS)
                self.assertEqual([summary(program.next("message")) for _ in ADMIN_SENDS], ADMIN_SENDS)


if __name__ == "__main__":
    unittest.main()
