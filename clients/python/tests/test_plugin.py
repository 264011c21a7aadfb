"""The plugin in test suites that use it. Each suite runs in a pytest process of its own."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from pushpit import Gateway

SENDER = '''
import json, urllib.error, urllib.request

def push(app, message):
    request = urllib.request.Request(
        f"https://fcm.googleapis.com/v1/projects/{app.project}/messages:send", json.dumps({"message": message}).encode(),
        {"authorization": "Bearer x", "content-type": "application/json"})
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code

def welcome(app, token, title="Welcome"):
    return push(app, {"token": token, "notification": {"title": title}})
'''
PASSES = '''
def test_welcome(push_app):
    phone = push_app.device("android")
    assert welcome(push_app, phone.token) == 200
    push_app.expect(device=phone, count=1)
'''
FAILS = '''
def test_greeting(push_app):
    phone = push_app.device("android")
    welcome(push_app, phone.token, "Welcom")
    push_app.expect(device=phone, body={"/message/notification/title": "Welcome"}, within="0s")
'''


@pytest.fixture(autouse=True)
def no_gateway_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another test's `redirect` may have set it."""
    for name in ("PUSHPIT_URL", "PUSHPIT_CREDENTIALS"):
        monkeypatch.delenv(name, raising=False)


def suite(pytester: pytest.Pytester, tests: str) -> None:
    pytester.makepyfile(test_suite=SENDER + tests)


def test_a_failing_expectation_shows_the_nearest_miss_and_the_pushes(pytester: pytest.Pytester) -> None:
    suite(pytester, FAILS)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        ">   *push_app.expect(device=phone, body=*",
        "E   *ExpectationFailed: 0 pushes match, but at least 1 was expected.",
        "E   *Expected: app=com.example.test-greeting-* /message/notification/title=\"Welcome\" (within 0s)",
        "E   *Nearest:",
        "E   *p1: FCM push of com.example.test-greeting-*, accepted: 200",
        "E   */message/notification/title: expected \"Welcome\", got \"Welcom\"",
        "*Pushes of com.example.test-greeting-*",
        "p1: FCM push of com.example.test-greeting-*",
    ])
    # The traceback ends in the test, not in the kit.
    assert "expectations.py" not in result.stdout.str()


def test_the_gateway_logs_of_a_failing_test_are_shown(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
def test_untrusting(push_app):
    import ssl
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen("https://fcm.googleapis.com/", context=ssl.create_default_context(cafile=CA))
    push_app.expect(within="0s")
'''.replace("CA", repr(str(Path(__file__).with_name("other-ca.pem")))) + "import pytest\n")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*No push has reached the gateway*", "*Pushpit's log*", "*tls failed*ca.pem*"])


def test_an_app_that_a_fixture_asks_for_by_name_does_not_end_the_run(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
import pytest

@pytest.fixture(autouse=True)
def app_of_every_test(request):
    request.getfixturevalue("push_app")

def test_fails():
    assert False

def test_passes():
    pass
''')
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*Pushes of com.example.test-fails-*", "none"])


def test_a_fixture_that_fails_shows_the_pushes_too(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
import pytest

@pytest.fixture
def order(push_app):
    welcome(push_app, push_app.device("android").token)
    push_app.expect(count=2, within="0s")

def test_order(order):
    pass
''')
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*Pushes of com.example.test-order-*", "p1: FCM push of com.example.test-order-*"])


def test_clients_that_were_made_when_a_module_was_imported_trust_the_gateway(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(backend='''
import aiohttp, httpx
client = httpx.Client()

def request_of(app, token):
    return {
        "url": f"https://fcm.googleapis.com/v1/projects/{app.project}/messages:send",
        "json": {"message": {"token": token}}, "headers": {"authorization": "Bearer x"}}

async def send(app, token):
    async with aiohttp.ClientSession() as session, session.post(**request_of(app, token)) as answer:
        return answer.status
''')
    suite(pytester, '''
import asyncio, backend

def test_clients(push_app):
    phone = push_app.device("android")
    assert asyncio.run(backend.send(push_app, phone.token)) == 200
    assert backend.client.post(**backend.request_of(push_app, phone.token)).status_code == 200
    push_app.expect(device=phone, count=2)
''')
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


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


def test_an_interrupted_suite_ends_without_further_errors(pytester: pytest.Pytester) -> None:
    """A terminal sends Ctrl-C to all processes of its session."""
    suite(pytester, PASSES.replace(
        "push_app.expect(device=phone, count=1)", "import threading\n    print('started', flush=True)\n"
        "    while True: threading.Event().wait(0.05)"))
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", "-s", "-p", "no:cacheprovider"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True,
    ) as running:
        watchdog = threading.Timer(60, running.kill)
        watchdog.start()
        assert running.stdout
        for line in running.stdout:
            if "started" in line:
                os.killpg(running.pid, signal.SIGINT)
                break
        said = running.stdout.read()
        watchdog.cancel()
    assert "KeyboardInterrupt" in said and "does not answer" not in said and "ERROR" not in said
    assert running.returncode == pytest.ExitCode.INTERRUPTED


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
    with pytest.raises(SharedGateway, match="run the test without PUSHPIT_URL"):
        push_app.clock
    with pytest.raises(SharedGateway, match="'shared_clock' if no one else uses"):
        push_app.gateway.clock.advance("1h")
    assert not push_app.gateway.clock.is_frozen
    push_app.gateway.shared_clock.resume()
'''.replace("URL", gateway.url, 1))
    pytester.runpytest_subprocess("-n", "2").assert_outcomes(passed=4)
    assert gateway.call("GET", "/faults")["faults"] == []


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_the_report_has_the_pushes_and_expectations_of_all_tests(
    pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    suite(pytester, PASSES + FAILS)
    result = pytester.runpytest_subprocess("--pushpit-report", "report.json", *options)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*pushes: 2, written to *report.json*"])
    report = json.loads((pytester.path / "report.json").read_text())
    assert report["exit"] == 1
    assert sorted(row["request"]["body"]["message"]["notification"]["title"] for row in report["messages"]) == [
        "Welcom", "Welcome"]
    assert {row["test"]: row["met"] for row in report["expectations"]} == {
        "test_suite.py::test_welcome": True, "test_suite.py::test_greeting": False}
    [missed] = [row for row in report["expectations"] if not row["met"]]
    assert missed["why"].startswith("0 pushes match")
    assert missed["nearest"][0]["differs"][0]["got"] == "Welcom"
    assert missed["expectation"]["match"]["body"] == {"/message/notification/title": "Welcome"}


def test_the_report_has_what_tests_expect_of_the_gateway_and_pushes_without_an_app(
    pytester: pytest.Pytester, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(pytester, '''
import types

def send(topic):
    assert push(types.SimpleNamespace(project="other"), {"topic": topic}) == 200

def test_one(pushpit):
    send("news")
    pushpit.expect(app="other", topic="news", count=1)

def test_two(pushpit):
    send("weather")
''')
    for shared in (False, True):
        if shared:
            monkeypatch.setenv("PUSHPIT_URL", gateway.url)
        pytester.runpytest_subprocess("--pushpit-report", "report.json").assert_outcomes(passed=2)
        report = json.loads((pytester.path / "report.json").read_text())
        pushed = [(row["test"], row["target"]["topic"]) for row in report["messages"]]
        # On a shared gateway, other pushes may be those of others.
        assert pushed == [("test_suite.py::test_one", "news"), ("test_suite.py::test_two", "weather")][:1 if shared else 2]
        [met] = report["expectations"]
        assert met["met"] and met["expectation"]["match"] == {"app": "other", "topic": "news"}
    gateway.reset("other")


def test_processes_that_share_a_gateway_have_different_keys(
    pytester: pytest.Pytester, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHPIT_URL", gateway.url)
    suite(pytester, "def test_key(push_app):\n    open('keys', 'a').write(push_app.apns.key_id + ' ')\n")
    for _ in range(2):
        pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert len(set((pytester.path / "keys").read_text().split())) == 2


def test_the_report_is_xml_if_the_name_says_so(pytester: pytest.Pytester) -> None:
    # XML does not allow the last character.
    suite(pytester, PASSES + FAILS.replace("\"Welcome\"", "\"<&\ufffe\""))
    pytester.runpytest_subprocess("--pushpit-report", "report.xml")
    [found] = xml.parse(pytester.path / "report.xml").getroot()
    assert (found.get("tests"), found.get("failures")) == ("3", "2")
    command, met, missed = found
    [said] = missed
    assert command.find("failure") is not None and met.find("failure") is None
    assert missed.get("name") == (
        "test_suite.py::test_greeting: device=d2 /message/notification/title=\"<&\ufffd\" (within 0s)")
    assert said.get("message") == "0 pushes match, but at least 1 was expected."
    assert "expected \"<&\ufffd\", got \"Welcom\"" in (said.text or "")


def test_a_report_that_can_not_be_written_is_an_error_at_the_start(pytester: pytest.Pytester) -> None:
    suite(pytester, PASSES)
    result = pytester.runpytest_subprocess("--pushpit-report", "missing/report.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--pushpit-report: missing/report.json can't be written: No such file or directory"])


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
