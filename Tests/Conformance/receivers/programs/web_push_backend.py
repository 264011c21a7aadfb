"""Sends web pushes as a backend does that does not know of Pushpit, each with one of three packages.

The first argument is a directory with the VAPID key. The second one is JSON with a package, a subscription and a text
for each push. Prints the statuses.
"""
import json
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import http_ece
import py_vapid
import pywebpush
import requests
import webpush
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.utils import base64url_decode

ADDRESS = "a@example.com"


def post(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
    return requests.post(endpoint, data=body, headers=headers, timeout=10).status_code


def by_pywebpush(subscription: dict[str, object], text: str, keys: Path) -> int:
    try:
        answer = pywebpush.webpush(
            subscription, text, vapid_private_key=str(keys / "private.pem"),
            vapid_claims={"sub": f"mailto:{ADDRESS}"}, ttl=60)
    except pywebpush.WebPushException as error:
        answer = error.response
    return answer.status_code


def by_webpush(subscription: dict[str, object], text: str, keys: Path) -> int:
    """The package makes the request, and leaves sending it to others."""
    sender = webpush.WebPush(keys / "private.pem", keys / "public.pem", ADDRESS, ttl=60)
    message = sender.get(text, webpush.WebPushSubscription.model_validate(subscription))
    return post(subscription["endpoint"], message.encrypted, message.headers)


def by_py_vapid(subscription: dict[str, object], text: str, keys: Path) -> int:
    """It signs, and http_ece encrypts."""
    endpoint, key = urlsplit(subscription["endpoint"]), subscription["keys"]
    vapid = py_vapid.Vapid.from_file(str(keys / "private.pem"))
    signed = vapid.sign({"sub": f"mailto:{ADDRESS}", "aud": f"{endpoint.scheme}://{endpoint.netloc}"})
    body = http_ece.encrypt(
        text.encode(), os.urandom(16), private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=base64url_decode(key["p256dh"]), auth_secret=base64url_decode(key["auth"]), version="aes128gcm")
    return post(endpoint.geturl(), body, signed | {"TTL": "60", "Content-Encoding": "aes128gcm"})


SENDERS = {"pywebpush": by_pywebpush, "webpush": by_webpush, "py-vapid": by_py_vapid}
directory, rows = Path(sys.argv[1]), json.loads(sys.argv[2])
print([SENDERS[package](subscription, text, directory) for package, subscription, text in rows])
