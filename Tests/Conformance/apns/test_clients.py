"""Python's HTTP/2 clients: httpx, aioapns and h2, as they are on PyPI."""
from __future__ import annotations

import asyncio
import json
import ssl
import time
import unittest
from datetime import datetime, timezone
from typing import ClassVar
from unittest import mock
from warnings import catch_warnings, simplefilter

import aioapns
import h2.config
import h2.connection
import h2.events
import httpx
import pyapns_client
from aioapns.connection import APNsTLSClientProtocol, JWTAuthorizationHeaderProvider
from aioapns.logging import logger as aioapns_logger
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from control import call, move_clock, set_fault
from gateway import PATIENCE, TOKEN, TOPIC, Gateway

BODY = {"aps": {"alert": "Hello"}}
PUSHES = 500


class Clients(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--listen", "127.0.0.1:0", "--listen", "apns=127.0.0.1:0"))


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

    def test_many_at_once(self) -> None:
        async def push_all() -> list[int]:
            context = self.gateway.context(certificate=True)
            async with httpx.AsyncClient(http2=True, verify=context, timeout=PATIENCE) as client:
                url = self.gateway.at("apns").url(f"/3/device/{TOKEN}")
                headers = {"apns-topic": TOPIC}
                answers = await asyncio.gather(*(client.post(url, headers=headers, json=BODY) for _ in range(100)))
                return [answer.status_code for answer in answers]
        self.assertEqual(asyncio.run(push_all()), [200] * 100)


class AioAPNs(Clients):
    """Offers no ALPN, names no `:authority`, and hangs for ever where an `apns-id` does not come back."""

    def sender(self, connections: int = 10, **changes: str) -> aioapns.APNs:
        apns = self.gateway.description["apns"]
        key = {"key": apns["key"], "key_id": apns["keyId"], "team_id": apns["teamId"], "topic": TOPIC} | changes
        with open(key["key"], encoding="ascii") as file:
            key["key"] = file.read()
        return self.directed(aioapns.APNs(
            **key, max_connections=connections, ssl_context=ssl.create_default_context(cafile=self.gateway.authority)))

    def directed(self, sender: aioapns.APNs) -> aioapns.APNs:
        """Its host and port are constants of a class, which also tells when a connection is lost."""
        lost = self.lost = asyncio.Queue()

        class Local(APNsTLSClientProtocol):
            APNS_SERVER = "localhost"
            APNS_PORT = self.gateway.at("apns").port

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                lost.put_nowait(self)

        sender.pool.protocol_class = Local
        return sender

    def requests(self, count: int, **changes: str) -> list[aioapns.NotificationRequest]:
        return [aioapns.NotificationRequest(**{"device_token": TOKEN, "message": BODY} | changes) for _ in range(count)]

    async def send(self, sender: aioapns.APNs, requests: list[aioapns.NotificationRequest]) -> list[tuple[str, str | None]]:
        sends = asyncio.gather(*(sender.send_notification(request) for request in requests))
        results = await asyncio.wait_for(sends, 3 * PATIENCE)
        await self.close(sender)
        self.assertEqual([r.notification_id for r in results], [r.notification_id for r in requests])
        return [(result.status, result.description) for result in results]

    async def close(self, sender: aioapns.APNs) -> None:
        """Until each connection has been lost."""
        for connection in sender.pool.connections:
            assert connection.transport is not None
            connection.transport.abort()
        while sender.pool.connections:
            await asyncio.wait_for(self.lost.get(), PATIENCE)

    def setUp(self) -> None:
        level = aioapns_logger.level
        aioapns_logger.setLevel("CRITICAL")
        self.addCleanup(aioapns_logger.setLevel, level)

    def test_five_hundred_at_once_on_connections_of_its_choice(self) -> None:
        for connections in (1, 10):
            with self.subTest(connections=connections):
                async def run() -> list[tuple[str, str | None]]:
                    return await self.send(self.sender(connections), self.requests(PUSHES))
                begun = time.monotonic()
                self.assertEqual(asyncio.run(run()), [("200", None)] * PUSHES)
                print(f"\naioapns: {PUSHES} pushes, {connections} connections at most: {time.monotonic() - begun:.2f} s")

    def test_five_hundred_with_a_client_certificate(self) -> None:
        async def run() -> list[tuple[str, str | None]]:
            context = ssl.create_default_context(cafile=self.gateway.authority)
            sender = aioapns.APNs(client_cert=self.gateway.client_certificate, topic=TOPIC, ssl_context=context)
            return await self.send(self.directed(sender), self.requests(PUSHES))
        self.assertEqual(asyncio.run(run()), [("200", None)] * PUSHES)

    def test_each_refusal_reaches_its_push(self) -> None:
        """In turn; after a limit that drops, aioapns holds its connection for busy and opens another."""
        rows: list[tuple[dict[str, object], tuple[str, str | None]]] = [
            ({}, ("200", None)),
            ({"device_token": "no-token"}, ("400", "BadDeviceToken")),
            ({}, ("200", None)),
            ({"message": {"aps": {"alert": "x" * 5000}}}, ("413", "PayloadTooLarge")),
            ({"device_token": "dead0410" + "0" * 56}, ("410", "Unregistered")),
            ({"message": {"aps": {"alert": 1}}}, ("400", "InvalidPayload")),
            ({"device_token": "dead0503" + "0" * 56}, ("503", "ServiceUnavailable")),
            ({}, ("200", None)),
        ]

        async def run() -> list[tuple[str, str | None]]:
            sender = self.sender()
            requests = [aioapns.NotificationRequest(**{"device_token": TOKEN, "message": BODY} | row) for row, _ in rows]
            results = [await asyncio.wait_for(sender.send_notification(request), PATIENCE) for request in requests]
            await self.close(sender)
            return [(result.status, result.description) for result in results]
        self.assertEqual(asyncio.run(run()), [expected for _, expected in rows])

    def test_a_goaway_in_mid_flight_is_survived(self) -> None:
        """What was not answered is sent again on another connection, and all arrive."""
        async def run() -> list[tuple[str, str | None]]:
            # The limit is known and high: what waits for a stream, aioapns opens even behind the GOAWAY.
            sender = self.sender(1)
            sender.pool.protocol_class.APNS_PORT = self.gateway.at().port
            await asyncio.wait_for(sender.send_notification(self.requests(1)[0]), PATIENCE)
            fault = set_fault(self.gateway, {"wire": "goawayShutdown"}, nth=50)
            self.addCleanup(call, self.gateway, "DELETE", f"/faults/{fault}")
            return await self.send(sender, self.requests(200))
        self.assertEqual(asyncio.run(run()), [("200", None)] * 200)
        self.assertEqual(call(self.gateway, "GET", "/faults")[1]["faults"][0]["fired"], 1)

    def refused(self, **changes: str) -> None:
        async def run() -> list[tuple[str, str | None]]:
            return await self.send(self.sender(1, **changes), self.requests(3))
        self.assertEqual(asyncio.run(run()), [("403", "InvalidProviderToken")] * 3)

    def test_a_provider_token_that_is_none_says_so(self) -> None:
        with mock.patch.object(JWTAuthorizationHeaderProvider, "get_header", lambda _: "bearer nonsense"):
            self.refused()

    def test_a_provider_token_of_the_wrong_shape_says_so(self) -> None:
        """No key id has fewer than ten characters."""
        self.refused(key_id="SHORT")

    def test_a_provider_token_by_another_key_says_so(self) -> None:
        other = self.gateway.directory / "other.p8"
        other.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        self.refused(key=str(other))


class PyAPNsClient(Clients):
    """Its `iat` is a number with a fraction, and every refusal an exception of its own name."""

    def setUp(self) -> None:
        self.enterContext(catch_warnings())
        simplefilter("ignore", DeprecationWarning)

    def sender(self) -> pyapns_client.APNSClient:
        apns = self.gateway.description["apns"]
        auth = pyapns_client.TokenBasedAuth(apns["key"], apns["keyId"], apns["teamId"])
        sender = pyapns_client.APNSClient("prod", auth, root_cert_path=self.gateway.authority)
        sender._base_url = self.gateway.at("apns").url("")  # Its hosts are a table of the class.
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

    def test_each_refusal_is_its_exception(self) -> None:
        sender = self.sender()
        self.assertIsNone(self.refusal(sender))
        self.assertEqual(self.refusal(sender, device="none"), ("BadDeviceTokenException", 400))
        self.assertEqual(self.refusal(sender, device="dead0410" * 8), ("UnregisteredException", 410))
        self.assertEqual(self.refusal(sender, topic=None), ("MissingTopicException", 400))
        self.assertEqual(self.refusal(sender, topic="com.example.other"), ("DeviceTokenNotForTopicException", 400))
        self.assertIsNone(self.refusal(sender))

    def test_a_token_that_grows_old(self) -> None:
        sender = self.sender()
        self.assertIsNone(self.refusal(sender))
        move_clock(self.gateway, advance="61m")
        self.assertEqual(self.refusal(sender), ("ExpiredProviderTokenException", 403))
        move_clock(self.gateway, set=datetime.now(timezone.utc).isoformat(timespec="milliseconds"))
        self.assertIsNone(self.refusal(sender))

    def test_what_passes_is_tried_again(self) -> None:
        """Server errors, resets and GOAWAYs are, three times at most."""
        for wire, expected in [("503Shutdown", None), ("goawayShutdown", None), ("refusedStream", None), ("resetConnection", None)]:
            with self.subTest(wire):
                set_fault(self.gateway, {"wire": wire}, times=2)
                self.assertEqual(self.refusal(self.sender()), expected)
        fault = set_fault(self.gateway, {"wire": "500InternalServerError"}, times=3)
        self.assertEqual(self.refusal(self.sender()), ("InternalServerErrorException", 500))
        call(self.gateway, "DELETE", f"/faults/{fault}")


class HyperH2(Clients):
    """The state machine itself: it raises at every frame that breaks RFC 9113."""

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
