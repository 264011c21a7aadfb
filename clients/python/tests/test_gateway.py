from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from pushpit import CallRefused, Gateway, PushpitError


def has_ended(pidfd: int, seconds: float) -> bool:
    return bool(select.select([pidfd], [], [], seconds)[0])


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_gateway_has_a_url_credentials_and_an_environment(gateway: Gateway) -> None:
    assert gateway.url == f"http://127.0.0.1:{gateway.port}"
    assert gateway.push_url == f"https://localhost:{gateway.port}"
    assert not gateway.is_shared
    assert "PRIVATE KEY" in gateway.credentials.apns.key_text
    assert gateway.credentials.apns.key.name == f"AuthKey_{gateway.credentials.apns.key_id}.p8"
    assert gateway.credentials.fcm.account["project_id"] == gateway.credentials.fcm.project
    for bundle in (gateway.environment["SSL_CERT_FILE"], os.environ["SSL_CERT_FILE"]):
        assert gateway.credentials.ca.read_text() in Path(bundle).read_text()
    assert gateway.environment["HTTPS_PROXY"] == gateway.environment["PUSHPIT_URL"] == gateway.url


def test_the_variables_lead_another_program_to_the_gateway(gateway: Gateway) -> None:
    program = (
        "import os, urllib.request as u\n"
        "r = u.Request('https://fcm.googleapis.com/v1/projects/other/messages:send', b'{\"message\":{\"topic\":\"t\"}}',"
        " {'authorization': 'Bearer x', 'content-type': 'application/json'})\n"
        "print(u.urlopen(r).status)")
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **gateway.environment}, capture_output=True, text=True)
    assert done.stdout == "200\n", done.stderr
    gateway.expect(app="other", count=1)
    gateway.reset("other")
    assert gateway.messages(app="other") == []


def test_a_gateway_ends_with_its_block_and_leaves_no_files() -> None:
    with Gateway(options=["--quotas", "real"]) as gateway:
        assert gateway._program
        pidfd = os.pidfd_open(gateway._program.pid)
        folder = gateway._program.certificates.parent
        assert folder.exists() and not has_ended(pidfd, 0)
    assert has_ended(pidfd, 0) and not folder.exists()
    os.close(pidfd)
    gateway.close()
    assert "shutting down" in gateway.log


def test_a_gateway_and_its_files_end_when_the_process_that_started_it_is_killed() -> None:
    program = (
        "import sys, pushpit\n"
        "gateway = pushpit.Gateway(options=['--quotas', 'real'])\n"
        "print(gateway._program.pid, gateway._program.certificates, flush=True)\n"
        "sys.stdin.read()")
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        gateway, certificates = parent.stdout.readline().split()
        pidfds = [os.pidfd_open(int(gateway)), os.pidfd_open(parent_of(int(gateway)))]
        assert not has_ended(pidfds[0], 0) and os.path.exists(certificates)
        parent.send_signal(signal.SIGKILL)
        assert all(has_ended(pidfd, 10) for pidfd in pidfds)
        assert not os.path.exists(certificates)
    for pidfd in pidfds:
        os.close(pidfd)


def test_a_gateway_that_can_not_start_says_why() -> None:
    with pytest.raises(PushpitError, match="'pushpit serve' ended with 64: .*--quotas"):
        Gateway(options=["--quotas", "maybe"])


def test_without_a_program_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PUSHPIT_URL", raising=False)
    monkeypatch.setenv("PUSHPIT_BINARY", str(tmp_path / "nothing"))
    with pytest.raises(PushpitError, match="PUSHPIT_BINARY names '.*/nothing', which is not a program"):
        Gateway()
    monkeypatch.delenv("PUSHPIT_BINARY")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda *names: str(tmp_path))
    with pytest.raises(PushpitError, match="no program 'pushpit' on the PATH; install the wheel .* PUSHPIT_URL"):
        Gateway()


def test_a_gateway_that_runs_is_used_with_its_credentials(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PUSHPIT_URL", gateway.url)
    with Gateway() as shared:
        assert shared.is_shared and shared.url == gateway.url and shared.log == ""
        assert shared.credentials == gateway.credentials
        assert shared.environment["PUSHPIT_URL"] == gateway.url
    index = gateway.credentials.ca.with_name("pushpit.json")
    monkeypatch.setenv("PUSHPIT_CREDENTIALS", str(index))
    with Gateway() as shared:
        assert shared.credentials == gateway.credentials
        assert shared.environment == {}
    for name, problem in (("missing.json", "there are no credentials in .*: set PUSHPIT_CREDENTIALS"),
                          ("empty.json", "can't be read as the credentials of a gateway")):
        (tmp_path / "empty.json").write_text("{}")
        monkeypatch.setenv("PUSHPIT_CREDENTIALS", str(tmp_path / name))
        with Gateway() as shared, pytest.raises(PushpitError, match=problem):
            shared.credentials
    assert gateway.call("GET", "/stats")


def test_a_gateway_with_a_token_or_over_tls_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Gateway(options=["--api-token", "secret"], api_token="secret") as gateway:
        assert gateway.environment["PUSHPIT_API_TOKEN"] == "secret"
        with pytest.raises(CallRefused, match="401 noToken"):
            Gateway(url=gateway.url)
        monkeypatch.setenv("PUSHPIT_CA", str(gateway.credentials.ca))
        with Gateway(url=gateway.push_url, api_token="secret") as secure:
            assert secure.devices() == []


def test_urls_that_lead_to_no_gateway_are_errors() -> None:
    with pytest.raises(PushpitError, match="'localhost' is not the URL of a gateway"):
        Gateway(url="localhost")
    with pytest.raises(PushpitError, match="http://127.0.0.1:9 does not answer"):
        Gateway(url="http://127.0.0.1:9")
    with pytest.raises(PushpitError, match="can't be used with a url"):
        Gateway(url="http://127.0.0.1:9", options=["--quotas", "real"])


def test_lists_are_read_page_by_page(gateway: Gateway) -> None:
    gateway.call("POST", "/devices", {"platform": "android", "app": "com.example.crowd", "count": 1001})
    assert len(gateway.devices(app="com.example.crowd", platform="android")) == 1001
    assert len(gateway.events("registered", app="com.example.crowd")) == 1001
    gateway.reset("com.example.crowd")


def test_media_can_be_set_for_the_whole_gateway(gateway: Gateway) -> None:
    url = gateway.media("https://example.com/a b.png", content=b"\x89PNG", content_type="image/png", delay=0.5)
    [row] = gateway.call("GET", "/media")["media"]
    assert (row["url"], row["delay"]) == (url, "500ms")
    gateway.remove_media(url)
    assert gateway.call("GET", "/media")["media"] == []
    assert urllib.request.urlopen(f"{gateway.url}/livez").status == 200
