#!/usr/bin/env python3
"""Makes an image archive for container engines: image.py --binary FILE --version V --output FILE --licenses DIR.

The archive is what `docker save` writes: an OCI layout with the older manifest.json beside it. It has two layers:
Debian's packages, and the program. The same input gives the same bytes. It needs neither a container engine nor root privileges.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import debs
import dockerfile
from debs import Entry

TOP = Path(__file__).resolve().parents[2]
PACKAGES = ["libc6", "libcurl4", "ca-certificates", "base-files"]
# What no program in the image reads. The packages' licences stay.
UNUSED = (
    "usr/share/man/", "usr/share/info/", "usr/share/locale/", "usr/share/lintian/", "usr/share/bug/", "usr/share/gdb/",
    "usr/share/base-files/", "usr/share/gcc/", "usr/sbin/", "etc/ca-certificates/", "etc/update-motd.d/", "usr/lib/gconv/",
)
AUTHORITIES = "usr/share/ca-certificates/"
USER = 65532
USERS = f"root:x:0:0:root:/root:/sbin/nologin\npushpit:x:{USER}:{USER}:pushpit:/:/sbin/nologin\n"
GROUPS = f"root:x:0:\npushpit:x:{USER}:\n"
LAYOUT = "application/vnd.oci."
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def is_used(path: str) -> bool:
    if path.startswith("usr/share/doc/"):
        return path.endswith("/copyright")
    return not path.startswith((*UNUSED, AUTHORITIES)) and "/gconv/" not in path


def system() -> dict[str, Entry]:
    """Debian's packages without what is not used."""
    with tempfile.TemporaryDirectory() as folder:
        packages = [debs.entries(path) for path in debs.download(PACKAGES, Path(folder) / "debs")]
    files = {path: entry for package in packages for path, entry in package.items()}
    # As update-ca-certificates does it when the package is installed.
    authorities = [files[path].content for path in sorted(files) if path.startswith(AUTHORITIES) and files[path].content]
    bundle = b"".join(content.rstrip() + b"\n" for content in authorities)
    files = {path: entry for path, entry in files.items() if is_used(path) or entry.kind == tarfile.DIRTYPE}
    return with_parents(keep_used_directories(files) | debs.merged_directories() | {
        "etc/ssl/certs/ca-certificates.crt": text(bundle),
        **by_hash(authorities),
        "etc/passwd": text(USERS.encode()),
        "etc/group": text(GROUPS.encode()),
        "etc/nsswitch.conf": text(b"passwd: files\ngroup: files\nhosts: files dns\n"),
        "proc": Entry(tarfile.DIRTYPE, 0o555),
        "tmp": Entry(tarfile.DIRTYPE, 0o1777),
    })


def by_hash(authorities: list[bytes]) -> dict[str, Entry]:
    """The authorities under the names by which OpenSSL finds them. libcurl takes ca.pem in addition only to such a folder."""
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(authorities):
            (Path(folder) / f"{number}.pem").write_bytes(content)
        subprocess.run(["openssl", "rehash", folder], check=True)
        links = [path for path in Path(folder).iterdir() if path.is_symlink()]
        return {f"etc/ssl/certs/{link.name}": text(link.read_bytes()) for link in links}


def program(binary: Path, licenses: Path) -> dict[str, Entry]:
    return with_parents({
        "usr/bin/pushpit": Entry(tarfile.REGTYPE, 0o755, binary.read_bytes()),
        # Like /tmp, because the container may run as any user.
        "certs": Entry(tarfile.DIRTYPE, 0o1777, owner=USER),
        "data": Entry(tarfile.DIRTYPE, 0o1777, owner=USER),
    } | {f"usr/share/doc/pushpit/{path.name}": text(path.read_bytes()) for path in licenses.iterdir()})


def text(content: bytes) -> Entry:
    return Entry(tarfile.REGTYPE, 0o644, content)


def keep_used_directories(files: dict[str, Entry]) -> dict[str, Entry]:
    """Without directories that have become empty."""
    used = {str(parent) for path, entry in files.items() if entry.kind != tarfile.DIRTYPE for parent in Path(path).parents}
    return {path: entry for path, entry in files.items() if entry.kind != tarfile.DIRTYPE or path in used}


def with_parents(files: dict[str, Entry]) -> dict[str, Entry]:
    parents = {str(parent) for path in files for parent in Path(path).parents} - {"."}
    return {path: Entry(tarfile.DIRTYPE) for path in parents if path not in files} | files


def packed(files: dict[str, Entry], time: int) -> bytes:
    """A tar archive, sorted by path."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path, entry in sorted(files.items()):
            member = tarfile.TarInfo(path)
            member.type, member.mode, member.linkname, member.mtime = entry.kind, entry.mode, entry.target, time
            member.uid = member.gid = entry.owner
            member.size = len(entry.content)
            archive.addfile(member, io.BytesIO(entry.content))
    return buffer.getvalue()


def path_of(blob: dict[str, object]) -> str:
    return "blobs/" + str(blob["digest"]).replace(":", "/")


class Archive:
    """The blobs of the image, by path in the archive."""

    def __init__(self, time: int) -> None:
        self.time = time
        self.files: dict[str, Entry] = {}

    def add(self, content: bytes, kind: str) -> dict[str, object]:
        """Stores a blob, and returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = text(content)
        return {"mediaType": LAYOUT + kind, "digest": f"sha256:{digest}", "size": len(content)}

    def add_json(self, value: object, kind: str) -> dict[str, object]:
        return self.add(json.dumps(value, separators=(",", ":")).encode(), kind)

    def write(self, output: Path, layers: list[bytes], config: dict[str, object], version: str) -> None:
        blobs = [self.add(gzip.compress(layer, mtime=0), "image.layer.v1.tar+gzip") for layer in layers]
        configuration = self.add_json(config, "image.config.v1+json")
        manifest = self.add_json({
            "schemaVersion": 2, "mediaType": LAYOUT + "image.manifest.v1+json", "config": configuration, "layers": blobs,
        }, "image.manifest.v1+json")
        tags = [f"pushpit:{tag}" for tag in (version, "latest")]
        index = [manifest | {"annotations": {
            "io.containerd.image.name": f"docker.io/library/{tag}", "org.opencontainers.image.ref.name": tag.split(":")[1],
        }} for tag in tags]
        tables = {
            "oci-layout": {"imageLayoutVersion": "1.0.0"},
            "index.json": {"schemaVersion": 2, "mediaType": LAYOUT + "image.index.v1+json", "manifests": index},
            "manifest.json": [{"Config": path_of(configuration), "RepoTags": tags, "Layers": [path_of(blob) for blob in blobs]}],
        }
        self.files.update({name: text(json.dumps(table).encode()) for name, table in tables.items()})
        output.write_bytes(packed(with_parents(self.files), self.time))


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes an image archive for container engines.")
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--licenses", type=Path, required=True)
    options = parser.parse_args()
    time = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    layers = [packed(files, time) for files in (system(), program(options.binary, options.licenses))]
    run = dockerfile.configuration((TOP / "Dockerfile").read_text())
    run["Labels"] |= {"org.opencontainers.image.version": options.version}
    config = {
        "created": created, "os": "linux", "architecture": ARCHITECTURES[os.uname().machine], "config": run,
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers]},
        "history": [{"created": created, "created_by": what} for what in ("Debian's packages", "pushpit")],
    }
    Archive(time).write(options.output, layers, config, options.version)


if __name__ == "__main__":
    main()
