"""Bodies that are large, deep or compressed, pushes that are refused, and credentials that cost time to check."""
from __future__ import annotations

import base64
import gzip
import itertools
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from h2_client import BEARER, frames
from pour import flood
from row import APP, Row, Target
from streams import Streams, block, push_block

TOKEN = "0" * 64
SEND = "/v1/projects/attack/messages:send"
GOOGLE = (("authorization", "Bearer x"), ("content-type", "application/json"))


def requests(
    make: Callable[[Target], Iterator[tuple[bytes, bytes]]], status: int | None = None, together: int = 50
) -> Callable[[Target], None]:
    """Sends header blocks with their bodies, without a pause."""

    def attack(target: Target) -> None:
        source = make(target)
        with Streams(target) as connection:
            while True:
                for header, body in itertools.islice(source, together):
                    connection.post(header, body)
                connection.wait()
                if status:
                    connection.require(status)

    return attack


def same(header: bytes, *bodies: bytes) -> Callable[[Target], Iterator[tuple[bytes, bytes]]]:
    return lambda _: itertools.cycle([(header, body) for body in bodies])


def google(**extra: str) -> bytes:
    return block("POST", SEND, *GOOGLE, *((name.replace("_", "-"), value) for name, value in extra.items()))


def deep(count: int) -> bytes:
    return b'{"message":{"token":"x","data":' + b"[" * count + b"]" * count + b"}}"


def members(count: int) -> bytes:
    """An object with many unknown members, each of which Google's error names."""
    return json.dumps({"message": {"token": "x"}, **{f"m{n}": n for n in range(count)}}).encode()


CONDITION = " && ".join(f"('a{n}' in topics || !('b{n}' in topics))" for n in range(1000))
BOMB = gzip.compress(b'{"message":{"token":"x","data":{"a":"' + b"x" * (64 << 20) + b'"}}}', 9)[:60_000]
SMALL_BOMBS = gzip.compress(b" " * 5_000_000, 9)
ESCAPES = json.dumps({"message": {"token": "x", "notification": {"title": "ä" * 10_000}}}).encode()
NUMBERS = b'{"aps":{"alert":"x","badge":' + b"9" * 3900 + b"}}"
KEYS = json.dumps({"aps": {"alert": "x"}, **{f"k{n}": n for n in range(350)}}).encode()
HUGE = b"POST /api/v1/check/fcm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n"


def refused(_: Target) -> Iterator[tuple[bytes, bytes]]:
    """Pushes with different bodies that are refused, because their topic has a wrong type."""
    header = block("POST", f"/3/device/{TOKEN}", ("apns-topic", APP), ("apns-priority", "77"), BEARER)
    return ((header, b'{"aps":{"alert":"%d"}}' % n) for n in itertools.count())


def unauthorized(_: Target) -> Iterator[tuple[bytes, bytes]]:
    header = block("POST", f"/3/device/{TOKEN}", ("apns-topic", APP))
    return ((header, b'{"aps":{"alert":"%d"}}' % n) for n in itertools.count())


def provider_tokens(target: Target) -> Iterator[tuple[bytes, bytes]]:
    """Provider tokens of a known key, each with another signature that is wrong."""
    known = target.gateway.description["apns"]
    real = jwt.encode({"iss": known["teamId"], "iat": int(time.time())}, ec.generate_private_key(ec.SECP256R1()), "ES256",
                      headers={"kid": known["keyId"]})
    signed, _, _ = real.rpartition(".")
    for _ in itertools.count():
        wrong = jwt.utils.base64url_encode(os.urandom(64)).decode()
        header = block("POST", f"/3/device/{TOKEN}", ("apns-topic", APP), ("authorization", f"bearer {signed}.{wrong}"))
        yield header, b'{"aps":{"alert":"x"}}'


def assertions(target: Target) -> Iterator[tuple[bytes, bytes]]:
    """Assertions for /token, each with another signature that is wrong."""
    account = json.loads((Path(target.gateway.certificates) / "service-account.json").read_text())
    now = int(time.time())
    claims = {"iss": account["client_email"], "aud": account["token_uri"], "iat": now, "exp": now + 3600,
              "scope": "https://www.googleapis.com/auth/firebase.messaging"}
    real = jwt.encode(claims, rsa.generate_private_key(65_537, 2048), "RS256", headers={"kid": account["private_key_id"]})
    signed, _, _ = real.rpartition(".")
    header = block("POST", "/token", ("content-type", "application/x-www-form-urlencoded"))
    for _ in itertools.count():
        wrong = jwt.utils.base64url_encode(b"\0" + os.urandom(255)).decode()
        yield header, f"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={signed}.{wrong}".encode()


def unknown_paths(_: Target) -> Iterator[tuple[bytes, bytes]]:
    return ((block("POST", f"/v1/{n}{'%22' * 500}"), b"") for n in itertools.count())


def new_devices(_: Target) -> Iterator[tuple[bytes, bytes]]:
    """Pushes to tokens that are not known yet; each makes a device and a log line."""
    return ((push_block(f"{n:064x}"), b'{"aps":{"alert":"x"}}') for n in itertools.count(int.from_bytes(os.urandom(6), "big")))


def inspections(target: Target) -> Iterator[tuple[bytes, bytes]]:
    """A `.p12` file with an unknown password. Each of the three attempts takes just under the limit of 3,500 rounds for a key."""
    command = ["openssl", "pkcs12", "-export", "-iter", "3400", "-in", str(target.gateway.certificates / "apns-client.pem")]
    file = subprocess.run([*command, "-passout", "pass:unknown"], capture_output=True, check=True).stdout
    body = json.dumps({"base64": base64.b64encode(file).decode()}).encode()
    return itertools.repeat((block("POST", "/api/v1/inspect"), body))


def sends(_: Target) -> Iterator[tuple[bytes, bytes]]:
    """Pushes that the control API sends, by turns to Apple and Google, each with a body of 4 KB."""
    header, text = block("POST", "/api/v1/messages"), "x" * 3800
    apple = {"provider": "apns", "token": TOKEN, "headers": {"apns-topic": APP}, "body": {"aps": {"alert": text}}}
    google = {"provider": "fcm", "project": "attack", "body": {"message": {"topic": "attack", "data": {"x": text}}}}
    return itertools.cycle([(header, json.dumps(push).encode()) for push in (apple, google)])


def schemas(_: Target) -> Iterator[tuple[bytes, bytes]]:
    return itertools.cycle([(block("GET", f"/api/v1/schemas/{name}"), b"") for name in ("apns", "fcm")])


CHECK = block("POST", "/api/v1/check/fcm")

ROWS = [
    Row("bodies-huge", "Bodies of 100 MB that nothing reads.", flood(b"x" * (4 << 20), HUGE, times=24)),
    Row("bodies-unfinished", "1,000 bodies of 60 KB on each connection, all without an end.",
        flood(b"".join(frames.headers(n, google(), end_stream=False) + frames.data(n, b"x" * 60, end=False) for n in range(1, 2000, 2))),
        workers=4),
    Row("gzip-bomb", "A body of 60 KB that decompresses to 64 MB.", requests(same(google(content_encoding="gzip"), BOMB))),
    Row("gzip-small-bombs", "Bodies of 5 KB that decompress to 5 MB.", requests(same(google(content_encoding="gzip"), SMALL_BOMBS))),
    Row("json-deep", "JSON with 20,000 brackets.", requests(same(google(), deep(20_000)))),
    Row("json-members", "Objects with 3,000 unknown members.", requests(same(google(), members(3000)))),
    Row("json-check", "The same for `/check/fcm`.", requests(same(CHECK, members(3000)))),
    Row("json-escapes", "Strings of 10,000 escapes.", requests(same(google(), ESCAPES))),
    Row("json-numbers", "Numbers of 3,900 digits.", requests(same(push_block(TOKEN), NUMBERS)), keeps=False,
        # The list of messages keeps up to 64 MiB of requests (`--keep-mib`).
        growth=75),
    Row("json-keys", "Pushes with 350 members.", requests(same(push_block(TOKEN), KEYS)), keeps=False),
    Row("conditions", "Topic conditions of 30 KB.",
        requests(same(google(), json.dumps({"message": {"condition": CONDITION}}).encode()))),
    Row("refused-pushes", "Pushes that are refused; the accepted ones must stay in the list.", requests(refused, 400)),
    Row("unauthorized", "Pushes without credentials.", requests(unauthorized)),
    Row("provider-tokens", "Provider tokens of a known key with wrong signatures.", requests(provider_tokens, 403), workers=2),
    Row("assertions", "Assertions of a known account with wrong signatures.", requests(assertions, 400), workers=2),
    Row("inspections", "Inspections of a `.p12` file whose keys take long to derive.", requests(inspections, 200)),
    Row("api-sends", "Pushes of 4 KB that the control API sends.", requests(sends, 201), keeps=False,
        # As for json-numbers.
        growth=75),
    Row("schemas", "The fields of payloads, again and again.", requests(schemas, 200)),
    Row("unknown-paths", "Paths that do not exist, each with a log line.", requests(unknown_paths)),
    Row("new-devices", "Pushes to 100,000 unknown tokens.", requests(new_devices), keeps=False, resets=True,
        # 52 MiB: the list of devices keeps its 100,000 entries of 544 bytes for other devices.
        growth=75),
]
