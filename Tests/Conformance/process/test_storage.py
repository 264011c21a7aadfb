"""What `--data` saves: everything that was answered is there after kill -9."""
from __future__ import annotations

import json
import signal
import tempfile
import unittest
import urllib.request
from pathlib import Path
from typing import Any

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from api_case import Apple, Google
from control import call
from gateway import PATIENCE, Gateway
from storage_loop import crash_with_pushes

TITLED = {"aps": {"alert": {"title": "Hello", "body": "there"}}}


def pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


class SavedData(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory(prefix="pushpit-data-")
        self.addCleanup(place.cleanup)
        self.data = Path(place.name)
        self.certificates = self.data / "certs"

    def gateway(self, *more: str) -> Gateway:
        return Gateway("--data", str(self.data), *more, certificates=self.certificates)

    def kill(self, gateway: Gateway) -> None:
        gateway.process.send_signal(signal.SIGKILL)
        gateway.process.wait(PATIENCE)

    def get(self, gateway: Gateway, path: str) -> Any:
        status, said = call(gateway, "GET", path)
        self.assertEqual(status, 200, said)
        return said

    def create_device(self, gateway: Gateway, **spec: Any) -> dict[str, Any]:
        status, said = call(gateway, "POST", "/devices", {"platform": "ios", "app": "com.example.app"} | spec)
        self.assertEqual(status, 201, said)
        return said["devices"][0]

    def test_devices_are_restored_with_tokens_state_shade_and_topics(self) -> None:
        kinds = {"platform": "android", "app": "com.example.shop", "project": "shop", "channels": [{"id": "news", "importance": "low"}]}
        with self.gateway() as gateway, Apple(gateway) as apple:
            phone = self.create_device(gateway, id="phone", name="A phone", state={"focus": True, "locale": "de-DE"})
            self.create_device(gateway, id="android", **kinds)
            self.create_device(gateway, id="browser", platform="web", app="https://example.com")
            apple.push(token=phone["tokens"]["apns"]["token"], body=TITLED | {"aps": TITLED["aps"] | {"badge": 7}})
            call(gateway, "PUT", "/topics/news/devices/android")
            before, port = (self.get(gateway, "/devices"), self.get(gateway, "/topics")), gateway.at().port
            self.kill(gateway)
        with self.gateway() as gateway:
            google = Google(gateway)
            after = self.get(gateway, "/devices"), self.get(gateway, "/topics")
            self.assertEqual([*after], json.loads(json.dumps(before).replace(f":{port}/", f":{gateway.at().port}/")))
            self.assertEqual([device["badge"] for device in before[0]["devices"]], [7, 0, 0])
            self.assertEqual(google.send("shop", topic="news", notification={"title": "Again"}).status_code, 200)
            met = call(gateway, "POST", "/expect", {"match": {"device": "android"}, "within": "5s"})
            self.assertEqual(met[0], 200, met)

    def test_the_journal_is_restored_and_continues(self) -> None:
        with self.gateway() as gateway, Apple(gateway) as apple:
            google = Google(gateway)
            self.assertEqual(apple.push(body=TITLED).status, 200)
            self.assertEqual(apple.push(("apns-priority", "7"), body=TITLED).status, 400)
            self.assertEqual(google.send("shop", topic="news").status_code, 200)
            before = self.get(gateway, "/messages")
            events = self.get(gateway, "/stats")["events"]
            self.kill(gateway)
        with self.gateway() as gateway, Apple(gateway) as apple:
            self.assertEqual(self.get(gateway, "/messages"), before)
            self.assertEqual(self.get(gateway, "/stats")["events"], events)
            self.assertEqual(apple.push(body=TITLED).status, 200)
            newest = self.get(gateway, "/messages?limit=1")["messages"][0]
            self.assertNotIn(newest["id"], [message["id"] for message in before["messages"]])
            self.assertGreater(newest["seq"], events)

    def test_waiting_pushes_still_wait_after_a_restart(self) -> None:
        with self.gateway() as gateway, Apple(gateway) as apple:
            google = Google(gateway)
            phone = self.create_device(gateway, id="phone", state={"online": False})
            android = self.create_device(gateway, id="android", platform="android", app="com.example.shop", state={"online": False})
            apple.push(token=phone["tokens"]["apns"]["token"], body=TITLED)
            for key in ("a", "b", "a"):
                google.send("shop", token=android["tokens"]["fcm"]["token"], data={"key": key}, android={"collapse_key": key})
            waiting = [self.get(gateway, f"/devices/{name}/pending") for name in ("phone", "android")]
            self.assertEqual([len(one["pending"]) for one in waiting], [1, 2])
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual([self.get(gateway, f"/devices/{name}/pending") for name in ("phone", "android")], waiting)
            for name in ("phone", "android"):
                self.assertEqual(call(gateway, "PATCH", f"/devices/{name}", {"state": {"online": True}})[0], 200)
                self.assertEqual(self.get(gateway, f"/devices/{name}/pending")["pending"], [])
            shown = self.get(gateway, "/devices/phone/shade")["shade"]
            self.assertEqual([(entry["title"], entry["body"]) for entry in shown], [("Hello", "there")])

    def test_reports_to_adobe_are_restored(self) -> None:
        with self.gateway() as gateway, Apple(gateway) as apple:
            phone = self.create_device(gateway, id="phone", tracking={"profile": "adobe"})
            apple.push(token=phone["tokens"]["apns"]["token"], body=TITLED | {"_mId": "h1", "_dId": "7"})
            key = self.get(gateway, "/devices/phone/shade")["shade"][0]["key"]
            self.assertEqual(call(gateway, "POST", "/devices/phone/act", {"kind": "open", "notification": key})[0], 200)
            apple.push(token=phone["tokens"]["apns"]["token"], body=TITLED)
            before = self.get(gateway, "/tracking")
            self.assertTrue(before["hits"] and before["pushes"])
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual(self.get(gateway, "/tracking"), before)
            urllib.request.urlopen(gateway.at().url("/r/?id=h1,7,2&mcId=1", scheme="http")).read()
            self.assertEqual(self.get(gateway, "/tracking")["hits"][-1]["push"], before["pushes"][0]["push"])

    def test_deleted_messages_and_devices_stay_deleted(self) -> None:
        with self.gateway() as gateway, Apple(gateway) as apple:
            self.create_device(gateway, id="gone")
            apple.push(body=TITLED)
            apple.push(topic="com.example.other", token="77" * 32, body=TITLED)
            self.assertEqual(call(gateway, "DELETE", "/messages?app=com.example.app"), (200, {"deleted": 1}))
            self.assertEqual(call(gateway, "DELETE", "/devices/gone")[0], 204)
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual({message["app"] for message in self.get(gateway, "/messages")["messages"]}, {"com.example.other"})
            self.assertEqual(call(gateway, "GET", "/devices/gone")[0], 404)
            self.assertEqual(call(gateway, "POST", "/reset")[0], 200)
            gateway.process.terminate()
            self.assertEqual(gateway.process.wait(PATIENCE), 0)
        with self.gateway() as gateway:
            self.assertEqual((self.get(gateway, "/messages")["messages"], self.get(gateway, "/devices")["devices"]), ([], []))

    def test_what_the_api_has_set_is_there_after_a_kill(self) -> None:
        account = {"client_email": "sender@shop.example", "private_key": pem(rsa.generate_private_key(65537, 2048))}
        key = {"keyId": "ADDEDKEY12", "teamId": "TEAM567890", "key": pem(ec.generate_private_key(ec.SECP256R1())), "topics": ["com.example.app"]}
        calls = [("POST", "/faults", {"effect": {"wire": "429TooManyRequests"}, "nth": 3, "match": {"app": "com.example.counted"}}, 201),
                 ("POST", "/scenarios/fcm-502-html", {"app": "com.example.none"}, 201), ("POST", "/faults", {"effect": {"wire": "blackHole"}}, 201),
                 ("DELETE", "/faults/f3", None, 204), ("PUT", "/media", {"url": "https://e.com/a.png", "contentType": "image/png", "size": 7}, 204),
                 ("POST", "/credentials/apns-keys", key, 201), ("POST", "/credentials/service-accounts", account, 201)]
        views = "/faults", "/media", "/credentials"
        with self.gateway() as gateway, Apple(gateway) as apple:
            for method, path, body, expected in calls:
                status, said = call(gateway, method, path, body)
                self.assertEqual(status, expected, said)
            for _ in range(2):
                self.assertEqual(apple.push(topic="com.example.counted", token="77" * 32).status, 200)
            before = [self.get(gateway, path) for path in views]
            self.assertEqual([fault["seen"] for fault in before[0]["faults"]], [2, 0])
            self.kill(gateway)
        with self.gateway() as gateway, Apple(gateway) as apple:
            self.assertEqual([self.get(gateway, path) for path in views], before)
            self.assertNotIn(b"PRIVATE KEY", b"".join(path.read_bytes() for path in self.data.glob("pushpit.db*")))
            self.assertEqual(apple.push(topic="com.example.counted", token="77" * 32).status, 429)

    def test_a_channel_and_its_subscribers_are_there_after_a_kill(self) -> None:
        body = b'{"message-storage-policy":1,"push-type":"LiveActivity"}'
        with self.gateway() as gateway, Apple(gateway) as apple:
            made = [apple.call("POST", "/1/apps/com.example.app/channels", body=body) for _ in range(2)]
            kept, gone = (answer.fields["apns-channel-id"] for answer in made)
            self.assertEqual(apple.call("DELETE", "/1/apps/com.example.app/channels", ("apns-channel-id", gone)).status, 204)
            self.kill(gateway)
        with self.gateway() as gateway, Apple(gateway) as apple:
            listed = json.loads(apple.call("GET", "/1/apps/com.example.app/all-channels").body)
            self.assertEqual(listed, {"channels": [kept]})

    def test_a_moved_clock_and_what_is_due_later_are_there_after_a_kill(self) -> None:
        with self.gateway() as gateway, Apple(gateway) as apple:
            phone = self.create_device(gateway, id="phone")
            self.assertEqual(call(gateway, "POST", "/clock", {"advance": "30m"})[0], 200)
            self.assertEqual(call(gateway, "POST", "/clock", {"freeze": True})[0], 200)
            self.assertEqual(call(gateway, "POST", "/faults", {"effect": {"deliverAfter": "1h"}})[0], 201)
            self.assertEqual(apple.push(token=phone["tokens"]["apns"]["token"], body=TITLED).status, 200)
            before = self.get(gateway, "/clock")
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual(self.get(gateway, "/clock"), before)
            self.assertIn("clock restored", gateway.log)
            self.assertEqual(self.get(gateway, "/devices/phone/shade")["shade"], [])
            self.assertEqual(call(gateway, "POST", "/clock", {"advance": "1h"})[0], 200)
            shown = self.get(gateway, "/devices/phone/shade")["shade"]
            self.assertEqual([(entry["title"], entry["body"]) for entry in shown], [("Hello", "there")])
            self.assertEqual(call(gateway, "POST", "/clock", {"resume": True})[0], 200)
            self.assertEqual(call(gateway, "POST", "/clock", {"set": "now"})[0], 200)
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertNotIn("clock restored", gateway.log)

    def test_calls_that_change_nothing_are_answered(self) -> None:
        with self.gateway() as gateway, Apple(gateway) as apple:
            for _ in range(2):
                self.assertEqual(apple.call("GET", "/1/apps/com.example.app/all-channels").status, 200)
            self.assertEqual(apple.call("POST", "/1/apps/com.example.app/channels", body=b'{"message-storage-policy":1,"push-type":"LiveActivity"}').status, 201)
            for _ in range(2):
                answer = httpx.post(
                    gateway.at().url("/iid/v1:batchAdd", scheme="http"), json={"to": "/topics/news", "registration_tokens": ["c" + "x" * 21 + ":APA91b" + "y" * 134]},
                    headers={"authorization": "Bearer x", "access_token_auth": "true"}, timeout=PATIENCE)
                self.assertEqual(answer.status_code, 200, answer.text)

    def test_devices_are_saved_even_if_the_log_has_forgotten_them(self) -> None:
        with self.gateway("--keep-messages", "10") as gateway, Apple(gateway) as apple:
            self.assertEqual(call(gateway, "POST", "/devices", {"platform": "android", "app": "a.b", "id": "many", "count": 500})[0], 201)
            self.assertEqual(apple.push(body=TITLED).status, 200)
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual(self.get(gateway, "/stats")["devices"], 501)

    def test_reports_after_a_reset_are_saved(self) -> None:
        def hit(gateway: Gateway, name: str) -> None:
            urllib.request.urlopen(gateway.at().url(f"/r/?id={name},7,2&mcId=1", scheme="http")).read()
        with self.gateway() as gateway, Apple(gateway) as apple:
            for name in ("h1", "h2", "h3"):
                hit(gateway, name)
            self.assertEqual(call(gateway, "POST", "/reset")[0], 200)
            hit(gateway, "h4")
            apple.push(body=TITLED)
            self.kill(gateway)
        with self.gateway() as gateway:
            self.assertEqual([one["broadlogId"] for one in self.get(gateway, "/tracking")["hits"]], ["h4"])

    def test_sigterm_saves_everything_without_a_further_push(self) -> None:
        with self.gateway() as gateway:
            self.create_device(gateway, id="late")
            gateway.process.terminate()
            self.assertEqual(gateway.process.wait(PATIENCE), 0)
        with self.gateway() as gateway:
            self.assertEqual(self.get(gateway, "/devices/late")["id"], "late")

    def test_only_the_configured_number_of_messages_is_saved(self) -> None:
        with self.gateway("--keep-messages", "10") as gateway, Apple(gateway) as apple:
            for _ in range(60):
                apple.push(body=TITLED)
            self.assertLessEqual(len(self.get(gateway, "/messages")["messages"]), 40)
        with self.gateway("--keep-for", "1h") as gateway, Apple(gateway) as apple:
            self.assertTrue(self.get(gateway, "/messages")["messages"])
            call(gateway, "POST", "/clock", {"advance": "2h"})
            apple.push(token="78" * 32, body=TITLED)
            met = call(gateway, "POST", "/expect", {"match": {"until": 1}, "never": True, "within": "1s"})
            self.assertEqual(met[0], 200, met)
            self.assertEqual(len(self.get(gateway, "/messages")["messages"]), 1)


class Crashes(unittest.TestCase):
    def test_every_answered_push_exists_exactly_once_after_kills(self) -> None:
        self.assertGreater(crash_with_pushes(8), 0)
