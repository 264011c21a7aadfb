"""Debian packages as files of an image: downloads them and reads their contents, without installing anything."""

import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

# What the packages ask for but a running program does not need: configuration questions, awk, and the openssl program.
LEFT_OUT = """\
Package: left-out
Status: install ok installed
Version: 9999
Architecture: all
Maintainer: none
Description: none
Provides: debconf (= 9999), debconf-2.0, awk, openssl (= 9999)
"""
# Directories with two names: the packages use both.
MERGED = ("bin", "sbin", "lib", "lib64")


@dataclass
class Entry:
    """A directory, a file or a link of an image."""
    kind: bytes
    mode: int = 0o755
    content: bytes = b""
    target: str = ""
    owner: int = 0


def download(names: list[str], folder: Path) -> list[Path]:
    """The packages and what they depend on, from the mirror that apt uses."""
    (folder / "partial").mkdir(parents=True)
    (folder / "status").write_text(LEFT_OUT)
    options = {
        "Dir::State::status": folder / "status", "Dir::State::extended_states": folder / "none",
        "Dir::Cache::archives": folder, "Dir::Cache::pkgcache": "", "Dir::Cache::srcpkgcache": "",
        "Debug::NoLocking": "true", "APT::Sandbox::User": "root",
    }
    flags = [flag for name, value in options.items() for flag in ("-o", f"{name}={value}")]
    subprocess.run(
        ["apt-get", "-qq", "-y", "--download-only", "--no-install-recommends", *flags, "install", *names],
        check=True, stdout=subprocess.DEVNULL)
    found = sorted(folder.glob("*.deb"))
    if not found:
        raise SystemExit(f"debs.py: apt-get has downloaded none of {', '.join(names)}")
    return found


def entries(package: Path) -> dict[str, Entry]:
    """The package's contents by path, and its description where scanners of images look for it."""
    archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            path = member.name.removeprefix("./").strip("/.")
            if path:
                content = files.extractfile(member).read() if member.isreg() else b""
                target = merged(member.linkname.removeprefix("./")) if member.islnk() else member.linkname
                found[merged(path)] = Entry(member.type, member.mode, content, target)
    control = subprocess.run(["dpkg-deb", "--field", package], check=True, capture_output=True).stdout
    found[f"var/lib/dpkg/status.d/{package.name.split('_')[0]}"] = Entry(tarfile.REGTYPE, 0o644, control)
    return found


def merged(path: str) -> str:
    """The path below usr, if its first directory is only another name for one there."""
    return f"usr/{path}" if path.split("/", 1)[0] in MERGED and "/" in path else path


def merged_directories() -> dict[str, Entry]:
    links = {name: Entry(tarfile.SYMTYPE, 0o777, target=f"usr/{name}") for name in MERGED}
    return links | {f"usr/{name}": Entry(tarfile.DIRTYPE) for name in MERGED}
