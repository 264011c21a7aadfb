"""aioapns as it is on PyPI."""
from __future__ import annotations

import asyncio
import ssl
from unittest import mock

import aioapns
from aioapns.connection import APNsTLSClientProtocol, JWTAuthorizationHeaderProvider
from aioapns.logging import logger as aioapns_logger
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from apns_clients import BODY, Clients
from control import call, set_fault
from gateway import PATIENCE, TOKEN, TOPIC

PUSHES = 500


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
                self.assertEqual(asyncio.run(run()), [("200", None)] * PUSHES)

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
