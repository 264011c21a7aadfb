"""The founders' payloads through the whole gateway: what each really is, by the table of verdicts and the traps it came with."""
from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

import httpx

from control import call
from device_client import Fields, Phone, token_of, with_phones
from gateway import PATIENCE, TOPIC, Gateway
from h2_client import Answer, Client, push
from test_fcm_devices import fcm, hello
from test_messages import SAMPLES

# A payload that lost its braces and URLs on a web page: the like of it is all that is left of one founder.
PROSE = Path(__file__).parents[1] / "fixtures/founders/adobe-ios-markup-lost.txt"
ADOBE = {"tracking": {"profile": "adobe", "ecid": "E"}}
# Only the second of these categories lets the app hear of a dismissal.
CATEGORIES = [{"id": "NEW_MESSAGE_CATEGORY"}, {"id": "DEFAULT", "customDismissAction": True}]
TRAP = "https://foo.bar.pizza-monster.png"
IMAGE = "https://foo.bar/pizza-monster.png"
BARE = "http://adobegiphy.com?test=123"
# URLs, and the rule that refuses each.
URLS: list[tuple[str, str | None]] = [(TRAP, "media.no-file-extension"), (IMAGE, None), (BARE, "media.no-file-extension")]


def sample(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text())


def without(payload: Fields, *keys: str) -> Fields:
    """The payload, and its aps, without these."""
    rest = {key: value for key, value in payload.items() if key not in keys}
    return rest | {"aps": {key: value for key, value in payload["aps"].items() if key not in keys}}


def iphone(**more: Any) -> Fields:
    return {"platform": "ios", "app": TOPIC, "categories": CATEGORIES} | ADOBE | more


IOS, TESTER = sample("adobe-ios.json"), sample("adobe-ios-tester.json")
ANDROID, PASTED = sample("adobe-android.json"), sample("adobe-fcm-tester.json")
SILENT = without(IOS, "media-attachment-url") | {"aps": {"content-available": 1}}
# Where the app is, a payload, the callbacks in their order and what is reported.
CALLBACKS: list[tuple[str, Fields, list[str], list[str]]] = [
    ("background", IOS, ["didReceiveRemoteNotification"], ["7"]),
    ("suspended", IOS, ["didReceiveRemoteNotification"], ["7"]),
    # Both callbacks, and one report.
    ("foreground", IOS, ["didReceiveRemoteNotification", "willPresent"], ["7"]),
    ("forceQuit", IOS, [], []),
    # Without content-available the app's code runs in front alone.
    ("background", without(IOS, "content-available"), [], []),
    ("foreground", without(IOS, "content-available"), ["willPresent"], ["7"]),
    ("background", SILENT, ["didReceiveRemoteNotification"], ["7"]),
    ("foreground", SILENT, ["didReceiveRemoteNotification"], []),
    ("background", TESTER, [], []),
    ("foreground", TESTER, ["willPresent"], []),
]


class Founders(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway("--log-level", "debug"))
        self.client = self.enterContext(httpx.Client(timeout=PATIENCE, headers={"authorization": "Bearer x"}))

    def push(self, token: str, payload: Fields | bytes, kind: str = "alert") -> Answer:
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        with Client(self.gateway.at().connect()) as client:
            client.start()
            client.send(push(1, ("apns-push-type", kind), token=token, body=body))
            return client.answer(1)

    def post(self, body: Any) -> httpx.Response:
        """A request as it is: text, or what becomes JSON."""
        url = self.gateway.at().url("/v1/projects/demo/messages:send", scheme="http")
        return self.client.post(url, content=body if isinstance(body, str) else json.dumps(body), headers={"content-type": "application/json"})

    def violations(self, body: Any) -> list[str]:
        """The fields that are wrong with it, by Google's own words."""
        answer = self.post(body)
        error = answer.json()["error"]
        self.assertEqual((answer.status_code, error["status"]), (400, "INVALID_ARGUMENT"), answer.text)
        return [violation["description"] for detail in error["details"] for violation in detail.get("fieldViolations", [])]

    async def came(self, phone: Phone) -> list[Fields]:
        """All frames up to now: events keep their order, so a change of the device's own ends them. A pong may overtake them."""
        await phone.send(type="state", set={"locale": "de-DE"}, ref="end")
        frames: list[Fields] = []
        while (frame := await phone.receive()).get("kind") != "state" or "push" in frame:
            frames += [frame] if frame.get("ref") != "end" else []
        return frames

    def events(self, frames: list[Fields], kind: str) -> list[Fields]:
        return [frame["data"] for frame in frames if frame.get("kind") == kind]

    async def greeted(self, phone: Phone, device: Fields) -> Fields:
        phone.shows = True
        return await phone.ask(type="hello", device=device)


class Apple(Founders):
    def test_an_adobe_payload_is_an_alert(self) -> None:
        async def body(phone: Phone) -> None:
            token = token_of(await self.greeted(phone, iphone(extension={"script": "adobe"})))
            for payload, intercepted in ((IOS, 1), (TESTER, 0)):
                self.assertEqual(self.push(token, payload).status, 200)
                frames = await self.came(phone)
                (shown,) = self.events(frames, "presented")
                self.assertEqual(([frame["payload"] for frame in frames if frame["type"] == "push"], shown["title"]), ([payload], "Push Notification Title"))
                self.assertEqual(self.events(frames, "badge"), [{"badge": payload["aps"]["badge"]}])
                # The tester's has no media, and so nothing for an extension.
                attachments = self.events(frames, "attachment")
                self.assertEqual([attachment["url"] for attachment in attachments], [IOS["media-attachment-url"]][:intercepted])
        with_phones(self.gateway, body)

    def test_an_alert_that_calls_itself_a_background_push(self) -> None:
        """Taken as Apple takes it, and told what is wrong with it; silence alone is right."""
        async def body(phone: Phone) -> None:
            token = token_of(await self.greeted(phone, iphone()))
            for payload in (SILENT, IOS):
                self.assertEqual(self.push(token, payload, kind="background").status, 200)
            self.gateway.wait_for_log("rule=background.with-alert")
            self.assertEqual(self.gateway.log.count("rule=background.with-alert"), 1)
        with_phones(self.gateway, body)

    def test_what_lost_its_markup_is_no_payload(self) -> None:
        async def body(phone: Phone) -> None:
            token = token_of(await self.greeted(phone, iphone()))
            answer = self.push(token, PROSE.read_bytes())
            self.assertEqual((answer.status, json.loads(answer.body)["rule"]), (400, "payload.not-json"))
            self.assertEqual(await self.came(phone), [])
        with_phones(self.gateway, body)

    def test_media_wants_mutable_content(self) -> None:
        for payload, rule in ((without(IOS, "mutable-content"), "media.needs-mutable-content"), (without(TESTER, "mutable-content"), None)):
            answer = self.push("ab" * 32, payload)
            self.assertEqual((answer.status, json.loads(answer.body or b"{}").get("rule")), (400 if rule else 200, rule))

    def test_an_extension_is_in_the_path(self) -> None:
        for url, rule in URLS:
            with self.subTest(url):
                answer = self.push("ab" * 32, IOS | {"media-attachment-url": url})
                self.assertEqual((answer.status, json.loads(answer.body or b"{}").get("rule")), (400 if rule else 200, rule))
        with Gateway("--validation", "service", "--log-level", "debug") as self.gateway:
            for url, _ in URLS:
                self.assertEqual(self.push("ab" * 32, IOS | {"media-attachment-url": url}).status, 200)
            for said in ("media.no-file-extension", "media.host-looks-like-a-file"):
                self.gateway.wait_for_log(f"rule={said}")

    def test_clear_text_is_said_beside_a_missing_extension(self) -> None:
        """Two things are wrong with that URL."""
        self.push("ab" * 32, IOS | {"media-attachment-url": BARE})
        self.push("ab" * 32, b"{")
        self.gateway.wait_for_log("rule=payload.not-json")
        self.assertIn("rule=media.http", self.gateway.log)

    def test_which_callbacks_there_are_and_what_they_report(self) -> None:
        for state, payload, callbacks, hits in CALLBACKS:
            async def body(phone: Phone) -> None:
                token = token_of(await self.greeted(phone, iphone(state={"app": state})))
                self.assertEqual(self.push(token, payload).status, 200)
                frames = await self.came(phone)
                self.assertEqual([data["name"] for data in self.events(frames, "callback")], callbacks)
                self.assertEqual([(data["action"], data["broadlogId"], data["deliveryId"], data["mcId"]) for data in self.events(frames, "tracking")],
                                 [(action, "h138a", "56c4", "E") for action in hits])
            with self.subTest(state, payload=payload):
                with_phones(self.gateway, body)

    def test_a_dismissal_is_heard_of_by_its_category_alone(self) -> None:
        rows = [("NEW_MESSAGE_CATEGORY", "dismiss", []), ("DEFAULT", "dismiss", ["2"]), ("NEW_MESSAGE_CATEGORY", "open", ["2", "1"])]
        for category, kind, hits in rows:
            async def body(phone: Phone) -> None:
                token = token_of(await self.greeted(phone, iphone()))
                self.assertEqual(self.push(token, IOS | {"aps": IOS["aps"] | {"category": category}}).status, 200)
                (shown,) = self.events(await self.came(phone), "presented")
                await phone.send(type="act", notification=shown["key"], kind=kind)
                self.assertEqual([data["action"] for data in self.events(await self.came(phone), "tracking")], hits)
            with self.subTest(category, kind=kind):
                with_phones(self.gateway, body)


class Google(Founders):
    def test_the_old_shape_is_no_message(self) -> None:
        unknown = [f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.' for name in ("to", "collapseKey", "priority", "data")]
        self.assertEqual(self.violations(ANDROID), unknown[1:])
        self.assertEqual(self.violations(PASTED), unknown)
        self.gateway.wait_for_log("rule=fcm.legacy-shape")

    def test_a_number_is_no_value_of_data(self) -> None:
        (said,) = self.violations({"message": {"topic": "t", "data": ANDROID["data"]}})
        self.assertRegex(said, r"Invalid value at 'message\.data\[\d+\]\.value' \(TYPE_STRING\), 1817")

    def test_an_android_gets_what_the_old_shape_meant(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await self.greeted(phone, {"platform": "android", "app": TOPIC} | ADOBE))["token"]
            data = ANDROID["data"] | {"badge": "1817"}
            answer = self.post({"message": {"token": token, "android": {"collapse_key": "1476005", "priority": "high"}, "data": data}})
            self.assertEqual(answer.status_code, 200, answer.text)
            frames = await self.came(phone)
            (payload,) = [frame["payload"] for frame in frames if frame["type"] == "push"]
            # The deeplink, the sound that is a URL and the media's URL are data like any other.
            self.assertEqual((payload["data"], payload["collapseKey"]), (data, "1476005"))
            self.gateway.wait_for_log("rule=fcm.media-in-data")
            self.assertEqual(self.events(frames, "callback"), [{"name": "onMessageReceived"}])
            (shown,) = self.events(frames, "presented")
            self.assertEqual((shown["title"], shown["body"]), ("adobe title 123", "adobe body 123"))
            (hit,) = self.events(frames, "tracking")
            self.assertEqual((hit["action"], hit["broadlogId"], hit["deliveryId"]), ("7", "h1685a5", "d57fd6"))
        with_phones(self.gateway, body)

    def test_the_links_of_a_delivery_are_no_actions(self) -> None:
        for key in ("sound", "uri"):
            target = ANDROID["data"][key].removeprefix("http://testcampaign.instance.com")
            url = self.gateway.at().url(target, scheme="http")
            self.assertEqual(self.client.get(url, headers={"host": "testcampaign.instance.com"}).status_code, 200)
            hit = call(self.gateway, "GET", "/tracking")[1]["hits"][-1]
            self.assertEqual((hit["action"], "link" in hit["flags"]), (target.rsplit(",")[-1], True))

    def test_an_image_for_a_topic_as_it_was_printed(self) -> None:
        async def body(ios: Phone, android: Phone, web: Phone) -> None:
            await self.greeted(ios, iphone(extension={"script": "firebase"}))
            for phone, platform in ((android, "android"), (web, "web")):
                await phone.ask(**hello(platform))
            for phone in (ios, android, web):
                await phone.ask(type="topic", op="subscribe", name="industry-tech")
                await self.came(phone)
            answer = self.post((SAMPLES / "fcm-image-rest-as-printed.txt").read_text())
            self.assertEqual(answer.status_code, 200, answer.text)
            self.assertRegex(answer.json()["name"], r"\Aprojects/demo/messages/\d+\Z")
            frames = await self.came(ios)
            (payload,) = [frame["payload"] for frame in frames if frame["type"] == "push"]
            self.assertEqual((payload["aps"], payload["fcm_options"]), ({"alert": {"title": "Sparky says hello!"}, "mutable-content": 1}, {"image": IMAGE}))
            self.assertEqual(self.events(frames, "attachment"), [{"url": IMAGE, "outcome": "skipped"}])
            self.assertEqual([shown["title"] for shown in self.events(frames, "presented")], ["Sparky says hello! [modified]"])
            self.assertEqual(self.events(frames, "tracking"), [])
            shown = [[frame["payload"]["notification"] for frame in await self.came(phone) if frame["type"] == "push"] for phone in (android, web)]
            # Among the headers for browsers the image is never shown.
            self.assertEqual(shown, [[{"title": "Sparky says hello!", "image": IMAGE}], [{"title": "Sparky says hello!"}]])
            self.gateway.wait_for_log("rule=fcm.webpush-image")
        with_phones(self.gateway, body, count=3)

    def test_an_sdk_s_spelling_is_no_message(self) -> None:
        spelled = sample("fcm-image-sdk-shape.json")
        self.assertEqual(self.violations(spelled), [
            "Invalid JSON payload received. Unknown name \"imageUrl\" at 'message.android.notification': Cannot find field."])
        # As the SDK sends it, the URL is still none that a phone could use.
        spelled["message"]["android"]["notification"] = {"image": TRAP}
        self.assertEqual(len(self.violations(spelled)), 1)

    def test_an_extension_is_in_the_path(self) -> None:
        for url, rule in URLS:
            with self.subTest(url):
                message = {"topic": "t", "apns": {"payload": {"aps": {"alert": "x", "mutable-content": 1}}, "fcm_options": {"image": url}}}
                if rule:
                    (detail,) = [detail for detail in self.post({"message": message}).json()["error"]["details"] if "fieldViolations" in detail]
                    self.assertEqual([violation["field"] for violation in detail["fieldViolations"]], ["message.apns.fcm_options.image"])
                    self.gateway.wait_for_log(f"rule={rule} ")
                else:
                    self.assertEqual(self.post({"message": message}).status_code, 200)

    def test_mutable_content_is_no_header(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await self.greeted(phone, iphone(extension={"script": "firebase"})))["token"]
            message = {"token": token, "notification": {"title": "T"}}
            (said,) = self.violations({"message": message | {"apns": {"headers": {"mutable-content": 1}}}})
            self.assertRegex(said, r"Invalid value at 'message\.apns\.headers\[0\]\.value' \(TYPE_STRING\), 1")
            self.assertEqual(self.post({"message": message | {"apns": {"headers": {"mutable-content": "1"}}}}).status_code, 200)
            self.gateway.wait_for_log("rule=fcm.mutable-content-misplaced")
            frames = await self.came(phone)
            self.assertEqual([frame["payload"]["aps"] for frame in frames if frame["type"] == "push"], [{"alert": {"title": "T"}}])
            self.assertEqual([shown["title"] for shown in self.events(frames, "presented")], ["T"])
            # In its place it does what it is for.
            self.assertEqual(self.post({"message": message | {"apns": {"payload": {"aps": {"mutable-content": 1}}}}}).status_code, 200)
            self.assertEqual([shown["title"] for shown in self.events(await self.came(phone), "presented")], ["T [modified]"])
        with_phones(self.gateway, body)
