"""Inspect: what a key, a token or a payload is, and what is wrong with it."""
from __future__ import annotations

import json
from pathlib import Path

from console.compose.compose_case import ComposeCase
from console.console_case import browsers

TEXT = ".inspect-text"


@browsers
class Inspect(ComposeCase):
    def files(self) -> dict[str, Path]:
        index = json.loads(Path(self.api("GET", "/credentials")["directory"], "pushpit.json").read_text())
        return {"key": Path(index["apns"]["key"]), "account": Path(index["fcm"]["serviceAccount"])}

    def test_a_token_that_is_too_old_says_so_with_apples_answer(self) -> None:
        self.page.open("#/inspect")
        self.page.fill(TEXT, "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQ0RFMTIzNDUifQ.eyJpc3MiOiJURUFNIiwiaWF0IjoxfQ.AAAA")
        self.page.wait_text("APNs provider token (JWT)", ".inspection h2")
        self.page.wait_text("more than one hour ago", ".finding")
        self.page.wait_text("Make a new token at least once every 60 minutes", ".finding")
        self.page.wait_text("403 ExpiredProviderToken", ".inspection")
        self.assertIn("documented", self.page.text(".inspection"))
        self.page.wait_text("ABCDE12345", ".inspection td")
        self.page.fill(TEXT, "")
        self.page.wait("!document.querySelector('.inspection')")

    def test_a_p8_file_is_recognised(self) -> None:
        key = self.files()["key"]
        self.page.open("#/inspect")
        self.drop(".inspect", key.name, key.read_bytes())
        self.page.wait_text("APNs provider key (.p8)", ".inspection h2")
        self.page.wait_text(key.stem.removeprefix("AuthKey_"), ".inspection td")
        self.page.wait_text("Nothing is wrong", ".inspection")
        secret = key.read_text().splitlines()[1]
        self.assertNotIn(secret, self.page.text("body"))

    def test_a_service_account_is_recognised(self) -> None:
        account = self.files()["account"]
        self.page.open("#/inspect")
        self.drop(".inspect", account.name, account.read_bytes())
        self.page.wait_text("Google service account", ".inspection h2")
        self.page.wait_text("pushpit-local", ".inspection td")
        self.page.wait_text("not with Google", ".finding.note")

    def test_device_tokens_and_payloads(self) -> None:
        phone = self.device()
        self.page.open("#/inspect")
        self.page.fill(TEXT, "<a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4>")
        self.page.wait_text("description of a token", ".finding.bad")
        self.page.fill(TEXT, phone["tokens"]["apns"]["token"])
        self.page.wait_text("bytes", ".inspection th")
        self.page.fill(TEXT, phone["tokens"]["fcm"]["token"])
        self.page.wait_text("fcm-token", ".inspection code")
        self.page.fill(TEXT, '{"aps":{"badge":"1"}}')
        self.page.wait_text("APNs payload", ".inspection h2")
        # A rule that the view of rules has is a link to it.
        self.page.wait("document.querySelector(\".finding a[href='#/rules/aps.wrong-type']\")")

    def test_something_unknown_and_something_too_large(self) -> None:
        self.page.open("#/inspect")
        self.page.fill(TEXT, "hello <b>you</b>")
        self.page.wait_text("not a key, certificate", ".finding")
        self.drop(".inspect", "large.p12", bytes(70_000))
        self.page.wait_text("The limit is", "#notices")

    def test_nothing_is_kept(self) -> None:
        self.page.open("#/inspect")
        self.page.fill(TEXT, "some-secret")
        self.page.wait_text("not a key", ".finding")
        self.assertNotIn("some-secret", self.page.run("JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), location.href])"))
        self.assertEqual(self.api("GET", "/messages")["messages"], [])
