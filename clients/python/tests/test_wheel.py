"""The wheel with the program, in a fresh environment."""
from __future__ import annotations

import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
TAG = "linux_x86_64"


def make_wheel(folder: Path, binary: str, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(HERE / "build_wheel.py"), "--binary", binary, "--version", "9.8.7",
         "--output", str(folder), *more], capture_output=True, text=True)


@pytest.fixture(scope="module")
def small_program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compressing the real program takes seconds."""
    program = tmp_path_factory.mktemp("program") / "pushpit"
    program.write_text("#!/bin/sh\necho a program\n")
    return str(program)


def test_the_wheel_is_as_the_specification_says(small_program: str, tmp_path: Path) -> None:
    done = make_wheel(tmp_path, small_program, "--tag", "manylinux_2_35_x86_64")
    wheel = tmp_path / "pushpit-9.8.7-py3-none-manylinux_2_35_x86_64.whl"
    assert done.stdout == f"{wheel}\n", done.stderr
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert len(set(names)) == len(names)
        assert archive.getinfo("pushpit-9.8.7.data/scripts/pushpit").external_attr >> 16 == 0o100755
        assert {"pushpit/py.typed", "pushpit/pytest_plugin.py", "pushpit-9.8.7.dist-info/LICENSE"} <= set(names)
        rows = {row[0]: row[1:] for row in csv.reader(
            archive.read("pushpit-9.8.7.dist-info/RECORD").decode().splitlines())}
        assert set(rows) == set(names)
        for name in names:
            content = archive.read(name)
            sha256 = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert rows[name] == ([f"sha256={sha256}", str(len(content))] if "RECORD" not in name else ["", ""])
        assert b'__version__ = "9.8.7"' in archive.read("pushpit/__init__.py")
        wheel_file = archive.read("pushpit-9.8.7.dist-info/WHEEL").decode()
        assert "Tag: py3-none-manylinux_2_35_x86_64\n" in wheel_file and "Root-Is-Purelib: false\n" in wheel_file


def test_the_same_input_gives_the_same_bytes(small_program: str, tmp_path: Path) -> None:
    wheels = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        assert make_wheel(folder, small_program).returncode == 0
        os.utime(small_program, (0, 0))
        wheels += [path.read_bytes() for path in folder.iterdir()]
    assert wheels[0] == wheels[1]


def test_wrong_arguments_are_errors(small_program: str, tmp_path: Path) -> None:
    assert "'a/b' can't be a part of a wheel's name" in make_wheel(tmp_path, small_program, "--tag", "a/b").stderr
    done = make_wheel(tmp_path, str(tmp_path / "nothing"))
    assert (done.returncode, "No such file" in done.stderr) == (1, True)


def test_the_installed_wheel_has_the_program_and_the_fixtures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = os.environ["PUSHPIT_BINARY"]
    for name in [name for name in os.environ if name.startswith("PUSHPIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    python, installed = tmp_path / "venv/bin/python", tmp_path / "venv/bin/pushpit"
    make_wheel(tmp_path, program, "--tag", TAG)
    install = [
        sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps",
        "--disable-pip-version-check"]
    subprocess.run([*install, str(tmp_path / f"pushpit-9.8.7-py3-none-{TAG}.whl")], check=True)
    said = subprocess.run([str(installed), "--version"], capture_output=True, text=True).stdout
    assert said.startswith("pushpit ")
    # The environment is not active, so the program is not on the PATH.
    code = "import pushpit; g = pushpit.Gateway(); print(pushpit.__version__, g.messages()); g.close()"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "9.8.7 []\n", done.stderr

    # From the sources there is no program; then one on the PATH is used, or the error says what to do.
    subprocess.run([*install, "--force-reinstall", str(HERE)], check=True)
    assert not installed.exists()
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "there is no program 'pushpit' on the PATH; install the wheel that contains it" in done.stderr
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin")
    shutil.copy(program, tmp_path / "pushpit")
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, cwd=tmp_path / "venv")
    assert re.fullmatch(r"\d+\.\d+\.\d+ \[\]\n", done.stdout), done.stderr


def test_the_source_archive_builds_the_same_package(tmp_path: Path) -> None:
    code = "import sys, build_wheel as b; print(b.build_sdist(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(tmp_path)], cwd=HERE, capture_output=True, text=True, check=True)
    archive = tmp_path / done.stdout.strip()
    with tarfile.open(archive) as found:
        found.extractall(tmp_path, filter="data")
    code = "import sys, build_wheel as b; print(b.build_wheel(sys.argv[1]))"
    wheels = []
    for folder, output in ((HERE, tmp_path / "here"), (archive.with_suffix("").with_suffix(""), tmp_path / "there")):
        done = subprocess.run(
            [sys.executable, "-B", "-c", code, str(output)], cwd=folder, capture_output=True, text=True, check=True)
        wheels.append((output / done.stdout.strip()).read_bytes())
    assert wheels[0] == wheels[1]
