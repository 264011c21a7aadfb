"""Sends web pushes as pywebpush does, whose function has the same name and arguments."""
from __future__ import annotations

import base64
import os
import time
import urllib.request
from typing import Any, Mapping
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY = ec.generate_private_key(ec.SECP256R1())
RECORD_SIZE = 4096


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encrypted(text: bytes, keys: Mapping[str, str]) -> bytes:
    """RFC 8291: one record of aes128gcm."""
    receiver, own, salt = decoded(keys["p256dh"]), ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    common = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    sender = point(own.public_key())
    secret = derived(common, decoded(keys["auth"]), b"WebPush: info\0" + receiver + sender, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def webpush(
    subscription: Mapping[str, Any], data: str, *, vapid_private_key: ec.EllipticCurvePrivateKey = KEY,
    vapid_claims: Mapping[str, str] = {"sub": "mailto:shop@example.com"}, ttl: int = 60,
) -> int:
    endpoint = urlsplit(subscription["endpoint"])
    claims = {**vapid_claims, "aud": f"{endpoint.scheme}://{endpoint.netloc}", "exp": int(time.time()) + 3600}
    public = encoded(point(vapid_private_key.public_key()))
    request = urllib.request.Request(
        subscription["endpoint"], encrypted(data.encode(), subscription["keys"]),
        {"authorization": f"vapid t={jwt.encode(claims, vapid_private_key, 'ES256')}, k={public}", "ttl": str(ttl),
         "content-encoding": "aes128gcm"})
    with urllib.request.urlopen(request) as answer:
        return int(answer.status)
