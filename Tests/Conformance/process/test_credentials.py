"""The directory of keys and certificates: created once, then kept, and the errors for unusable files."""
from __future__ import annotations

import json
import re
import shutil
import stat
import tempfile
import unittest
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import ClassVar

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from gateway import Gateway, program

BAD_CONFIGURATION = 78
OPEN_FILES = {"ca.pem", "ca.p12", "server.pem", "pushpit.json"}
SECRET_FILES = {"ca-key.pem", "server-key.pem", "apns-client.pem", "apns-client.p12", "expired.pem", "service-account.json"}
NO_USAGE = dict.fromkeys(
    ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
     "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"], False)
KEY_CERT_SIGN = x509.KeyUsage(**NO_USAGE | {"key_cert_sign": True})
DIGITAL_SIGNATURE = x509.KeyUsage(**NO_USAGE | {"digital_signature": True})
KEY_PEM = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def visible(directory: Path) -> list[Path]:
    """The files of a directory without `.pushpit.lock`."""
    return [path for path in directory.iterdir() if not path.name.startswith(".")]


def snapshot(directory: Path) -> dict[str, tuple[bytes, int, int]]:
    """Each file's bytes, time of change and inode."""
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) for path in visible(directory)}


def write_pair(directory: Path, begins: int, ends: int) -> None:
    """An authority and a server certificate, valid from `begins` to `ends`, in days from now."""
    now = datetime.now(timezone.utc)
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)]) for text in ("A root", "localhost")]
    days = [(-4000, 4000), (begins, ends)]
    for subject, key, (first, last), file in zip(names, keys, days, ("ca.pem", "server.pem")):
        builder = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(names[0]).public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + timedelta(days=first)).not_valid_after(now + timedelta(days=last))
            .add_extension(x509.BasicConstraints(ca=file == "ca.pem", path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key()), critical=False)
            .add_extension(KEY_CERT_SIGN if file == "ca.pem" else DIGITAL_SIGNATURE, critical=True))
        made = builder.sign(keys[0], hashes.SHA256())
        (directory / file).write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (directory / "server-key.pem").write_bytes(keys[1].private_bytes(*KEY_PEM))


def write(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda directory: (directory / name).write_bytes(content) and None


def cut(name: str) -> Callable[[Path], None]:
    def halve(directory: Path) -> None:
        whole = (directory / name).read_bytes()
        (directory / name).write_bytes(whole[: len(whole) // 2])
    return halve


def unreadable(name: str) -> Callable[[Path], None]:
    """A directory at the file's path: not even root can read it as a file."""
    def replace(directory: Path) -> None:
        (directory / name).unlink()
        (directory / name).mkdir()
    return replace


# The damage to valid files, and the file that the message names.
BROKEN: list[tuple[str, Callable[[Path], None], str]] = [
    ("an invalid certificate", write("server.pem", b"garbage\n"), "server.pem"),
    ("an empty certificate", write("server.pem", b""), "server.pem"),
    ("half a certificate", cut("server.pem"), "server.pem"),
    ("an invalid key", write("server-key.pem", b"garbage\n"), "server-key.pem"),
    ("an empty key", write("server-key.pem", b""), "server-key.pem"),
    ("half a key", cut("server-key.pem"), "server-key.pem"),
    ("an invalid authority", write("ca.pem", b"garbage\n"), "ca.pem"),
    ("a directory for a key", unreadable("server-key.pem"), "server-key.pem"),
    ("an expired certificate", lambda directory: write_pair(directory, -30, -1), "server.pem"),
    ("a certificate of next year", lambda directory: write_pair(directory, 300, 400), "server.pem"),
    ("an invalid service account", write("service-account.json", b"[]"), "service-account.json"),
]


class Credentials(unittest.TestCase):
    made: ClassVar[Path]
    report: ClassVar[str]

    @classmethod
    def setUpClass(cls) -> None:
        directory = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pushpit-"))
        cls.made = Path(directory) / "certs"
        done = program("init", "--certs", str(cls.made))
        assert done.returncode == 0, done.stderr
        cls.report = done.stdout

    def copy(self) -> Path:
        directory = self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))
        return Path(shutil.copytree(self.made, Path(directory) / "certs"))

    def test_init_creates_the_documented_files_and_explains_each(self) -> None:
        key = f"AuthKey_{json.loads((self.made / 'pushpit.json').read_text())['apns']['keyId']}.p8"
        files = OPEN_FILES | SECRET_FILES | {key}
        self.assertEqual({path.name for path in visible(self.made)}, files)
        lines = self.report.splitlines()
        self.assertEqual({line.split("  ")[1] for line in lines}, {str(self.made / file) for file in files})
        self.assertTrue(all(line.startswith("made  ") and line.split("  ")[2] for line in lines), lines)

    def test_only_the_owner_may_read_a_key(self) -> None:
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in visible(self.made)}
        secret = {name for name, mode in modes.items() if mode == 0o600}
        self.assertEqual(secret, {name for name in modes if name in SECRET_FILES or name.endswith(".p8")})
        self.assertEqual({modes[name] for name in OPEN_FILES}, {0o644})
        for path in visible(self.made):
            if b"PRIVATE KEY" in path.read_bytes():
                self.assertEqual(modes[path.name], 0o600, path.name)

    def test_a_second_init_changes_nothing(self) -> None:
        before = snapshot(self.made)
        done = program("init", "--certs", str(self.made))
        self.assertEqual(done.returncode, 0)
        self.assertEqual({line.split()[0] for line in done.stdout.splitlines()}, {"kept"})
        self.assertEqual(snapshot(self.made), before)

    def test_a_first_start_creates_the_files_and_says_so(self) -> None:
        empty = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        with Gateway(certificates=empty) as gateway, gateway.tls("h2", certificate=True) as tls:
            self.assertEqual(tls.selected_alpn_protocol(), "h2")
            said = gateway.banner.splitlines()[0]
        self.assertRegex(said, rf"\AMade .* in {re.escape(str(empty))}/\Z")
        self.assertEqual(set(said.split(" in ")[0].removeprefix("Made ").split(", ")), {p.name for p in visible(empty)})

    def test_a_start_changes_only_the_port_in_the_service_account_and_the_index(self) -> None:
        directory = self.copy()
        program("init", "--certs", str(directory))  # The index has the path of its directory.
        before = snapshot(directory)
        with Gateway(certificates=directory) as gateway:
            after = snapshot(directory)
            account = json.loads((directory / "service-account.json").read_text())
            self.assertEqual(account["token_uri"], f"https://localhost:{gateway.at().port}/token")
            self.assertEqual(gateway.description["url"], gateway.at().url(""))
            self.assertNotIn("Made", gateway.banner)
        old, new = (json.loads(files.pop("pushpit.json")[0]) for files in (before, after))
        self.assertEqual(new, old | {"url": new["url"], "receivers": new["receivers"]})
        self.assertEqual(new["receivers"]["mcs"], f"localhost:{gateway.at().port}")
        self.assertEqual(new["receivers"]["autopush"], f"wss://localhost:{gateway.at().port}/")
        del before["service-account.json"], after["service-account.json"]
        self.assertEqual(after, before)

    def test_a_second_gateway_leaves_the_files_of_a_running_one_alone(self) -> None:
        directory = self.copy()
        with Gateway(certificates=directory) as first:
            before = snapshot(directory)
            with Gateway(certificates=directory) as second:
                after, port = snapshot(directory), second.at().port
                self.assertIn(f"The gateway on port {first.at().port} uses service-account.json and pushpit.json", second.banner)
            account, index = f"service-account-{port}.json", f"pushpit-{port}.json"
            self.assertEqual(after.keys() - before.keys(), {account, index})
            self.assertEqual({name: after[name] for name in before}, before)
            self.assertEqual(json.loads((directory / account).read_text())["token_uri"], f"https://localhost:{port}/token")
            self.assertEqual(json.loads((directory / index).read_text())["fcm"]["serviceAccount"], str(directory / account))
        with Gateway(certificates=directory) as next_one:
            names = json.loads((directory / "service-account.json").read_text())
            self.assertEqual(names["token_uri"], f"https://localhost:{next_one.at().port}/token")

    def test_a_gateway_of_another_directory_on_the_old_port_does_not_count(self) -> None:
        directory, other = self.copy(), self.copy()
        with Gateway(certificates=directory) as gateway:
            old = gateway.at()
        with Gateway(f"--listen={old.host}:{old.port}", certificates=other), Gateway(certificates=directory) as again:
            names = json.loads((directory / "service-account.json").read_text())
            self.assertEqual(names["token_uri"], f"https://localhost:{again.at().port}/token")

    def test_unusable_files_end_it_with_78_and_are_named(self) -> None:
        for name, damage, file in BROKEN:
            with self.subTest(name):
                directory = self.copy()
                damage(directory)
                done = program("--listen", "127.0.0.1:0", "--certs", str(directory))
                self.assertEqual((done.returncode, done.stdout), (BAD_CONFIGURATION, ""), done.stderr)
                self.assertRegex(done.stderr, r"\Apushpit: [^\n]+\n\Z")
                self.assertIn(str(directory / file), done.stderr)

    def test_a_directory_that_cant_be_made_is_named(self) -> None:
        place = self.copy() / "ca.pem" / "below"
        for command in ("serve", "init"):
            done = program(command, "--certs", str(place), variables={"PUSHPIT_LISTEN": "127.0.0.1:0"})
            self.assertEqual(done.returncode, BAD_CONFIGURATION)
            self.assertIn(str(place), done.stderr)

    def test_a_new_set_has_new_containers(self) -> None:
        directory = self.copy()
        old = {name: (directory / name).read_bytes() for name in ("ca.p12", "apns-client.p12")}
        for name in ("ca.pem", "server.pem", "server-key.pem", "apns-client.pem"):
            (directory / name).unlink()
        self.assertEqual(program("init", "--certs", str(directory)).returncode, 0)
        for name, content in old.items():
            self.assertNotEqual((directory / name).read_bytes(), content, name)

    def test_a_broken_set_is_left_alone(self) -> None:
        directory = self.copy()
        (directory / "ca.pem").unlink()
        before = snapshot(directory)
        done = program("init", "--certs", str(directory))
        self.assertEqual(done.returncode, BAD_CONFIGURATION)
        self.assertIn(str(directory / "ca.pem"), done.stderr)
        self.assertEqual(snapshot(directory), before)

    def test_a_valid_pair_of_the_users_own_is_used(self) -> None:
        directory = self.copy()
        write_pair(directory, -1, 30)
        with Gateway(certificates=directory) as gateway, gateway.tls("h2") as tls:
            self.assertEqual(tls.getpeercert()["issuer"], ((("commonName", "A root"),),))

    def test_a_name_that_the_users_own_certificate_lacks_is_said(self) -> None:
        directory = self.copy()
        write_pair(directory, -1, 30)
        done = program("init", "--certs", str(directory), "--server-name", "localhost", "--server-name", "pushpit")
        self.assertEqual(done.returncode, 0)
        self.assertIn("server.pem is your own certificate and lacks the name pushpit, so", done.stdout)
        self.assertNotIn("lacks the name localhost", done.stdout)

    def test_existing_files_are_never_overwritten(self) -> None:
        """If one file is missing, only that file may be created, because the others may be the user's own."""
        for gone in ("ca.p12", "apns-client.pem", "apns-client.p12", "server.pem"):
            with self.subTest(gone):
                directory = self.copy()
                write_pair(directory, -1, 30)
                (directory / gone).unlink()
                kept = {name: (directory / name).read_bytes() for name in ("ca.pem", "server-key.pem")}
                program("init", "--certs", str(directory))
                self.assertEqual({name: (directory / name).read_bytes() for name in kept}, kept)
