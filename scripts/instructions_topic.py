"""For scripts/instructions.py: a message to an FCM topic with thousands of devices of one platform, or of all."""

import http.client
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from instructions import Callgrind

PLATFORMS = ["ios", "android", "web"]
KINDS = [*PLATFORMS, "mixed"]
PROJECT = "pushpit-local"
APPS = {"ios": "com.example.crowd", "android": "com.example.crowd", "web": "https://example.com"}
# As many registration tokens as one call of the Instance ID API takes.
BATCH = 1000
WARM_UP, MESSAGES = 1, 2


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
    """One that each platform shows, and that differs from the one before."""
    return {"message": {
        "topic": "crowd", "notification": {"title": "Breakfast", "body": f"Loaf {number} is out of the oven"},
        "data": {"order": str(number)}, "android": {"priority": "high", "ttl": "3600s"},
        "apns": {"payload": {"aps": {"sound": "default"}}}, "webpush": {"headers": {"TTL": "3600"}}}}


def make_devices(api: API, kind: str, count: int) -> list[str]:
    """Their registration tokens. In the mixed topic the platforms alternate."""
    tokens = []
    for number in range(count):
        platform = PLATFORMS[number % len(PLATFORMS)] if kind == "mixed" else kind
        device = {"platform": platform, "app": APPS[platform], "project": PROJECT}
        tokens.append(api.call("POST", "/api/v1/devices", device)["devices"][0]["tokens"]["fcm"]["token"])
    return tokens


def measure(gateway: "Callgrind", kind: str, count: int) -> float:
    """Instructions for one message to a topic of so many devices, the mean of a few messages."""
    api = API(gateway.port)
    tokens = make_devices(api, kind, count)
    for start in range(0, count, BATCH):
        batch = {"to": "/topics/crowd", "registration_tokens": tokens[start:start + BATCH]}
        results = api.call("POST", "/iid/v1:batchAdd", batch)["results"]
        if any(results):
            raise SystemExit(f"a device was not subscribed: {results}")

    def send(first: int, messages: int) -> None:
        for number in range(first, first + messages):
            api.call("POST", f"/v1/projects/{PROJECT}/messages:send", message(number))
            gateway.rest()

    send(0, WARM_UP)
    counted = gateway.count(lambda: send(WARM_UP, MESSAGES))
    check(api, tokens)
    return counted / MESSAGES


def check(api: API, tokens: list[str]) -> None:
    """The first and the last device show all messages, so the count is of real work."""
    devices = api.call("GET", "/api/v1/devices?limit=1000")["devices"]
    newest = f"Loaf {WARM_UP + MESSAGES - 1} is out of the oven"
    for device in (devices[0], devices[-1]):
        shade = api.call("GET", f"/api/v1/devices/{device['id']}/shade")["shade"]
        if not shade or shade[0]["body"] != newest:
            raise SystemExit(f"device {device['id']} does not show the newest message, but {shade}")
