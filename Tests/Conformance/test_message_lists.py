"""The list of messages: pages, what is deleted, what is secret."""
from __future__ import annotations

import json
import unittest

from api_case import APICase
from gateway import TOPIC


class Lists(APICase):
    def push(self, count: int, app: str = TOPIC) -> list[str]:
        """The newest first."""
        for _ in range(count):
            self.apple.push(topic=app, token="5" * 64 if app == TOPIC else "6" * 64)
        return self.ids(f"limit={count}&app={app}")

    def test_pages_stand_still_while_others_push(self) -> None:
        made, found, cursor = self.push(10), [], ""
        for length in (3, 3, 3, 1):
            page = self.ask("GET", f"/messages?app={TOPIC}&limit=3{cursor}")
            self.assertEqual(len(page["messages"]), length)
            found += [message["id"] for message in page["messages"]]
            cursor = f"&cursor={page['next']}"
            self.push(2)
            self.push(1, "com.example.other")
        self.assertEqual((found, page["next"]), (made, None))

    def test_a_page_that_holds_all_is_the_last(self) -> None:
        self.push(3)
        self.assertIsNone(self.ask("GET", "/messages?limit=3")["next"])
        self.assertIsNotNone(self.ask("GET", "/messages?limit=2")["next"])
        self.push(50)
        self.assertEqual((len(self.ids()), len(self.ids("limit=1000"))), (50, 53))

    def test_what_is_deleted_is_gone(self) -> None:
        first, other = self.push(2), self.push(1, "com.example.other")
        self.assertEqual(self.ask("DELETE", "/messages?app=com.example.other"), {"deleted": 1})
        self.problem("GET", f"/messages/{other[0]}", status=404)
        self.assertEqual(self.ids(), first)
        self.assertEqual([event for event in self.events() if event.get("push") == other[0]], [])
        self.assertEqual(self.ask("POST", "/expect", {"never": True, "match": {"app": "com.example.other"}, "within": "0s"})["met"], True)
        self.assertEqual(self.ask("DELETE", "/messages?/aps/alert=Hello&outcome=refused"), {"deleted": 0})
        self.assertEqual(self.ask("DELETE", "/messages"), {"deleted": 2})
        self.assertEqual(self.ask("GET", "/messages"), {"messages": [], "next": None})

    def test_no_secret_is_shown(self) -> None:
        bearers = ["Bearer s3cret", "bearer s3cret", "Basic s3cret", "s3cret"]
        queries = ["?access_token=s3cret", "?prettyPrint=true&oauth_token=s3cret", "?key=s3cret"]
        for bearer in bearers:
            self.google.send(headers={"authorization": bearer, "cookie": "a=s3cret"}, topic="t")
        for query in queries:
            self.google.send(query=query, headers={}, topic="t")
        self.assertEqual(self.everything().count("s3cret"), 0)
        shown = [dict(message["request"]["headers"])["authorization"] for message in reversed(self.ask("GET", "/messages")["messages"]) if message["request"]["path"].endswith("send")]
        prints = {value.split(" ")[-1] for value in shown}
        self.assertEqual((len(shown), len(prints)), (4, 1), "the same secret has the same fingerprint")
        self.assertRegex(prints.pop(), r"\Asha256:[0-9a-f]{16}\Z")

    def test_no_secret_is_shown_whose_name_is_percent_encoded(self) -> None:
        self.assertEqual(self.google.send(query="?%61ccess_token=s3cret", headers={}, topic="t").status_code, 200)
        self.assertEqual(self.everything().count("s3cret"), 0)

    def everything(self) -> str:
        """All that is told of the messages, in all forms."""
        told = [self.api.get("/messages").text, json.dumps(self.events()), self.api.post("/expect", json={"match": {"app": "x", "headers": {"authorization": "x"}}, "within": "0s"}).text]
        for name in self.ids():
            told += [self.api.get(f"/messages/{name}{path}").text for path in ("", "/raw", "/export?as=curl", "/export?as=fcm")]
        return "\n".join(told) + self.gateway.log


if __name__ == "__main__":
    unittest.main()
