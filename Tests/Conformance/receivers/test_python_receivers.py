"""Unmodified Python packages that receive like a web app of Firebase get their messages from the gateway.

`pushpit exec` leads their fixed host names to it.
"""
from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

from gateway import BINARY, PATIENCE, Gateway
from relay import Relay

PROGRAMS = Path(__file__).parent / "programs"


class Program:
    """A receiving program under `pushpit exec`, and the JSON lines that it prints."""

    def __init__(self, url: str, certificates: Path, name: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [BINARY, "exec", "--url", url, "--certs", str(certificates), "--", sys.executable,
             str(PROGRAMS / name), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(json.loads(line))

    def next(self, key: str) -> Any:
        try:
            return self.lines.get(timeout=2 * PATIENCE)[key]
        except queue.Empty:
            self.process.kill()
            raise AssertionError(f"no {key}: {self.process.stderr.read() if self.process.stderr else ''}") from None

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        self.reader.join()


class PythonReceivers(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway())
        self.relay = self.enterContext(Relay(self.gateway.at().port))
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def start(self, name: str, *arguments: str) -> Program:
        program = Program(f"http://127.0.0.1:{self.relay.port}", self.gateway.certificates, name, *arguments)
        self.addCleanup(program.close)
        return program

    def send(self, **message: object) -> requests.Response:
        return requests.post(
            self.gateway.at().url("/v1/projects/shop/messages:send"), json={"message": message},
            headers={"authorization": "Bearer any"}, verify=self.gateway.authority, timeout=PATIENCE)

    def api(self, method: str, path: str, **body: object) -> Any:
        answer = requests.request(
            method, self.gateway.at().url(f"/api/v1{path}"), verify=self.gateway.authority, timeout=PATIENCE,
            headers={"accept": "application/json"}, json=body or None)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def is_online(self) -> bool:
        return any(each["online"] for each in self.api("GET", "/subscriptions")["subscriptions"])

    def test_firebase_messaging_receives_what_was_sent_while_it_was_away_too(self) -> None:
        file = str(self.directory / "credentials.json")
        program = self.start("firebase_messaging_client.py", file)
        token = program.next("token")
        self.assertRegex(token, r"^[\w-]{22}:APA91b[\w-]{134}$")
        name = self.send(token=token, notification={"title": "Häppy 🎉"}, data={"k": "v"}).json()["name"]
        message = program.next("message")
        self.assertEqual(message["notification"], {"title": "Häppy 🎉"})
        self.assertEqual((message["data"], message["from"]), ({"k": "v"}, "900000000000"))
        self.assertTrue(name.endswith(message["fcmMessageId"]))
        self.wait_until(lambda: self.api("GET", "/events?kind=callback")["events"])  # It has acknowledged the message.
        program.close()
        self.wait_until(lambda: not self.is_online())
        for text in ("Old", "New"):
            self.send(token=token, webpush={"headers": {"TTL": "3600", "Topic": "t"}, "notification": {"title": text}})
        for text, seconds in (("Now", "0"), ("Short", "60")):
            self.send(token=token, webpush={"headers": {"TTL": seconds}, "notification": {"title": text}})
        large = "x" * 4000  # Two records of the encryption.
        self.send(token=token, data={"large": large})
        self.api("POST", "/clock", advance="2m")
        again = self.start("firebase_messaging_client.py", file)
        self.assertEqual(again.next("token"), token)
        self.assertEqual(again.next("message")["notification"]["title"], "New")
        self.assertEqual(again.next("message")["data"], {"large": large})

    def test_what_a_cut_connection_loses_comes_again(self) -> None:
        for name in ("firebase_messaging_client.py", "fcm_receiver_client.py"):
            with self.subTest(name):
                program = self.start(name, str(self.directory / "credentials.json"))
                token = program.next("token")
                self.wait_until(self.is_online)
                self.relay.lose()
                self.send(token=token, data={"text": "Lost"})
                self.relay.cut()
                self.wait_until(lambda: not self.is_online())
                self.send(token=token, data={"text": "Away"})
                self.relay.heal()
                self.assertEqual([program.next("message")["data"]["text"] for _ in range(2)], ["Lost", "Away"])
                program.close()
                self.wait_until(lambda: not self.is_online())

    def test_a_receiver_that_is_deleted_is_unregistered(self) -> None:
        program = self.start("firebase_messaging_client.py", str(self.directory / "credentials.json"))
        token = program.next("token")
        (device,) = self.api("GET", "/devices")["devices"]
        self.assertEqual((device["tokens"]["fcm"]["token"], device["app"]), (token, "receiver.push.com"))
        self.api("DELETE", f"/devices/{device['id']}")
        answer = self.send(token=token, data={"a": "b"})
        self.assertEqual((answer.status_code, answer.json()["error"]["details"][0]["errorCode"]), (404, "UNREGISTERED"))

    def test_fcm_receiver_gets_messages_to_its_token_and_to_a_topic(self) -> None:
        program = self.start("fcm_receiver_client.py")
        self.send(token=program.next("token"), data={"to": "token"})
        self.assertEqual(program.next("message")["data"], {"to": "token"})
        self.send(topic="news", data={"to": "topic"})
        message = program.next("message")
        self.assertEqual((message["data"], message["from"]), ({"to": "topic"}, "/topics/news"))
        self.send(condition="'news' in topics", data={"to": "condition"})
        self.assertEqual(program.next("message")["data"], {"to": "condition"})


if __name__ == "__main__":
    unittest.main()
