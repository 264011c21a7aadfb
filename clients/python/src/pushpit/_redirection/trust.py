"""CA bundles that contain the gateway's authority and all authorities that were trusted before."""
from __future__ import annotations

import os
import ssl
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Container, Iterator
from unittest import mock

# These name the bundle of a program.
NAMES = (
    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTPLIB2_CA_CERTS", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH")
# Where systems keep it.
SYSTEM = (
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem")
# Someone has chosen the authorities of a context that has at most this many, but at least one.
CHOSEN_AUTHORITIES = 20


def trusting(authority: Path, folder: Path) -> dict[str, str]:
    """Variables with which programs trust the authority too. New bundles are files in the folder."""
    pem = authority.read_text(encoding="ascii")
    variables: dict[str, str] = {}
    made: dict[str, str] = {}
    for name in NAMES:
        old = os.environ.get(name) or usual_bundle()
        text = _text(old)
        if pem in text and name in os.environ:
            continue
        if old not in made:
            folder.mkdir(mode=0o700, exist_ok=True)
            file = folder / f"ca-bundle-{len(made)}.pem"
            file.write_text(f"{text.rstrip()}\n{pem}".lstrip(), encoding="utf-8")
            made[old] = str(file)
        variables[name] = made[old]
    return variables


@contextmanager
def trusted_contexts(authority: Path, hosts: Container[str]) -> Iterator[None]:
    """During the `with` block, TLS contexts that were made before it trust the authority too, for these hosts.

    aiohttp makes its context when it is imported, and many programs have a client in a module. A context that trusts
    only a few authorities stays as it is: someone has chosen them, and a test should show what they lead to.
    """
    with mock.patch.multiple(
        ssl.SSLContext, wrap_socket=_trusting_first(ssl.SSLContext.wrap_socket, authority, hosts),
        wrap_bio=_trusting_first(ssl.SSLContext.wrap_bio, authority, hosts),
    ):
        yield


def _trusting_first(wrap: Callable[..., Any], authority: Path, hosts: Container[str]) -> Callable[..., Any]:
    def wrapped(context: ssl.SSLContext, *arguments: Any, **named: Any) -> Any:
        if named.get("server_hostname") in hosts:
            # 0 are those of a system that keeps them in a directory, where OpenSSL looks for them one by one.
            if not 0 < context.cert_store_stats()["x509_ca"] <= CHOSEN_AUTHORITIES:
                context.load_verify_locations(authority)
        return wrap(context, *arguments, **named)

    return wrapped


def usual_bundle() -> str:
    """The system's bundle; on systems without one, the one of the package certifi; "" if there is neither."""
    for path in (ssl.get_default_verify_paths().cafile, *SYSTEM):
        if path and os.path.exists(path):
            return path
    try:
        import certifi
    except ImportError:
        return ""
    return certifi.where()


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace") if path else ""
    except OSError:
        # A program that is given this path trusts no one either.
        return ""
