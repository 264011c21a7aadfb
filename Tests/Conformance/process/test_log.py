"""The log: which events have lines, at which level and in which format, and what is never logged."""
from __future__ import annotations

import json
import re
import ssl
import unittest

from gateway import TOKEN, Gateway
from h2_client import BEARER, Client, provider_token, push
from http1_client import Connection

SECRET = "a-word-of-the-payload"
BODY = b'{"aps":{"alert":"' + SECRET.encode() + b'"}}'
BAD_TOKEN = "no-token"
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (debug|info|warning|error) \S.*")
REFUSED = r"Z info refused rule=apns\.BadDeviceToken status=400 method=POST path=/3/device/no-token apnsId=[0-9A-F-]{36} because=\"The device token is not 64 to 200 hex digits[^\"]*\"$"
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

    def test_a_refused_push_is_one_line_with_its_rule(self) -> None:
        lines = self.logged()
        self.assertEqual(len([line for line in lines if re.search(REFUSED, line)]), 2, lines)
        self.assertEqual(len([line for line in lines if "refused" in line]), 2, lines)
        for line in lines:
            self.assertRegex(line, LINE)

    def test_every_other_refusal_is_one_line_too(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            for first, host, status, rule in REFUSALS:
                with self.subTest(first, host=host):
                    self.assertEqual(connection.ask(f"{first} HTTP/1.1\nhost: {host}").status, status)
                    self.assertRegex(gateway.log.splitlines()[-1], rf"Z info refused rule={rule} status={status} ")

    def test_an_accepted_push_is_logged_at_debug(self) -> None:
        lines = [line for line in self.logged("--log-level", "debug") if "accepted" in line]
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], rf"Z debug accepted status=200 method=POST path=/3/device/{TOKEN} apnsId=[0-9A-F-]{{36}}$")

    def test_a_finding_of_an_accepted_push_is_logged(self) -> None:
        with Gateway("--log-level", "debug") as gateway, Client(gateway.at().connect()) as client:
            client.start()
            client.send(push(1, body=b'{"aps":{"alert":"x"},"a":null}'))
            self.assertEqual(client.answer(1).status, 200)
            client.ping()
            self.assertRegex(gateway.log, r" info finding rule=payload\.null-value method=POST path=\S+ apnsId=\S+ because=\"'a' is null")
            self.assertRegex(gateway.log, r" debug finding rule=auth\.unknown-key ")

    def test_one_reason_of_apple_is_logged_with_its_different_causes(self) -> None:
        with Gateway("--auth", "strict") as gateway, Client(gateway.at().connect()) as client:
            client.start()
            good = provider_token(gateway)
            causes = [("no-jwt", "not a JWT"), (provider_token(), "--apns-key"), (good[:-8] + "AAAAAAAA", "signature was not made")]
            for stream, (bearer, cause) in zip(range(1, 99, 2), causes):
                client.send(push(stream, bearer=bearer))
                self.assertEqual(client.answer(stream).status, 403)
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

    def test_lines_below_the_level_are_not_logged(self) -> None:
        rows = [("debug", True, 2), ("info", False, 2), ("warning", False, 0), ("error", False, 0), ("none", False, 0)]
        for level, has_debug, refusals in rows:
            with self.subTest(level):
                lines = self.logged("--log-level", level)
                self.assertEqual(any(TLS_FAILED in line for line in lines), has_debug, lines)
                self.assertEqual(len([line for line in lines if "refused" in line]), refusals)
        self.assertEqual(self.logged(variables={"PUSHPIT_LOG_LEVEL": "warning"}), [])

    def test_the_line_about_a_client_that_does_not_trust_the_gateway_names_ca_pem(self) -> None:
        with Gateway() as gateway:
            with gateway.at().connect() as plain, self.assertRaises(ssl.SSLCertVerificationError):
                ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
            gateway.wait_for_log("unknown ca")
            self.assertRegex(gateway.log, r"info tls failed error=.* because=.*give it ca\.pem from the directory of --certs")

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
            gateway.wait_for_log("refused")
            self.assertEqual(len(gateway.log.splitlines()), 1)
            self.assertNotIn("\x1b", gateway.log)
            self.assertLess(len(gateway.log), 1000)

    def test_a_long_path_is_shortened_in_the_log(self) -> None:
        with Gateway() as gateway, Client(gateway.tls("h2", certificate=True)) as client:
            client.start()
            client.send(push(1, token="zz" * 2000))
            self.assertEqual(client.answer(1).status, 400)
            gateway.wait_for_log("refused")
            self.assertLess(len(gateway.log), 1000)
