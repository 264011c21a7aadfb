from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from pushpit import CallRefused, Gateway, PushpitError
from pushpit._environment import without_pushpit
from pushpit._program import find_program


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


@pytest.mark.parametrize("kills_the_gateway_too", [False, True])
def test_a_gateway_and_its_files_end_when_the_process_that_started_it_is_killed(kills_the_gateway_too: bool) -> None:
    program = (
        "import os, sys, pushpit\n"
        "gateway = pushpit.Gateway(options=['--quotas', 'real'])\n"
        "with gateway.redirect():\n"
        "    print(gateway._program.pid, gateway._program.certificates, os.environ['SSL_CERT_FILE'], flush=True)\n"
        "    sys.stdin.read()")
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        gateway, certificates, bundle = parent.stdout.readline().split()
        pidfds = [os.pidfd_open(int(gateway)), os.pidfd_open(parent_of(int(gateway)))]
        assert not has_ended(pidfds[0], 0) and os.path.exists(certificates) and os.path.exists(bundle)
        if kills_the_gateway_too:
            os.kill(int(gateway), signal.SIGKILL)
        parent.send_signal(signal.SIGKILL)
        assert all(has_ended(pidfd, 10) for pidfd in pidfds)
        assert not os.path.exists(os.path.dirname(certificates)) and not os.path.exists(bundle)
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
    other = tmp_path / "other"
    other.mkdir()
    (other / "pushpit.json").write_text(index.read_text().replace("pushpit-local", "other"))
    monkeypatch.setenv("PUSHPIT_CERTS", str(other))
    with Gateway() as shared:
        assert shared.credentials.fcm.project == "other"
    monkeypatch.setenv("PUSHPIT_CREDENTIALS", str(index))
    with Gateway() as shared:
        assert shared.credentials == gateway.credentials
        # Without `pushpit exec`, other programs need the variables although this one has some of them.
        assert shared.environment["HTTPS_PROXY"] == gateway.url
    for name, problem in (("missing.json", "there are no credentials in .*: set PUSHPIT_CREDENTIALS"),
                          ("empty.json", "can't be read as the credentials of a gateway")):
        (tmp_path / "empty.json").write_text("{}")
        monkeypatch.setenv("PUSHPIT_CREDENTIALS", str(tmp_path / name))
        with Gateway() as shared, pytest.raises(PushpitError, match=problem):
            shared.credentials
    assert gateway.call("GET", "/stats")


def test_the_credentials_of_a_gateway_in_another_directory_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ready = tmp_path / "ready.json"
    with subprocess.Popen(
        [find_program(), "serve", "--listen", "127.0.0.1:0", "--certs", "certs", "--ready-file", str(ready),
         "--exit-on-stdin-eof"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as program:
        assert program.stdin
        while not ready.exists():
            assert program.poll() is None
        url = json.loads(ready.read_text())["url"].replace("https://localhost", "http://127.0.0.1")
        monkeypatch.setenv("PUSHPIT_URL", url)
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        with Gateway() as shared:
            assert shared.credentials.ca == tmp_path / "certs/ca.pem"
        program.stdin.close()


def test_under_exec_other_programs_need_no_variables() -> None:
    program = "import pushpit; print(pushpit.Gateway().environment)"
    done = subprocess.run(
        [find_program(), "exec", "--", sys.executable, "-c", program], env=without_pushpit(), capture_output=True, text=True)
    assert done.stdout == "{}\n", done.stderr


def test_a_gateway_that_is_started_ignores_the_options_of_another_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {
        "DATA": tmp_path / "data", "API_TOKEN": "secret", "API_TOKEN_FILE": tmp_path / "token", "LISTEN": "nonsense",
        "SEED": tmp_path / "seed.json",
    }.items():
        monkeypatch.setenv(f"PUSHPIT_{name}", str(value))
    with Gateway(options=["--quotas", "real"]) as gateway:
        assert not gateway.is_shared and gateway.environment["PUSHPIT_URL"] == gateway.url
        assert "PUSHPIT_API_TOKEN" not in gateway.environment
    assert not list(tmp_path.iterdir())


def test_a_gateway_over_ipv6_gets_the_pushes_of_this_process(gateway: Gateway) -> None:
    with Gateway(options=["--listen", "[::1]:0"]) as own:
        assert own._program
        port = own._program.description["listeners"][1]["url"].rpartition(":")[2]
        with Gateway(url=f"http://[::1]:{port}") as shared, shared.redirect():
            assert shared.push_url == f"https://[::1]:{port}"
            request = urllib.request.Request(
                "https://fcm.googleapis.com/v1/projects/six/messages:send", b'{"message":{"topic":"news"}}',
                {"authorization": "Bearer x", "content-type": "application/json"})
            assert urllib.request.urlopen(request).status == 200
            own.expect(app="six", count=1)


def test_a_gateway_with_a_token_or_over_tls_can_be_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Gateway(options=["--api-token", "secret"]) as gateway:
        assert gateway.environment["PUSHPIT_API_TOKEN"] == "secret"
        with pytest.raises(CallRefused, match="401 noToken"):
            Gateway(url=gateway.url)
        monkeypatch.setenv("PUSHPIT_CA", str(gateway.credentials.ca))
        with Gateway(url=gateway.push_url, api_token="secret") as secure:
            assert secure.devices() == []
        (tmp_path / "token").write_text("secret\n")
        monkeypatch.setenv("PUSHPIT_API_TOKEN_FILE", str(tmp_path / "token"))
        assert Gateway(url=gateway.url).devices() == []
        monkeypatch.setenv("PUSHPIT_API_TOKEN_FILE", str(tmp_path / "missing"))
        with pytest.raises(PushpitError, match="PUSHPIT_API_TOKEN_FILE names '.*/missing', which can't be read: No such"):
            Gateway(url=gateway.url)


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
