"""What tests and processes have in common, and what each has to itself."""
from __future__ import annotations

import pytest

from pushpit import Gateway

from test_plugin import no_gateway_in_the_environment, suite

# This fixture applies to every test here, too.
__all__ = ["no_gateway_in_the_environment"]


def test_tests_do_not_see_each_other(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
import os, socket
seen = []

def check(push_app):
    assert push_app.gateway.call("GET", "/faults")["faults"] == []
    assert push_app.gateway.devices() == [] == push_app.gateway.messages()
    assert (os.environ["GOOGLE_CLOUD_PROJECT"], os.environ["PUSHPIT_APNS_TOPIC"]) == (push_app.project, push_app.id)
    assert json.load(open(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]))["project_id"] == push_app.project
    assert not push_app.clock.is_frozen
    push_app.fault("503Shutdown")
    push_app.clock.freeze()
    assert welcome(push_app, push_app.device("android").token) == 503
    seen.append((push_app.id, push_app.gateway.url, push_app.project))

def test_one(push_app):
    check(push_app)

def test_two(push_app, tmp_path):
    check(push_app)
    assert not list(tmp_path.iterdir())
    # Libraries such as firebase-admin keep the project of their first message.
    (one, url, project), (two, same_url, same_project) = seen
    assert one != two and url == same_url and project == same_project
''')
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_pushes_from_before_an_app_was_made_do_not_count(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
from pushpit import ExpectationFailed
import os, pytest, types

def test_late(pushpit, request):
    project = types.SimpleNamespace(project=os.environ["GOOGLE_CLOUD_PROJECT"])
    assert push(project, {"topic": "news"}) == 200
    push_app = request.getfixturevalue("push_app")
    assert push_app.project == project.project and push_app.messages() == []
    push_app.expect(never=True, within="0s")
    with pytest.raises(ExpectationFailed) as failed:
        push_app.expect_sequence({"topic": "news"}, within="0s")
    assert "Expected: app=com.example.test-late-" in str(failed.value)
    assert "since" not in str(failed.value).splitlines()[1]
    assert push(project, {"topic": "news"}) == 200
    push_app.expect(count=1)
    push_app.expect(since=0, count=2)
    assert (len(push_app.messages()), len(push_app.messages(since=0))) == (1, 2)
''')
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_each_test_has_a_project_if_the_configuration_says_so(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npushpit_project_per_test = true\npushpit_options = --auth strict\n")
    suite(pytester, '''
import os, pytest
import google.auth.transport.requests, google.oauth2.service_account as accounts
seen = set()

@pytest.mark.parametrize("number", range(3))
def test_project(push_app, number):
    seen.add(push_app.project)
    assert len(seen) == number + 1 and os.environ["GOOGLE_CLOUD_PROJECT"] == push_app.project
    account = accounts.Credentials.from_service_account_file(
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"], scopes=["https://www.googleapis.com/auth/firebase.messaging"])
    session = google.auth.transport.requests.AuthorizedSession(account)
    url = f"https://fcm.googleapis.com/v1/projects/{push_app.project}/messages:send"
    message = {"message": {"token": push_app.device("android").token}}
    assert session.post(url, json=message).status_code == 200
    push_app.expire_credentials()
    push_app.expect(count=1)
''')
    pytester.runpytest_subprocess().assert_outcomes(passed=3)
    pytester.makeini("[pytest]\npushpit_project_per_test = true\npushpit_project = acme\n")
    result = pytester.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*pushpit_project names one project for all tests*"])


def test_names_and_options_can_be_set_in_the_configuration(pytester: pytest.Pytester) -> None:
    pytester.makeini(
        "[pytest]\npushpit_app = com.acme.orders\npushpit_project = acme\npushpit_options = --unknown-devices reject\n")
    suite(pytester, '''
def test_names(push_app):
    assert (push_app.id, push_app.project) == ("com.acme.orders", "acme")
    phone = push_app.device("android")
    phone.subscribe("news")
    assert push(push_app, {"topic": "news", "data": {"a": "b"}}) == 200
    assert welcome(push_app, phone.token) == 200
    push_app.expect(topic="news", count=1)
    push_app.expect(count=2)
    push_app.expect(device=phone, token=phone.token, count=1)
    assert len(push_app.messages()) == 2
    stranger = push_app.device("android").token
    push_app.gateway.reset("com.acme.orders")
    assert welcome(push_app, stranger) == 404
''')
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_each_worker_of_xdist_has_a_gateway(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
import pathlib, pytest

@pytest.mark.parametrize("number", range(8))
def test_parallel(push_app, number, worker_id):
    with push_app.clock.frozen():
        assert welcome(push_app, push_app.device("android").token) == 200
        push_app.expect(count=1)
    pathlib.Path(f"{worker_id}-{number}").write_text(push_app.gateway.url)
''')
    pytester.runpytest_subprocess("-n", "2").assert_outcomes(passed=8)
    files = list(pytester.path.glob("gw?-?"))
    assert len(files) == 8
    assert len({(file.name[:3], file.read_text()) for file in files}) == len({file.read_text() for file in files}) == 2


def test_workers_share_the_gateway_in_the_environment_but_not_its_clock(
    pytester: pytest.Pytester, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHPIT_URL", gateway.url)
    suite(pytester, '''
import pytest
from pushpit import SharedGateway

@pytest.mark.parametrize("number", range(4))
def test_parallel(push_app, number):
    assert push_app.gateway.url == "URL"
    push_app.fault("503Shutdown", times=1)
    assert [welcome(push_app, push_app.device("android").token) for _ in range(2)] == [503, 200]
    push_app.expire_credentials()
    push_app.expect(outcome="accepted", count=1)
    with pytest.raises(SharedGateway, match="without exec and PUSHPIT_URL.*shared_clock moves it"):
        push_app.clock
    with pytest.raises(SharedGateway, match="'shared_clock' if no one else uses"):
        push_app.gateway.clock.advance("1h")
    assert not push_app.gateway.clock.is_frozen
    push_app.gateway.shared_clock.resume()
'''.replace("URL", gateway.url, 1))
    pytester.runpytest_subprocess("-n", "2").assert_outcomes(passed=4)
    assert gateway.call("GET", "/faults")["faults"] == []


def test_processes_that_share_a_gateway_have_different_keys(
    pytester: pytest.Pytester, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHPIT_URL", gateway.url)
    suite(pytester, "def test_key(push_app):\n    open('keys', 'a').write(push_app.apns.key_id + ' ')\n")
    for _ in range(2):
        pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert len(set((pytester.path / "keys").read_text().split())) == 2


def test_a_gateway_that_others_use_keeps_no_key_and_no_account_of_tests_that_are_over(
    pytester: pytest.Pytester, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = gateway.call("GET", "/credentials?limit=1000")
    monkeypatch.setenv("PUSHPIT_URL", gateway.url)
    suite(pytester, '''
def test_one(push_app):
    known = push_app.gateway.call("GET", "/credentials?limit=1000")
    assert push_app.credentials.apns.key_id in [key["keyId"] for key in known["apnsKeys"]]
    assert len(known["serviceAccounts"]) > 1
''')
    for project_per_test in ("false", "true"):
        pytester.makeini(f"[pytest]\npushpit_project_per_test = {project_per_test}\n")
        pytester.runpytest_subprocess().assert_outcomes(passed=1)
        assert gateway.call("GET", "/credentials?limit=1000") == before
