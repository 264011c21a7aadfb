"""FCM messages to a simulated device."""
from __future__ import annotations

import unittest
from typing import Any

import httpx

from device_client import Fields, Phone, with_phones
from gateway import PATIENCE, TOPIC, Gateway

IMAGE = "https://a.example/b.png"


def hello(platform: str = "android", **changes: Any) -> Fields:
    return {"type": "hello", "device": {"platform": platform, "app": TOPIC}} | changes


def fcm(welcome: Fields) -> Fields:
    return welcome["device"]["tokens"]["fcm"]


class Devices(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.client = self.enterContext(httpx.Client(timeout=PATIENCE))

    def send(self, project: str = "demo", dry: bool = False, **message: Any) -> httpx.Response:
        url = self.gateway.at().url(f"/v1/projects/{project}/messages:send", scheme="http")
        return self.client.post(url, json={"message": message, "validate_only": dry}, headers={"authorization": "Bearer x"})


class Payloads(Devices):
    def test_android_gets_a_remote_message(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(**hello(wants=["push"]))
            token = fcm(welcome)
            self.assertEqual(token["token"].split(":")[0], token["fid"])
            name = self.send(
                token=token["token"], data={"a": "common"}, notification={"title": "T", "body": "B", "image": IMAGE},
                android={"data": {"k": "v"}, "ttl": "3.5s", "collapse_key": "ignored", "notification": {"title": "Own", "channel_id": "c"}},
            ).json()["name"].rsplit("/", 1)[1]
            frame = await phone.receive()
            self.assertEqual((frame["provider"], frame["app"], frame["headers"]), ("fcm", TOPIC, {"messageId": name}))
            payload = frame["payload"]
            extras = payload.pop("extras")
            sent = payload.pop("sentTime")
            self.assertEqual(payload, {
                "from": token["senderId"], "messageId": name, "collapseKey": TOPIC, "ttl": 3, "originalPriority": "high",
                "priority": "high", "data": {"k": "v"},
                "notification": {"title": "Own", "body": "B", "image": IMAGE, "channelId": "c"}})
            self.assertEqual((extras["gcm.n.e"], extras["gcm.n.title"], extras["gcm.n.android_channel_id"], extras["k"]), ("1", "Own", "c", "v"))
            self.assertEqual((extras["google.message_id"], extras["google.sent_time"], extras["google.ttl"]), (name, sent, 3))
        with_phones(self.gateway, body)
