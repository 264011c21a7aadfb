"""One gateway for most tests, and senders."""
from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Protocol

import pytest

from pushpit import Gateway, PushApp

TOP = Path(__file__).resolve().parents[3]


# The tests start gateways, whatever the environment says.
for name in [name for name in os.environ if name.startswith("PUSHPIT_") and name != "PUSHPIT_BINARY"]:
    del os.environ[name]


@pytest.fixture(scope="session")
def gateway(pushpit: Gateway) -> Gateway:
    return pushpit


class FCMSender(Protocol):
    def __call__(self, app: PushApp, message: dict[str, Any]) -> int: ...


@pytest.fixture
def send() -> FCMSender:
    """Sends an FCM message as a backend would, and returns the status of the answer."""
    def send(app: PushApp, message: dict[str, Any]) -> int:
        request = urllib.request.Request(
            f"https://fcm.googleapis.com/v1/projects/{app.project}/messages:send",
            json.dumps({"message": message}).encode(),
            {"authorization": "Bearer x", "content-type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    return send
