"""Programs with unmodified packages that receive or send. `pushpit exec` leads their fixed host names to a gateway."""
from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import py_vapid
import requests

from gateway import BINARY, PATIENCE, Gateway
from gateway_case import GatewayCase

PROGRAMS = Path(__file__).parent / "programs"
# Apps that receive, each with another package.
FIREBASE_MESSAGING, FCM_RECEIVER = APPS = ("firebase_messaging_client.py", "fcm_receiver_client.py")
# Packages with which web_push_backend.py sends.
WEB_PUSH_PACKAGES = ("pywebpush", "webpush", "py-vapid")
Fields = dict[str, Any]


def command(url: str, certificates: Path, name: str, *arguments: str) -> list[str]:
    program = [sys.executable, str(PROGRAMS / name), *arguments]
    return [BINARY, "exec", "--url", url, "--certs", str(certificates), "--", *program]


def run_backend(gateway: Gateway, name: str, *arguments: str) -> Any:
    """The JSON that a program prints which sends."""
    words = command(gateway.at().url("", "http"), gateway.certificates, name, *arguments)
    done = subprocess.run(words, capture_output=True, text=True, timeout=3 * PATIENCE, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def send_web_pushes(gateway: Gateway, vapid: py_vapid.Vapid, rows: list[tuple[str, Fields, str]]) -> list[int]:
    """The status for each row, which has a package, a subscription and a text."""
    with tempfile.TemporaryDirectory() as keys:
        vapid.save_key(f"{keys}/private.pem")
        vapid.save_public_key(f"{keys}/public.pem")
        return run_backend(gateway, "web_push_backend.py", keys, json.dumps(rows))


class Program:
    """A receiving program, and the JSON lines that it prints."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines: queue.Queue[Fields] = queue.Queue()
        self.readers = [threading.Thread(target=read) for read in (self._read, self._read_errors)]
        for reader in self.readers:
            reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(json.loads(line))

    def _read_errors(self) -> None:
        """So that they don't fill the pipe."""
        self.errors = self.process.stderr.read() if self.process.stderr else ""

    def next(self, key: str) -> Any:
        try:
            return self.lines.get(timeout=2 * PATIENCE)[key]
        except queue.Empty:
            self.close()
            raise AssertionError(f"no {key}: {self.errors}") from None

    def next_data(self, count: int) -> list[dict[str, str]]:
        """The data of the next messages."""
        return [self.next("message")["data"] for _ in range(count)]

    def ask(self, line: str) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.next(line)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


class PythonCase(GatewayCase):
    """Each test has its own receivers."""

    def setUp(self) -> None:
        self.credentials = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def start(self, name: str) -> Program:
        """It is the same client as before if the test has started it already."""
        url = f"http://127.0.0.1:{self.relay.port}"
        program = Program(command(url, self.gateway.certificates, name, str(self.credentials / f"{name}.json")))
        self.addCleanup(program.close)
        return program

    def send(self, **message: object) -> requests.Response:
        return requests.post(
            self.gateway.at().url("/v1/projects/shop/messages:send"), json={"message": message},
            headers={"authorization": "Bearer any"}, verify=self.gateway.authority, timeout=PATIENCE)

    def send_text(self, token: str, text: str, ttl: int = 3600, topic: str | None = None) -> None:
        """`topic` is the header field of a web push."""
        headers = {"TTL": str(ttl)} | ({"Topic": topic} if topic else {})
        answer = self.send(token=token, data={"text": text}, webpush={"headers": headers})
        self.assertEqual(answer.status_code, 200, answer.text)

    def device(self, token: str) -> Fields | None:
        """The device of this token."""
        found = self.api("/devices?limit=1000")["devices"]
        return next((device for device in found if device["tokens"].get("fcm", {}).get("token") == token), None)

    def has_acknowledged(self, token: str) -> bool:
        return bool(self.api(f"/events?kind=callback&device={self.device(token)['id']}")["events"])

    def stop(self, program: Program, token: str) -> None:
        program.close()
        self.wait_until(lambda: not self.is_online(token))

    def assert_unregistered(self, token: str) -> None:
        answer = self.send(token=token, data={"a": "b"})
        self.assertEqual((answer.status_code, answer.json()["error"]["details"][0]["errorCode"]), (404, "UNREGISTERED"))
