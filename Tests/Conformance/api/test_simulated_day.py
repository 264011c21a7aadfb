"""Twenty-four hours in a few seconds: ages follow the gateway's clock, and sockets do not."""
from __future__ import annotations

import socket
import ssl
import time
import unittest
from datetime import datetime
from pathlib import Path

import jwt
from google.auth.transport.requests import AuthorizedSession
from google.oauth2 import service_account

from control import call, move_clock
from device_client import IPHONE, Phone, with_phones
from fcm_clients import SCOPES, FCMClients
from gateway import PATIENCE, Gateway
from h2_client import BODY, Client, FrameType, frames, push
from http1_client import Connection
from test_fcm import OWN_PROJECT

HOURS = 24


def clock(gateway: Gateway) -> int:
    """The gateway's time in seconds."""
    return int(datetime.fromisoformat(call(gateway, "GET", "/clock")[1]["now"]).timestamp())


class Credentials(FCMClients):
    def test_provider_tokens_on_one_connection(self) -> None:
        apns = self.gateway.description["apns"]
        client = self.enterContext(Client(self.gateway.tls("h2")))
        client.start()
        stream = -1

        def ask(bearer: str) -> tuple[int, bytes]:
            nonlocal stream
            stream += 2
            client.send(push(stream, bearer=bearer))
            return client.answer(stream).status, client.answer(stream).body
        end = clock(self.gateway) + HOURS * 3600
        while clock(self.gateway) < end:
            bearer = jwt.encode({"iss": apns["teamId"], "iat": clock(self.gateway)}, Path(apns["key"]).read_bytes(), "ES256", headers={"kid": apns["keyId"]})
            self.assertEqual(ask(bearer), (200, b""))
            move_clock(self.gateway, advance="59m")
            self.assertEqual(ask(bearer), (200, b""))
            move_clock(self.gateway, advance="2m")
            self.assertEqual(ask(bearer), (403, b'{"reason":"ExpiredProviderToken"}'))
        self.assertFalse(any(frame.kind == FrameType.GOAWAY for frame in client.frames))

    def test_bearers_that_google_auth_fetches(self) -> None:
        credentials = service_account.Credentials.from_service_account_file(self.account, scopes=SCOPES)
        url = self.gateway.at().url(f"/v1/projects/{OWN_PROJECT}/messages:send")
        tokens = []
        with AuthorizedSession(credentials) as session, AuthorizedSession(credentials, max_refresh_attempts=0) as strict:
            for _ in range(HOURS):
                self.assertEqual(session.post(url, json={"message": {"topic": "t"}}).status_code, 200)
                tokens.append(credentials.token)
                move_clock(self.gateway, advance="59m")
                self.assertEqual(strict.post(url, json={"message": {"topic": "t"}}).status_code, 200)
                move_clock(self.gateway, advance="2m")
                late = strict.post(url, json={"message": {"topic": "t"}})
                self.assertEqual((late.status_code, late.json()["error"]["details"][0]["reason"]), (401, "ACCESS_TOKEN_EXPIRED"))
        self.assertEqual(len(set(tokens)), HOURS)


class Sockets(unittest.TestCase):
    def test_a_clock_that_moves_a_day_ends_no_connection(self) -> None:
        """Keep-alive, stall and head timeouts, heartbeats and unfinished handshakes all follow real time."""
        with Gateway("--auth", "off", "--keep-for", "1h") as gateway:
            idle, slow = (self.enterContext(Connection(gateway.at().connect())) for _ in range(2))
            client = self.enterContext(Client(gateway.tls("h2")))
            handshake = self.enterContext(gateway.at().connect())
            tls, received, sent = self.half_a_handshake(gateway, handshake)
            self.assertEqual(idle.ask("GET /livez HTTP/1.1\nHost: localhost").status, 200)
            slow.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n")
            client.start()
            client.send(push(3, bearer=False))
            self.assertEqual(client.answer(3).status, 200)
            body_frame = frames.data(5, BODY)
            client.send(push(5, bearer=False)[:-len(body_frame)])
            client.ping()

            async def body(phone: Phone) -> None:
                await phone.ask(type="hello", device=IPHONE)
                for _ in range(HOURS):
                    move_clock(gateway, advance="1h")
                # Old messages are deleted when the gateway next checks its connections.
                deadline = time.monotonic() + PATIENCE
                while call(gateway, "GET", "/stats")[1]["messages"]:
                    self.assertLess(time.monotonic(), deadline, "the messages are still there")
                client.ping()
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            with_phones(gateway, body)
            self.assertEqual(idle.ask("GET /livez HTTP/1.1\nHost: localhost").status, 200)
            slow.send("\r\n")
            self.assertEqual(slow.read().status, 200)
            client.send(body_frame)
            self.assertEqual(client.answer(5).status, 200)
            handshake.sendall(sent.read())
            received.write(handshake.recv(65_536))
            tls.do_handshake()
            self.assertEqual(tls.version(), "TLSv1.3")

    def half_a_handshake(self, gateway: Gateway, plain: socket.socket) -> tuple[ssl.SSLObject, ssl.MemoryBIO, ssl.MemoryBIO]:
        """The gateway has the first bytes of a ClientHello; the others are not sent yet."""
        received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = gateway.context().wrap_bio(received, sent, server_hostname="localhost")
        self.assertRaises(ssl.SSLWantReadError, tls.do_handshake)
        plain.sendall(sent.read(20))
        return tls, received, sent
