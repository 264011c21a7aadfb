"""Listeners: several addresses, IPv6, the token for other listeners than loopback, and environment variables."""
from __future__ import annotations

import signal
import socket
import tempfile
import unittest
from pathlib import Path

from gateway import Address, Gateway, program
from h2_client import BODY, Client, encode, fields, frames, push
from http1_client import Connection

UNAVAILABLE = 69
OURS = ["/metrics", "/api/v1/messages", "/devices/socket", "/nowhere"]
OPEN = ["/livez", "/readyz", "/"]


def status(address: Address, path: str, *extra: str, host: str = "localhost") -> int:
    with Connection(address.connect()) as connection:
        return connection.ask("\n".join([f"GET {path} HTTP/1.1", f"host: {host}", *extra])).status


class Listeners(unittest.TestCase):
    def test_several_listeners_with_roles_have_different_ports(self) -> None:
        arguments = ["--listen", "127.0.0.1:0", "--listen", "apns=127.0.0.1:0", "--listen", "fcm=[::1]:0"]
        with Gateway(*arguments) as gateway:
            self.assertEqual([address.role for address in gateway.addresses], ["any", "apns", "fcm"])
            self.assertEqual([address.host for address in gateway.addresses], ["127.0.0.1", "127.0.0.1", "[::1]"])
            self.assertEqual(len({address.port for address in gateway.addresses}), 3)
            self.assertNotIn(0, [address.port for address in gateway.addresses])
            for role in ("any", "fcm"):
                self.assertEqual(status(gateway.at(role), "/livez"), 200)
            with Client(gateway.tls("h2", role="apns", certificate=True)) as client:
                client.start()
                client.send(frames.headers(1, encode(fields()), end_stream=False), frames.data(1, BODY))
                self.assertEqual(client.answer(1).status, 200)

    def test_ipv6_with_and_without_tls(self) -> None:
        with Gateway("--listen", "[::1]:0") as gateway:
            self.assertEqual(status(gateway.at(), "/livez", host="[::1]"), 200)
            self.assertEqual(status(gateway.at(), "/metrics", host=f"[::1]:{gateway.at().port}"), 200)
            with gateway.tls("http/1.1", name="::1") as tls:
                self.assertEqual(Connection(tls).ask("GET /livez HTTP/1.1\nhost: [::1]").status, 200)

    def test_one_unusable_address_prevents_the_start(self) -> None:
        taken = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        directory = self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))
        done = program("--listen", "127.0.0.1:0", "--listen", address, "--certs", f"{directory}/certs")
        self.assertEqual((done.returncode, done.stdout), (UNAVAILABLE, ""))
        self.assertIn(f"{address} is in use by another program: stop it, or give '--listen 127.0.0.1:0'", done.stderr)

    def test_a_port_that_another_gateway_has_names_its_directory(self) -> None:
        directory = self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))
        for token in ([], ["--api-token", "open-sesame"]):
            with Gateway(*token) as gateway:
                done = program("--listen", f"127.0.0.1:{gateway.at().port}", "--certs", f"{directory}/certs")
                self.assertEqual((done.returncode, done.stdout), (UNAVAILABLE, ""))
                self.assertIn("which requires its --api-token" if token else f"credentials are in {gateway.certificates}: use that one", done.stderr)


class Token(unittest.TestCase):
    """With `--api-token`, Pushpit's own paths require the token; the paths of Apple and Google and the probes do not."""

    def test_our_own_paths_require_the_token_on_every_listener(self) -> None:
        arguments = ["--listen", "0.0.0.0:0", "--listen", "127.0.0.1:0", "--api-token", "open-sesame"]
        with Gateway(*arguments) as gateway:
            for listener in gateway.addresses:
                address = Address("127.0.0.1", listener.port, listener.role)
                for path in OURS:
                    with self.subTest(path, listener=listener.host):
                        self.assertEqual(status(address, path), 401)
                        for wrong in ("Bearer wrong", "Bearer open-sesam", "Bearer open-sesame2", "Bearer", "open-sesame"):
                            self.assertEqual(status(address, path, f"authorization: {wrong}"), 401, wrong)
                        self.assertNotEqual(status(address, path, "authorization: Bearer open-sesame"), 401)
                for path in OPEN:
                    self.assertEqual(status(address, path), 200)

    def test_the_case_of_bearer_does_not_matter(self) -> None:
        with Gateway("--api-token", "open-sesame") as gateway:
            self.assertEqual(status(gateway.at(), "/metrics", "authorization: bearer open-sesame"), 200)

    def test_the_answer_says_what_to_send(self) -> None:
        with Gateway("--api-token", "open-sesame") as gateway, Connection(gateway.at().connect()) as connection:
            answer = connection.ask("GET /metrics HTTP/1.1\nhost: localhost")
            self.assertEqual((answer.status, answer["www-authenticate"]), (401, "Bearer"))
            self.assertIn(b"--api-token", answer.body)
            self.assertNotIn(b"open-sesame", answer.body)

    def test_a_push_does_not_require_the_api_token(self) -> None:
        with Gateway("--api-token", "open-sesame") as gateway:
            with Client(gateway.tls("h2", certificate=True)) as client:
                client.start()
                client.send(frames.headers(1, encode(fields()), end_stream=False), frames.data(1, BODY))
                self.assertEqual(client.answer(1).status, 200)


class EnvironmentVariables(unittest.TestCase):
    """Each option by its environment variable; its effect shows that it was read."""

    def test_listeners_are_a_list(self) -> None:
        with Gateway(variables={"PUSHPIT_LISTEN": "127.0.0.1:0,apns=[::1]:0"}) as gateway:
            self.assertEqual([(a.host, a.role) for a in gateway.addresses], [("127.0.0.1", "any"), ("[::1]", "apns")])

    def test_the_command_line_wins_over_the_environment(self) -> None:
        variables = {"PUSHPIT_LISTEN": "nonsense", "PUSHPIT_LOG": "xml"}
        with Gateway("--listen", "fcm=127.0.0.1:0", "--log", "json", variables=variables) as gateway:
            self.assertEqual([address.role for address in gateway.addresses], ["fcm"])

    def test_an_empty_variable_counts_as_absent(self) -> None:
        with Gateway(variables={"PUSHPIT_LOG": "", "PUSHPIT_API_TOKEN": "", "PUSHPIT_STREAMS": ""}) as gateway:
            self.assertEqual(status(gateway.at(), "/metrics"), 200)

    def test_certs(self) -> None:
        directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))) / "elsewhere"
        with Gateway(variables={"PUSHPIT_CERTS": str(directory)}) as gateway:
            self.assertIn(str(directory), gateway.banner)
            self.assertTrue((directory / "pushpit.json").exists())

    def test_api_token_and_allow_host(self) -> None:
        variables = {"PUSHPIT_API_TOKEN": "open-sesame", "PUSHPIT_ALLOW_HOST": "one.test,Two.Test"}
        with Gateway(variables=variables) as gateway:
            self.assertEqual(status(gateway.at(), "/metrics"), 401)
            bearer = "authorization: Bearer open-sesame"
            rows = [("one.test", 200), ("two.test:2197", 200), ("TWO.TEST", 200), ("three.test", 403), ("localhost", 200)]
            for host, expected in rows:
                with self.subTest(host):
                    self.assertEqual(status(gateway.at(), "/metrics", bearer, host=host), expected)

    def test_unknown_devices(self) -> None:
        with Gateway(variables={"PUSHPIT_UNKNOWN_DEVICES": "reject"}) as gateway:
            with Client(gateway.tls("h2", certificate=True)) as client:
                client.start()
                client.send(frames.headers(1, encode(fields()), end_stream=False), frames.data(1, BODY))
                self.assertEqual(client.answer(1).body, b'{"reason":"BadDeviceToken"}')

    def test_streams_and_first_streams(self) -> None:
        variables = {"PUSHPIT_LISTEN": "127.0.0.1:0,apns=127.0.0.1:0", "PUSHPIT_STREAMS": "77", "PUSHPIT_FIRST_STREAMS": "3"}
        with Gateway(variables=variables) as gateway:
            for role, certificate, limit in (("any", False, 77), ("apns", True, 77), ("apns", False, 3)):
                with Client(gateway.tls("h2", role=role, certificate=certificate)) as client:
                    client.start()
                    self.assertEqual(client.limits[0], limit, (role, certificate))

    def test_stream_drop(self) -> None:
        """After an accepted and a refused push: 1, 1000, and then 1 or no change."""
        for word, limits in (("on", [1, 1000, 1]), ("off", [1, 1000])):
            variables = {"PUSHPIT_LISTEN": "apns=127.0.0.1:0", "PUSHPIT_STREAM_DROP": word}
            with Gateway(variables=variables) as gateway, Client(gateway.tls("h2", role="apns")) as client:
                client.start()
                client.send(push(1))
                self.assertEqual(client.answer(1).status, 200)
                client.send(push(3, token="no-token"))
                self.assertEqual(client.answer(3).status, 400)
                client.ping()
                self.assertEqual(client.limits, limits, word)

    def test_drain_timeout(self) -> None:
        with Gateway(variables={"PUSHPIT_DRAIN_TIMEOUT": "200ms"}) as gateway:
            with Client(gateway.tls("h2", certificate=True)) as client:
                client.start()
                client.send(frames.headers(1, encode(fields()), end_stream=False))
                client.ping()
                gateway.process.send_signal(signal.SIGTERM)
                # Less than the default of 5 seconds.
                self.assertEqual(gateway.process.wait(4), 0)
