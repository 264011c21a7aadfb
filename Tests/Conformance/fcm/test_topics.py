"""Topics: subscribed by a device and by both of Google's APIs."""
from __future__ import annotations

import unittest
from typing import Any

import httpx

from device_client import Phone, with_phones
from gateway import PATIENCE, TOPIC, Gateway
from test_fcm import DEAD, RECORDED
from test_fcm_devices import fcm, hello

BEARER = {"authorization": "Bearer ya29.x"}


class Topics(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.client = self.enterContext(httpx.Client(timeout=PATIENCE, headers=BEARER, base_url=self.gateway.at().url("", scheme="http")))

    def send(self, project: str = "demo", **message: Any) -> None:
        answer = self.client.post(f"/v1/projects/{project}/messages:send", json={"message": message})
        self.assertEqual((answer.status_code, answer.json()["name"][-19:].isdigit()), (200, True), answer.text)

    async def assert_next_push(self, phone: Phone, tag: str) -> None:
        """Asserts that the next push on the device is this message."""
        self.assertEqual((await phone.receive())["payload"]["data"], {"tag": tag})


class Sends(Topics):
    def test_a_device_gets_the_messages_of_its_topics(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(**hello(wants=["push", "event"]))
            for name in ("news", "/topics/sport", "news"):
                await phone.send(type="topic", op="subscribe", name=name)
            frames = [await phone.receive() for _ in range(5)]
            self.assertEqual([frame["type"] for frame in frames].count("ok"), 3)
            self.assertEqual([(frame["kind"], frame["data"]) for frame in frames if frame["type"] == "event"],
                             [("subscribed", {"topic": "news"}), ("subscribed", {"topic": "sport"})])
            self.send(topic="news", data={"tag": "1"})
            push = await phone.receive()
            self.assertEqual((push["payload"]["from"], push["payload"]["data"]), ("/topics/news", {"tag": "1"}))
            self.assertEqual((await phone.receive())["kind"], "delivered")
            self.send(topic="weather", data={"tag": "2"})
            await phone.send(type="topic", op="unsubscribe", name="news")
            self.assertEqual({(await phone.receive())["type"] for _ in range(2)}, {"ok", "event"})
            self.send(topic="news", data={"tag": "3"})
            self.send(topic="sport", data={"tag": "4"})
            await self.assert_next_push(phone, "4")
        with_phones(self.gateway, body)


class Subscriptions(Topics):
    """The API of 2026."""

    def at(self, registration: str, rest: str = "", project: str = "demo") -> str:
        return f"/v1/projects/{project}/registrations/{registration.replace(':', '%3A')}/topicSubscriptions{rest}"

    def error(self, answer: httpx.Response) -> tuple[int, str]:
        return answer.status_code, answer.json()["error"]["status"]

    def test_a_subscription_is_created_listed_and_deleted(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = fcm(await phone.ask(**hello(wants=["push"])))
            token, fid = welcome["token"], welcome["fid"]
            made = self.client.post(self.at(token, "?topic_name=news"), json={})
            name = f"projects/demo/registrations/{fid}/topicSubscriptions/news"
            said = made.json()
            self.assertRegex(said.pop("createTime"), r"\A\d{4}-\d\d-\d\dT[\d:.]+Z\Z")
            self.assertEqual((made.status_code, said), (200, {"name": name, "topicName": "news"}))
            self.assertEqual(self.error(self.client.post(self.at(fid, "?topicName=news"))), (409, "ALREADY_EXISTS"))
            self.send(topic="news", data={"tag": "1"})
            await self.assert_next_push(phone, "1")
            self.assertEqual(self.client.get(self.at(fid, "/news")).json()["name"], name)
            self.assertEqual(self.error(self.client.get(self.at(fid, "/other"))), (404, "NOT_FOUND"))
            self.assertEqual(self.error(self.client.patch(self.at(fid, "/other"))), (404, "NOT_FOUND"))
            self.assertEqual(self.client.patch(self.at(fid, "/other?allowMissing=true"), json={}).json()["topicName"], "other")
            self.assertEqual([row["topicName"] for row in self.client.get(self.at(fid)).json()["topicSubscriptions"]], ["news", "other"])
            for _ in range(2):
                self.assertEqual(self.client.delete(self.at(token, "/news?allow_missing=true")).json(), {})
            self.assertEqual(self.error(self.client.delete(self.at(token, "/news"))), (404, "NOT_FOUND"))
            self.send(topic="news", data={"tag": "2"})
            self.send(topic="other", data={"tag": "3"})
            await self.assert_next_push(phone, "3")
        with_phones(self.gateway, body)


class InstanceID(Topics):
    """The API of older clients."""

    def setUp(self) -> None:
        super().setUp()
        self.client.headers["access_token_auth"] = "true"

    def batch(self, verb: str, topic: str, *tokens: Any) -> list[Any]:
        answer = self.client.post(f"/iid/v1:batch{verb}", json={"to": f"/topics/{topic}", "registration_tokens": tokens})
        self.assertEqual(answer.status_code, 200, answer.text)
        return answer.json()["results"]

    def test_batches_subscribe_and_unsubscribe(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.assertEqual({"results": self.batch("Add", "t", token, DEAD)}, RECORDED["iid-batch-mixed"]["body"])
            self.assertEqual(self.batch("Add", "t", token), [{}])
            self.send(topic="t", data={"tag": "1"})
            await self.assert_next_push(phone, "1")
            words = {f"unregistered:{DEAD}": "NOT_FOUND", "x": "INVALID_ARGUMENT", f"quota-exceeded:{DEAD}": "RESOURCE_EXHAUSTED",
                     f"sender-id-mismatch:{DEAD}": "PERMISSION_DENIED", f"internal:{DEAD}": "INTERNAL", f"unavailable:{DEAD}": "DEADLINE_EXCEEDED"}
            self.assertEqual(self.batch("Add", "t", *words), [{"error": word} for word in words.values()])
            self.assertEqual(self.batch("Add", "t", 5), [{"error": "INVALID_ARGUMENT"}])
            self.assertEqual(self.batch("Remove", "t", token, token), [{}, {}])
            self.send(topic="t", data={"tag": "2"})
            self.send(condition="!('t' in topics)", data={"tag": "3"})
            await self.assert_next_push(phone, "3")
        with_phones(self.gateway, body)

    def test_information_lists_the_topics(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello("ios", wants=[])))["token"]
            self.assertEqual(self.client.post(f"/iid/v1/{token}/rel/topics/t").json(), {})
            plain = {"application": TOPIC, "authorizedEntity": "900000000000", "platform": "IOS", "scope": "*"}
            self.assertEqual(self.client.get(f"/iid/info/{token}").json(), plain)
            said = self.client.get(f"/iid/info/{token}?details=true").json()
            self.assertRegex(said["rel"]["topics"]["t"]["addDate"], r"\A\d{4}-\d\d-\d\d\Z")
            unknown = self.client.get(f"/iid/info/{DEAD}")
            self.assertEqual((unknown.status_code, unknown.json()), (404, {"error": "No information found about this instance id."}))
            garbage = self.client.get("/iid/info/garbage")
            self.assertEqual((garbage.status_code, garbage.json()), (RECORDED["iid-invalid"]["status"], RECORDED["iid-invalid"]["body"]))
        with_phones(self.gateway, body)
