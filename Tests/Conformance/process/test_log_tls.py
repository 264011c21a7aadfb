"""What the log says of clients that do not get as far as a request."""
from __future__ import annotations

import ssl
import unittest

from gateway import Gateway

TLS_FAILED = "tls failed"


class Clients(unittest.TestCase):
    def test_the_line_about_a_client_that_does_not_trust_the_gateway_names_ca_pem(self) -> None:
        with Gateway() as gateway:
            with gateway.at().connect() as plain, self.assertRaises(ssl.SSLCertVerificationError):
                ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
            gateway.wait_for_log("unknown ca")
            self.assertRegex(gateway.log, r"info tls failed error=.* because=.*give it ca\.pem from the directory of --certs")

    def test_a_client_that_leaves_before_its_first_request_has_one_line(self) -> None:
        """Node checks the certificate after the handshake, and closes without an alert."""
        with Gateway() as gateway:
            context = ssl._create_unverified_context()
            for name in ["localhost", "localhost", "api.push.apple.com"]:
                with gateway.at().connect() as plain:
                    context.wrap_socket(plain, server_hostname=name).close()
            gateway.wait_for_log("name=api.push.apple.com")
            lines = [line for line in gateway.log.splitlines() if "tls ended" in line]
            self.assertEqual(len(lines), 2, lines)
            self.assertRegex(lines[0], r"info tls ended name=localhost because=.*before its first request.*give it ca\.pem")

    def test_http1_for_apple_has_one_line(self) -> None:
        """httpx without http2=True offers no protocol, and sends HTTP/1.1."""
        with Gateway() as gateway:
            for path in ("/4/broadcasts/apps/a.b", "/3/device/ab"):
                with gateway.at().connect() as plain:
                    stream = ssl._create_unverified_context().wrap_socket(plain, server_hostname="api.push.apple.com")
                    stream.sendall(f"POST {path} HTTP/1.1\r\nhost: api.push.apple.com\r\n\r\n".encode())
                    while stream.recv(4096):
                        pass
            gateway.wait_for_log("http2=True")
            lines = [line for line in gateway.log.splitlines() if "http/1.1" in line]
            self.assertEqual(len(lines), 1, lines)
            self.assertRegex(lines[0], r"info http/1\.1 name=api\.push\.apple\.com because=.*APNs speaks only HTTP/2")

    def test_a_client_that_tries_again_has_one_line(self) -> None:
        with Gateway("--log-level", "debug") as gateway:
            for name in ["localhost"] * 5 + ["api.push.apple.com"]:
                with gateway.at().connect() as plain, self.assertRaises(ssl.SSLCertVerificationError):
                    ssl.create_default_context().wrap_socket(plain, server_hostname=name)
            gateway.wait_for_log("name=api.push.apple.com")
            lines = [line for line in gateway.log.splitlines() if TLS_FAILED in line]
            self.assertEqual([" info " in line for line in lines], [True, False, False, False, False, True], lines)


if __name__ == "__main__":
    unittest.main()
