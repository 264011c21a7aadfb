"""APNs over the wire: provider tokens, certificates, environments, payloads, and what each answer carries."""
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

from device_client import IPHONE, Phone, with_phones
from gateway import TOPIC, Gateway, program
from h2_client import BEARER, Answer, Client, Field, FrameType, encode, fields, frames, provider_token, push
from test_credentials import KEY_PEM

UUID = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
SANDBOX = [
    "api.sandbox.push.apple.com", "api.development.push.apple.com:443", "api-broadcast.sandbox.push.apple.com"]
IMAGE = {"fcm_options": {"image": "https://a.example/b.png"}}


def token(number: int) -> str:
    return f"{number:064x}"


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

    def test_a_signature_in_der_is_taken(self) -> None:
        apns = self.gateway.description["apns"]
        message = provider_token(self.gateway).rsplit(".", 1)[0].encode()
        signed = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", apns["key"]], input=message, capture_output=True, check=True)
        der = base64.urlsafe_b64encode(signed.stdout).rstrip(b"=").decode()
        self.assertEqual(self.reason(bearer=f"{message.decode()}.{der}"), (200, ""))

    def test_an_old_token_is_expired_and_a_new_one_comes_too_soon(self) -> None:
        self.assertEqual(self.reason(bearer=provider_token(self.gateway, 3700)), (403, "ExpiredProviderToken"))
        first, second = provider_token(self.gateway, 100), provider_token(self.gateway, 50)
        self.assertEqual(self.reason(bearer=first), (200, ""))
        self.assertEqual(self.reason(bearer=second), (429, "TooManyProviderTokenUpdates"))
        self.assertEqual(self.reason(bearer=first), (200, ""))

    def test_hosts_of_the_sandbox_have_devices_of_their_own(self) -> None:
        for number, host in enumerate(SANDBOX):
            with self.subTest(host):
                block = encode(fields(named=[(":authority", host)], token=token(number)))
                self.stream += 2
                self.client.send(frames.headers(self.stream, block, end_stream=False), frames.data(self.stream, b"{}"))
                answer = self.client.answer(self.stream)
                self.assertEqual((answer.status, set(answer.fields)), (200, {":status", "apns-id", "apns-unique-id"}))
                self.assertRegex(answer.fields["apns-unique-id"], r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
                self.assertEqual(self.reason(token=token(number)), (400, "BadDeviceToken"))

    def test_a_device_belongs_to_the_app_of_its_first_push(self) -> None:
        self.assertEqual(self.reason(token=token(100)), (200, ""))
        self.assertEqual(self.reason(token=token(100), topic=f"{TOPIC}.voip"), (200, ""))
        self.assertEqual(self.reason(token=token(100), topic="com.example.other"), (400, "DeviceTokenNotForTopic"))

    def test_every_refusal_carries_the_id_that_was_sent(self) -> None:
        for extra in (("apns-priority", "7"), ("apns-push-type", "x"), ("apns-expiration", "x")):
            answer = self.send(("apns-id", UUID), extra)
            self.assertEqual((answer.status, answer.fields["apns-id"]), (400, UUID))

    def test_strict_says_what_the_phone_could_not_use(self) -> None:
        answer = self.send(body={"aps": {"alert": "x"}} | IMAGE)
        self.assertEqual(answer.status, 400)
        self.assertEqual(answer.kinds, [FrameType.HEADERS, FrameType.DATA])
        self.assertLess(len(answer.body), 1024)
        said = json.loads(answer.body)
        self.assertEqual((said["reason"], said["rule"]), ("InvalidPayload", "media.needs-mutable-content"))
        self.assertIn("Apple answers 200", said["message"])
        self.assertEqual(self.reason(body={"aps": {"alert": "x", "mutable-content": 1}} | IMAGE), (200, ""))

    def test_a_long_url_is_not_all_repeated(self) -> None:
        long = {"aps": {"alert": "x", "mutable-content": 1}, "media-attachment-url": "é" * 1500}
        self.assertLess(len(self.send(body=long).body), 1024)


# A choice, what is sent (fields of a push, or a body as bytes), its answer, and the other one.
CHOICES: list[tuple[str, dict[str, object], tuple[int, str], tuple[int, str]]] = [
    ("unknown-channel=BadPath", {"channel": "AAAAAAAAAAAAAAAAAAAAAA=="}, (400, "ChannelNotRegistered"), (404, "BadPath")),
    ("not-json=PayloadEmpty", {"body": b"no JSON"}, (200, ""), (400, "PayloadEmpty")),
    ("future-token=InvalidProviderToken", {"bearer": provider_token(age=-600)}, (200, ""), (403, "InvalidProviderToken")),
    ("other-team=Forbidden", {"first": push(1), "bearer": jwt.encode(
        {"iss": "OTHERTEAM1", "iat": int(time.time())}, ec.generate_private_key(ec.SECP256R1()), "ES256", headers={"kid": "OTHERKEY12"})},
     (403, "InvalidProviderToken"), (403, "Forbidden")),
    ("plain-topic=DeviceTokenNotForTopic", {"extra": [("apns-push-type", "liveactivity")]}, (400, "InvalidPushType"), (400, "DeviceTokenNotForTopic")),
    ("capital-id=BadMessageId", {"extra": [("apns-id", UUID.upper())]}, (200, ""), (400, "BadMessageId")),
    ("past-expiration=BadExpirationDate", {"extra": [("apns-expiration", "1000000000")]}, (200, ""), (400, "BadExpirationDate")),
]


class Choices(unittest.TestCase):
    """What nobody has recorded has two answers."""

    def answers(self, *arguments: str) -> list[tuple[int, str, str | None]]:
        found = []
        with Gateway("--validation", "service", *arguments) as gateway:
            for _, sent, _, _ in CHOICES:
                with Client(gateway.at().connect()) as client:
                    client.start()
                    if isinstance(first := sent.get("first"), bytes):
                        client.send(first)
                        self.assertEqual(client.answer(1).status, 200)
                    if "channel" in sent:
                        fields = [(":method", "GET"), (":scheme", "https"), (":path", f"/1/apps/{TOPIC}/channels"),
                                  (":authority", "localhost"), BEARER, ("apns-channel-id", str(sent["channel"]))]
                        client.send(frames.headers(3, encode(fields)))
                    else:
                        named = {key: value for key, value in sent.items() if key in ("body", "bearer")}
                        client.send(push(3, *sent.get("extra", []), **named))  # type: ignore[misc, arg-type]
                    answer = client.answer(3)
                reason = json.loads(answer.body)["reason"] if answer.body else ""
                found.append((answer.status, reason, answer.fields.get("content-type")))
        return found

    def test_each_choice_changes_its_answer_and_no_other(self) -> None:
        first = [(*expected, None) for _, _, expected, _ in CHOICES]
        self.assertEqual(self.answers(), first)
        for place, (choice, _, _, other) in enumerate(CHOICES):
            with self.subTest(choice):
                self.assertEqual(self.answers("--apns-choice", choice), [*first[:place], (*other, None), *first[place + 1:]])

    def test_errors_may_have_their_documented_type(self) -> None:
        expected = [(*answer, None if answer[0] == 200 else "application/json") for _, _, answer, _ in CHOICES]
        self.assertEqual(self.answers("--apns-choice", "error-type=application/json"), expected)

    def test_what_is_no_choice_is_named(self) -> None:
        for text, said in [("x", "must be NAME=VALUE"), ("not-json", "must be NAME=VALUE"), ("not-json=x", "not-json=accept or not-json=PayloadEmpty")]:
            done = program("serve", "--apns-choice", text)
            self.assertEqual(done.returncode, 64)
            self.assertIn(said, done.stderr)


class Gone(unittest.TestCase):
    def uninstalled(self, *arguments: str) -> list[tuple[int, dict[str, object]]]:
        """What three pushes get to a device whose app was taken off it; the first comes before that."""
        with Gateway(*arguments) as gateway, Client(gateway.at().connect()) as client:
            client.start()
            found: list[tuple[int, dict[str, object]]] = []

            def send(device: str) -> None:
                stream = 1 + 2 * len(found)
                client.send(push(stream, token=device))
                answer = client.answer(stream)
                found.append((answer.status, json.loads(answer.body or b"{}")))

            async def phone(phone: Phone) -> None:
                welcome = await phone.ask(type="hello", device=IPHONE, wants=["push"])
                device = welcome["device"]["tokens"]["apns"]["token"]
                send(device)
                self.assertEqual((await phone.receive())["type"], "push")
                self.assertEqual(await phone.ask(type="uninstall", ref=7), {"type": "ok", "ref": 7})
                send(device)
                send(device)
            with_phones(gateway, phone)
            return found

    def test_an_app_that_is_gone_is_410_with_the_time(self) -> None:
        before = time.time_ns() // 1_000_000
        good, *gone = self.uninstalled()
        self.assertEqual(good, (200, {}))
        for status, said in gone:
            self.assertEqual((status, said["reason"]), (410, "Unregistered"))
            self.assertIsInstance(said["timestamp"], int)
            self.assertTrue(before <= said["timestamp"] <= time.time_ns() // 1_000_000)

    def test_the_service_may_notice_late(self) -> None:
        self.assertEqual([status for status, _ in self.uninstalled("--unregister-pushes", "1")], [200, 200, 410])
        self.assertEqual([status for status, _ in self.uninstalled("--unregister-delay", "1h")], [200, 200, 200])

    def test_magic_tokens_ask_for_refusals(self) -> None:
        with Gateway() as gateway, Client(gateway.at().connect()) as client:
            client.start()
            rows = [("dead0410", 410, "Unregistered"), ("dead0500", 500, "InternalServerError"), ("dead0503" + "0" * 56, 503, "ServiceUnavailable")]
            for stream, (device, status, reason) in zip(range(1, 99, 2), rows):
                client.send(push(stream, token=device))
                answer = client.answer(stream)
                self.assertEqual((answer.status, json.loads(answer.body)["reason"]), (status, reason))


class Broadcasts(unittest.TestCase):
    CHANNELS = "/1/apps/com.example.app/channels"

    def test_a_channel_lives_and_dies_and_is_broadcast_to(self) -> None:
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
            self.assertRegex(gateway.log, r"refused rule=apns\.ChannelNotRegistered status=400 method=POST path=/4/broadcasts")


class Switches(unittest.TestCase):
    def push(self, gateway: Gateway, *extra: Field, **named: object) -> tuple[int, str]:
        with Client(gateway.at().connect()) as client:
            client.start()
            client.send(push(1, *extra, **named))
            answer = client.answer(1)
            return answer.status, json.loads(answer.body)["reason"] if answer.body else ""

    def test_service_takes_what_apple_takes(self) -> None:
        with Gateway("--validation", "service") as gateway:
            self.assertEqual(self.push(gateway, body=b"no JSON"), (200, ""))

    def test_auth(self) -> None:
        with Gateway("--auth", "strict") as gateway:
            self.assertEqual(self.push(gateway), (403, "InvalidProviderToken"))
            self.assertEqual(self.push(gateway, bearer=provider_token(gateway)), (200, ""))
        with Gateway("--auth", "off") as gateway:
            self.assertEqual(self.push(gateway, bearer=False), (200, ""))

    def test_environment(self) -> None:
        with Gateway("--apns-environment", "sandbox") as gateway, Client(gateway.at().connect()) as client:
            client.start()
            client.send(push(1))
            self.assertIn("apns-unique-id", client.answer(1).fields)

    def test_a_listener_of_the_sandbox(self) -> None:
        listeners = ["--listen", "127.0.0.1:0", "--listen", "apns-sandbox=127.0.0.1:0"]
        with Gateway(*listeners) as gateway, Client(gateway.tls("h2", role="apns-sandbox")) as client:
            self.assertEqual(client.start().settings[3], 1)
            client.send(push(1))
            self.assertIn("apns-unique-id", client.answer(1).fields)
            self.assertEqual(self.push(gateway), (400, "BadDeviceToken"))

    def test_another_key(self) -> None:
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
    """Under an authority of the test's own, because Pushpit's has thrown its key away."""

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
