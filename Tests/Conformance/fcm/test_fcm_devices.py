"""FCM to simulated devices: what each platform's app gets, and what waits for whom."""
from __future__ import annotations

import json
import unittest
from typing import Any

import httpx

from control import move_clock
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

    async def kinds(self, phone: Phone, count: int) -> list[tuple[str, str]]:
        return [(event["kind"], event["data"].get("outcome", "")) for event in [await phone.receive() for _ in range(count)]]

    async def state(self, phone: Phone, **state: Any) -> None:
        self.assertEqual((await phone.ask(type="state", set=state))["type"], "ok")
        self.assertEqual((await phone.receive())["kind"], "state")


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

    def test_android_gets_every_field_of_a_notification(self) -> None:
        shown = {
            "title": "T", "body": "B", "icon": "i", "color": "#aabbcc", "sound": "ding", "tag": "t", "click_action": "A", "channelId": "c", "ticker": "k",
            "title_loc_key": "tk", "titleLocArgs": ["1", "2"], "body_loc_args": "one", "sticky": True, "local_only": "true", "default_sound": False,
            "notification_count": "3", "notification_priority": "PRIORITY_MAX", "visibility": "secret", "vibrate_timings": ["0s", "0.25s"], "proxy": "DENY",
            "light_settings": {"color": {"red": 1, "green": 0.5}, "light_on_duration": "1.5s", "light_off_duration": "0.1s"}, "event_time": "2026-01-01T00:00:00Z",
        }
        expected = {
            "e": "1", "title": "T", "body": "B", "icon": "i", "color": "#aabbcc", "sound": "default", "sound2": "ding", "tag": "t", "click_action": "A",
            "android_channel_id": "c", "ticker": "k", "title_loc_key": "tk", "title_loc_args": '["1","2"]', "body_loc_args": '["one"]', "sticky": "1",
            "local_only": "1", "default_sound": "0", "notification_count": "3", "notification_priority": "2", "visibility": "-1", "vibrate_timings": "[0,250]",
            "dnp": "1", "light_settings": '["#FFFF8000",1500,100]', "event_time": "1767225600000",
        }

        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.send(token=token, android={"notification": shown, "fcm_options": {"analytics_label": "l"}})
            payload = (await phone.receive())["payload"]
            extras = {key[6:]: value for key, value in payload["extras"].items() if key.startswith("gcm.n.")}
            self.assertEqual(extras, expected)
            self.assertEqual((payload["extras"]["google.c.a.e"], payload["extras"]["google.c.a.m_l"]), ("1", "l"))
            self.assertEqual((payload["notification"]["vibrateTimings"], payload["notification"]["visibility"]), ([0, 250], -1))
            self.send(token=token, android_v2={"remoteNotification": {"notification": {"title": "V2", "id": 7}}})
            second = (await phone.receive())["payload"]
            self.assertEqual((second["notification"], second["priority"]), ({"title": "V2", "id": 7}, "high"))
            self.send(token=token, android_v2={"backgroundSync": {}, "data": {"k": "v"}})
            third = (await phone.receive())["payload"]
            self.assertEqual((third["data"], third["priority"], "notification" in third), ({"k": "v"}, "normal", False))
        with_phones(self.gateway, body)

    def test_names_are_those_of_the_device(self) -> None:
        async def body(*phones: Phone) -> None:
            for phone, platform, pattern in zip(phones, ("ios", "web", "android"), (r"\d{16}", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"0:\d{16}%([0-9a-f]{8})\1"), strict=True):
                token = fcm(await phone.ask(**hello(platform)))["token"]
                self.assertEqual(len(token), 142 if platform == "web" else 163)
                name = self.send(token=token, notification={"title": "x"}).json()["name"].removeprefix("projects/demo/messages/")
                self.assertRegex(name, rf"\A{pattern}\Z")
        with_phones(self.gateway, body, count=3)

    def test_a_live_activitys_token_goes_along(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("ios", wants=["push"])))["token"]
            await phone.ask(type="topic", op="subscribe", name="t")
            aps = {"timestamp": 1, "event": "update", "content-state": {"a": 1}}
            for target in ({"token": token}, {"topic": "t"}):
                self.assertEqual(self.send(**target, apns={"liveActivityToken": "abcd", "payload": {"aps": aps}}).status_code, 200)
                frame = await phone.receive()
                self.assertEqual((frame["headers"]["liveActivityToken"], frame["payload"]["aps"]), ("abcd", aps))
        with_phones(self.gateway, body)

    def test_keys_that_meet(self) -> None:
        """Apple's block before the common data, Google's own before both; what getData() hides is hidden."""
        async def body(ios: Phone, android: Phone) -> None:
            token = fcm(await ios.ask(**hello("ios", wants=["push"])))["token"]
            self.send(token=token, data={"aps": "x", "k": "data", "l": "data", "fcm_options": "y"}, apns={
                "payload": {"aps": {"alert": "a", "mutable-content": 1}, "k": "own", "gcm.message_id": "z"}, "fcm_options": {"image": IMAGE}})
            payload = (await ios.receive())["payload"]
            self.assertEqual((payload["aps"]["alert"], payload["k"], payload["l"], payload["fcm_options"]), ("a", "own", "data", {"image": IMAGE}))
            self.assertNotEqual(payload["gcm.message_id"], "z")
            token = fcm(await android.ask(**hello(wants=["push"])))["token"]
            self.send(token=token, data={"gcm.x": "1", "collapse_key": "c", "k": "v"}, android={"collapse_key": "own", "data": {}})
            payload = (await android.receive())["payload"]
            self.assertEqual((payload["data"], payload["extras"]["collapse_key"]), ({"k": "v"}, "own"))
        with_phones(self.gateway, body, count=2)

    def test_a_person_who_allows_nothing_sees_nothing(self) -> None:
        rows: list[tuple[Fields, str]] = [
            ({"apns": {"payload": {"aps": {"alert": "x"}}}}, "Discarded - Disabled"), ({"notification": {"title": "x"}}, "Discarded - Disabled"),
            ({"notification": {"title": "x"}, "apns": {"payload": {"aps": {"content-available": 1}}}}, "Delivered to Device"),
            ({"android": {"notification": {"title": "x"}}}, "Delivered to Device"),
        ]

        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("ios", wants=["event"])))["token"]
            await self.state(phone, permission="denied")
            for message, outcome in rows:
                self.send(token=token, **message)
                self.assertEqual((await self.kinds(phone, 1))[0][1], outcome, message)
        with_phones(self.gateway, body)

    def test_what_replaces_itself_is_throttled_with_real_quotas(self) -> None:
        with Gateway("--quotas", "real") as self.gateway:
            async def body(phone: Phone) -> None:
                move_clock(self.gateway, freeze=True)
                token = fcm(await phone.ask(**hello(wants=["push", "event"])))["token"]
                for number in range(23):
                    self.send(token=token, notification={"title": str(number)})
                self.send(token=token, notification={"title": "now or never"}, android={"ttl": "0s"})
                self.send(token=token, data={"k": "no key"})
                frames = [await phone.receive() for _ in range(2 * 20 + 5 + 4)]
                shown = [frame["payload"].get("notification", {}).get("title", "") for frame in frames if frame["type"] == "push"]
                self.assertEqual(shown, [*map(str, range(20)), "now or never", ""])
                self.assertEqual([frame["kind"] for frame in frames if frame["type"] == "event" and frame["kind"] != "delivered"], ["stored", "stored", "collapsed", "stored", "collapsed"])
                move_clock(self.gateway, advance="179s")
                self.assertEqual((await phone.ask(type="ping"))["type"], "pong")
                move_clock(self.gateway, advance="2s")
                late = [await phone.receive() for _ in range(2)]
                self.assertEqual((late[0]["payload"]["notification"]["title"], late[1]["data"]["outcome"]), ("22", "delayedMessageThrottled"))
            with_phones(self.gateway, body)

    def test_a_browser_goes_by_its_own_headers(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("web", wants=["push", "event"])))["token"]
            await self.state(phone, online=False)
            for tag, headers in (("a", {"Topic": "x"}), ("b", {"Topic": "x"}), ("c", {"TTL": "60"}), ("d", {"TTL": "0"}), ("e", {})):
                self.send(token=token, data={"tag": tag}, webpush={"headers": headers}, android={"restricted_package_name": "com.other", "ttl": "1s"})
            self.assertEqual([kind for kind, _ in await self.kinds(phone, 6)], ["stored", "stored", "collapsed", "stored", "dropped", "stored"])
            move_clock(self.gateway, advance="2m")
            await phone.send(type="state", set={"online": True})
            frames = [await phone.receive() for _ in range(7)]
            self.assertEqual([frame["payload"]["data"]["tag"] for frame in frames if frame["type"] == "push"], ["b", "e"])
        with_phones(self.gateway, body)

    def test_mutable_content_comes_only_where_it_is_asked_for(self) -> None:
        for arguments, expected in (((), None), (("--fcm-choice", "mutable-content=added"), 1)):
            with Gateway("--validation", "service", *arguments) as self.gateway:
                async def body(phone: Phone) -> None:
                    token = fcm(await phone.ask(**hello("ios", wants=["push"])))["token"]
                    self.send(token=token, notification={"title": "T", "image": IMAGE})
                    aps = (await phone.receive())["payload"]["aps"]
                    self.assertEqual((aps["alert"], aps.get("mutable-content")), ({"title": "T"}, expected))
                    self.send(token=token, notification={"title": "T"})
                    self.assertNotIn("mutable-content", (await phone.receive())["payload"]["aps"])
                with_phones(self.gateway, body)

    def test_an_iphone_gets_user_info(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("ios", wants=["push"])))
            self.assertEqual(self.send(
                fid=token["fid"], data={"k": "v"}, notification={"title": "T", "body": "B"},
                apns={"payload": {"aps": {"badge": 3, "mutable-content": 1}, "own": [1, {"x": None}]}, "fcm_options": {"image": IMAGE, "analytics_label": "l"}},
            ).status_code, 200)
            payload = (await phone.receive())["payload"]
            self.assertRegex(payload.pop("gcm.message_id"), r"\A\d{16}\Z")
            self.assertEqual(payload, {
                "aps": {"alert": {"title": "T", "body": "B"}, "badge": 3, "mutable-content": 1}, "own": [1, {"x": None}], "k": "v",
                "google.c.a.e": "1", "google.c.a.m_l": "l", "google.c.sender.id": token["senderId"], "google.c.fid": token["fid"],
                "fcm_options": {"image": IMAGE}})
        with_phones(self.gateway, body)

    def test_a_browser_gets_push_data(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("web", wants=["push"])))
            self.send(token=token["token"], data={"a": "b"}, notification={"title": "T", "body": "B"},
                      webpush={"notification": {"title": "Own", "icon": "i"}, "fcm_options": {"link": "https://a.example/x"}})
            payload = (await phone.receive())["payload"]
            self.assertEqual((payload["from"], payload["data"], payload["fcmOptions"]), (token["senderId"], {"a": "b"}, {"link": "https://a.example/x"}))
            self.assertEqual(payload["notification"], {"body": "B", "title": "Own", "icon": "i", "click_action": "https://a.example/x"})
        with_phones(self.gateway, body)

    def test_lenient_json_reaches_the_device_as_json(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("ios", wants=["push"])))
            url = self.gateway.at().url("/v1/projects/demo/messages:send", scheme="http")
            text = "{message:{'token':'%s',apns:{payload:{aps:{alert:'it\\'s',},x:['a',{b:1,},],},},},}" % token["token"]
            self.assertEqual(self.client.post(url, content=text, headers={"authorization": "Bearer x"}).status_code, 200)
            payload = (await phone.receive())["payload"]
            self.assertEqual((payload["aps"], payload["x"]), ({"alert": "it's"}, ["a", {"b": 1}]))
        with_phones(self.gateway, body)

    def test_what_goes_nowhere(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(device={"platform": "android", "app": TOPIC, "project": "mine"})))
            self.assertEqual(token["project"], "mine")
            self.assertEqual(self.send(token=token["token"], project="mine", dry=True).status_code, 200)
            foreign = self.send(token=token["token"], project="other")
            self.assertEqual((foreign.status_code, foreign.json()["error"]["message"]), (403, "SenderId mismatch"))
            self.assertEqual(self.send(token=token["token"], project="mine", data={"from": "x"}).status_code, 400)
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            self.assertEqual((await phone.ask(type="uninstall"))["type"], "ok")
            gone = self.send(token=token["token"], project="mine")
            self.assertEqual((gone.status_code, gone.json()["error"]["details"][0]["errorCode"]), (404, "UNREGISTERED"))
        with_phones(self.gateway, body)


class Waiting(Devices):
    def test_a_message_waits_for_its_time_to_live(self) -> None:
        rows: list[tuple[Fields, Fields, list[tuple[str, str]], str, list[tuple[str, str]]]] = [
            ({"online": False}, {}, [("stored", "pending")], "1s", [("delivered", "delayedDeviceOffline")]),
            ({"online": False}, {"ttl": "60s"}, [("stored", "pending")], "2m", [("dropped", "droppedTtlExpired")]),
            ({"online": False}, {"ttl": "0s"}, [("dropped", "droppedTtlExpired")], "1s", []),
            ({"doze": True}, {"priority": "normal"}, [("stored", "pending")], "1s", [("delivered", "delayedDeviceDoze")]),
            ({"doze": True}, {"priority": "high"}, [("delivered", "deliveredNoDelay")], "1s", []),
            ({"forceStopped": True}, {"priority": "high"}, [("stored", "pending")], "1s", [("delivered", "delayedUserStopped")]),
            ({"forceStopped": True}, {"ttl": "60s"}, [("stored", "pending")], "2m", [("dropped", "droppedAppForceStopped")]),
            ({"forceStopped": True}, {"ttl": "0s"}, [("dropped", "droppedAppForceStopped")], "1s", []),
            ({"directBoot": True}, {}, [("stored", "pending")], "1s", [("delivered", "delayedDeviceOffline")]),
            ({"directBoot": True}, {"direct_boot_ok": True}, [("delivered", "deliveredNoDelay")], "1s", []),
            ({}, {"restricted_package_name": "com.other"}, [("dropped", "")], "1s", []),
            ({}, {"restricted_package_name": TOPIC}, [("delivered", "deliveredNoDelay")], "1s", []),
            ({"permission": "denied", "locked": True}, {}, [("delivered", "deliveredNoDelay")], "1s", []),
        ]
        for state, android, at_once, passing, later in rows:
            async def body(phone: Phone) -> None:
                token = fcm(await phone.ask(**hello(wants=["event"])))["token"]
                if state:
                    await self.state(phone, **state)
                self.assertEqual(self.send(token=token, data={"a": "b"}, android=android).status_code, 200)
                self.assertEqual(await self.kinds(phone, len(at_once)), at_once)
                move_clock(self.gateway, advance=passing)
                await self.state(phone, online=True, doze=False, forceStopped=False, directBoot=False)
                self.assertEqual(await self.kinds(phone, len(later)), later)
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            with self.subTest(state=state, android=android):
                with_phones(self.gateway, body)

    def test_a_device_that_is_away_for_long_is_inactive_and_then_forgotten(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello()))["token"]
            await self.state(phone, online=False)
            move_clock(self.gateway, advance=f"{31 * 24}h")
            self.assertEqual(self.send(token=token, data={"a": "b"}).status_code, 200)
            self.assertEqual(await self.kinds(phone, 1), [("dropped", "droppedDeviceInactive")])
            move_clock(self.gateway, advance=f"{240 * 24}h")
            self.assertEqual(self.send(token=token, data={"a": "b"}).status_code, 404)
            await phone.send(type="state", set={"online": True})
            frames = [await phone.receive() for _ in range(4)]
            self.assertIn({"type": "deleted", "count": 1}, frames)
            self.assertEqual(self.send(token=token).status_code, 200)
        with_phones(self.gateway, body)

    def test_four_collapse_keys_wait(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello()))["token"]
            await self.state(phone, online=False)
            for key in ("a", "b", "a", "c", "d", "e"):
                self.send(token=token, data={"key": key}, android={"collapse_key": key})
            self.assertEqual([kind for kind, _ in await self.kinds(phone, 8)], ["stored", "stored", "stored", "collapsed", "stored", "stored", "stored", "collapsed"])
            await self.state(phone, online=True)
            frames = [await phone.receive() for _ in range(8)]
            self.assertEqual(sorted(frame["payload"]["data"]["key"] for frame in frames[::2]), ["b", "c", "d", "e"])
        with_phones(self.gateway, body)

    def test_notifications_share_one_key(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.assertEqual((await phone.ask(type="state", set={"online": False}))["type"], "ok")
            for number in range(3):
                self.send(token=token, notification={"title": str(number)}, android={"collapse_key": str(number)})
            self.assertEqual((await phone.ask(type="state", set={"online": True}))["type"], "ok")
            self.assertEqual((await phone.receive())["payload"]["notification"], {"title": "2"})
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_beyond_a_hundred_all_are_dropped_and_the_app_is_told(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.assertEqual((await phone.ask(type="state", set={"online": False}))["type"], "ok")
            for number in range(100):
                self.send(token=token, data={"n": str(number)})
            self.assertEqual((await phone.ask(type="state", set={"online": True}))["type"], "ok")
            self.assertEqual([(await phone.receive())["payload"]["data"]["n"] for _ in range(100)], [str(n) for n in range(100)])
            self.assertEqual((await phone.ask(type="state", set={"online": False}))["type"], "ok")
            for number in range(102):
                self.send(token=token, data={"n": str(number)})
            self.assertEqual((await phone.ask(type="state", set={"online": True}))["type"], "ok")
            self.assertEqual(await phone.receive(), {"type": "deleted", "count": 101})
            self.assertEqual((await phone.receive())["payload"]["data"]["n"], "101")
            self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_an_iphone_keeps_one_as_apple_does(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("ios")))["token"]
            await self.state(phone, online=False)
            for number in range(2):
                self.send(token=token, notification={"title": str(number)})
            self.assertEqual([kind for kind, _ in await self.kinds(phone, 3)], ["stored", "stored", "dropped"])
            await self.state(phone, online=True)
            self.assertEqual((await phone.receive())["payload"]["aps"]["alert"], {"title": "1"})
        with_phones(self.gateway, body)
