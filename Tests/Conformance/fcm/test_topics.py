"""Topics: subscribed to by devices and by both of Google's APIs, sent to by name and by condition."""
from __future__ import annotations

import json
import unittest
from typing import Any

import httpx

from control import call, move_clock
from device_client import Phone, with_phones
from gateway import PATIENCE, TOPIC, Gateway
from test_fcm import DEAD, RECORDED
from test_fcm_devices import fcm, hello

BEARER = {"authorization": "Bearer ya29.x"}
# Conditions, and which of the devices with these topics they reach.
HEARD = {"a": ["a"], "b": ["b"], "c": ["c"], "ab": ["a", "b"], "abc": ["a", "b", "c"], "none": []}
CONDITIONS = {
    "'a' in topics": {"a", "ab", "abc"}, "'a' in topics && 'b' in topics": {"ab", "abc"}, "'a' in topics || 'b' in topics": {"a", "b", "ab", "abc"},
    "!('a' in topics)": {"b", "c", "none"}, "!'a' in topics": {"b", "c", "none"}, "'a' in topics && !('b' in topics)": {"a"},
    "!('a' in topics) && !('b' in topics)": {"c", "none"}, "!('a' in topics && 'b' in topics)": {"a", "b", "c", "none"},
    "!('a' in topics) || 'b' in topics": {"b", "c", "none", "ab", "abc"}, "'a' in topics && ('b' in topics || 'c' in topics)": {"ab", "abc"},
    "'c' in topics || 'a' in topics && 'b' in topics": {"ab", "abc"}, "'a' in topics && 'x' in topics": set(), "!!('a' in topics)": {"a", "ab", "abc"},
    "'x' in topics": set(), "!('x' in topics)": set(HEARD),
}


class Topics(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.client = self.enterContext(httpx.Client(timeout=PATIENCE, headers=BEARER, base_url=self.gateway.at().url("", scheme="http")))

    def send(self, project: str = "demo", **message: Any) -> None:
        answer = self.client.post(f"/v1/projects/{project}/messages:send", json={"message": message})
        self.assertEqual((answer.status_code, answer.json()["name"][-19:].isdigit()), (200, True), answer.text)

    async def hears(self, phone: Phone, tag: str) -> None:
        """Asserts that the next that reaches it is this message; nothing before."""
        self.assertEqual((await phone.receive())["payload"]["data"], {"tag": tag})


class Sends(Topics):
    def test_a_device_hears_what_it_is_subscribed_to(self) -> None:
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
            await self.hears(phone, "4")
        with_phones(self.gateway, body)

    def test_what_is_no_topic(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(**hello(wants=[]))
            for name in ("", "a/b", "x" * 901, "ä", 5, None):
                self.assertEqual((await phone.ask(type="topic", op="subscribe", name=name))["pointer"], "/name", name)
            self.assertEqual((await phone.ask(type="topic", op="hear", name="a"))["pointer"], "/op")
        with_phones(self.gateway, body)

    def test_conditions_reach_exactly_those_they_hold_for(self) -> None:
        async def body(*phones: Phone) -> None:
            for phone, topics in zip(phones, HEARD.values(), strict=True):
                await phone.ask(**hello(wants=["push"]))
                for topic in topics:
                    await phone.ask(type="topic", op="subscribe", name=topic)
            for condition in CONDITIONS:
                self.send(condition=condition, data={"tag": condition})
            for name, phone in zip(HEARD, phones, strict=True):
                for condition in [condition for condition, reached in CONDITIONS.items() if name in reached]:
                    await self.hears(phone, condition)
                self.assertEqual((await phone.ask(type="ping"))["type"], "pong", name)
        with_phones(self.gateway, body, count=len(HEARD))

    def test_topics_are_a_projects_own(self) -> None:
        async def body(bound: Phone, free: Phone) -> None:
            await bound.ask(**hello(device={"platform": "android", "app": TOPIC, "project": "p"}, wants=["push"]))
            await free.ask(**hello(wants=["push"]))
            for phone in (bound, free):
                await phone.ask(type="topic", op="subscribe", name="t")
            self.send("q", topic="t", data={"tag": "q"})
            self.send("q", condition="!('x' in topics)", data={"tag": "not x"})
            self.send("p", topic="t", data={"tag": "p"})
            await self.hears(bound, "p")
            for tag in ("q", "not x", "p"):
                await self.hears(free, tag)
        with_phones(self.gateway, body, count=2)

    def test_each_platform_gets_its_own(self) -> None:
        async def body(android: Phone, ios: Phone, web: Phone) -> None:
            for phone, platform in ((android, "android"), (ios, "ios"), (web, "web")):
                await phone.ask(**hello(platform, wants=["push"]))
                await phone.ask(type="topic", op="subscribe", name="t")
            self.send(topic="t", notification={"title": "T"}, data={"k": "v"})
            self.assertEqual((await android.receive())["payload"]["notification"], {"title": "T"})
            self.assertEqual((await ios.receive())["payload"]["aps"], {"alert": {"title": "T"}})
            self.assertEqual((await web.receive())["payload"]["notification"], {"title": "T"})
        with_phones(self.gateway, body, count=3)

    def test_what_goes_to_a_topic_waits_as_all_else(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(**hello(wants=["push"]))
            await phone.ask(type="topic", op="subscribe", name="t")
            await phone.ask(type="state", set={"online": False})
            self.send(topic="t", data={"tag": "1"})
            self.send(topic="t", data={"tag": "short"}, android={"ttl": "60s"})
            move_clock(self.gateway, advance="2m")
            await phone.send(type="state", set={"online": True})
            frames = [await phone.receive() for _ in range(2)]
            self.assertEqual([frame["payload"]["data"] for frame in frames if frame["type"] == "push"], [{"tag": "1"}])
        with_phones(self.gateway, body)

    def test_a_device_that_is_uninstalled_hears_nothing(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))
            await phone.ask(type="topic", op="subscribe", name="t")
            await phone.ask(type="uninstall")
            self.send(topic="t", data={"tag": "1"})
            self.assertEqual((await phone.ask(type="ping"))["type"], "pong")
            self.assertEqual((await phone.ask(type="topic", op="subscribe", name="u"))["type"], "error")
            self.assertEqual(self.client.post(f"/v1/projects/p/registrations/{token['fid']}/topicSubscriptions?topicName=t").status_code, 404)
        with_phones(self.gateway, body)


class Subscriptions(Topics):
    """The API of 2026."""

    def at(self, registration: str, rest: str = "", project: str = "demo") -> str:
        return f"/v1/projects/{project}/registrations/{registration.replace(':', '%3A')}/topicSubscriptions{rest}"

    def error(self, answer: httpx.Response) -> tuple[int, str]:
        return answer.status_code, answer.json()["error"]["status"]

    def test_its_life(self) -> None:
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
            await self.hears(phone, "1")
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
            await self.hears(phone, "3")
        with_phones(self.gateway, body)

    def test_pages(self) -> None:
        async def body(phone: Phone) -> None:
            fid = fcm(await phone.ask(**hello(wants=[])))["fid"]
            self.assertEqual(self.client.get(self.at(fid)).json(), {})
            names = [f"t{number:04}" for number in range(2001)]
            for name in names[:2000]:
                self.assertEqual(self.client.post(self.at(fid, f"?topicName={name}")).status_code, 200)
            self.assertEqual(self.error(self.client.post(self.at(fid, f"?topicName={names[2000]}"))), (429, "RESOURCE_EXHAUSTED"))
            for asked, size in (("", 1000), ("pageSize=2", 2), ("page_size=9999", 2000), ("pageSize=0", 1000)):
                page = self.client.get(self.at(fid, f"?{asked}")).json()
                self.assertEqual((len(page["topicSubscriptions"]), "nextPageToken" in page), (size, size < 2000))
            found: list[str] = []
            after = ""
            for _ in range(4):
                page = self.client.get(self.at(fid, f"?pageSize=700&pageToken={after}")).json()
                found += [row["topicName"] for row in page["topicSubscriptions"]]
                if not (after := page.get("nextPageToken", "")):
                    break
            self.assertEqual(found, names[:2000])
            self.assertEqual(self.client.get(self.at(fid, "?pageSize=-1")).status_code, 400)
        with_phones(self.gateway, body)

    def test_refusals(self) -> None:
        async def body(phone: Phone) -> None:
            fid = fcm(await phone.ask(**hello(device={"platform": "web", "app": TOPIC, "project": "p"})))["fid"]
            rows: list[tuple[str, str, tuple[int, str]]] = [
                ("POST", self.at(fid, "?topicName=t"), (403, "PERMISSION_DENIED")), ("POST", self.at(fid, "?topicName=a/b", "p"), (400, "INVALID_ARGUMENT")),
                ("POST", self.at(fid, "", "p"), (400, "INVALID_ARGUMENT")), ("POST", self.at(fid, "?topicName=t&x=y", "p"), (400, "INVALID_ARGUMENT")),
                ("POST", self.at(DEAD, "?topicName=t"), (404, "NOT_FOUND")), ("POST", self.at("garbage", "?topicName=t"), (400, "INVALID_ARGUMENT")),
                ("POST", self.at(f"unregistered:{DEAD}", "?topicName=t"), (404, "NOT_FOUND")), ("GET", self.at(f"unavailable:{DEAD}"), (503, "UNAVAILABLE")),
                ("DELETE", self.at(f"internal:{DEAD}", "/t?allowMissing=true"), (500, "INTERNAL")), ("GET", self.at(DEAD), (404, "NOT_FOUND")),
            ]
            for method, path, expected in rows:
                self.assertEqual(self.error(self.client.request(method, path)), expected, (method, path))
            for content in (b"[]", b'{"x":1}', b"{"):
                self.assertEqual(self.error(self.client.post(self.at(fid, "?topicName=t", "p"), content=content)), (400, "INVALID_ARGUMENT"))
            self.assertEqual(httpx.post(self.gateway.at().url(self.at(fid), scheme="http")).json(), RECORDED["auth-missing"]["body"])
            self.assertEqual(self.client.put(self.at(fid, "/t")).headers["content-type"], "text/html; charset=UTF-8")
        with_phones(self.gateway, body)

    def test_sdks_on_phones_ask_with_a_verb(self) -> None:
        async def body(phone: Phone) -> None:
            fid = fcm(await phone.ask(**hello(wants=["push"])))["fid"]
            client = httpx.Client(base_url=self.gateway.at().url("", scheme="http"), headers={"host": "fcmregistrations.googleapis.com", "x-goog-api-key": "k"})
            self.assertEqual(client.post(self.at(fid, "/t:subscribe")).status_code, 200)
            self.send(topic="t", data={"tag": "1"})
            await self.hears(phone, "1")
            self.assertEqual(client.post(self.at(fid, "/t:unsubscribe")).status_code, 200)
            self.assertEqual(client.post(self.at(fid, "/t:shout")).status_code, 404)
            for odd in ("/:subscribe", "/a:b:subscribe", "/a:b:unsubscribe"):
                self.assertEqual(self.error(client.post(self.at(fid, odd))), (400, "INVALID_ARGUMENT"), odd)
            back = self.client.post(self.at(fid, "?topicName=again"), json=self.client.patch(self.at(fid, "/x?allowMissing=true")).json())
            self.assertEqual(back.status_code, 200, back.text)
            self.assertEqual(self.error(self.client.post(self.at(fid, "?topicName=big"), content=b"x" * (2 << 20))), (400, "INVALID_ARGUMENT"))
        with_phones(self.gateway, body)


class InstanceID(Topics):
    """The API that older clients ask."""

    def setUp(self) -> None:
        super().setUp()
        self.client.headers["access_token_auth"] = "true"

    def batch(self, verb: str, topic: str, *tokens: Any) -> list[Any]:
        answer = self.client.post(f"/iid/v1:batch{verb}", json={"to": f"/topics/{topic}", "registration_tokens": tokens})
        self.assertEqual(answer.status_code, 200, answer.text)
        return answer.json()["results"]

    def test_batches(self) -> None:
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            self.assertEqual({"results": self.batch("Add", "t", token, DEAD)}, RECORDED["iid-batch-mixed"]["body"])
            self.assertEqual(self.batch("Add", "t", token), [{}])
            self.send(topic="t", data={"tag": "1"})
            await self.hears(phone, "1")
            words = {f"unregistered:{DEAD}": "NOT_FOUND", "x": "INVALID_ARGUMENT", f"quota-exceeded:{DEAD}": "RESOURCE_EXHAUSTED",
                     f"sender-id-mismatch:{DEAD}": "PERMISSION_DENIED", f"internal:{DEAD}": "INTERNAL", f"unavailable:{DEAD}": "DEADLINE_EXCEEDED"}
            self.assertEqual(self.batch("Add", "t", *words), [{"error": word} for word in words.values()])
            self.assertEqual(self.batch("Add", "t", 5), [{"error": "INVALID_ARGUMENT"}])
            self.assertEqual(self.batch("Remove", "t", token, token), [{}, {}])
            self.send(topic="t", data={"tag": "2"})
            self.send(condition="!('t' in topics)", data={"tag": "3"})
            await self.hears(phone, "3")
        with_phones(self.gateway, body)

    def test_info(self) -> None:
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

    def test_import(self) -> None:
        async def body(phone: Phone) -> None:
            tokens = (await phone.ask(**hello("ios")))["device"]["tokens"]
            asked = {"application": TOPIC, "sandbox": False, "apns_tokens": [tokens["apns"]["token"], "ab" * 32]}
            rows = self.client.post("/iid/v1:batchImport", json=asked).json()["results"]
            self.assertEqual(rows, [{"apns_token": tokens["apns"]["token"], "status": "OK", "registration_token": tokens["fcm"]["token"]},
                                    {"apns_token": "ab" * 32, "status": "Internal Server Error"}])
        with_phones(self.gateway, body)

    def test_refusals(self) -> None:
        for changes in ({"access_token_auth": ""}, {"authorization": ""}, {"authorization": "Basic x"}):
            answer = self.client.post("/iid/v1:batchAdd", headers=changes, json={})
            self.assertEqual((answer.status_code, "<H1>Unauthorized</H1>" in answer.text), (401, True), changes)
        bodies: list[Any] = [{}, [], {"to": "/topics/t"}, {"to": "t", "registration_tokens": ["x"]}, {"to": "/topics/t", "registration_tokens": []},
                             {"to": "/topics/t", "registration_tokens": ["x"] * 1001}, {"to": "/topics/a b", "registration_tokens": ["x"]}]
        for body in bodies:
            answer = self.client.post("/iid/v1:batchAdd", content=json.dumps(body))
            self.assertEqual((answer.status_code, answer.json()), (400, {"error": "INVALID_ARGUMENT"}), body)
        for path in ("/iid/v1:batchFoo", "/iid/", "/iid/info", "/v1/web/iid"):
            self.assertEqual(self.client.post(path).headers["content-type"], "text/html; charset=UTF-8", path)


class Crowd(Topics):
    def test_ten_thousand(self) -> None:
        """Devices that appear by messages to their tokens; each second one is subscribed."""
        count = 10_000
        tokens = [f"c{number:021}:APA91b" + "x" * 134 for number in range(count)]
        url = self.gateway.at().url("")
        with httpx.Client(http2=True, verify=self.gateway.context(), base_url=url, timeout=PATIENCE, headers=BEARER | {"access_token_auth": "true"}) as client:
            for token in tokens:
                client.post("/v1/projects/demo/messages:send", json={"message": {"token": token}})
            for start in range(0, count, 1000):
                chosen = tokens[start:start + 1000:2]
                said = client.post("/iid/v1:batchAdd", json={"to": "/topics/t", "registration_tokens": chosen}).json()["results"]
                self.assertEqual(said, [{}] * 500)
            before = self.newest()
            client.post("/v1/projects/demo/messages:send", json={"message": {"topic": "t"}})
            client.post("/v1/projects/demo/messages:send", json={"message": {"condition": "!('t' in topics)"}})
        # The two that were accepted, and for each device a delivery and a call of its app.
        for _ in range(100):
            if self.newest() >= before + 2 + 2 * count:
                break
        self.assertEqual(self.newest(), before + 2 + 2 * count)

    def newest(self) -> int:
        page = self.client.get("/metrics", headers={"host": "localhost"}).text
        return int(next(line.split()[1] for line in page.splitlines() if line.startswith("pushpit_events_total")))
