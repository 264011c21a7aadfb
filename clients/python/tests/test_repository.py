"""What this package copies from the rest of the repository still agrees with it, and mypy accepts the types."""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pushpit
from pushpit._redirection.lookups import PUSH_HOSTS, PUSH_PORTS

from conftest import TOP

HERE = Path(__file__).resolve().parents[1]

USE = """\
import re
from pushpit import Gateway, PushApp

def test(push_app: PushApp, gateway: Gateway) -> None:
    phone = push_app.device("ios", os_version="26.1")
    push_app.expect(device=phone, body={"/aps/badge": 3}, count=1, within="1s")
    push_app.fault("503Shutdown", times=1)
    phone.set_state(online=False)
    push_app.expect(topic=re.compile("^n"), token={"prefix": "x"}, app={"regex": "^com"}, rule={"prefix": "fcm."})
    push_app.expect(event={"kind": "presented", "data_text": {"/title": "7"}})
    push_app.messages(topic="news", since=7)
"""


def test_the_push_hosts_are_those_of_the_gateway() -> None:
    source = (TOP / "Sources/PushCore/Vendor.swift").read_text()
    lists = re.findall(r"static let \w+Hosts = \[(.*?)\]", source, re.DOTALL)
    assert len(lists) == 5  # The last one joins three of the others.
    assert set(re.findall(r'"([\w.-]+)"', "".join(lists))) == set(PUSH_HOSTS)


def test_the_ports_are_those_that_exec_redirects() -> None:
    source = (TOP / "Sources/CTrace/redirect.c").read_text()
    assert tuple(map(int, re.findall(r"port == htons\((\d+)\)", source))) == PUSH_PORTS


def test_the_version_and_the_licence_are_those_of_the_repository() -> None:
    said = subprocess.run([os.environ["PUSHPIT_BINARY"], "--version"], capture_output=True, text=True).stdout
    assert said == f"pushpit {pushpit.__version__}\n"
    assert (HERE / "LICENSE").read_text() == (TOP / "LICENSE").read_text()


def mypy(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", os.devnull, *arguments],
        capture_output=True, text=True, cwd=HERE).stdout


def test_the_types_hold_here_and_in_the_tests_of_users(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(USE)
    bad.write_text(USE.replace("badge", "x").replace("count=1", "titel='x'").replace("online", "onlime"))
    found = mypy("src/pushpit", "build_wheel.py", "tests", str(good), str(bad)).splitlines()
    errors = [re.sub(r"^\S*/", "", line) for line in found if ": error:" in line]
    assert [error.split(": error: ")[0] for error in errors] == ["bad.py:6", "bad.py:8"], found
