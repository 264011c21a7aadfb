"""What schemathesis can't know of a gateway, for the run of test_schema.py: what there is to be found, and what never ends."""
from __future__ import annotations

import itertools
import json
import os
from functools import cache
from typing import Any

import httpx
import schemathesis
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from schemathesis.core.transport import Response
from schemathesis.hooks import HookContext

PATIENCE = 10.0
APP = "com.example.app"
PROJECT = "demo"
TOPIC = "news"
IPHONE: dict[str, Any] = {"platform": "ios", "app": APP, "project": PROJECT}
PHONES: dict[str, dict[str, Any]] = {
    "phone": IPHONE | {"tracking": {"profile": "adobe"}, "categories": [{"id": "C", "actions": [{"id": "A", "title": "Answer", "text": True}]}]},
    "asleep": IPHONE | {"state": {"online": False}},
    "android": {"platform": "android", "app": APP, "project": PROJECT},
}
ALERT = {"aps": {"alert": {"title": "T", "subtitle": "S", "body": "B"}, "category": "C", "thread-id": "G"}, "_mId": "h138a", "_dId": "56c4"}
# Fields besides the usual ones, and the body; an empty field is left out.
PUSHES: list[tuple[dict[str, str], bytes]] = [
    ({}, json.dumps(ALERT).encode()),
    ({"apns-collapse-id": "one", "apns-expiration": "0", "apns-priority": "5"}, b'{"aps":{"alert":"x","badge":3}}'),
    ({"apns-push-type": "background", "apns-priority": "10"}, b'{"aps":{"content-available":1}}'),
    ({"apns-topic": ""}, b'{"aps":{"alert":"x"}}'), ({}, b"no JSON"), ({}, b"\xff\x00"), ({}, b""),
    ({"apns-collapse-id": "two"}, json.dumps(ALERT).encode()),
]
MESSAGES: list[dict[str, Any]] = [
    {"topic": TOPIC, "notification": {"title": "T"}}, {"condition": f"'{TOPIC}' in topics", "data": {"a": "b"}}, {"token": "unregistered:x"}, {"topic": 1},
]
FAULT = {"effect": {"silence": True}, "match": {"app": "nobody"}}
# Behind these nothing is there any more, and behind those a device is not what it was.
EMPTYING = {"DELETE /messages", "POST /reset"}
CHANGING = {"PATCH /devices/{id}", "POST /devices/{id}/act", "POST /devices/{id}/tokens"}
TURNS = itertools.count()


class World:
    """Pushes of every kind, and devices that show, miss and report them: hardly a call finds what it names without them."""

    def __init__(self, url: str) -> None:
        self.control = httpx.Client(base_url=f"{url}/api/v1", timeout=PATIENCE)
        # APNs speaks HTTP/2 alone.
        self.providers = httpx.Client(base_url=url, http1=False, http2=True, timeout=PATIENCE)
        self.pushes: list[str] = []
        self.fill()

    def fill(self) -> None:
        for name in PHONES:
            self.control.delete(f"/devices/{name}")
            self.meet(name)
        self.control.put(f"/topics/{TOPIC}/devices/android")
        self.calm()
        for message in MESSAGES:
            self.providers.post(f"/v1/projects/{PROJECT}/messages:send", json={"message": message})
        self.pushes = [message["id"] for message in self.control.get("/messages").json()["messages"]]

    def calm(self) -> None:
        """Faults that were made up may be meant for any push."""
        self.control.delete("/faults")

    def meet(self, name: str) -> str:
        """The device's name; one that is gone comes back, gets its pushes and opens the oldest that it shows."""
        answer = self.control.post("/devices", json=PHONES[name] | {"id": name})
        if answer.status_code == 201 and PHONES[name]["platform"] == "ios":
            self.calm()
            token = answer.json()["devices"][0]["tokens"]["apns"]["token"]
            for changes, body in PUSHES:
                fields = {"apns-topic": APP, "apns-push-type": "alert"} | changes
                self.providers.post(f"/3/device/{token}", content=body, headers={key: value for key, value in fields.items() if value})
            for entry in self.control.get(f"/devices/{name}/shade").json()["shade"][-1:]:
                self.control.post(f"/devices/{name}/act", json={"kind": "open", "notification": entry["key"]})
        return name

    def known(self, path: str, turn: int) -> dict[str, str]:
        """What stands for something in this path."""
        kind = path.split("/")[1]
        if kind == "messages":
            return {"id": self.pushes[turn % len(self.pushes)]}
        if kind == "scenarios":
            scenarios = self.control.get("/scenarios").json()["scenarios"]
            return {"name": scenarios[turn % len(scenarios)]["name"]}
        if kind == "faults":
            return {"id": self.control.post("/faults", json=FAULT).json().get("id", "f1")}
        phone = {"id": self.meet([*PHONES][turn % len(PHONES)])}
        return phone | {"name": TOPIC} if kind == "topics" else phone


@cache
def world() -> World:
    return World(os.environ["GATEWAY_URL"])


@cache
def members() -> dict[str, dict[str, Any]]:
    """By path: what nobody makes up that is good."""
    def pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
        return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    return {
        "/faults": FAULT,
        "/credentials/apns-keys": {"keyId": "ABCDE12345", "teamId": "TEAM567890", "key": pem(ec.generate_private_key(ec.SECP256R1()))},
        "/credentials/service-accounts": {"client_email": "a@b.example", "private_key": pem(rsa.generate_private_key(65537, 2048))},
    }


@schemathesis.hook
def after_load_schema(context: HookContext, schema: schemathesis.BaseSchema) -> None:
    world()


@schemathesis.hook
def before_call(context: HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    turn = next(TURNS)
    if case.path == "/events":
        end_stream(case, turn)
    elif case.path == "/expect" and isinstance(case.body, dict):
        shorten_wait(case.body)
    # The rest keep what was made up: there is nothing of that name.
    if turn % 3 and case.path_parameters:
        case.path_parameters.update(world().known(case.path, turn // 3))
    elif turn % 3 and case.path in members() and isinstance(case.body, dict):
        case.body.update(members()[case.path])


@schemathesis.hook
def after_call(context: HookContext, case: schemathesis.Case, response: Response) -> None:
    if response.status_code != 200:
        return
    if case.operation.label in EMPTYING:
        world().fill()
    elif case.operation.label in CHANGING and case.path_parameters["id"] in PHONES:
        world().control.delete(f"/devices/{case.path_parameters['id']}")


def end_stream(case: schemathesis.Case, turn: int) -> None:
    """Events come for ever unless `follow` is false: what else it may be stays where it is sure to be refused."""
    follow = case.query.get("follow")
    if not isinstance(follow, (str, int, float)) or str(follow).lower() == "true":
        case.query["follow"] = "false"
        # Nothing is sent of an empty list: without the `follow` that was wrong, nothing is wrong any more.
        for name in [name for name, value in case.query.items() if value == []]:
            del case.query[name]
    if turn % 2:
        case.headers["accept"] = "application/x-ndjson"


def shorten_wait(body: dict[str, Any]) -> None:
    """An expectation waits for 5 s where nothing is said, and for 24 h where that is: what is no duration stays."""
    within = body.get("within")
    if within is None or isinstance(within, str) and within[:1].isdigit():
        body["within"] = "20ms"
