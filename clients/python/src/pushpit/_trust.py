"""CA bundles that contain the gateway's authority and all authorities that were trusted before."""
from __future__ import annotations

import os
import ssl
from pathlib import Path

# These name the bundle of a program.
NAMES = (
    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTPLIB2_CA_CERTS", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH")
# Where systems keep it.
SYSTEM = (
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem")


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
            file = folder / f"ca-bundle-{len(made)}.pem"
            file.write_text(f"{text.rstrip()}\n{pem}".lstrip(), encoding="utf-8")
            made[old] = str(file)
        variables[name] = made[old]
    return variables


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
