"""`pushpit doctor` and `POST /inspect` with files that openssl makes."""
from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from control import call
from gateway import BINARY, PATIENCE, Gateway, environment


class Doctor(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-doctor-")))
        self.openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_ABCDE12345.p8")

    def openssl(self, *commands: str) -> None:
        for command in commands:
            subprocess.run(["openssl", *command.split()], cwd=self.directory, check=True, capture_output=True, timeout=60)

    def doctor(
        self, *arguments: str, stdin: bytes = b"", variables: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [BINARY, "doctor", *arguments], cwd=self.directory, input=stdin.decode(), capture_output=True, text=True,
            timeout=PATIENCE, env=environment(variables))

    def reports(self, *arguments: str, stdin: bytes = b"", code: int) -> list[dict[str, Any]]:
        done = self.doctor("--json", *arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def rules(self, *arguments: str, code: int = 1) -> list[list[str]]:
        return [[problem["rule"] for problem in report["problems"]] for report in self.reports(*arguments, code=code)]

    def test_keys(self) -> None:
        self.openssl(
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out p384.p8", "genrsa -out rsa.pem 2048",
            "genpkey -algorithm ED25519 -out AuthKey_ED25519XXX.p8",
            "pkcs8 -topk8 -in AuthKey_ABCDE12345.p8 -passout pass:x -out encrypted.p8",
            "pkey -in AuthKey_ABCDE12345.p8 -pubout -out public.pem",
            "ec -in AuthKey_ABCDE12345.p8 -out sec1.pem", "pkey -in AuthKey_ABCDE12345.p8 -outform DER -out key.der",
            "req -new -subj /CN=x -key AuthKey_ABCDE12345.p8 -out request.csr")
        rows: list[tuple[str, str, list[str], int]] = [
            ("AuthKey_ABCDE12345.p8", "apns-key", [], 0),
            ("p384.p8", "private-key", ["key.wrong-kind", "key.file-name"], 1),
            ("AuthKey_ED25519XXX.p8", "private-key", ["key.wrong-kind"], 1),
            ("rsa.pem", "private-key", ["key.for-certificate"], 0),
            ("encrypted.p8", "private-key", ["key.encrypted"], 1),
            ("public.pem", "public-key", ["key.public"], 1),
            ("sec1.pem", "apns-key", ["key.older-format"], 0),
            ("key.der", "apns-key", ["key.no-pem-lines"], 1),
            ("request.csr", "certificate-request", ["key.request"], 1),
        ]
        for name, kind, rules, code in rows:
            with self.subTest(name):
                report, = self.reports(name, code=code)
                self.assertEqual((report["kind"], [problem["rule"] for problem in report["problems"]]), (kind, rules))

    def test_the_fingerprint_is_the_one_of_openssl_and_no_key_is_printed(self) -> None:
        der = subprocess.run(
            ["openssl", "pkey", "-in", "AuthKey_ABCDE12345.p8", "-pubout", "-outform", "DER"], cwd=self.directory,
            check=True, capture_output=True).stdout
        digest = subprocess.run(["sha256sum"], input=der, check=True, capture_output=True).stdout.split()[0].decode()
        done = self.doctor("AuthKey_ABCDE12345.p8")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"SHA-256 of the public key: {digest}", done.stdout)
        for line in (self.directory / "AuthKey_ABCDE12345.p8").read_text().splitlines()[1:-1]:
            self.assertNotIn(line, done.stdout)

    def test_certificates_and_pkcs12_files(self) -> None:
        self.openssl(
            "req -x509 -key AuthKey_ABCDE12345.p8 -days 90 -out plain.pem -subj /UID=com.example.app/CN=Apple "
            "-addext 1.2.840.113635.100.6.3.1=DER:0500",
            "pkcs12 -export -in plain.pem -inkey AuthKey_ABCDE12345.p8 -passout pass:secret -out new.p12",
            "pkcs12 -export -legacy -in plain.pem -inkey AuthKey_ABCDE12345.p8 -passout pass: -out old.p12",
            "x509 -in plain.pem -outform DER -out plain.cer")
        self.assertEqual(self.rules("plain.pem", code=0), [["certificate.sandbox-only", "certificate.no-key"]])
        self.assertEqual(self.rules("plain.cer", code=0), [["certificate.sandbox-only", "certificate.no-key"]])
        self.assertEqual(self.rules("new.p12"), [["pkcs12.wrong-password"]])
        self.assertEqual(self.rules("--password", "secret", "new.p12", code=0), [["certificate.sandbox-only"]])
        self.assertEqual(self.rules("old.p12", code=0), [["pkcs12.old-cipher", "certificate.sandbox-only"]])
        self.assertEqual(self.rules("plain.pem", "com.example.other"), [
            ["certificate.sandbox-only", "certificate.no-key"], ["together.topic"]])

    def test_the_credentials_of_init_are_good(self) -> None:
        subprocess.run([BINARY, "init"], cwd=self.directory, check=True, capture_output=True, env=environment())
        certs = self.directory / "certs"
        names = [str(path) for path in certs.iterdir() if path.name.startswith(("AuthKey", "apns-client", "service"))]
        self.assertEqual(len(names), 4)
        for report in self.reports(*names, code=0):
            self.assertEqual([each for each in report["problems"] if each["severity"] != "note"], [], report)

    def test_tokens_and_standard_input(self) -> None:
        token = "a1b2c3d4" * 8
        self.assertEqual(self.reports(token, code=0)[0]["kind"], "apns-device-token")
        self.assertEqual(self.reports("-", stdin=f"{token}\n".encode(), code=0)[0]["kind"], "apns-device-token")
        self.assertEqual(self.rules("{length = 32, bytes = 0x740f4707 ... 5f6aa01d }"), [["device-token.shortened"]])
        done = self.doctor("missing.p8", token)
        self.assertEqual(done.returncode, 66)
        self.assertIn("missing.p8 does not exist", done.stderr)
        self.assertIn("APNs device token", done.stdout)

    def test_this_environment(self) -> None:
        done = self.doctor(variables={
            "SSL_CERT_FILE": "/nowhere.pem", "HTTPS_PROXY": "http://me:secret@127.0.0.1:9", "PUSHPIT_URL": "http://127.0.0.1:1"})
        self.assertEqual(done.returncode, 1)
        for rule in ("environment.no-bundle", "environment.proxy", "environment.no-gateway"):
            self.assertIn(rule, done.stdout)
        self.assertNotIn("secret", done.stdout)

    def test_the_api_answers_as_the_command_prints(self) -> None:
        file = (self.directory / "AuthKey_ABCDE12345.p8").read_bytes()
        printed, = self.reports("AuthKey_ABCDE12345.p8", code=0)
        with Gateway() as gateway:
            body = {"name": "AuthKey_ABCDE12345.p8", "base64": base64.b64encode(file).decode()}
            self.assertEqual(call(gateway, "POST", "/inspect", body), (200, printed))
            self.assertEqual(call(gateway, "POST", "/inspect", {"name": "AuthKey_ABCDE12345.p8", "text": file.decode()})[1], printed)
            done = self.doctor("--url", gateway.at().url("", "http"))
            self.assertIn("a gateway answers at", done.stdout)


if __name__ == "__main__":
    unittest.main()
