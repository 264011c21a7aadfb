"""APNs over the wire: provider tokens signed by other programs, keys in files, certificates, and a broadcast."""
from __future__ import annotations

import base64
import json
import subprocess
import tempfile
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import ClassVar

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from gateway import TOPIC, Gateway, program
from h2_client import Answer, Client, Field, FrameType, encode, frames, provider_token, push
from test_credentials import KEY_PEM


class Pushes(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--listen", "127.0.0.1:0"))

    def setUp(self) -> None:
        self.client = self.enterContext(Client(self.gateway.at().connect()))
        self.client.start()
        self.stream = -1

    def send(self, *extra: Field, body: object = None, **named: object) -> Answer:
        self.stream += 2
        content = {"aps": {"alert": "Hello"}} if body is None else body
        self.client.send(push(self.stream, *extra, body=json.dumps(content).encode(), **named))
        return self.client.answer(self.stream)

    def reason(self, *extra: Field, **named: object) -> tuple[int, str]:
        answer = self.send(*extra, **named)
        return answer.status, json.loads(answer.body)["reason"] if answer.body else ""

    def test_our_own_key_is_verified(self) -> None:
        good = provider_token(self.gateway)
        self.assertEqual(self.reason(bearer=good), (200, ""))
        forged = good.rsplit(".", 1)[0] + "." + provider_token().rsplit(".", 1)[1]
        self.assertEqual(self.reason(bearer=forged), (403, "InvalidProviderToken"))
        self.assertEqual(self.reason(bearer=good), (200, ""))

    def test_a_signature_in_der_is_accepted(self) -> None:
        apns = self.gateway.description["apns"]
        message = provider_token(self.gateway).rsplit(".", 1)[0].encode()
        signed = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", apns["key"]], input=message, capture_output=True, check=True)
        der = base64.urlsafe_b64encode(signed.stdout).rstrip(b"=").decode()
        self.assertEqual(self.reason(bearer=f"{message.decode()}.{der}"), (200, ""))


class Choices(unittest.TestCase):
    """Behaviour without a recording can be chosen."""

    def test_an_unknown_choice_is_refused_by_name(self) -> None:
        for text, said in [("x", "must be NAME=VALUE"), ("not-json", "must be NAME=VALUE"), ("not-json=x", "not-json=accept or not-json=PayloadEmpty")]:
            done = program("serve", "--apns-choice", text)
            self.assertEqual(done.returncode, 64)
            self.assertIn(said, done.stderr)


class Broadcasts(unittest.TestCase):
    CHANNELS = "/1/apps/com.example.app/channels"

    def test_a_channel_is_created_broadcast_to_and_deleted(self) -> None:
        with Gateway() as gateway, Client(gateway.at().connect()) as client:
            client.start()
            bearer = ("authorization", f"bearer {provider_token(gateway)}")
            stream = -1

            def call(method: str, path: str, *extra: Field, body: bytes = b"", host: str = "localhost") -> Answer:
                nonlocal stream
                stream += 2
                pseudo = [(":method", method), (":scheme", "https"), (":path", path), (":authority", host)]
                client.send(frames.headers(stream, encode([*pseudo, bearer, *extra]), end_stream=not body))
                if body:
                    client.send(frames.data(stream, body))
                return client.answer(stream)

            made = call("POST", self.CHANNELS, body=b'{"message-storage-policy":1,"push-type":"LiveActivity"}')
            self.assertEqual((made.status, made.kinds), (201, [FrameType.HEADERS]))
            self.assertEqual(set(made.fields), {":status", "apns-request-id", "apns-channel-id"})
            self.assertRegex(made.fields["apns-channel-id"], r"\A[A-Za-z0-9+/]{22}==\Z")
            channel = ("apns-channel-id", made.fields["apns-channel-id"])
            listed = call("GET", "/1/apps/com.example.app/all-channels", host="api-manage-broadcast.push.apple.com")
            self.assertEqual(json.loads(listed.body), {"channels": [channel[1]]})
            push_type, date = ("apns-push-type", "liveactivity"), ("apns-expiration", "1900000000")
            update = b'{"aps":{"event":"update","timestamp":1,"content-state":{}}}'
            sent = call("POST", "/4/broadcasts/apps/com.example.app", channel, push_type, date, body=update)
            self.assertEqual((sent.status, sent.kinds, set(sent.fields)), (200, [FrameType.HEADERS], {":status", "apns-request-id"}))
            self.assertEqual(call("DELETE", self.CHANNELS, channel).status, 204)
            gone = call("POST", "/4/broadcasts/apps/com.example.app", channel, push_type, date, body=update)
            self.assertEqual((gone.status, gone.body), (400, b'{"reason":"ChannelNotRegistered"}'))
            gateway.wait_for_log(" 400 ChannelNotRegistered: ")


class Options(unittest.TestCase):
    def push(self, gateway: Gateway, *extra: Field, **named: object) -> tuple[int, str]:
        with Client(gateway.at().connect()) as client:
            client.start()
            client.send(push(1, *extra, **named))
            answer = client.answer(1)
            return answer.status, json.loads(answer.body)["reason"] if answer.body else ""

    def test_the_auth_option_selects_the_checks(self) -> None:
        with Gateway("--auth", "strict") as gateway:
            self.assertEqual(self.push(gateway), (403, "InvalidProviderToken"))
            self.assertEqual(self.push(gateway, bearer=provider_token(gateway)), (200, ""))
        with Gateway("--auth", "off") as gateway:
            self.assertEqual(self.push(gateway, bearer=False), (200, ""))

    def test_the_provider_key_option_adds_a_key(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a:b.p8"
            path.write_bytes(key.private_bytes(*KEY_PEM))
            with Gateway("--auth", "strict", "--apns-key", f"{path}:KEYKEY1234:TEAMTEAM12") as gateway:
                claims = {"iss": "TEAMTEAM12", "iat": int(time.time())}
                bearer = jwt.encode(claims, key, "ES256", headers={"kid": "KEYKEY1234"})
                self.assertEqual(self.push(gateway, bearer=bearer), (200, ""))
        done = program("--listen", "127.0.0.1:0", "--apns-key", "x.p8:SHORT:TEAMTEAM12")
        self.assertEqual((done.returncode, "FILE:KEYID:TEAMID" in done.stderr), (64, True))
        with tempfile.TemporaryDirectory() as directory:
            done = program(
                "--listen", "127.0.0.1:0", "--certs", directory, "--apns-key", "/nowhere.p8:KEYKEY1234:TEAMTEAM12")
        self.assertEqual((done.returncode, "/nowhere.p8" in done.stderr), (78, True))


class Certificates(unittest.TestCase):
    """With the test's own authority, because Pushpit deletes the key of its authority."""

    DEVELOPMENT = x509.ObjectIdentifier("1.2.840.113635.100.6.3.1")

    def make(self, directory: Path) -> Path:
        now = datetime.now(timezone.utc)
        root_key = ec.generate_private_key(ec.SECP256R1())
        root_name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "A root")])

        def certificate(name: x509.Name, key: ec.EllipticCurvePrivateKey, is_root: bool, *extra: x509.ExtensionType) -> bytes:
            usage = dict.fromkeys(
                ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                 "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"], False)
            usage["key_cert_sign" if is_root else "digital_signature"] = True
            builder = (
                x509.CertificateBuilder().subject_name(name).issuer_name(root_name).public_key(key.public_key())
                .serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
                .not_valid_after(now + timedelta(days=30))
                .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
                .add_extension(x509.KeyUsage(**usage), critical=True)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
                .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key()), critical=False))
            for extension in extra:
                builder = builder.add_extension(extension, critical=False)
            return builder.sign(root_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

        def named(text: str, *more: x509.NameAttribute) -> x509.Name:
            return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text), *more])

        keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
        user = x509.NameAttribute(x509.NameOID.USER_ID, TOPIC)
        marker = x509.UnrecognizedExtension(self.DEVELOPMENT, b"\x05\x00")
        client = certificate(named("Apple Development IOS Push Services", user), keys[1], False, marker)
        (directory / "ca.pem").write_bytes(certificate(root_name, root_key, True))
        names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
        (directory / "server.pem").write_bytes(certificate(named("localhost"), keys[0], False, names))
        (directory / "server-key.pem").write_bytes(keys[0].private_bytes(*KEY_PEM))
        (directory / "apns-client.pem").write_bytes(client + keys[1].private_bytes(*KEY_PEM))
        return directory

    def test_a_certificate_of_the_other_environment_ends_the_connection(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            certificates = self.make(Path(place))
            with Gateway(certificates=certificates) as gateway:
                with Client(gateway.tls("h2", certificate=True)) as client:
                    client.start()
                    client.send(push(1, bearer=False))
                    with self.assertRaises(EOFError):
                        client.answer(1)
                    said = [frame.payload for frame in client.frames if frame.kind == FrameType.GOAWAY]
                    self.assertEqual(said, [bytes(8) + b'{"reason":"BadCertificateEnvironment"}', bytes(8)])
            with Gateway("--apns-environment", "sandbox", certificates=certificates) as gateway:
                with Client(gateway.tls("h2", certificate=True)) as client:
                    client.start()
                    client.send(push(1, bearer=False))
                    self.assertEqual(client.answer(1).status, 200)
                    client.send(push(3, bearer=False, topic="com.example.other"))
                    self.assertEqual(json.loads(client.answer(3).body), {"reason": "TopicDisallowed"})
