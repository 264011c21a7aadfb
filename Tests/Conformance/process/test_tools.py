"""The commands `send`, `check` and `rules`."""
from __future__ import annotations

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar

from control import call
from gateway import BINARY, PATIENCE, TOKEN, TOPIC, Gateway, environment, program

ROOT = Path(__file__).parents[3]
GOOD = b'{"aps":{"alert":"Hello"}}'
BAD = b'{\n  "aps": {"alert": "x", "badge": "1"},\n  "media-attachment-url": "https://a.example/b"\n}'


class Files(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))

    def file(self, name: str, content: bytes) -> str:
        path = self.directory / name
        path.write_bytes(content)
        return str(path)


class Send(Files):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--auth", "strict"))

    def send(self, *arguments: str, scheme: str = "https", stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        port = self.gateway.at().port
        return subprocess.run(
            [BINARY, "send", "--certs", str(self.gateway.certificates), "--url", f"{scheme}://127.0.0.1:{port}", *arguments],
            capture_output=True, input=stdin, timeout=PATIENCE, env=environment())

    def test_a_valid_push_over_tls_and_in_clear_text(self) -> None:
        for scheme in ("https", "http"):
            done = self.send(self.file("good.apns", GOOD), "--to", TOKEN, scheme=scheme)
            self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, b"200"), done.stderr)
            self.assertRegex(done.stdout, rb"\napns-id: [0-9A-F-]{36}\ndevice d\d+ \(ios\): presented\n$")

    def test_a_refusal_is_explained(self) -> None:
        done = self.send("-", "--to", TOKEN, "--priority", "7", stdin=GOOD)
        self.assertEqual(done.returncode, 65)
        self.assertIn(b'{"reason":"BadPriority"}', done.stdout)
        self.assertIn(b"is not 10, 5 or 1", done.stdout)

    def test_it_says_what_the_phone_did(self) -> None:
        rows = [
            ({"state": {"online": False}}, GOOD, ["waiting: the device is offline\n", "  fix: Bring the device online"]),
            ({}, b'{"aps":{"alert":"x"},"image":"https://e.example/a.png"}', ["presented\n", "no image: the app has no notification service extension [ios.no-extension]\n", "  fix: Add an extension"]),
            ({}, b'{"aps":{"alert":"x","content-available":"1"}}', ["presented\n", "warning: 'content-available' is"]),
        ]
        for number, (spec, body, parts) in enumerate(rows):
            _, made = call(self.gateway, "POST", "/devices", {"platform": "ios", "app": TOPIC, "id": f"phone{number}", "name": "Anna"} | spec)
            done = self.send("-", "--to", made["devices"][0]["tokens"]["apns"]["token"], stdin=body)
            self.assertEqual(done.returncode, 0, done.stderr)
            place = 0
            for part in [f"\ndevice phone{number} Anna (ios): {parts[0]}", *parts[1:]]:
                place = done.stdout.decode().find(part, place)
                self.assertGreaterEqual(place, 0, f"{part} is not in {done.stdout.decode()}")

    def test_it_waits_for_a_phone_that_is_still_working(self) -> None:
        spec = {"platform": "ios", "app": TOPIC, "extension": {"script": "slow", "seconds": 1}}
        _, made = call(self.gateway, "POST", "/devices", spec)
        body = b'{"aps":{"alert":{"title":"x"},"mutable-content":1}}'
        done = self.send("-", "--to", made["devices"][0]["tokens"]["apns"]["token"], stdin=body)
        self.assertIn(b"(ios): presented\n", done.stdout)

    def test_a_fault_that_ends_the_connection_is_named(self) -> None:
        message = b'{"message":{"topic":"news","data":{"a":"b"}}}'
        rows = [
            ({"effect": {"reset": "CANCEL"}}, GOOD, ["--to", TOKEN], 69, "it reset the stream with CANCEL; the fault f"),
            ({"effect": {"goAway": {"last": "before"}}}, GOOD, ["--to", TOKEN], 69, "GOAWAY"),
            ({"effect": {"reset": "CANCEL"}}, message, [], 69, "; the fault f"),
            ({"effect": {"answer": {"status": 503}}, "match": {"path": "/token"}}, message, [], 65, "note: /token, which gives access tokens, answered 503"),
        ]
        for fault, body, arguments, code, text in rows:
            with self.subTest(fault):
                _, made = call(self.gateway, "POST", "/faults", fault | {"times": 1})
                done = self.send("-", *arguments, stdin=body)
                said = (done.stdout + done.stderr).decode()
                self.assertEqual(done.returncode, code, said)
                self.assertIn(text, said)
                self.assertIn(f"the fault {made['id']} (", said)
                self.assertIn(f"caused this; DELETE /api/v1/faults/{made['id']} removes it", said)
                self.assertEqual(call(self.gateway, "DELETE", "/faults")[0], 204)

    def test_each_field_is_sent(self) -> None:
        rows = [
            ("--type", "voip", b"DeviceTokenNotForTopic"), ("--expiration", "x", b"BadExpirationDate"),
            ("--collapse-id", "c" * 65, b"BadCollapseId"), ("--topic", "a b", b"BadTopic"),
        ]
        for option, value, reason in rows:
            with self.subTest(option):
                self.assertIn(reason, self.send("-", "--to", TOKEN, option, value, stdin=GOOD).stdout)

    def test_the_sandbox_and_the_simulators_topic(self) -> None:
        body = json.dumps({"aps": {}, "Simulator Target Bundle": "com.example.simulated"}).encode()
        done = self.send("-", "--to", "5" * 64, "--sandbox", stdin=body)
        self.assertIn(b"apns-unique-id: ", done.stdout)
        self.assertIn(b"DeviceTokenNotForTopic", self.send("-", "--to", "5" * 64, "--sandbox", stdin=GOOD).stdout)

    def test_what_is_missing_is_named(self) -> None:
        self.assertIn("needs --to", program("send", self.file("good.apns", GOOD)).stderr)
        self.assertEqual(program("send", "--to", TOKEN).returncode, 64)
        self.assertEqual(self.send("/nowhere.apns", "--to", TOKEN).returncode, 66)
        url = f"http://127.0.0.1:{self.gateway.at().port}"
        done = program("send", "--url", url, "--certs", str(self.directory), "--to", TOKEN, self.file("good.apns", GOOD))
        self.assertEqual((done.returncode, f"give '--certs {self.gateway.certificates}'" in done.stderr), (78, True), done.stderr)
        gone = ["send", "--certs", str(self.gateway.certificates), "--to", TOKEN, self.file("good.apns", GOOD)]
        done = program(*gone, "--url", "https://127.0.0.1:1")
        self.assertEqual((done.returncode, "127.0.0.1:1" in done.stderr), (69, True))


class SendWithToken(Files):
    """A push to a gateway whose control API requires a token."""
    def test_without_the_token_the_findings_are_said_to_be_missing(self) -> None:
        with Gateway("--api-token", "open-sesame") as gateway:
            url = f"http://127.0.0.1:{gateway.at().port}"
            sent = ["send", "--certs", str(gateway.certificates), "--url", url, "--to", TOKEN, self.file("a", GOOD)]
            done = program(*sent)
            self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "200"))
            self.assertRegex(done.stderr, r"is not shown, .* requires a token: pass its --api-token\n$")
            done = program(*sent, "--api-token", "wrong")
            self.assertIn("--api-token is not the one", done.stderr)
            self.assertEqual(program(*sent, "--api-token", "open-sesame").stderr, "")


class Check(Files):
    def test_a_refusal_has_its_line_and_ends_with_65(self) -> None:
        good, bad = self.file("good.apns", GOOD), self.file("bad.apns", BAD)
        done = program("check", good, bad)
        self.assertEqual(done.returncode, 65)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], f"{good}: accepted")
        self.assertRegex(lines[1], rf"^{bad}:2:34: error: .*\[aps\.wrong-type\]$")
        self.assertRegex(lines[2], r"^  fix: Give the named key")
        self.assertRegex(lines[3], rf"^{bad}:3:27: error: .*\[media\.needs-mutable-content\]$")
        self.assertEqual(lines[-1], f"{bad}: refused")
        self.assertEqual(program("check", good).returncode, 0)

    def test_a_misspelled_variable_is_a_warning_on_stderr(self) -> None:
        good = self.file("good.apns", GOOD)
        done = program("check", good, variables={"PUSHPIT_FAIL_ONN": "warning"})
        self.assertEqual((done.returncode, done.stdout), (0, f"{good}: accepted\n"))
        self.assertEqual(
            done.stderr, "pushpit: warning: no option reads the variable PUSHPIT_FAIL_ONN; did you mean PUSHPIT_FAIL_ON?\n")

    def test_a_missing_file_does_not_end_the_check(self) -> None:
        good, gone = self.file("good.apns", GOOD), str(self.directory / "gone.apns")
        done = program("check", gone, good)
        self.assertEqual((done.returncode, done.stdout), (66, f"{good}: accepted\n"))
        self.assertIn(f"{gone} does not exist", done.stderr)

    def test_a_message_that_apple_refuses_exits_with_65_only_if_it_goes_to_a_token(self) -> None:
        def message(name: str, target: str) -> str:
            text = '{"message":{%s,"apns":{"headers":{"apns-priority":"7"}}}}' % target
            return self.file(name, text.encode())
        token = message("token.json", f'"token":"cABCDEFGHIJKLMNOPQRSTU:APA91{"b" * 134}"')
        topic = message("topic.json", '"topic":"news"')
        done = program("check", token)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (65, f"{token}: refused"))
        self.assertRegex(done.stdout, r": error: .*\[apns\.BadPriority\]")
        done = program("check", topic)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, f"{topic}: accepted"))
        self.assertRegex(done.stdout, r": warning: .*\[fcm\.refused-by-apple\]")


class Rules(unittest.TestCase):
    def test_the_rules_page_is_the_generated_table(self) -> None:
        page = (ROOT / "docs/rules.md").read_text()
        self.assertEqual(page, program("rules", "--format", "markdown").stdout, "make docs/rules.md anew")
        fields = (ROOT / "docs/fcm-fields.md").read_text()
        self.assertEqual(fields, program("rules", "--format", "fcm-fields").stdout, "make docs/fcm-fields.md anew")
        some = program("rules", "fcm.topic-name", "media.").stdout.splitlines()
        self.assertEqual([line.split(".")[0] for line in some if not line.startswith(" ")], ["media"] * 9 + ["fcm"])
        self.assertEqual(program("rules", "nothing").returncode, 64)
        self.assertIn("apns.BadDeviceToken\n  400; documented\n", program("rules").stdout)

    def test_every_rule_in_the_sources_is_a_row(self) -> None:
        """Finds everything that looks like a rule's id in the sources."""
        known = {rule["id"] for rule in json.loads(program("rules", "--json").stdout)}
        found = set()
        for source in (ROOT / "Sources").rglob("*.swift"):
            text = source.read_text()
            found |= set(re.findall(r'(?:RuleID\(|refusedMessage\(|Finding\(\s*)"([a-z0-9]+\.[\w.-]+)"', text))
            found |= set(re.findall(r'"((?:gateway|http2|devices|auth)\.[\w-]+)"', text))
        self.assertGreater(len(found), 15)
        self.assertEqual(found - known, set())
