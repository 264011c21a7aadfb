"""Live Activities and their tokens are saved, even if the gateway is killed."""
from __future__ import annotations

import json
import signal
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Any

from api_case import LINES, Apple
from control import call, move_clock
from device_client import IPHONE
from gateway import PATIENCE, TOPIC, Gateway
from h2_client import Answer

SUFFIX = ".push-type.liveactivity"


def event(name: str, second: int, **more: Any) -> dict[str, Any]:
    whole = {"attributes-type": "Trip", "attributes": {}, "alert": {"title": "T", "body": "b"}} if name == "start" else {}
    return {"aps": {"event": name, "timestamp": second, "content-state": {}, **whole, **more}}


def said(answer: Answer) -> tuple[int, str]:
    return answer.status, json.loads(answer.body)["reason"] if answer.body else ""


def change(apple: Apple, token: str, body: dict[str, Any]) -> tuple[int, str]:
    return said(apple.push(("apns-push-type", "liveactivity"), token=token, topic=TOPIC + SUFFIX, body=body))


class Tokens(unittest.TestCase):
    def test_activities_are_restored_with_their_tokens(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            data = Path(place)
            with Gateway("--data", place, certificates=data / "certs") as gateway, Apple(gateway) as apple:
                _, made = call(gateway, "POST", "/devices", IPHONE | {"id": "phone"})
                start = made["devices"][0]["tokens"]["liveActivity"]["start"]
                soon = {"stale-date": int(time.time()) + 3600}
                self.assertEqual(change(apple, start, event("start", 1, **soon)), (200, ""))
                # An answer of the API does not wait for the disk; the next push does.
                change(apple, start, event("update", 2, **soon))
                _, before = call(gateway, "GET", "/devices/phone")
                gateway.process.send_signal(signal.SIGKILL)
                gateway.process.wait(PATIENCE)
            with Gateway("--data", place, certificates=data / "certs") as gateway, Apple(gateway) as apple:
                _, after = call(gateway, "GET", "/devices/phone")
                self.assertEqual(after["tokens"], before["tokens"])
                self.assertEqual(change(apple, after["tokens"]["liveActivity"]["updates"]["Trip"], event("update", 1)), (200, ""))
                move_clock(gateway, advance="2h")
                with urllib.request.urlopen(urllib.request.Request(gateway.at().url("/api/v1/events?since=0&follow=false&kind=state", scheme="http"), headers=LINES)) as lines:
                    stale = [json.loads(line) for line in lines]
                self.assertEqual([(told["why"], told["data"]["activity"]) for told in stale], [("ios.live-activity-stale", "Trip")])
