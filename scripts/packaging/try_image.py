#!/usr/bin/env python3
"""Tries an image archive: try_image.py FILE ENGINE, or try_image.py FILE --without-engine (needs root).

ENGINE is a container engine such as docker or podman. The exit code 3 means that the engine can't start a container here.
Without an engine, the layers are unpacked, and the program starts in them
as the image's configuration says: as its user, with its environment, in a network that has only a loopback interface.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

NAME = "pushpit"
PORT = 2197
TOKEN = "a1b2c3d4" * 8
PATIENCE = 30.0
# The exit codes of `run` if the engine itself fails, and ours in this case.
ENGINE_FAILURES = (125, 126, 127)
ENGINE_UNUSABLE = 3
# A user and a group that are not in the image.
OTHER_USER = "1234:5678"


def blobs(archive: tarfile.TarFile) -> dict[str, bytes]:
    """The contents by digest. Each name has to be the digest of the content."""
    found = {}
    for member in archive:
        if member.isreg() and member.name.startswith("blobs/"):
            content = archive.extractfile(member).read()
            digest = "sha256:" + hashlib.sha256(content).hexdigest()
            assert member.name == "blobs/" + digest.replace(":", "/"), f"{member.name} has the digest {digest}"
            found[digest] = content
    return found


def unpack(file: Path, root: Path) -> dict[str, object]:
    """Unpacks the layers, checks both tables of contents, and returns the image's configuration."""
    with tarfile.open(file) as archive:
        contents = blobs(archive)
        index = json.load(archive.extractfile("index.json"))
        older = json.load(archive.extractfile("manifest.json"))
        assert json.load(archive.extractfile("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
    for row in index["manifests"]:
        assert len(contents[row["digest"]]) == row["size"], row
    manifest = json.loads(contents[index["manifests"][0]["digest"]])
    parts = [manifest["config"], *manifest["layers"]]
    paths = ["blobs/" + part["digest"].replace(":", "/") for part in parts]
    assert [older[0]["Config"], *older[0]["Layers"]] == paths, "manifest.json names other blobs"
    config = json.loads(contents[manifest["config"]["digest"]])
    for layer, wanted in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
        plain = subprocess.run(["gzip", "-dc"], input=contents[layer["digest"]], capture_output=True, check=True).stdout
        assert "sha256:" + hashlib.sha256(plain).hexdigest() == wanted, f"a layer is not {wanted}"
        subprocess.run(["tar", "--numeric-owner", "-xpf", "-", "-C", root], input=plain, check=True)
    return config["config"]


def probe(certs: Path, port: int) -> None:
    """Pushes to the gateway under its name, and asks it with the token and without."""
    site = f"https://{NAME}:{port}"
    common = ["curl", "--silent", "--show-error", "--max-time", "10", "--resolve", f"{NAME}:{port}:127.0.0.1",
              "--cacert", f"{certs}/ca.pem", "--output", "/dev/null", "--write-out", "%{http_code}"]

    def status(*options: str) -> str:
        done = subprocess.run([*common, *options], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    pushed = status("--http2", "--cert", f"{certs}/apns-client.pem", "--header", "apns-topic: com.example.app",
                    "--data", '{"aps":{"alert":"Hello"}}', f"{site}/3/device/{TOKEN}")
    assert pushed == "200", f"a push gets {pushed}"
    token = (certs / "api-token").read_text().strip()
    for header, wanted in (("x: y", "401"), (f"authorization: Bearer {token}", "200")):
        assert (given := status("--header", header, f"{site}/api/v1/stats")) == wanted, f"{header[:13]}: {given}"
    account = json.loads((certs / "service-account.json").read_text())
    assert account["token_uri"] == f"https://{NAME}:{PORT}/token", account["token_uri"]


def check_libraries(root: Path, inside: list[str]) -> None:
    """libcurl can be loaded with all that it needs, and the authorities are where it looks for them."""
    loader = next(root.glob("usr/lib*/ld-linux*")).relative_to(root)
    library = next(root.glob("usr/lib/*/libcurl.so.4")).relative_to(root)
    listed = subprocess.run([*inside, f"/{loader}", "--list", f"/{library}"], capture_output=True, text=True)
    assert listed.returncode == 0 and "not found" not in listed.stdout, listed.stdout + listed.stderr
    authorities = (root / "etc/ssl/certs/ca-certificates.crt").read_text().count("-----BEGIN CERTIFICATE-----\n")
    assert authorities > 50, f"the image has {authorities} authorities"


def without_engine(file: Path) -> None:
    for user in (None, OTHER_USER):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            root.chmod(0o755)
            run_unpacked(root, unpack(file, root), user)


def run_unpacked(root: Path, config: dict[str, object], user: str | None) -> None:
    """Starts the gateway as the user in the configuration, or as another, as `--user` of an engine does."""
    assert config["User"] not in ("", "0", "root", "0:0"), "the image's user is root"
    raise_loopback()
    # Each command mounts /proc for itself alone: nothing may be mounted in a directory that is going to be deleted.
    inside = ["unshare", "--mount", "sh", "-c",
              f'mount --bind /proc "$0/proc" && exec chroot --userspec={user or config["User"]} "$0" "$@"', str(root)]
    check_libraries(root, inside)
    assert len(list((root / "etc/ssl/certs").glob("????????.0"))) > 100, "OpenSSL finds no authorities by their hashes"
    variables = dict(pair.split("=", 1) for pair in config["Env"]) | {"PUSHPIT_SERVER_NAME": NAME, "PUSHPIT_DATA": "/data"}
    with open(root / "tmp/log", "wb") as log:
        gateway = subprocess.Popen(
            [*inside, *config["Entrypoint"], *config["Cmd"]], env=variables, stdout=log, stderr=log)
    try:
        check = config["Healthcheck"]["Test"]
        assert check[0] == "CMD", check
        wait_until(lambda: subprocess.run(
            [*inside, *check[1:]], env=variables, stderr=subprocess.DEVNULL).returncode == 0, gateway)
        certs = root / variables["PUSHPIT_CERTS"].lstrip("/")
        probe(certs, PORT)
        assert (certs / "ca-key.pem").stat().st_mode & 0o777 == 0o600, "others may read ca-key.pem"
        gateway.send_signal(signal.SIGTERM)
        assert gateway.wait(PATIENCE) == 0, f"after SIGTERM it ends with {gateway.returncode}"
    except BaseException:
        print((root / "tmp/log").read_text(), file=sys.stderr)
        raise
    finally:
        gateway.kill()
        gateway.wait()


def raise_loopback() -> None:
    """Switches the loopback interface of a new network on (SIOCSIFFLAGS with IFF_UP)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh22x", b"lo", 1))


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[bytes] | None = None) -> None:
    """Calls `holds` until it returns true. There is no pause between the calls, because `holds` waits itself."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert process is None or process.poll() is None, f"the gateway has ended with {process.returncode}"
        assert time.monotonic() < end, "the image is not healthy"


@contextlib.contextmanager
def container(engine: str, image: str, *more: str) -> Iterator[str]:
    identity = f"pushpit-trial-{os.getpid()}"
    options = [*more, "--detach", "--publish", f"127.0.0.1::{PORT}", "--env", f"PUSHPIT_SERVER_NAME={NAME}"]
    started = subprocess.run([engine, "run", "--name", identity, *options, image], capture_output=True, text=True)
    try:
        if started.returncode in ENGINE_FAILURES:
            print(started.stderr.strip().splitlines()[-1], file=sys.stderr)
            raise SystemExit(ENGINE_UNUSABLE)
        assert started.returncode == 0, started.stderr
        yield identity
    finally:
        subprocess.run([engine, "rm", "--force", identity], capture_output=True)


def with_engine(file: Path, engine: str) -> None:
    loaded = subprocess.run([engine, "load", "--input", file], capture_output=True, text=True, check=True).stdout
    image = loaded.split("Loaded image", 1)[1].split(":", 1)[1].split()[0]
    for options in ((), ("--user", OTHER_USER)):
        try_container(engine, image, *options)


def try_container(engine: str, image: str, *options: str) -> None:
    with container(engine, image, *options) as identity, tempfile.TemporaryDirectory() as folder:
        inside = [engine, "exec", identity, "/usr/bin/pushpit"]
        wait_until(lambda: subprocess.run([*inside, "ready", "--wait", "2s"], capture_output=True).returncode == 0)
        subprocess.run([engine, "cp", f"{identity}:/certs", folder], check=True)
        published = subprocess.run([engine, "port", identity, str(PORT)], capture_output=True, text=True, check=True)
        probe(Path(folder) / "certs", int(published.stdout.split()[0].rsplit(":", 1)[1]))
        told = subprocess.run([*inside, "expect", "app=com.example.app"], capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
        subprocess.run([engine, "stop", identity], capture_output=True, check=True)
        ended = subprocess.run([engine, "wait", identity], capture_output=True, text=True, check=True).stdout.strip()
        assert ended == "0", f"after SIGTERM it ends with {ended}"


def main(file: str, engine: str) -> int:
    if engine == "--inside":
        without_engine(Path(file))
    elif engine == "--without-engine":
        return subprocess.run(["unshare", "--net", sys.executable, "-B", __file__, file, "--inside"]).returncode
    else:
        with_engine(Path(file), engine)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
