"""`pushpit device` in a real terminal, with key presses."""
from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import time
import unittest

from gateway import BINARY, PATIENCE, Gateway, program
from test_devices import send_push


class Screen:
    """The program in its own terminal."""

    def __init__(self, *arguments: str) -> None:
        self.keyboard, end = pty.openpty()
        self.process = subprocess.Popen([BINARY, "device", *arguments], stdin=end, stdout=end, stderr=end, close_fds=True)
        os.close(end)
        self.text = ""

    def until(self, pattern: str) -> re.Match[str]:
        """Waits until the unread output matches the pattern, and consumes it."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            if not select.select([self.keyboard], [], [], end - time.monotonic())[0]:
                raise AssertionError(f"no {pattern!r} in {self.text!r}")
            self.text += os.read(self.keyboard, 65536).decode()
        self.text = self.text[found.end():]
        return found

    def press(self, keys: str) -> None:
        os.write(self.keyboard, keys.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE)
        os.close(self.keyboard)


class Terminal(unittest.TestCase):
    def screen(self, gateway: Gateway, *arguments: str) -> Screen:
        screen = Screen("--url", gateway.at().url("", scheme="http"), *arguments)
        self.addCleanup(screen.close)
        return screen

    def test_a_push_is_shown_as_a_card_and_keys_act_on_it(self) -> None:
        with Gateway() as gateway:
            screen = self.screen(gateway, "--tracking", "adobe")
            token = screen.until(r"APNs token: ([0-9a-f]{64})").group(1)
            body = {"aps": {"alert": {"title": "Breakfast", "body": "Bread\u001b[2J"}}, "_mId": "h1", "_dId": "2"}
            self.assertEqual(send_push(gateway, token, json.dumps(body).encode()), 200)
            screen.until(r"┌ Breakfast  \[n1, \d\d:\d\d:\d\d\]\r\n│ Bread\\u001b\[2J\r\n└ on banner, list \(ios\.shown\)")
            screen.press("o")
            for line in (r"opened \(person\.opened\)", r"name=didReceiveResponse", r"tracking .* action=2", r"tracking .* action=1"):
                screen.until(line)
            screen.press("d")
            screen.until("there is no notification")
            for key, line in [("l", "locked=true"), ("l", "locked=false"), ("n", "online=false"), ("n", "online=true"), ("b", "app=background"),
                              ("k", "app=forceQuit"), ("a", "app=foreground"), ("?", "keys: ")]:
                screen.press(key)
                screen.until(line)
            screen.press("q")
            self.assertEqual(screen.process.wait(PATIENCE), 0)

    def test_it_reconnects_to_the_gateway(self) -> None:
        with Gateway() as gateway:
            address = gateway.at()
            screen = self.screen(gateway, "--id", "mine")
            screen.until("ios device mine")
            token = screen.until(r"APNs token: ([0-9a-f]{64})").group(1)
            fcm_token = screen.until(r"FCM token: (\S+)").group(1)
            screen.until("q quit")
        screen.until("the gateway closed the connection")
        with Gateway(f"--listen={address.host}:{address.port}") as gateway:
            screen.until("ios device mine")
            # The provider keeps its token.
            self.assertEqual(screen.until(r"APNs token: ([0-9a-f]{64})").group(1), token)
            self.assertEqual(screen.until(r"FCM token: (\S+)").group(1), fcm_token)
            self.assertEqual(send_push(gateway, token, b'{"aps":{"alert":"again"}}'), 200)
            screen.until("again")
        screen.press("q")

    def test_it_ends_if_the_gateway_that_is_back_refuses_it(self) -> None:
        with Gateway() as gateway:
            address = gateway.at()
            screen = self.screen(gateway)
            screen.until("q quit")
        screen.until("reconnecting")
        with Gateway(f"--listen={address.host}:{address.port}", "--api-token", "secret"):
            screen.until("401 .* --api-token")
            self.assertEqual(screen.process.wait(PATIENCE), 77)

    def test_json_output(self) -> None:
        with Gateway() as gateway:
            command = [BINARY, "device", "--json", "--platform", "android", "--url", gateway.at().url("", scheme="http")]
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout
                welcome = json.loads(process.stdout.readline())
                self.assertEqual((welcome["type"], welcome["device"]["platform"]), ("welcome", "android"))
                process.terminate()

    def test_invalid_options_and_addresses_are_errors(self) -> None:
        self.assertEqual(program("device", "--url", "http://127.0.0.1:9").returncode, 69)
        self.assertEqual(program("device", "--url", "here").returncode, 64)
        self.assertEqual(program("device", "--platform", "palm").returncode, 64)
        with Gateway("--api-token", "secret") as gateway:
            refused = program("device", "--url", gateway.at().url("", scheme="http"))
            self.assertEqual(refused.returncode, 77)
            self.assertRegex(refused.stderr, "401 .* --api-token")
            screen = self.screen(gateway, "--api-token", "secret")
            screen.until("ios device")
