"""Browsers that receive from the gateway of a test class: which files and arguments they need."""
from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from urllib.parse import quote

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from browsers import Chromium, Firefox
from receiver_case import ReceiverCase

HOSTS = (
    "android.clients.google.com", "mtalk.google.com", "firebaseinstallations.googleapis.com", "fcmregistrations.googleapis.com")


class ChromiumReceiver(Chromium):
    """Chromium whose hosts of Google are a gateway that it trusts. Its profile outlives it."""

    def __init__(self, case: type[ReceiverCase]) -> None:
        self.origins, self.port = [page.origin for page in case.pages], case.relay.port
        self.authority = Path(case.gateway.authority)
        super().__init__(f"{self.origins[0]}/", case.profile)

    def arguments(self, directory: Path) -> list[str]:
        preferences = directory / "Default/Preferences"
        if not preferences.exists():
            allowed = {f"{origin},*": {"setting": 1} for origin in self.origins}
            preferences.parent.mkdir()
            preferences.write_text(json.dumps({"profile": {"content_settings": {"exceptions": {"notifications": allowed}}}}))
        rules = ",".join(f"MAP {host} 127.0.0.1:{self.port}" for host in HOSTS)
        replaced = ("resolver", "background", "certificate")
        given = [one for one in super().arguments(directory) if not any(word in one for word in replaced)]
        return [*given, f"--host-resolver-rules={rules}", f"--ignore-certificate-errors-spki-list={self.trusted_key()}"]

    def trusted_key(self) -> str:
        key = x509.load_pem_x509_certificate(self.authority.read_bytes()).public_key()
        return base64.b64encode(hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()).decode()


class ChromiumCase(ReceiverCase):
    client = "Chromium"
    # After a connection of less than ten seconds, it waits for 20 to 40 seconds.
    settled = 10.5

    @classmethod
    def make_browser(cls) -> ChromiumReceiver:
        return ChromiumReceiver(cls)


class FirefoxReceiver(Firefox):
    """Firefox whose push service is a gateway. Its profile outlives it."""

    def __init__(self, case: type[ReceiverCase]) -> None:
        origins = [page.origin for page in case.pages]
        allowed = "".join(f"origin\tdesktop-notification\t1\t{origin}\n" for origin in origins)
        self.preferences = Firefox.preferences | {
            "dom.push.serverURL": f"ws://127.0.0.1:{case.relay.port}/", "dom.push.connection.enabled": True,
            "dom.push.testing.allowInsecureServerURL": True, "dom.push.retryBaseInterval": 100,
            "permissions.manager.defaultsUrl": f"data:text/plain,{quote(allowed)}", "alerts.useSystemBackend": False,
        }
        super().__init__(f"{origins[0]}/", case.profile)


class FirefoxCase(ReceiverCase):
    client = "Firefox"

    @classmethod
    def make_browser(cls) -> FirefoxReceiver:
        return FirefoxReceiver(cls)

    def app(self, page: int = 0) -> str:
        """Firefox does not tell its push service which page has subscribed."""
        return "org.mozilla.firefox"
