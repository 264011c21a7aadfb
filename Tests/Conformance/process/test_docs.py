"""Runs every command that the documents print, with this gateway's port and in a directory with its certificates."""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import httpx

from control import call
from device_client import Phone, with_phones
from gateway import BINARY, PATIENCE, Gateway, environment

TOP = Path(__file__).parents[3]
README, SENDERS, DEVICES, FCM, FAULTS, API = (
    TOP / name for name in ("README.md", "docs/senders.md", "docs/devices.md", "docs/fcm.md", "docs/faults.md", "docs/api.md"))
ALL = [*TOP.glob("*.md"), *(TOP / "docs").glob("*.md")]
# Statements that are no longer true.
PAST = ("answer 501", "reach nobody", "reaches nobody yet")
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
IN_LINE = re.compile(r"`(curl [^`]+)`")
COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )*(?:curl|\S*pushpit send) .*$", re.MULTILINE)
# Makes curl print the status after its output; `pushpit send` prints it on a separate line.
CURL = "curl() { command curl -sS --max-time 10 -w '\\n%{http_code}\\n' \"$@\"; }\nset -e\n"


def scripts(path: Path) -> list[str]:
    """Code blocks and table cells with commands that send something."""
    text = path.read_text()
    return [script for script in [*FENCE.findall(text), *IN_LINE.findall(text)] if COMMAND.search(script) and "…" not in script]


def commands(script: str) -> list[str]:
    """Each command with its continuation lines."""
    return COMMAND.findall(script.replace("\\\n", " "))


def promised(command: str) -> str:
    """The answer that the document promises after the command, or the usual one."""
    said = re.search(r"# (\d{3})$", command)
    if said:
        return said[1]
    return "201" if "/api/v1/faults" in command else "200"


def section(path: Path, title: str) -> str:
    return path.read_text().split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


class Lines(unittest.TestCase):
    def run_as_printed(self, script: str) -> subprocess.CompletedProcess[str]:
        directory = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-docs-")))
        with Gateway() as gateway:
            (directory / "certs").symlink_to(gateway.certificates)
            (directory / "bin").mkdir()
            (directory / "bin/pushpit").symlink_to(Path(BINARY).resolve())
            port = gateway.at().port
            text = re.sub(r"\b(localhost|127\.0\.0\.1):2197\b", rf"\1:{port}", script)
            return subprocess.run(
                ["bash", "-c", CURL + text], capture_output=True, text=True, cwd=directory, timeout=60,
                env=environment({"PUSHPIT_URL": f"https://127.0.0.1:{port}", "PATH": f"{directory / 'bin'}:{os.environ['PATH']}"}))

    def check(self, path: Path, least: int) -> None:
        count = 0
        for script in scripts(path):
            with self.subTest(script):
                wanted = [promised(command) for command in commands(script)]
                done = self.run_as_printed(script)
                self.assertEqual((re.findall(r"^\d{3}$", done.stdout, re.MULTILINE), done.returncode), (wanted, 0), done.stdout + done.stderr)
                count += len(wanted)
        self.assertGreaterEqual(count, least, "lines were not found: are they read rightly?")

    def test_readme(self) -> None:
        """Its commands build on each other, so they run on one gateway."""
        found = scripts(README)
        self.assertEqual(sum("/messages:send" in script for script in found), 1)
        done = self.run_as_printed("".join(found))
        self.assertEqual((re.findall(r"^\d{3}$", done.stdout, re.MULTILINE), done.returncode), (["200"] * 4, 0), done.stdout + done.stderr)
        self.assertLessEqual(len(README.read_text().splitlines()), 120)

    def test_senders(self) -> None:
        self.check(SENDERS, 1)

    def test_fcm(self) -> None:
        self.check(FCM, 4)

    def test_faults(self) -> None:
        self.check(FAULTS, 2)

    def test_the_control_api(self) -> None:
        """Its commands build on each other, so they run on one gateway."""
        script = "".join(FENCE.findall(API.read_text()))
        wanted = [promised(command) for command in commands(script)]
        self.assertGreater(len(wanted), 40)
        done = self.run_as_printed(script)
        self.assertEqual((re.findall(r"^\d{3}$", done.stdout, re.MULTILINE), done.returncode), (wanted, 0), done.stdout + done.stderr)
        said = json.loads(re.search(r"^```json\n(.*?)^```$", section(API, "Expect"), re.DOTALL | re.MULTILINE)[1])
        self.assertIn(json.dumps(said, separators=(",", ":")), done.stdout)

    def test_the_example_test_by_the_control_api_works(self) -> None:
        (text,) = re.findall(r"^```python\n(.*?)^```$", API.read_text(), re.DOTALL | re.MULTILINE)
        with Gateway() as gateway:
            def welcome(token: str) -> None:
                message = {"token": token, "notification": {"title": "Welcome"}}
                httpx.post(gateway.at().url("/v1/projects/demo/messages:send", scheme="http"), json={"message": message}, headers={"authorization": "Bearer x"})
            text = text.replace("127.0.0.1:2197", f"127.0.0.1:{gateway.at().port}")
            exec(compile(text, "docs/api.md", "exec"), {"welcome": welcome})  # noqa: S102
            with self.assertRaises(AssertionError):
                exec(compile(text.replace('"5s"', '"0s"'), "docs/api.md", "exec"), {"welcome": lambda token: None})  # noqa: S102

    def test_without_its_content_type_the_message_is_refused(self) -> None:
        script = next(script for script in scripts(README) if "/messages:send" in script)
        done = self.run_as_printed(script.replace("-H 'content-type: application/json' ", ""))
        self.assertEqual(re.findall(r"^\d{3}$", done.stdout, re.MULTILINE), ["200", "400"])
        self.assertIn("Cannot bind query parameter", done.stdout)

    def test_the_socket_messages_of_the_page_about_devices_work(self) -> None:
        typed = re.findall(r"^> (\{.*\})$", DEVICES.read_text(), re.MULTILINE)[:2]

        async def body(phone: Phone) -> None:
            said = []
            for line in typed:
                await phone.socket.send(line)
                while (answer := await phone.receive())["type"] == "event":
                    pass
                said.append(answer["type"])
            self.assertEqual(said, ["welcome", "ok"])
        with Gateway() as gateway:
            with_phones(gateway, body)


class Tables(unittest.TestCase):
    gateway: Gateway

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())

    def set_fault(self, answer: dict[str, Any]) -> tuple[int, Any]:
        return call(self.gateway, "POST", "/faults", {"effect": {"answer": answer}})

    def test_the_documented_recorded_answers_are_those_of_the_program(self) -> None:
        rows = re.findall(r"^\| (`.+?) \| ([\d, ]+) \|", section(FAULTS, "Recorded answers"), re.MULTILINE)
        found = {}
        for names, statuses in rows:
            names, codes = re.findall(r"`([^`]+)`", names), [int(code) for code in statuses.split(", ")]
            self.assertIn(len(codes), (1, len(names)), names)
            found |= zip(names, codes * (len(names) // len(codes)), strict=True)
        _, said = self.set_fault({"recorded": "none"})
        self.assertEqual(set(found), set(said["error"]["message"].removeprefix("'recorded' must be one of ").removesuffix(".").split(", ")))
        for name, status in found.items():
            self.assertEqual(self.set_fault({"recorded": name, "status": status})[0], 201, name)

    def test_the_documented_choices_are_those_of_the_help(self) -> None:
        said = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True, env=environment()).stdout
        row = " ".join(said.split("--fcm-choice", 1)[1].split("--quotas", 1)[0].split())
        found = set(re.findall(r"--fcm-choice ([\w-]+=[\w-]+)", FCM.read_text()))
        self.assertEqual(found, set(re.findall(r"[\w-]+=[\w-]+", row)) - {"name=value"})

    def test_every_rule_in_the_documents_exists(self) -> None:
        said = subprocess.run([BINARY, "rules"], capture_output=True, text=True, check=True, env=environment()).stdout
        known = set(re.findall(r"^\S+$", said, re.MULTILINE))
        for path in ALL:
            for name in re.findall(r"`((?:fcm|iid|auth|devices|media|aps)\.[\w-]+)`", path.read_text()):
                self.assertIn(name, known, path.name)


class Calls(unittest.TestCase):
    """The page of the control API compared with the OpenAPI document."""

    def test_every_call_is_documented_with_its_parameters_and_members(self) -> None:
        with Gateway() as gateway:
            described = httpx.get(gateway.at().url("/openapi.json", scheme="http")).json()
        page = API.read_text()
        rows = set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", page, re.MULTILINE)) | {"POST /expect", "GET /events", "POST /reset"}
        calls = {f"{method.upper()} {path}": call for path, methods in described["paths"].items() for method, call in methods.items()}
        self.assertEqual(rows - set(calls), set())
        self.assertEqual(set(calls) - rows, set())
        names = {parameter["name"] for call in calls.values() for parameter in call["parameters"]}
        for shape in ("Message", "Match", "Device", "DeviceSpec", "Act", "Check", "Stats", "Credentials", "APNsKey", "Pending", "Media", "Clock"):
            names |= set(described["components"]["schemas"][shape]["properties"])
        for name in sorted(names):
            self.assertRegex(page, rf"[`\"]{re.escape(name)}[`\"=]|`\?{name}=|/{{{name}}}", name)


class OutdatedClaims(unittest.TestCase):
    def test_no_document_calls_an_existing_feature_missing(self) -> None:
        self.assertGreater(len(ALL), 7)
        for path in ALL:
            for words in PAST:
                self.assertNotIn(words, path.read_text(), path.name)


class Fields(unittest.TestCase):
    """The page of FCM's fields compared with Google's description of the API (fixtures/fcm.v1.json: names, types and enums)."""

    # Messages of the description that a send does not use, and one with a different name here.
    OTHERS = {"Empty", "ListTopicSubscriptionsResponse"}
    NAMES = {"GoogleFirebaseFcmV1AndroidNotificationV2LightSettings": "LightSettings"}
    FORMATS = {"google-duration": "duration, like `\"3.5s\"`", "google-datetime": "timestamp", "int32": "int32", "float": "float"}

    def shown(self, property: dict[str, Any]) -> str:
        if "$ref" in property:
            return self.NAMES.get(property["$ref"], property["$ref"])
        if property["type"] == "array":
            return "list of " + self.shown(property["items"])
        if property["type"] == "object":
            return "map from string to string" if property["additionalProperties"].get("type") == "string" else "any object"
        return self.FORMATS.get(property.get("format", ""), "enum" if "enum" in property else {"boolean": "bool"}.get(property["type"], property["type"]))

    def test_every_message_and_field_is_documented_with_its_type(self) -> None:
        described = json.loads((Path(__file__).parents[1] / "fixtures/fcm.v1.json").read_text())["schemas"]
        page = (Path(__file__).parents[3] / "docs/fcm-fields.md").read_text()
        ours: dict[str, dict[str, str]] = {}
        for section in page.split("\n## ")[1:]:
            name, rest = section.split("\n", 1)
            ours[name] = {row[1].strip(" `"): row[3].strip() for line in rest.splitlines() if line.startswith("| `") for row in [line.split("|")]}
        theirs = {name: {field: self.shown(property) for field, property in schema.get("properties", {}).items()}
                  for name, schema in described.items() if name not in self.OTHERS and name not in self.NAMES}
        self.assertEqual(ours, theirs)

    def test_the_values_of_every_enum_are_documented(self) -> None:
        described = json.loads((Path(__file__).parents[1] / "fixtures/fcm.v1.json").read_text())["schemas"]
        page = (Path(__file__).parents[3] / "docs/fcm-fields.md").read_text()
        for schema in described.values():
            for field, property in schema.get("properties", {}).items():
                if "enum" in property:
                    values = " ".join(f"`{value}`" for value in property["enum"])
                    self.assertRegex(page, rf"\| `{field}` \| `\w+` \| enum \| {values} \|")


class Banner(unittest.TestCase):
    def test_the_first_message_of_the_banner_is_accepted(self) -> None:
        with Gateway() as gateway:
            line = gateway.banner.split("A first FCM message, with curl:\n", 1)[1]
            done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE)
            self.assertRegex(done.stdout, r'"name": "projects/pushpit-local/messages/0:\d+%', done.stderr)
            gateway.wait_for_log("(new device; see --unknown-devices)")
        with Gateway("--auth", "strict") as strict:
            self.assertNotIn("A first FCM message", strict.banner)
