"""For scripts/instructions.py: a message to an FCM topic with thousands of devices of one platform, or of all."""

import http.client
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bench_servers import provider_token
from load import Load
from load_requests import LOADS

if TYPE_CHECKING:
    from instructions import Callgrind

PLATFORMS = ["ios", "android", "web"]
KINDS = [*PLATFORMS, "mixed"]
PROJECT = "pushpit-local"
APPS = {"ios": "com.example.crowd", "android": "com.example.crowd", "web": "https://example.com"}
# The maximum number of registration tokens in one call of the Instance ID API.
BATCH = 1000


class API:
    """One connection to the gateway in clear text."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)

    def call(self, method: str, path: str, body: object = None) -> dict:
        headers = {"authorization": "Bearer any", "access_token_auth": "true", "content-type": "application/json"}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path}: {answer.status} {content.decode()}")
        return json.loads(content)


def message(number: int) -> dict:
    """A message that each platform shows. Each number gives a different one."""
    return {"message": {
        "topic": "crowd", "notification": {"title": "Breakfast", "body": f"Loaf {number} is out of the oven"},
        "data": {"order": str(number)}, "android": {"priority": "high", "ttl": "3600s"},
        "apns": {"payload": {"aps": {"sound": "default"}}}, "webpush": {"headers": {"TTL": "3600"}}}}


def make_devices(api: API, kind: str, count: int) -> list[str]:
    """Creates devices and returns their registration tokens. In the mixed topic the platforms alternate."""
    tokens = []
    for number in range(count):
        platform = PLATFORMS[number % len(PLATFORMS)] if kind == "mixed" else kind
        device = {"id": f"crowd-{number + 1}", "platform": platform, "app": APPS[platform], "project": PROJECT}
        tokens.append(api.call("POST", "/api/v1/devices", device)["devices"][0]["tokens"]["fcm"]["token"])
    return tokens


def measure(gateway: "Callgrind", directory: Path, kind: str, count: int) -> tuple[float, float]:
    """Instructions for one message to a topic with `count` devices, and for adding it to the index of messages."""
    api = API(gateway.port)
    tokens = make_devices(api, kind, count)
    for start in range(0, count, BATCH):
        batch = {"to": "/topics/crowd", "registration_tokens": tokens[start:start + BATCH]}
        results = api.call("POST", "/iid/v1:batchAdd", batch)["results"]
        if any(results):
            raise SystemExit(f"a device was not subscribed: {results}")
    # Pushes now and then, because the gateway does not update the index while its log grows.
    trickle = Load(gateway.port, LOADS["one"], f"bearer {provider_token(directory / 'certs')}", connections=1)

    def push() -> None:
        trickle.run(1)

    def send(number: int) -> None:
        api.call("POST", f"/v1/projects/{PROJECT}/messages:send", message(number))
        gateway.wait_until_done(push)

    send(0)
    gateway.update_index()
    counted = gateway.count(lambda: send(1), push)
    index = gateway.count(gateway.update_index)
    trickle.close()
    check(api, count)
    return counted, index


def check(api: API, count: int) -> None:
    """The first and the last device show the second message, so all work was done when counting stopped."""
    for number in (1, count):
        shade = api.call("GET", f"/api/v1/devices/crowd-{number}/shade")["shade"]
        if not shade or shade[0]["body"] != message(1)["message"]["notification"]["body"]:
            raise SystemExit(f"device {number} does not show the second message, but {shade}")
