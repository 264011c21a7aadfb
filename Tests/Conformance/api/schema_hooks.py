"""Hooks for test_schema.py with what schemathesis can't know of a gateway: which objects exist, and which calls would never end."""
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
# Calls that delete everything, and calls that change a device.
EMPTYING = {"DELETE /messages", "POST /reset"}
CHANGING = {"PATCH /devices/{id}", "POST /devices/{id}/act", "POST /devices/{id}/tokens"}
TURNS = itertools.count()


class Samples:
    """Pushes of every kind, and devices that show, miss and report them. Without them most calls would find nothing."""

    def __init__(self, url: str) -> None:
        self.control = httpx.Client(base_url=f"{url}/api/v1", timeout=PATIENCE)
        # APNs speaks HTTP/2 alone.
        self.providers = httpx.Client(base_url=url, http1=False, http2=True, timeout=PATIENCE)
        self.pushes: list[str] = []
        self.fill()

    def fill(self) -> None:
        for name in PHONES:
            self.control.delete(f"/devices/{name}")
            self.prepare_device(name)
        self.control.put(f"/topics/{TOPIC}/devices/android")
        self.remove_generated_faults()
        for message in MESSAGES:
            self.providers.post(f"/v1/projects/{PROJECT}/messages:send", json={"message": message})
        self.pushes = [message["id"] for message in self.control.get("/messages").json()["messages"]]

    def remove_generated_faults(self) -> None:
        """Removes generated faults, because they might hit any push."""
        self.control.delete("/faults")

    def prepare_device(self, name: str) -> str:
        """Returns the device's name. A deleted device is created again, gets its pushes and opens the oldest notification."""
        answer = self.control.post("/devices", json=PHONES[name] | {"id": name})
        if answer.status_code == 201 and PHONES[name]["platform"] == "ios":
            self.remove_generated_faults()
            token = answer.json()["devices"][0]["tokens"]["apns"]["token"]
            for changes, body in PUSHES:
                fields = {"apns-topic": APP, "apns-push-type": "alert"} | changes
                self.providers.post(f"/3/device/{token}", content=body, headers={key: value for key, value in fields.items() if value})
            for entry in self.control.get(f"/devices/{name}/shade").json()["shade"][-1:]:
                self.control.post(f"/devices/{name}/act", json={"kind": "open", "notification": entry["key"]})
        return name

    def known(self, path: str, turn: int) -> dict[str, str]:
        """Path parameters that name existing objects."""
        kind = path.split("/")[1]
        if kind == "messages":
            return {"id": self.pushes[turn % len(self.pushes)]}
        if kind == "scenarios":
            scenarios = self.control.get("/scenarios").json()["scenarios"]
            return {"name": scenarios[turn % len(scenarios)]["name"]}
        if kind == "faults":
            return {"id": self.control.post("/faults", json=FAULT).json().get("id", "f1")}
        phone = {"id": self.prepare_device([*PHONES][turn % len(PHONES)])}
        return phone | {"name": TOPIC} if kind == "topics" else phone


@cache
def world() -> Samples:
    return Samples(os.environ["GATEWAY_URL"])


@cache
def members() -> dict[str, dict[str, Any]]:
    """By path: valid members that random generation would not find."""
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
    # Every third call keeps its generated names, which do not exist.
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
    """A stream of events never ends unless `follow` is false. Values that are refused anyway stay."""
    follow = case.query.get("follow")
    if not isinstance(follow, (str, int, float)) or str(follow).lower() == "true":
        case.query["follow"] = "false"
        # Empty lists are not sent, so without the wrong `follow` the call would be valid: remove them.
        for name in [name for name, value in case.query.items() if value == []]:
            del case.query[name]
    if turn % 2:
        case.headers["accept"] = "application/x-ndjson"


def shorten_wait(body: dict[str, Any]) -> None:
    """An expectation waits 5 s by default and up to 24 h. Values that are not durations stay."""
    within = body.get("within")
    if within is None or isinstance(within, str) and within[:1].isdigit():
        body["within"] = "20ms"
