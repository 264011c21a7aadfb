"""A gateway under test: the program PUSHPIT_BINARY on free ports, in its own directory."""
from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

BINARY = os.environ.get("PUSHPIT_BINARY") or str(Path(__file__).parents[2] / ".build/release/pushpit")
PATIENCE = 10.0
LISTENER = re.compile(r"^  (?:https://)?(\S+):(\d+)  \((?:also http; )?role ([\w-]+)", re.MULTILINE)
TOKEN = "a1b2c3d4" * 8
TOPIC = "com.example.app"


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    role: str

    def connect(self, timeout: float = PATIENCE) -> socket.socket:
        plain = socket.create_connection((self.host.strip("[]"), self.port), timeout)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain

    def url(self, path: str, scheme: str = "https") -> str:
        """The URL with the host name of the certificate, or with the IPv6 address."""
        host = self.host if self.host.startswith("[") else "localhost"
        return f"{scheme}://{host}:{self.port}{path}"


def program(
    *arguments: str, timeout: float = PATIENCE, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the program until it ends; for commands, and for gateways that must not start."""
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, timeout=timeout, env=environment(variables))


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our environment without Pushpit's variables, and these variables.

    Pushes of the tests name hosts of other people. Phones do not look them up unless a test asks for it.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PUSHPIT_")}
    return ours | {"PUSHPIT_FETCH_MEDIA": "off"} | dict(variables or {})


@cache
def shared_credentials() -> tempfile.TemporaryDirectory[str]:
    """A directory of credentials that all tests may copy, because creating an RSA key can take a second."""
    directory = tempfile.TemporaryDirectory(prefix="pushpit-made-")
    done = program("init", "--certs", directory.name)
    if done.returncode != 0:
        raise AssertionError(f"init failed: {done.stderr!r}")
    return directory


class Gateway:
    """Runs during its `with` block. Without `--listen` it listens on 127.0.0.1:0 with role any."""

    def __init__(
        self, *arguments: str, certificates: Path | None = None, variables: Mapping[str, str] | None = None,
        runner: tuple[str, ...] = (),
    ) -> None:
        """`runner` is a command that runs the program, such as `setpriv` with its options."""
        self._directory = tempfile.TemporaryDirectory(prefix="pushpit-")
        self.directory = Path(self._directory.name)
        self._variables = dict(variables or {})
        said = self._variables.get("PUSHPIT_CERTS")
        self.certificates = certificates or (Path(said) if said else self.directory / "certs")
        is_said = "--listen" in arguments or "PUSHPIT_LISTEN" in self._variables
        self._arguments = [
            *([] if is_said else ["--listen", "127.0.0.1:0"]), *arguments,
            *([] if said else ["--certs", str(self.certificates)])]
        self._command = [*runner, BINARY, *self._arguments]
        self.addresses: list[Address] = []
        self.banner = ""

    def __enter__(self) -> Self:
        self.launch()
        self.wait()
        return self

    def launch(self) -> None:
        """Starts the process. Several can be launched before `wait` is called for each."""
        if not self.certificates.exists():
            shutil.copytree(shared_credentials().name, self.certificates)
        with open(self.directory / "log", "wb") as log:
            self.process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, env=environment(self._variables),
            )

    def wait(self) -> None:
        """Waits until it is ready."""
        try:
            self._read_banner(time.monotonic() + PATIENCE)
        except BaseException:
            self.close()
            raise

    def _read_banner(self, deadline: float) -> None:
        assert self.process.stdout is not None
        pipe = self.process.stdout.fileno()
        while "A first push" not in self.banner and not self.banner.endswith("}\n"):
            ready, _, _ = select.select([pipe], [], [], max(deadline - time.monotonic(), 0))
            chunk = os.read(pipe, 65_536) if ready else b""
            if not chunk:
                raise AssertionError(f"no banner from {BINARY}: {self.banner!r}; its log: {self.log!r}")
            self.banner += chunk.decode()
        if self.banner.startswith("{"):
            rows = json.loads(self.banner)["listeners"]
            found = [(f"[{row['host']}]" if ":" in row["host"] else row["host"], row["port"], row["role"]) for row in rows]
        else:
            found = LISTENER.findall(self.banner)
        self.addresses = [Address(host, int(port), role) for host, port, role in found]
        if not self.addresses:
            raise AssertionError(f"no address in the banner: {self.banner!r}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Sends SIGTERM twice and waits ten seconds, then kills the process."""
        for _ in range(2):
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self._directory.cleanup()

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def resident_bytes(self) -> int:
        """The physical memory that the process uses."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        if not found:
            raise AssertionError(f"process {self.process.pid} has ended; its log: {self.log!r}")
        return int(found[1]) * 1024

    def at(self, role: str = "any") -> Address:
        return next(address for address in self.addresses if address.role == role)

    @property
    def authority(self) -> str:
        return str(self.certificates / "ca.pem")

    @property
    def client_certificate(self) -> str:
        return str(self.certificates / "apns-client.pem")

    @property
    def description(self) -> dict[str, dict[str, str]]:
        return json.loads((self.certificates / "pushpit.json").read_text())

    def context(self, *protocols: str, certificate: bool = False) -> ssl.SSLContext:
        """A client's TLS, which trusts this gateway's authority and nothing else."""
        context = ssl.create_default_context(cafile=self.authority)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        if certificate:
            context.load_cert_chain(self.client_certificate)
        return context

    def tls(
        self, *protocols: str, role: str = "any", name: str = "localhost", certificate: bool = False
    ) -> ssl.SSLSocket:
        """A TLS connection that offers these protocols by ALPN and asks for this name by SNI."""
        return self.context(*protocols, certificate=certificate).wrap_socket(
            self.at(role).connect(), server_hostname=name
        )

    def wait_for_log(self, text: str) -> None:
        """Waits until the log contains `text`. A file has no event to wait for, so it is read often."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.log:
            if time.monotonic() > deadline:
                raise AssertionError(f"{text!r} never came in the log: {self.log!r}")
            select.select([], [], [], 0.005)
