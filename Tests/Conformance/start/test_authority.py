"""`/ca.pem`: the certificate that clients have to trust, from the gateway itself."""
from __future__ import annotations

import ssl
import unittest

from gateway import Gateway
from http1_client import Connection


class Authority(unittest.TestCase):
    def test_it_is_served_without_tls_and_without_the_api_token(self) -> None:
        listeners = ["--listen", "127.0.0.1:0", "--listen", "apns=127.0.0.1:0", "--listen", "fcm=127.0.0.1:0"]
        with Gateway(*listeners, "--api-token", "open-sesame") as gateway:
            file = (gateway.certificates / "ca.pem").read_bytes()
            for role in ("any", "fcm"):
                with Connection(gateway.at(role).connect()) as connection:
                    answer = connection.ask("GET /ca.pem HTTP/1.1\nhost: localhost")
                self.assertEqual((answer.status, answer.body), (200, file))
                self.assertEqual(answer["content-type"], "application/x-pem-file")
            ssl.create_default_context(cadata=answer.body.decode())

    def test_a_client_that_trusts_it_trusts_the_gateway(self) -> None:
        with Gateway() as gateway:
            with Connection(gateway.at().connect()) as connection:
                answer = connection.ask("GET /ca.pem HTTP/1.1\nhost: localhost")
            context = ssl.create_default_context(cadata=answer.body.decode())
            with context.wrap_socket(gateway.at().connect(), server_hostname="localhost") as tls:
                self.assertTrue(tls.version())

    def test_web_pages_and_foreign_names_are_refused(self) -> None:
        with Gateway() as gateway, Connection(gateway.at().connect()) as connection:
            for head in ("host: evil.example", "host: localhost\norigin: http://evil.example"):
                with self.subTest(head):
                    self.assertEqual(connection.ask(f"GET /ca.pem HTTP/1.1\n{head}").status, 403)
