"""The log: which events have lines, at which level and in which format, and what is never logged."""
from __future__ import annotations

import http.client
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from gateway import BINARY, PATIENCE, TOKEN, Gateway, environment, shared_credentials
from h2_client import BEARER, Client, provider_token, push
from http1_client import Connection

SECRET = "a-word-of-the-payload"
BODY = b'{"aps":{"alert":{"title":"Hello","body":"' + SECRET.encode() + b'"}}}'
BAD_TOKEN = "no-token"
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warning|error) \S.*|\d\d:\d\d:\d\d p\d+ .*")
PUSH = r"\d\d:\d\d:\d\d p%d    APNs com\.example\.app "
ACCEPTED = PUSH % 1 + r"d1 ios       \"Hello\"                  200 presented \(new device; see --unknown-devices\)\Z"
REFUSED = PUSH % 2 + r"no-token     \"Hello\"                  400 BadDeviceToken: The device token is not 64 to 200 hex digits: .* fix: Send the token as .*\Z"
TLS_FAILED = "tls failed"
# The request line, the host, the status of the answer, and the rule in the log line.
REFUSALS = [
    (f"POST /3/device/{TOKEN}", "localhost", 505, "apns.needs-http2"),
    ("GET /nothing/here", "localhost", 404, "gateway.no-such-path"),
    ("PUT /metrics", "localhost", 405, "gateway.wrong-method"),
    ("GET /metrics", "evil.example", 403, "gateway.stranger"),
    ("GET /api/v1/x", "localhost", 404, "gateway.no-such-path"),
    ("GET /devices/socket", "localhost", 426, "gateway.no-upgrade"),
    ("GET /v1/nothing", "localhost", 404, "gateway.no-such-path"),
]


def send_pushes(gateway: Gateway) -> None:
    """An accepted and a refused push, then bytes that are not TLS, then a refused push whose line shows that all is logged."""
    with Client(gateway.tls("h2")) as client:
        client.start()
        client.send(push(1, body=BODY))
        assert client.answer(1).status == 200
        client.send(push(3, token=BAD_TOKEN, body=BODY))
        assert client.answer(3).status == 400
        with gateway.at().connect() as broken:
            broken.sendall(b"\x16" + b"x" * 100)
            assert broken.recv(100) is not None
        client.send(push(5, token=BAD_TOKEN, body=BODY))
        assert client.answer(5).status == 400


class Log(unittest.TestCase):
    def logged(self, *arguments: str, variables: dict[str, str] | None = None) -> list[str]:
        """All log lines of a gateway that got these pushes."""
        with Gateway(*arguments, variables=variables) as gateway:
            send_pushes(gateway)
            gateway.process.terminate()
            gateway.process.wait(10)
            return gateway.log.splitlines()

    def test_each_push_is_one_line(self) -> None:
        lines = self.logged()
        self.assertEqual(len(lines), 4, lines)
        self.assertRegex(lines[0], ACCEPTED)
        self.assertRegex(lines[1], REFUSED)
        for line in lines:
            self.assertRegex(line, LINE)

    def test_more_than_50_pushes_in_a_second_are_one_line(self) -> None:
        with Gateway() as gateway, Client(gateway.at().connect()) as client:
            client.start()
            for stream in range(1, 401, 2):
                client.send(push(stream, token=TOKEN if stream % 4 == 1 else BAD_TOKEN, body=BODY))
                client.answer(stream)
            gateway.process.terminate()
            gateway.process.wait(10)
            lines = gateway.log.splitlines()
        told = [line for line in lines if " APNs " in line]
        counted = [re.search(r" (\d+) push(?:es)? in [\d.]+ s: (\d+) accepted, (\d+) refused(?: \(apns\.BadDeviceToken (\d+)\))?$", line) for line in lines]
        counts = [[int(text or 0) for text in found.groups()] for found in counted if found]
        self.assertLessEqual(len(told), 100, "a slow machine may need two seconds")
        self.assertGreaterEqual(len(told), 50)
        self.assertEqual(len(told) + sum(row[0] for row in counts), 200, lines)
        self.assertEqual(sum(row[1] for row in counts), sum(row[2] for row in counts))
        self.assertEqual([row[2] for row in counts], [row[3] for row in counts])

    def test_colours_are_for_terminals_only(self) -> None:
        rows = [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)]
        for variables, is_colored in rows:
            with self.subTest(variables):
                text = self.on_a_terminal({"TERM": "xterm"} | variables)
                self.assertEqual("\x1b[32m200 presented" in text, is_colored, text)
                self.assertIn("200 presented", text)
        self.assertNotIn("\x1b", "\n".join(self.logged(variables={"TERM": "xterm"})))

    def on_a_terminal(self, variables: dict[str, str]) -> str:
        """What a gateway writes to a terminal about one message."""
        terminal, end = os.openpty()
        directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        shutil.copytree(shared_credentials().name, directory / "certs")
        process = subprocess.Popen(
            [BINARY, "--listen", "127.0.0.1:0", "--certs", str(directory / "certs"), "--auth", "off"],
            stdout=subprocess.PIPE, stderr=end, env=environment(variables))
        try:
            assert process.stdout is not None
            banner = b""
            while not (found := re.search(rb"https://127\.0\.0\.1:(\d+) ", banner)):
                banner += process.stdout.read1()
            port = int(found[1])
            token = "cFirstMessage:APA91b" + "x" * 80
            body = json.dumps({"message": {"token": token, "notification": {"title": "Hello"}}})
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            client.request("POST", "/v1/projects/demo/messages:send", body, {"content-type": "application/json"})
            self.assertEqual(client.getresponse().status, 200)
            client.close()
            text = ""
            while "presented" not in text:
                self.assertTrue(select.select([terminal], [], [], PATIENCE)[0], text)
                text += os.read(terminal, 65_536).decode()
            return text
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
            os.close(end)
            os.close(terminal)

    def test_every_other_refusal_is_one_line_too(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            for first, host, status, rule in REFUSALS:
                with self.subTest(first, host=host):
                    self.assertEqual(connection.ask(f"{first} HTTP/1.1\nhost: {host}").status, status)
                    self.assertRegex(gateway.log.splitlines()[-1], rf"Z info refused rule={rule} status={status} ")

    def test_a_finding_of_an_accepted_push_is_in_its_line(self) -> None:
        for level, has_note in (("info", False), ("debug", True)):
            with Gateway("--log-level", level) as gateway, Client(gateway.at().connect()) as client:
                client.start()
                client.send(push(1, body=b'{"aps":{"alert":"x"},"a":null}'))
                self.assertEqual(client.answer(1).status, 200)
                gateway.wait_for_log(" | warning: 'a' is null")
                line = gateway.log.splitlines()[-1]
                self.assertRegex(line, r" 200 presented .*\| .*\[payload\.null-value\] fix: ")
                self.assertEqual("[auth.unknown-key]" in line, has_note, line)

    def test_one_reason_of_apple_is_logged_with_its_different_causes(self) -> None:
        with Gateway("--auth", "strict") as gateway, Client(gateway.at().connect()) as client:
            client.start()
            good = provider_token(gateway)
            causes = [("no-jwt", "not a JWT"), (provider_token(), "--apns-key"), (good[:-8] + "AAAAAAAA", "signature was not made")]
            for stream, (bearer, cause) in zip(range(1, 99, 2), causes):
                client.send(push(stream, bearer=bearer))
                self.assertEqual(client.answer(stream).status, 403)
                gateway.wait_for_log(cause)
                self.assertIn(cause, gateway.log.splitlines()[-1])
            self.assertNotIn(good.split(".")[1], gateway.log)

    def test_json_lines_are_one_object_each(self) -> None:
        for variables in (None, {"PUSHPIT_LOG": "json"}):
            lines = self.logged(*([] if variables else ["--log", "json"]), "--log-level", "debug", variables=variables)
            objects = [json.loads(line) for line in lines]
            self.assertTrue(objects)
            for found in objects:
                self.assertLessEqual({"time", "level", "message"}, found.keys())
            refused = [found for found in objects if found["message"] == "refused"]
            self.assertEqual([found["rule"] for found in refused], ["apns.BadDeviceToken"] * 2)
            self.assertEqual({found["level"] for found in refused}, {"info"})
            self.assertEqual([found["status"] for found in refused], [400] * 2)
            self.assertEqual({found["path"] for found in refused}, {"/3/device/no-token"})
            accepted = next(found for found in objects if found["message"] == "accepted")
            wanted = {"id": "p1", "provider": "apns", "device": "d1", "title": "Hello", "did": "presented", "status": 200, "path": f"/3/device/{TOKEN}"}
            self.assertEqual(accepted | wanted, accepted)
            self.assertRegex(accepted["apnsId"], r"\A[0-9A-F-]{36}\Z")

    def test_lines_below_the_level_are_not_logged(self) -> None:
        rows = [("debug", True, 2), ("info", False, 2), ("warning", False, 0), ("error", False, 0), ("none", False, 0)]
        for level, has_debug, refusals in rows:
            with self.subTest(level):
                lines = self.logged("--log-level", level)
                self.assertEqual(any(TLS_FAILED in line for line in lines), has_debug, lines)
                self.assertEqual(len([line for line in lines if " 400 " in line]), refusals)
        self.assertEqual(self.logged(variables={"PUSHPIT_LOG_LEVEL": "warning"}), [])

    def test_no_provider_token_key_or_payload_is_logged(self) -> None:
        header, claims, signature = BEARER[1].removeprefix("bearer ").split(".")
        for form in ("text", "json"):
            for level in ("info", "warning"):
                log = "\n".join(self.logged("--log", form, "--log-level", level, "--api-token", "open-sesame"))
                for secret in (SECRET, header, claims, signature, "open-sesame"):
                    self.assertNotIn(secret, log)

    def test_line_breaks_and_escapes_of_a_client_are_not_logged_raw(self) -> None:
        with Gateway() as gateway, Client(gateway.tls("h2", certificate=True)) as client:
            client.start()
            client.send(push(1, token=TOKEN + "%0A%1B[31mforged"))
            self.assertEqual(client.answer(1).status, 400)
            gateway.wait_for_log(" 400 ")
            self.assertEqual(len(gateway.log.splitlines()), 1)
            self.assertNotIn("\x1b", gateway.log)
            self.assertLess(len(gateway.log), 1000)

    def test_a_long_path_is_shortened_in_the_log(self) -> None:
        with Gateway() as gateway, Client(gateway.tls("h2", certificate=True)) as client:
            client.start()
            client.send(push(1, token="zz" * 2000))
            self.assertEqual(client.answer(1).status, 400)
            gateway.wait_for_log(" 400 ")
            self.assertLess(len(gateway.log), 1000)
