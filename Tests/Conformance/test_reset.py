"""A gateway that is emptied, for all or for one app; and two tests that share one by their apps."""
from __future__ import annotations

import unittest
from concurrent.futures import ThreadPoolExecutor

import httpx

from api_case import APICase, Apple, Fields, token_of
from device_client import Phone, with_phones
from gateway import PATIENCE, TOPIC

OTHER = "com.example.other"
ROUNDS = 15
SILENCE = {"silence": True}
BAD = [([], ""), (7, ""), ({"ap": "x"}, "/ap"), ({"app": 7}, "/app"), ({"app": []}, "/app"), ({"app": "x", "devices": False}, "/devices")]


class Reset(APICase):
    def populate(self) -> None:
        for app in (TOPIC, OTHER):
            phone = self.device(id=app, app=app)
            self.apple.push(token=token_of(phone), topic=app)
            self.apple.push(token="x", topic=app)
            self.ask("POST", "/faults", {"match": {"app": app}, "effect": SILENCE, "times": 1, "after": 1000}, 201)
        self.device("android", "com.example.droid", id="droid", project="shop")
        self.ask("PUT", "/topics/news/devices/droid", status=204)
        self.google.send(topic="news", data={"k": "v"})
        self.ask("POST", "/faults", {"match": {"provider": "fcm"}, "effect": SILENCE, "after": 1000}, 201)
        self.ask("PUT", "/media", {"url": "https://a.example/b.png", "size": 7}, 204)

    def rest(self) -> Fields:
        """What there is."""
        return {
            "messages": sorted({message["app"] for message in self.ask("GET", "/messages")["messages"]}),
            "devices": sorted(device["id"] for device in self.ask("GET", "/devices")["devices"]),
            "faults": [fault.get("match", {}).get("app", "fcm") for fault in self.ask("GET", "/faults")["faults"]],
            "topics": [topic["name"] for topic in self.ask("GET", "/topics")["topics"]], "media": len(self.ask("GET", "/media")["media"])}

    def test_an_app_that_is_null_is_not_all(self) -> None:
        self.populate()
        said = self.ask("POST", "/reset", {"app": None}, 400)
        self.assertEqual(said["error"]["pointer"], "/app")
        self.assertEqual(len(self.rest()["devices"]), 3)
        self.ask("POST", "/reset")

    def test_all_is_gone(self) -> None:
        for body in (None, {}):
            self.populate()
            self.assertEqual(self.rest(), {"messages": [TOPIC, OTHER, "shop"], "devices": [TOPIC, OTHER, "droid"],
                                           "faults": [TOPIC, OTHER, "fcm"], "topics": ["news"], "media": 1})
            self.assertEqual(self.ask("POST", "/reset", body), {"messages": 5, "devices": 3})
            self.assertEqual(self.rest(), {"messages": [], "devices": [], "faults": [], "topics": [], "media": 0})
            self.assertEqual(self.ask("GET", "/tracking"), {"hits": [], "pushes": []})
            self.assertEqual((self.stat("messages"), self.stat("devices"), self.stat("faults")), (0, 0, 0))
            self.assertEqual(self.ask("POST", "/reset", body), {"messages": 0, "devices": 0})

    def test_one_apps_is_gone(self) -> None:
        self.populate()
        self.assertEqual(self.ask("POST", "/reset", {"app": OTHER}), {"messages": 2, "devices": 1})
        self.assertEqual(self.rest(), {"messages": [TOPIC, "shop"], "devices": [TOPIC, "droid"], "faults": [TOPIC, "fcm"], "topics": ["news"], "media": 1})
        self.assertEqual(self.ask("POST", "/reset", {"app": "shop"}), {"messages": 1, "devices": 1})
        self.assertEqual(self.rest(), {"messages": [TOPIC], "devices": [TOPIC], "faults": [TOPIC, "fcm"], "topics": [], "media": 1})
        self.assertEqual(self.ask("POST", "/reset", {"app": "nobody"}), {"messages": 0, "devices": 0})
        self.assertEqual(self.rest()["messages"], [TOPIC])

    def test_what_is_no_reset_empties_nothing(self) -> None:
        self.populate()
        for body, pointer in BAD:
            self.assertEqual(self.problem("POST", "/reset", body), ("badField", pointer), body)
        self.problem("POST", "/reset?app=x", {})
        self.problem("DELETE", "/reset", status=405)
        self.assertEqual(len(self.ids()), 5)

    def test_what_was_is_no_longer_expected(self) -> None:
        self.apple.push()
        self.ask("POST", "/reset")
        self.assertEqual(self.ask("POST", "/expect", {"within": "0s"}, 417), {"met": False, "count": 0, "messages": [], "nearest": []})
        self.apple.push()
        self.assertEqual(self.ask("POST", "/expect", {"count": 1})["messages"], self.ids())

    def test_numbers_go_on(self) -> None:
        self.apple.push()
        before = self.newest()
        self.ask("POST", "/reset")
        self.apple.push()
        after = self.newest()
        self.assertEqual((after["seq"] > before["seq"], after["id"] != before["id"]), (True, True))
        self.problem("GET", f"/messages/{before['id']}", status=404)

    def test_a_device_that_somebody_watches_stays(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device={"platform": "ios", "app": TOPIC, "id": "watched"}, wants=["push", "event"])
            token = token_of(welcome["device"])
            self.ask("PUT", "/topics/news/devices/watched", status=204)
            self.apple.push(token=token, body={"aps": {"alert": "x", "badge": 3}})
            self.ask("PATCH", "/devices/watched", {"state": {"online": False}})
            self.apple.push(token=token)
            self.assertEqual(len(self.ask("GET", "/devices/watched/pending")["pending"]), 1)
            for body in ({}, {"app": TOPIC}):
                self.assertEqual(self.ask("POST", "/reset", body)["devices"], 0)
                device = self.ask("GET", "/devices/watched")
                self.assertEqual((device["shade"], device["badge"], device["connected"], token_of(device)), ([], 0, True, token))
                self.assertEqual(self.ask("GET", "/devices/watched/pending")["pending"], [])
            self.ask("PATCH", "/devices/watched", {"state": {"online": True}})
            self.apple.push(token=token, body={"aps": {"alert": "after"}})
            pushes = []
            while not pushes or pushes[-1] != "after":
                message = await phone.receive()
                pushes += [message["payload"]["aps"]["alert"]] if message["type"] == "push" else []
            self.assertEqual(pushes, ["x", "after"])
        with_phones(self.gateway, body)

    def test_two_tests_share_a_gateway_by_their_apps(self) -> None:
        url = self.gateway.at().url("/api/v1", scheme="http")

        def run(app: str) -> list[tuple[int, int, list[str], int, int]]:
            found = []
            with httpx.Client(base_url=url, timeout=PATIENCE) as api, Apple(self.gateway) as apple:
                for _ in range(ROUNDS):
                    api.post("/reset", json={"app": app})
                    (device,) = api.post("/devices", json={"platform": "ios", "app": app}).json()["devices"]
                    api.post("/faults", json={"match": {"app": app}, "effect": {"answer": {"status": 503, "reason": "Shutdown"}}, "nth": 3})
                    statuses = [apple.push(token=token_of(device), topic=app).status for _ in range(3)]
                    met = api.post("/expect", json={"match": {"app": app, "outcome": "accepted"}, "count": 2, "within": "5s"})
                    others = api.post("/expect", json={"match": {"app": app, "device": "nobody"}, "never": True, "within": "1ms"})
                    shown = api.get(f"/devices/{device['id']}/shade").json()["shade"]
                    listed = api.get(f"/messages?app={app}").json()["messages"]
                    found.append((met.status_code, others.status_code, [message["app"] for message in listed], len(shown), statuses.count(200)))
            return found
        apps = [TOPIC, OTHER, "com.example.third"]
        with ThreadPoolExecutor() as threads:
            for app, found in zip(apps, threads.map(run, apps), strict=True):
                self.assertEqual(found, [(200, 200, [app] * 3, 2, 2)] * ROUNDS)


if __name__ == "__main__":
    unittest.main()
