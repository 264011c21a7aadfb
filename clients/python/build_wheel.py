#!/usr/bin/env python3
"""Makes the wheel of the package pushpit, and is its build backend for pip (PEP 517 and 660).

    build_wheel.py --binary FILE --version V --output DIR [--tag TAG] [--licenses DIR]

With --binary, the wheel contains the program, and installing it puts `pushpit` on the PATH. `pip install` of this
folder makes a wheel without the program. The same input gives the same bytes. Needs only the standard library.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
# The earliest time that a zip file can store. All entries have it, so the same input gives the same bytes.
TIME = (1980, 1, 1, 0, 0, 0)
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
ANY = "any"
NEEDS_PYTHON = ">=3.9"

METADATA = """\
Metadata-Version: 2.1
Name: pushpit
Version: {version}
Summary: A push service for development and tests that answers like APNs and FCM
License: MIT
Requires-Python: {needs_python}
Classifier: Development Status :: 4 - Beta
Classifier: Framework :: Pytest
Classifier: License :: OSI Approved :: MIT License
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{readme}"""
WHEEL = """\
Wheel-Version: 1.0
Generator: pushpit build_wheel.py
Root-Is-Purelib: {is_pure}
Tag: py3-none-{tag}
"""
ENTRY_POINTS = """\
[pytest11]
pushpit = pushpit.pytest_plugin
"""


def source_version() -> str:
    found = VERSION.search((SOURCES / "pushpit" / "__init__.py").read_text(encoding="utf-8"))
    if not found:
        raise SystemExit("build_wheel.py: src/pushpit/__init__.py has no line `__version__ = \"…\"`")
    return found[1]


def package_files(version: str) -> dict[str, bytes]:
    """The package by path in the wheel. The version in it is the wheel's."""
    files = {}
    for path in sorted((SOURCES / "pushpit").rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[path.relative_to(SOURCES).as_posix()] = path.read_bytes()
    first = "pushpit/__init__.py"
    files[first] = VERSION.sub(f'__version__ = "{version}"', files[first].decode()).encode()
    return files


def dist_info(version: str, tag: str) -> dict[str, bytes]:
    folder = f"pushpit-{version}.dist-info"
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    is_pure = "true" if tag == ANY else "false"
    texts = {
        "METADATA": METADATA.format(version=version, needs_python=NEEDS_PYTHON, readme=readme),
        "WHEEL": WHEEL.format(is_pure=is_pure, tag=tag),
        "entry_points.txt": ENTRY_POINTS,
        "LICENSE": (HERE / "LICENSE").read_text(encoding="utf-8"),
    }
    return {f"{folder}/{name}": text.encode() for name, text in texts.items()}


def write_wheel(output: Path, version: str, tag: str, files: dict[str, bytes], program: str = "") -> Path:
    """`program` is the path of the executable in `files`, if there is one."""
    info = dist_info(version, tag)
    files = {**files, **info}
    record = f"pushpit-{version}.dist-info/RECORD"
    rows = [f"{path},{digest(content)},{len(content)}" for path, content in sorted(files.items())]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    output.mkdir(parents=True, exist_ok=True)
    wheel = output / f"pushpit-{version}-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        # The information comes last, as the specification recommends.
        for path in sorted(files, key=lambda path: (".dist-info/" in path, path)):
            entry = zipfile.ZipInfo(path, TIME)
            entry.create_system = 3
            entry.external_attr = (0o100755 if path == program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[path])
    return wheel


def digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def wheel_with_program(binary: Path, version: str, tag: str, output: Path, licenses: Path | None = None) -> Path:
    """`licenses` is a folder with the licences of the libraries in the program."""
    program = f"pushpit-{version}.data/scripts/pushpit"
    texts = {f"pushpit-{version}.dist-info/licenses/{path.name}": path.read_bytes()
             for path in (licenses.iterdir() if licenses else [])}
    return write_wheel(output, version, tag, {**package_files(version), **texts, program: binary.read_bytes()}, program)


# What pip calls. The names are those of PEP 517 and PEP 660.
def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    version = source_version()
    return write_wheel(Path(wheel_directory), version, ANY, package_files(version)).name


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    return write_wheel(
        Path(wheel_directory), source_version(), ANY, {"pushpit-editable.pth": f"{SOURCES}\n".encode()}).name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    version = source_version()
    name = f"pushpit-{version}"
    info = METADATA.format(version=version, needs_python=NEEDS_PYTHON, readme="").encode()
    files = {"PKG-INFO": info, **{path.name: path.read_bytes() for path in HERE.iterdir() if path.is_file()}}
    files.update({f"src/{path}": content for path, content in package_files(version).items()})
    with tarfile.open(os.path.join(sdist_directory, f"{name}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return f"{name}.tar.gz"


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes a wheel that contains the program pushpit.")
    parser.add_argument("--binary", type=Path, required=True, metavar="FILE", help="the program")
    parser.add_argument("--version", required=True, metavar="V")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="where to write the wheel")
    parser.add_argument(
        "--tag", default="linux_x86_64", metavar="TAG", help="the platform, such as manylinux_2_35_x86_64")
    parser.add_argument(
        "--licenses", type=Path, metavar="DIR", help="a folder with the licences of the libraries in the program")
    options = parser.parse_args()
    for value, form in ((options.version, r"\d+(\.\d+)*((a|b|rc)\d+)?(\.dev\d+)?(\+[a-z0-9.]+)?"),
                        (options.tag, r"[A-Za-z0-9_.]+")):
        if not re.fullmatch(form, value):
            parser.error(f"'{value}' can't be a part of a wheel's name; it must match {form}")
    try:
        print(wheel_with_program(options.binary, options.version, options.tag, options.output, options.licenses))
    except OSError as error:
        print(f"build_wheel.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
