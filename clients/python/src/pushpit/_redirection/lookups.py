"""Leads this process's connections for the push hosts of Apple, Google and Mozilla to a gateway, as a hosts file would.

Python's own functions are replaced: the look-up gives a loopback address that nothing listens on, and a connection to a
port of the real services at this address goes to the gateway. So the sender keeps its host names, ports and libraries.
Code that does not use Python's sockets (uvloop, gRPC) is not affected; `pushpit exec` leads it to the gateway.
"""
from __future__ import annotations

import os
import socket
from contextlib import contextmanager
from typing import Any, Iterator
from unittest import mock

PUSH_HOSTS = (
    "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
    "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
    "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    "fcm.googleapis.com", "fcm.mtls.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com",
    "fcmregistrations.googleapis.com", "firebaseinstallations.googleapis.com",
    "android.clients.google.com", "mtalk.google.com", "jmt17.google.com",
    "www.googleapis.com", "accounts.google.com", "updates.push.services.mozilla.com", "web.push.apple.com",
    # The gateway refuses requests for these, so that nothing is sent to the real ones by accident.
    "iamcredentials.googleapis.com", "iamcredentials.mtls.googleapis.com", "sts.googleapis.com",
    "sts.mtls.googleapis.com", "oauth2.mtls.googleapis.com", "iid.mtls.googleapis.com",
    "fcmregistrations.mtls.googleapis.com", "firebaseinstallations.mtls.googleapis.com",
    "gateway.push.apple.com", "gateway.sandbox.push.apple.com",
    "feedback.push.apple.com", "feedback.sandbox.push.apple.com",
)
# The look-up answers with this address for each push host. Nothing listens there. `pushpit exec` uses the same one.
PLACEHOLDER = "127.80.80.72"
# The same for a gateway that is reached over IPv6.
PLACEHOLDER_6 = "::ffff:127.80.80.72"
# HTTPS, APNs and MCS: the ports of the real services, which `pushpit exec` redirects too. At others, nothing listens.
PUSH_PORTS = (443, 2197, 5228)
PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
EXCLUSIONS = ("NO_PROXY", "no_proxy")


@contextmanager
def redirected(host: str, port: int) -> Iterator[None]:
    """During the `with` block, connections for the push hosts go to this gateway."""
    look_up, connect, connect_ex = socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex
    with socket.create_connection((host, port)) as probe:
        gateway = probe.getpeername()
        placeholder = PLACEHOLDER_6 if probe.family == socket.AF_INET6 else PLACEHOLDER

    def getaddrinfo(
        name: bytes | str | None, service: bytes | str | int | None, family: int = 0, type: int = 0, proto: int = 0,
        flags: int = 0,
    ) -> Any:
        text = name.decode("ascii", "replace") if isinstance(name, bytes) else name
        if text is not None and text.rstrip(".").lower() in PUSH_HOSTS:
            # With this flag, a machine without a network has no address of IPv6.
            name, flags = placeholder, flags & ~socket.AI_ADDRCONFIG
        return look_up(name, service, family, type, proto, flags)

    def target_of(address: Any) -> Any:
        is_push = isinstance(address, tuple) and address[:1] == (placeholder,) and address[1] in PUSH_PORTS
        return gateway if is_push else address

    with mock.patch.multiple(
        socket.socket, connect=lambda self, address: connect(self, target_of(address)),
        connect_ex=lambda self, address: connect_ex(self, target_of(address)),
    ), mock.patch.object(socket, "getaddrinfo", getaddrinfo):
        yield


def proxy_exclusions() -> dict[str, str]:
    """A proxy would look the push hosts up itself, so connections to them must not go through one."""
    if not any(os.environ.get(name) for name in PROXIES):
        return {}
    old = next(filter(None, map(os.environ.get, EXCLUSIONS)), "")
    return {name: ",".join(filter(None, [os.environ.get(name) or old, *PUSH_HOSTS])) for name in EXCLUSIONS}
