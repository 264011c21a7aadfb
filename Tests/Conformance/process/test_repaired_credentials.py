"""Directories of credentials that are repaired, or used although they are read-only."""
from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from gateway import Gateway, shared_credentials


def content(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


class RepairedCredentials(unittest.TestCase):
    def setUp(self) -> None:
        place = self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))
        self.directory = Path(shutil.copytree(shared_credentials().name, Path(place) / "certs"))

    def test_a_server_certificate_gets_a_new_key_if_its_key_was_replaced(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        old = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (self.directory / "server-key.pem").write_bytes(old)
        with Gateway(certificates=self.directory) as gateway, gateway.tls("h2"):
            self.assertIn("server-key.pem was not the key of", gateway.banner)
        self.assertEqual((self.directory / "server-key.pem.old").read_bytes(), old)

    def test_a_complete_directory_can_be_read_only(self) -> None:
        # Without this capability, root obeys the permissions too.
        runner = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
        account = self.directory / "service-account.json"
        before = content(self.directory)
        self.directory.chmod(0o555)
        self.addCleanup(self.directory.chmod, 0o755)
        with Gateway(certificates=self.directory, runner=runner) as gateway, gateway.tls("h2", certificate=True):
            self.assertIn(f"{account} still names another address: cannot write", gateway.banner)
            self.assertIn(f"https://localhost:{gateway.at().port}/token", gateway.banner)
            with Gateway(certificates=self.directory, runner=runner) as second, second.tls("h2", certificate=True):
                self.assertIn("still names another address", second.banner)
        self.assertEqual(content(self.directory), before)
