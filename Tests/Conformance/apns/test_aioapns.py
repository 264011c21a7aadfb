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
    """aioapns offers no ALPN, sends no `:authority`, and waits forever if an answer has no `apns-id`."""

    def sender(self, connections: int = 10, **changes: str) -> aioapns.APNs:
        apns = self.gateway.description["apns"]
        key = {"key": apns["key"], "key_id": apns["keyId"], "team_id": apns["teamId"], "topic": TOPIC} | changes
        with open(key["key"], encoding="ascii") as file:
            key["key"] = file.read()
        return self.with_local_address(aioapns.APNs(
            **key, max_connections=connections, ssl_context=ssl.create_default_context(cafile=self.gateway.authority)))

    def with_local_address(self, sender: aioapns.APNs) -> aioapns.APNs:
        """Sets host and port, which are constants of a class. That class also reports lost connections."""
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
        """Closes each connection and waits until it is lost."""
        for connection in sender.pool.connections:
            assert connection.transport is not None
            connection.transport.abort()
        while sender.pool.connections:
            await asyncio.wait_for(self.lost.get(), PATIENCE)

    def setUp(self) -> None:
        level = aioapns_logger.level
        aioapns_logger.setLevel("CRITICAL")
        self.addCleanup(aioapns_logger.setLevel, level)

    def test_five_hundred_pushes_at_once(self) -> None:
        for connections in (1, 10):
            with self.subTest(connections=connections):
                async def run() -> list[tuple[str, str | None]]:
                    return await self.send(self.sender(connections), self.requests(PUSHES))
                self.assertEqual(asyncio.run(run()), [("200", None)] * PUSHES)

    def test_five_hundred_pushes_with_a_client_certificate(self) -> None:
        async def run() -> list[tuple[str, str | None]]:
            context = ssl.create_default_context(cafile=self.gateway.authority)
            sender = aioapns.APNs(client_cert=self.gateway.client_certificate, topic=TOPIC, ssl_context=context)
            return await self.send(self.with_local_address(sender), self.requests(PUSHES))
        self.assertEqual(asyncio.run(run()), [("200", None)] * PUSHES)

    def test_each_refusal_reaches_its_push(self) -> None:
        """The pushes are sent one by one. After a lower stream limit aioapns treats its connection as busy and opens another."""
        rows: list[tuple[dict[str, object], tuple[str, str | None]]] = [
            ({}, ("200", None)),
            ({"device_token": "no-token"}, ("400", "BadDeviceToken")),
            ({}, ("200", None)),
            ({"message": {"aps": {"alert": "x" * 5000}}}, ("413", "PayloadTooLarge")),
            ({"device_token": "dead0410" + "0" * 56}, ("410", "Unregistered")),
            ({"message": {"aps": {"alert": 1}}}, ("400", "InvalidPayload")),
            # What django-push-notifications 3.3 sends through aioapns for a plain message.
            ({"message": {"aps": {"alert": "hello", "badge": None, "sound": None, "thread-id": None}}}, ("200", None)),
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

    def test_pushes_under_way_at_a_goaway_are_sent_again(self) -> None:
        """Pushes without an answer are sent again on another connection, and all arrive."""
        async def run() -> list[tuple[str, str | None]]:
            # With role any the stream limit is high: aioapns opens streams for waiting pushes even after a GOAWAY.
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

    def test_an_invalid_provider_token_is_refused(self) -> None:
        with mock.patch.object(JWTAuthorizationHeaderProvider, "get_header", lambda _: "bearer nonsense"):
            self.refused()

    def test_a_provider_token_with_a_short_key_id_is_refused(self) -> None:
        """A key id has ten characters."""
        self.refused(key_id="SHORT")

    def test_a_provider_token_of_another_key_is_refused(self) -> None:
        other = self.gateway.directory / "other.p8"
        other.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        self.refused(key=str(other))
