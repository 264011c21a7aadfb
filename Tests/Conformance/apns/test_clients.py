"""httpx, pyapns-client and h2 as they are on PyPI."""
from __future__ import annotations

import asyncio
import json
import ssl
import time
from datetime import datetime, timezone
from warnings import catch_warnings, simplefilter

import h2.config
import h2.connection
import h2.events
import httpx
import pyapns_client

from apns_clients import BODY, Clients
from control import call, move_clock, set_fault
from gateway import PATIENCE, TOKEN, TOPIC


class Httpx(Clients):
    def test_a_push_and_a_refusal_on_one_connection(self) -> None:
        context = self.gateway.context(certificate=True)
        with httpx.Client(http2=True, verify=context, timeout=PATIENCE) as client:
            url = self.gateway.at().url(f"/3/device/{TOKEN}")
            good = client.post(url, headers={"apns-topic": TOPIC}, json=BODY)
            bad = client.post(url, json=BODY)
        self.assertEqual((good.http_version, good.status_code, good.content), ("HTTP/2", 200, b""))
        self.assertEqual((bad.http_version, bad.status_code, bad.json()), ("HTTP/2", 400, {"reason": "MissingTopic"}))
        self.assertRegex(good.headers["apns-id"], r"\A[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\Z")

    def test_http_1_on_the_same_port(self) -> None:
        with httpx.Client(verify=self.gateway.context(), timeout=PATIENCE) as client:
            for path, status in (("/livez", 200), (f"/3/device/{TOKEN}", 505)):
                answer = client.get(self.gateway.at().url(path))
                self.assertEqual((answer.http_version, answer.status_code), ("HTTP/1.1", status))

    def test_many_sends_at_once(self) -> None:
        async def push_all() -> list[int]:
            context = self.gateway.context(certificate=True)
            async with httpx.AsyncClient(http2=True, verify=context, timeout=PATIENCE) as client:
                url = self.gateway.at("apns").url(f"/3/device/{TOKEN}")
                headers = {"apns-topic": TOPIC}
                answers = await asyncio.gather(*(client.post(url, headers=headers, json=BODY) for _ in range(100)))
                return [answer.status_code for answer in answers]
        self.assertEqual(asyncio.run(push_all()), [200] * 100)


class PyAPNsClient(Clients):
    """pyapns-client's `iat` has a fraction, and it raises a different exception for each refusal."""

    def setUp(self) -> None:
        self.enterContext(catch_warnings())
        simplefilter("ignore", DeprecationWarning)

    def sender(self) -> pyapns_client.APNSClient:
        apns = self.gateway.description["apns"]
        auth = pyapns_client.TokenBasedAuth(apns["key"], apns["keyId"], apns["teamId"])
        sender = pyapns_client.APNSClient("prod", auth, root_cert_path=self.gateway.authority)
        sender._base_url = self.gateway.at("apns").url("")  # Its host names are constants.
        return self.enterContext(sender)

    def refusal(
        self, sender: pyapns_client.APNSClient, device: str = TOKEN, topic: str | None = TOPIC
    ) -> tuple[str, int] | None:
        payload = pyapns_client.IOSPayload(alert=pyapns_client.IOSPayloadAlert(body="Hello"))
        try:
            sender.push(pyapns_client.IOSNotification(payload, topic=topic), device)
        except pyapns_client.APNSException as refusal:
            if isinstance(refusal, pyapns_client.UnregisteredException):
                self.assertAlmostEqual(refusal.timestamp_datetime.timestamp(), time.time(), delta=60)
            return type(refusal).__name__, refusal.status_code
        return None

    def test_each_refusal_raises_its_exception(self) -> None:
        sender = self.sender()
        self.assertIsNone(self.refusal(sender))
        self.assertEqual(self.refusal(sender, device="none"), ("BadDeviceTokenException", 400))
        self.assertEqual(self.refusal(sender, device="dead0410" * 8), ("UnregisteredException", 410))
        self.assertEqual(self.refusal(sender, topic=None), ("MissingTopicException", 400))
        self.assertEqual(self.refusal(sender, topic="com.example.other"), ("DeviceTokenNotForTopicException", 400))
        self.assertIsNone(self.refusal(sender))

    def test_a_provider_token_expires(self) -> None:
        sender = self.sender()
        self.assertIsNone(self.refusal(sender))
        move_clock(self.gateway, advance="61m")
        self.assertEqual(self.refusal(sender), ("ExpiredProviderTokenException", 403))
        move_clock(self.gateway, set=datetime.now(timezone.utc).isoformat(timespec="milliseconds"))
        self.assertIsNone(self.refusal(sender))

    def test_an_ended_token_is_refused_once(self) -> None:
        """It signs another after the first refusal; both may have been signed in the same second."""
        sender = self.sender()
        self.assertIsNone(self.refusal(sender))
        status, said = call(self.gateway, "POST", "/credentials/expire", {"keyId": self.gateway.description["apns"]["keyId"]})
        self.assertEqual((status, said["expired"] >= 1), (200, True))
        self.assertIn(self.refusal(sender), (None, ("ExpiredProviderTokenException", 403)))
        self.assertIsNone(self.refusal(self.sender()))

    def test_the_client_retries_temporary_failures(self) -> None:
        """It retries after server errors, resets and GOAWAYs, at most three times."""
        for wire, expected in [("503Shutdown", None), ("goawayShutdown", None), ("refusedStream", None), ("resetConnection", None)]:
            with self.subTest(wire):
                set_fault(self.gateway, {"wire": wire}, times=2)
                self.assertEqual(self.refusal(self.sender()), expected)
        fault = set_fault(self.gateway, {"wire": "500InternalServerError"}, times=3)
        self.assertEqual(self.refusal(self.sender()), ("InternalServerErrorException", 500))
        call(self.gateway, "DELETE", f"/faults/{fault}")


class HyperH2(Clients):
    """The library h2 raises an error for every frame that violates RFC 9113."""

    def push(self, tls: ssl.SSLSocket, *extra: tuple[str, str]) -> tuple[dict[str, str], bytes]:
        connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        connection.initiate_connection()
        pseudo = [(":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", f"/3/device/{TOKEN}")]
        connection.send_headers(1, [*pseudo, *extra])
        connection.send_data(1, json.dumps(BODY).encode(), end_stream=True)
        tls.sendall(connection.data_to_send())
        fields: dict[str, str] = {}
        body = b""
        while received := tls.recv(65_536):
            for event in connection.receive_data(received):
                if isinstance(event, h2.events.ResponseReceived):
                    fields = dict(event.headers)
                elif isinstance(event, h2.events.DataReceived):
                    body += event.data
                elif isinstance(event, h2.events.StreamEnded):
                    return fields, body
            tls.sendall(connection.data_to_send())
        self.fail(f"closed after {fields}")

    def test_a_push_and_a_refusal(self) -> None:
        own_id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
        for role in ("any", "apns"):
            with self.subTest(role), self.gateway.tls("h2", role=role, certificate=True) as tls:
                fields, body = self.push(tls, ("apns-topic", TOPIC), ("apns-id", own_id))
                self.assertEqual((fields, body), ({":status": "200", "apns-id": own_id}, b""))
            with self.subTest(role), self.gateway.tls("h2", role=role, certificate=True) as tls:
                fields, body = self.push(tls, ("apns-id", own_id))
                self.assertEqual((fields, body), ({":status": "400", "apns-id": own_id}, b'{"reason":"MissingTopic"}'))
