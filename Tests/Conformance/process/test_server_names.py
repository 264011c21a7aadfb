"""A gateway for other machines and containers: its names, its token, and credentials that other users may read."""
from __future__ import annotations

import http.client
import json
import socket
import ssl
import stat
import tempfile
import unittest
from pathlib import Path

from gateway import Gateway, program

EVERYWHERE = ("--listen", "0.0.0.0:0")


class ServerNames(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        self.token = self.folder / "made" / "api-token"

    def gateway(self, *arguments: str, **variables: str) -> Gateway:
        return self.enterContext(Gateway(*arguments, variables=variables))

    def status(self, gateway: Gateway, token: str | None, host: str = "pushpit") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.addresses[0].port, timeout=10)
        self.addCleanup(connection.close)
        fields = {"host": f"{host}:{gateway.addresses[0].port}"} | ({"authorization": f"Bearer {token}"} if token else {})
        connection.request("GET", "/api/v1/stats", headers=fields)
        return connection.getresponse().status

    def test_the_certificate_and_the_service_account_have_the_name(self) -> None:
        gateway = self.gateway("--server-name", "Pushpit", "--server-name", "10.1.2.3", "--server-name", "[fd00::9]")
        port = gateway.addresses[0].port
        context = ssl.create_default_context(cafile=str(gateway.certificates / "ca.pem"))
        for name in ("pushpit", "10.1.2.3", "fd00::9", "localhost"):
            with socket.create_connection(("127.0.0.1", port), 10) as plain, context.wrap_socket(plain, server_hostname=name):
                pass
        account = json.loads((gateway.certificates / "service-account.json").read_text())
        self.assertEqual(account["token_uri"], f"https://pushpit:{port}/token")

    def test_requests_under_the_name_are_allowed(self) -> None:
        gateway = self.gateway(PUSHPIT_SERVER_NAME="pushpit,other")
        self.assertEqual([self.status(gateway, None, host) for host in ("pushpit", "other", "stranger")], [200, 200, 403])

    def test_a_token_is_made_once_and_required(self) -> None:
        gateway = self.gateway(*EVERYWHERE, "--server-name", "pushpit", "--api-token-file", str(self.token))
        token = self.token.read_text().strip()
        self.assertEqual(stat.S_IMODE(self.token.stat().st_mode), 0o600)
        self.assertRegex(token, r"^[0-9a-f]{40,48}$")
        self.assertIn(f"The API token is in {self.token}\n", gateway.banner)
        self.assertEqual([self.status(gateway, given) for given in (None, "wrong", token)], [401, 401, 200])
        again = self.gateway(*EVERYWHERE, "--api-token-file", str(self.token))
        self.assertEqual(self.status(again, token, "localhost"), 200)
        url = f"http://127.0.0.1:{gateway.addresses[0].port}"
        told = {"PUSHPIT_API_TOKEN_FILE": str(self.token)}
        self.assertEqual(program("expect", "--url", url, "--never", "--within", "0s", variables=told).returncode, 0)
        self.assertEqual(program("expect", "--url", url, "--never", "--within", "0s").returncode, 77)

    def test_the_token_itself_comes_before_its_file(self) -> None:
        gateway = self.gateway(*EVERYWHERE, "--api-token", "secret", "--api-token-file", "/nowhere/token")
        self.assertEqual(self.status(gateway, "secret", "localhost"), 200)
        self.assertNotIn("The API token is in", gateway.banner)

    def test_shared_credentials_can_be_read_by_others(self) -> None:
        gateway = self.gateway("--share-credentials", "--api-token-file", str(self.token))
        secret = {"ca-key.pem", "server-key.pem", "expired.pem"}
        for path in [*gateway.certificates.iterdir(), self.token]:
            if not path.name.startswith("."):
                mode = 0o600 if path.name in secret else 0o644
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), mode, path.name)

    def test_unusable_token_files_are_refused(self) -> None:
        (self.folder / "empty").write_text("")
        (self.folder / "two").write_text("a\nb\n")
        (self.folder / "control").write_text("a\tb\n")
        rows = {
            "empty": (64, "must contain one line: the token"), "two": (64, "must contain one line: the token"),
            "control": (64, "contains the control character"), "missing": (64, "does not exist: start the gateway"),
            ".": (78, "cannot read"),
        }
        for name, (code, message) in rows.items():
            done = program("expect", "--api-token-file", str(self.folder / name), "--within", "0s")
            self.assertEqual((done.returncode, message in done.stderr), (code, True), done.stderr)
        done = program(*EVERYWHERE, "--api-token-file", "/proc/nowhere/token")
        self.assertEqual((done.returncode, "cannot make the directory /proc/nowhere" in done.stderr), (78, True), done.stderr)

    def test_a_wrong_name_is_refused(self) -> None:
        for name in ("http://pushpit", "pushpit:2197", "*.example.com", "a/b", ""):
            done = program("init", f"--server-name={name}")
            self.assertEqual((done.returncode, "must be a host name" in done.stderr), (64, True), done.stderr)
