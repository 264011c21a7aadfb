"""The tables of docs/faults.md compared with the program: effects, names, scenarios and magic tokens."""
from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import httpx

from api_case import APICase
from gateway import BINARY, environment
from test_docs import FAULTS, section
from test_fcm import DEAD


def rows(title: str) -> list[list[str]]:
    """The cells of a section's table."""
    lines = re.findall(r"^\| (`.*) \|$", section(FAULTS, title), re.MULTILINE)
    return [line.split(" | ") for line in lines]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


class Pages(APICase):
    def choices(self, effect: Any) -> list[str]:
        """The values that the program's error message lists."""
        message = self.ask("POST", "/faults", {"effect": effect}, 400)["error"]["message"]
        return re.sub(r"^.* one of |\.$", "", message).split(", ")

    def test_every_effect_is_documented_and_accepted(self) -> None:
        text = section(FAULTS, "What happens").split("### ")[0]
        effects = [json.loads(words.replace("NAME", "blackHole")) for line in re.findall(r"^\| (`\{.*?) \| ", text, re.MULTILINE) for words in code(line)]
        self.assertEqual({next(iter(effect)) for effect in effects}, set(self.choices({})))
        handshakes = {effect["tls"] for effect in effects if "tls" in effect}
        self.assertEqual(handshakes, set(self.choices({"tls": "none"})))
        for effect in effects + [{name: json.loads(cell)} for cells in self.delays() for cell in cells for name in ("delay", "deliverAfter")]:
            self.ask("POST", "/faults", {"effect": [effect, {"silence": True}] if "sticky" in effect else effect}, 201)

    def delays(self) -> list[list[str]]:
        text = section(FAULTS, "What happens").split("### Random delays\n")[1]
        found = [code(cell) for cell in re.findall(r"^\| (`[\"{].*?) \| ", text, re.MULTILINE)]
        self.assertEqual(len(found), 3)
        return found

    def test_exactly_the_members_of_a_fault_are_documented(self) -> None:
        names = {name for cell, *_ in rows("Which requests, and when") for name in code(cell)}
        message = self.ask("POST", "/faults", {"effect": {"silence": True}, "none": 1}, 400)["error"]["message"]
        members = set(re.sub(r"^.* one of |\.$", "", message).split(", "))
        self.assertEqual(names - {"match.headers", "match.body"}, members - {"effect"})
        message = self.ask("POST", "/faults", {"effect": {"silence": True}, "match": {"none": 1}}, 400)["error"]["message"]
        for name in re.sub(r"^.* one of |\.$", "", message).split(", "):
            self.assertRegex(section(FAULTS, "Which requests, and when"), rf"`(match\.)?{name}`")

    def test_every_named_fault_is_documented_with_its_effect(self) -> None:
        table = {code(name)[0]: (meaning, evidence) for name, meaning, evidence in rows("Faults by name")}
        self.assertEqual(set(table), set(self.choices({"wire": "none"})))
        said = subprocess.run([BINARY, "rules", "--format", "markdown"], capture_output=True, text=True, check=True, env=environment()).stdout
        for name, (meaning, evidence) in table.items():
            self.assertRegex(said, rf"(?m)^\| `fault\.{name}` .*{re.escape(meaning)}.*\b{evidence.split(' ')[0]}\b", name)

    def test_every_scenario_is_documented_with_its_issue(self) -> None:
        listed = self.ask("GET", "/scenarios")["scenarios"]
        links = [f"[{each['source']}](https://github.com/{each['source'].replace('#', '/issues/')})" for each in listed]
        self.assertEqual(rows("Scenarios"), [[f"`{each['name']}`", each["meaning"], link] for each, link in zip(listed, links, strict=True)])

    def test_magic_tokens_of_apns(self) -> None:
        table = {code(token)[0]: answer for token, service, answer in rows("Magic tokens") if service == "APNs"}
        for token, answer in table.items():
            for asked in (token, token + "0" * 54, token.upper() + "F" * 54):
                self.assertEqual(self.reason(asked), answer)
        # All other digits mean the same as the status alone, and other statuses have no meaning.
        for status in sorted({token[:8] for token in table}):
            for number in range(100):
                self.assertEqual(self.reason(f"{status}{number:02}"), table.get(f"{status}{number:02}", table[f"{status}00"]))
        statuses = {number for number in range(1000) if self.reason(f"dead0{number:03}") != table["dead040000"]}
        self.assertEqual(statuses, {int(token[5:8]) for token in table} - {400})

    def reason(self, token: str) -> str:
        answer = self.apple.push(token=token)
        return f"{answer.status} {json.loads(answer.body)['reason']}"

    def test_magic_tokens_of_fcm(self) -> None:
        table = {code(token)[0]: answer for token, service, answer in rows("Magic tokens") if service == "FCM"}
        self.assertEqual({self.described(self.google.send(token=token + DEAD)) for token in table}, set(table.values()))
        for token, answer in table.items():
            self.assertEqual(self.described(self.google.send(token=token + DEAD)), answer)
        (words,) = re.findall(r"The words are those of .*?: (.*?)\. A word", section(FAULTS, "Faults on FCM"))
        self.assertEqual(sorted(words.replace("`", "").split(", ")), sorted(answer for token, answer in table.items() if ".apns" not in token))

    def described(self, answer: httpx.Response) -> str:
        details: dict[str, Any] = {}
        for detail in answer.json()["error"]["details"]:
            details |= detail
        apple = f", with Apple's {details['statusCode']} {details['reason']}" if "reason" in details else ""
        return f"{answer.status_code} {details['errorCode']}{apple}"
