"""Faults that answer Google's calls with recorded answers by name."""
from __future__ import annotations

import json
import re
from typing import Any

import httpx

from control import call, set_fault
from fcm_faults import FCM_ERROR, SEND, Faults
from gateway import PATIENCE
from test_fcm import RECORDED
from test_topics import BEARER

FORMAT1 = {"x-goog-api-format-version": "1"}
# Answers of other services, and a path of each.
ELSEWHERE = {
    "legacy-gone": "/fcm/send", "iid-invalid": "/iid/info/x", "iid-batch-mixed": "/iid/v1:batchAdd", "oauth-window": "/token",
    "connect-subscribe": "/fcm/connect/subscribe",
}
# Pages that are abridged in the recording, so only title and sentences are compared, and the path to request.
PAGES = {"batch-gone": "/batch", "html-502": SEND}


def error(status: int, name: str, message: str, *details: dict[str, Any]) -> dict[str, Any]:
    return {"status": status, "body": {"error": {"code": status, "message": message, "status": name, "details": list(details)}}}


def like(name: str, **changes: Any) -> dict[str, Any]:
    return RECORDED[name] | {"body": {"error": RECORDED[name]["body"]["error"] | changes}}


INVALID = {"@type": FCM_ERROR, "errorCode": "INVALID_ARGUMENT"}
EMPTY = "Value of [aps] must be a non-empty dictionary."
# Answers by name that have no row in the recordings, written as rows.
NAMED = {
    "oversize-ios": like("oversize-android", message="iOS message is too big"),
    "third-party-auth-2026": like("third-party-auth-2026-apns", details=RECORDED["third-party-auth-2026-apns"]["body"]["error"]["details"][:1]),
    "apns-token-disabled": error(400, "INVALID_ARGUMENT", "APNs device token is disabled.", INVALID, {
        "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError", "statusCode": 410, "reason": "Unregistered"}),
    "aps-empty": error(400, "INVALID_ARGUMENT", EMPTY, {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [
        {"field": "message.apns.payload.aps", "description": EMPTY}]}, INVALID),
    "unavailable": error(503, "UNAVAILABLE", "The service is currently unavailable.", {"@type": FCM_ERROR, "errorCode": "UNAVAILABLE"}),
    "auth-expired": like("auth-invalid", details=[RECORDED["auth-missing"]["body"]["error"]["details"][0] | {"reason": "ACCESS_TOKEN_EXPIRED"}]),
}


class Recorded(Faults):
    def names(self) -> list[str]:
        _, said = call(self.gateway, "POST", "/faults", {"effect": {"answer": {"recorded": "none"}}})
        return said["error"]["message"].removeprefix("'recorded' must be one of ").removesuffix(".").split(", ")

    def test_each_recorded_answer_is_given_by_its_name(self) -> None:
        url = self.gateway.at().url("")
        other = self.enterContext(httpx.Client(http2=True, verify=self.gateway.context(), base_url=url, headers=BEARER, timeout=PATIENCE))
        for name in sorted({*self.names()} - {*PAGES} - {*ELSEWHERE}):
            row = RECORDED.get(name) or NAMED[name]
            project = re.search(r"\d{12}|$", json.dumps(row["body"]))[0] or "demo"
            set_fault(self.gateway, {"answer": {"recorded": name}}, times=2)
            for client in (self.client, other):
                with self.subTest(name, http2=client is other):
                    answer = client.post(f"/v1/projects/{project}/messages:send", json={"message": {"topic": "t"}})
                    self.assertEqual((answer.status_code, answer.json()), (row["status"], row["body"]))
                    self.assertEqual(answer.text, json.dumps(row["body"], indent=2, ensure_ascii=False) + "\n")
                    self.assertEqual(answer.headers.get("www-authenticate"), row.get("headers", {}).get("WWW-Authenticate"))
                    self.assertEqual(answer.headers["content-type"], "application/json; charset=UTF-8")
                    self.assertNotIn("retry-after", answer.headers)

    def test_answers_of_other_services_are_given_on_their_paths(self) -> None:
        for name, path in ELSEWHERE.items():
            row = RECORDED[name]
            set_fault(self.gateway, {"answer": {"recorded": name}}, times=1)
            with self.subTest(name):
                self.assertEqual(self.post().status_code, 200)
                answer = self.client.post(path, json={})
                self.assertEqual((answer.status_code, answer.json()), (row["status"], row["body"]))
                self.assertEqual([fault["fired"] for fault in call(self.gateway, "GET", "/faults")[1]["faults"]], [1])
            call(self.gateway, "DELETE", "/faults")

    def test_pages_have_googles_title_and_sentences(self) -> None:
        set_fault(self.gateway, {"answer": {"recorded": "html-502"}})
        for name, path in PAGES.items():
            row, answer = RECORDED[name], self.client.post(path)
            self.assertEqual((answer.status_code, answer.headers["content-type"]), (row["status"], row["headers"]["Content-Type"]))
            for piece in row["body"].split("…"):
                self.assertIn(piece.strip(), answer.text)

    def test_every_row_is_reproduced(self) -> None:
        by_name = self.names()
        self.assertEqual((set(RECORDED) - set(by_name), set(by_name) - set(RECORDED)), (set(), set(NAMED)))
        set_fault(self.gateway, {"answer": {"recorded": "aps-empty"}}, times=1)
        self.assertEqual(self.post(headers=FORMAT1).json(), RECORDED["aps-empty-format1"]["body"])
