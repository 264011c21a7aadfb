"""Faults for certain header fields and bodies, and invalid faults."""
from __future__ import annotations

from typing import Any

import httpx

from control import call, set_fault
from gateway import PATIENCE, TOPIC
from h2_client import BODY, Answer, Client, push
from test_faults import Faults
from test_transit import Provider

HIT = {"answer": {"status": 503, "reason": "Shutdown"}}
# Pushes to Apple: fields and body, by name.
PUSHES: dict[str, tuple[list[tuple[str, str]], bytes]] = {
    "plain": ([], BODY), "calm": ([("apns-priority", "5")], b'{"aps":{"alert":{"title":"Hello","body":"B"}},"n":1}'),
    "twice": ([("x-run", "a"), ("x-run", "b"), ("apns-priority", "5")], b'{"aps":{"alert":"Hello"},"n":1.0,"a/b":[{"c":[null,true]}],"n~":"1"}'),
    "none": ([], b'{"aps":{"alert"'),
}
MATCHES: list[tuple[dict[str, Any], set[str]]] = [
    ({"headers": {}, "body": {}}, set(PUSHES)), ({"headers": {"apns-priority": "5"}}, {"calm", "twice"}), ({"headers": {"APNS-Priority": "5"}}, {"calm", "twice"}),
    ({"headers": {"apns-priority": "10"}}, set()), ({"headers": {"x-run": "a"}}, {"twice"}), ({"headers": {"x-run": "b", "apns-priority": "5"}}, {"twice"}),
    ({"headers": {"x-run": "A"}}, set()), ({"headers": {"x-run": "a", "apns-id": "x"}}, set()), ({"headers": {"apns-topic": TOPIC}}, set(PUSHES)),
    ({"body": {"/aps/alert": "Hello"}}, {"plain", "twice"}), ({"body": {"/aps/alert": "hello"}}, set()), ({"body": {"/aps/alert/title": "Hello"}}, {"calm"}),
    ({"body": {"/aps/alert": {"title": "Hello", "body": "B"}}}, {"calm"}), ({"body": {"/n": 1}}, {"calm", "twice"}), ({"body": {"/n": "1"}}, set()),
    ({"body": {"/a~1b/0/c/1": True}}, {"twice"}), ({"body": {"/a~1b/0/c/0": None}}, {"twice"}), ({"body": {"/a~1b/0/c": [None, True]}}, {"twice"}),
    ({"body": {"/n~0": "1", "/aps/alert": "Hello"}}, {"twice"}), ({"body": {"/n~0": "1", "/aps/alert": "x"}}, set()), ({"body": {"/aps/none": None}}, set()),
    ({"body": {"": {"aps": {"alert": "Hello"}}}}, {"plain"}), ({"headers": {"apns-priority": "5"}, "body": {"/aps/alert": "Hello"}}, {"twice"}),
    ({"provider": "fcm", "body": {"/aps/alert": "Hello"}}, set()),
]
GOOGLE_MATCHES: list[tuple[dict[str, Any], bool]] = [
    ({"headers": {"x-run": "a"}}, True), ({"headers": {"X-Run": "b"}}, False), ({"body": {"/message/data/k": "it's"}}, True), ({"body": {"/message/data": {"k": "it's"}}}, True),
    ({"body": {"/message/android/collapse_key": "c"}}, True), ({"body": {"/message/android/collapseKey": "c"}}, False), ({"provider": "apns", "headers": {"x-run": "a"}}, False),
]
BAD_DELAYS: list[tuple[Any, str]] = [
    (5, ""), ("5", ""), ("-1s", ""), ([], ""), ({}, ""), ({"uniform": []}, ""), ({"uniform": ["1s"]}, ""), ({"uniform": ["1s", "2s", "3s"]}, ""), ({"uniform": ["3s", "1s"]}, ""),
    ({"uniform": ["1s", "x"]}, ""), ({"uniform": "1s"}, "/uniform"), ({"uniform": ["1s", 2]}, "/uniform"), ({"median": 1}, "/median"), ({"median": "x"}, "/median"),
    ({"median": "1s", "sigma": -1}, "/sigma"), ({"median": "1s", "sigma": 5.1}, "/sigma"), ({"median": "1s", "sigma": "1"}, "/sigma"), ({"sigma": 1}, ""),
    ({"median": "1s", "uniform": ["1s", "2s"]}, ""), ({"uniform": ["1s", "2s"], "sigma": 1}, ""), ({"mean": "1s"}, "/mean"),
]
BAD: list[tuple[dict[str, Any], str]] = [
    *(({"effect": {name: value}}, f"/effect/{name}{pointer}") for name in ("delay", "deliverAfter") for value, pointer in BAD_DELAYS),
    *(({"effect": {"resetAfterHeaders": value}}, "/effect/resetAfterHeaders") for value in ("OOPS", 2, ["CANCEL"], "")),
    *(({"effect": {"truncate": value}}, "/effect/truncate") for value in (-1, 1.5, "5", (1 << 20) + 1)), *(({"effect": {"window": value}}, "/effect/window") for value in (-1, 65_536, "0")),
    *(({"effect": {name: None}}, f"/effect/{name}") for name in ("delay", "deliverAfter", "resetAfterHeaders", "truncate", "window", "tls")),
    ({"effect": {"tls": "over"}}, "/effect/tls"), ({"effect": [{"tls": "expired"}, {"delay": "1s"}]}, "/effect"), ({"effect": {"truncate": 1, "window": 1}}, "/effect"),
    ({"effect": [HIT, {"truncate": "x"}]}, "/effect/1/truncate"), ({"effect": {"tls": "expired"}, "match": {"headers": {"a": "b"}}}, "/match"),
    ({"effect": {"tls": "expired"}, "match": {"body": {"/a": 1}}}, "/match"), ({"effect": {"goAway": {}}, "idle": "1s", "match": {"body": {"/a": 1}}}, "/match"),
    *(({"effect": HIT, "match": {"headers": value}}, "/match/headers") for value in ([], "a", {"a": 1}, {"a": None}, {"a": ["b"]})),
    *(({"effect": HIT, "match": {"body": value}}, "/match/body") for value in ([], "/a", {"a": 1}, {"/a~2": 1}, {"/a~": 1})),
    *(({"effect": HIT, "seed": value}, "/seed") for value in (-1, 1 << 32, "1", 0.5)), ({"effect": HIT, "scenario": "apns-shutdown"}, "/scenario"), ({"effect": HIT, "match": {"header": {}}}, "/match/header"),
]


class Matching(Faults):
    def test_a_fault_matches_header_fields_and_bodies_of_pushes(self) -> None:
        client, stream = self.client(), 1
        for match, expected in MATCHES:
            with self.subTest(match):
                fault = set_fault(self.gateway, HIT, match=match)
                found = set()
                for name, (fields, body) in PUSHES.items():
                    found |= {name} if self.ask(client, stream, *fields, body=body).status == 503 else set()
                    stream += 2
                self.assertEqual(found, expected)
                call(self.gateway, "DELETE", f"/faults/{fault}")

    def ask(self, client: Client, stream: int, *fields: tuple[str, str], **changes: Any) -> Answer:
        client.send(push(stream, *fields, **changes))
        return client.answer(stream)

    def test_a_fault_matches_messages_as_google_reads_them(self) -> None:
        """The JSON is read leniently, and names of members are compared as they were sent."""
        text = b"{message:{'topic':'t','data':{'k':'it\\'s',},'android':{'collapse_key':'c'}}}"
        headers = {"authorization": "Bearer x", "x-run": "a"}
        for http2 in (False, True):
            with httpx.Client(http2=http2, http1=not http2, verify=self.gateway.context(), base_url=self.gateway.at().url(""), timeout=PATIENCE, headers=headers) as client:
                for match, is_hit in GOOGLE_MATCHES:
                    with self.subTest(match, http2=http2):
                        set_fault(self.gateway, {"answer": {"status": 418}}, match=match)
                        self.assertEqual(client.post("/v1/projects/demo/messages:send", content=text).status_code, 418 if is_hit else 200)
                        call(self.gateway, "DELETE", "/faults")

    def test_a_fault_matches_broadcasts_and_topic_calls(self) -> None:
        provider = Provider(self.enterContext(Client(self.gateway.at().connect())))
        channel = provider.channel(0)
        set_fault(self.gateway, HIT, match={"headers": {"apns-channel-id": channel}, "body": {"/aps/content-state/n": 2}})
        self.assertEqual([provider.broadcast(channel, number, "0") for number in (1, 2, 3)], [200, 503, 200])
        set_fault(self.gateway, {"answer": {"status": 418}}, match={"body": {"/to": "/topics/a"}})
        headers = {"authorization": "Bearer x", "access_token_auth": "true"}
        with httpx.Client(base_url=self.gateway.at().url("", scheme="http"), headers=headers, verify=False) as client:
            self.assertEqual([client.post("/iid/v1:batchAdd", json={"to": f"/topics/{name}", "registration_tokens": ["x"]}).status_code for name in "ab"], [418, 200])

    def test_the_error_names_the_wrong_member(self) -> None:
        for body, pointer in BAD:
            with self.subTest(body):
                status, said = call(self.gateway, "POST", "/faults", {"effect": HIT} | body)
                self.assertEqual((status, said["error"]["code"], said["error"]["pointer"]), (400, "badField", pointer))
        self.assertEqual(call(self.gateway, "GET", "/faults")[1]["faults"], [])
