"""The plugin in test suites that use it. Each suite runs in a pytest process of its own."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

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
        "E   *p1: FCM push \"Welcom\" of com.example.test-greeting-*, accepted: 200",
        "E   */message/notification/title: expected \"Welcome\", got \"Welcom\"",
        "*Pushes of com.example.test-greeting-*",
        "p1: FCM push \"Welcom\" of com.example.test-greeting-*",
    ])
    # The traceback ends in the test, not in the kit.
    assert "expectations.py" not in result.stdout.str()


def test_an_error_of_the_package_has_no_frames_of_the_package(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
def test_fault(push_app):
    push_app.fault("429TooManyRequest")

def test_defect(push_app):
    push_app.device("ios", state=5)
''')
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2)
    text = result.stdout.str()
    fault = text[text.index("test_fault _"):text.index("test_defect _")]
    assert "test_suite.py:" in fault and "pushpit/" not in fault.partition("Captured")[0].partition("Pushes of")[0]


def test_the_gateway_logs_of_a_failing_test_are_shown(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
import pytest
@pytest.mark.parametrize("number", [1, 2])
def test_untrusting(push_app, number):
    import ssl
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen("https://fcm.googleapis.com/", context=ssl.create_default_context(cafile=CA))
    push_app.expect(within="0s")
'''.replace("CA", repr(str(Path(__file__).with_name("other-ca.pem")))))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*No push has reached the gateway*", "*Pushpit's log*", "*tls failed*ca.pem*"])
    # The gateway logs this once a minute.
    second = result.stdout.str().partition("test_untrusting[2] _")[2]
    assert second.count("tls failed") == 1
    assert "tls failed" in second.partition("- Earlier problems of connections -")[2]


def test_a_fault_that_no_request_has_hit_is_a_warning(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
from pushpit import answer

def test_unused(push_app):
    push_app.fault(answer(503, "ServiceUnavailable"), match={"provider": "apns"}, times=1)
    assert welcome(push_app, push_app.device("android").token) == 200

def test_used(push_app):
    push_app.fault(answer(429), times=1)
    assert welcome(push_app, push_app.device("android").token) == 429
''')
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, warnings=1)
    result.stdout.fnmatch_lines(["*UnusedFault: no request has hit the fault *\"apns\"*503*ServiceUnavailable*"])


def test_a_failing_test_shows_pushes_to_its_devices_that_were_sent_for_another_app(pytester: pytest.Pytester) -> None:
    suite(pytester, '''
import types

def test_other_project(push_app):
    phone, other = push_app.device("android"), types.SimpleNamespace(project="acme")
    old = phone.token
    phone.rotate_token()
    assert [welcome(app, phone.token) for app in (other, push_app)] == [403, 200]
    assert (welcome(other, old), push(push_app, {"topic": "news"})) == (404, 200)
    stranger = push_app.gateway.device("android", "com.acme", project="acme")
    assert welcome(other, stranger.token) == 200
    assert False
''')
    result = pytester.runpytest_subprocess()
    shown = result.stdout.str().partition("Pushes of com.example.test-other-project-")[2].partition("Pushpit's log")[0]
    assert [line.split(":")[0] for line in shown.splitlines() if " push " in line] == ["p1", "p2", "p3", "p4"]
    result.stdout.fnmatch_lines(["p1: FCM push \"Welcome\" of acme to token *, refused: 403 SENDER_ID_MISMATCH"])


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
    result.stdout.fnmatch_lines(["*Pushes of com.example.test-order-*", "p1: FCM push *of com.example.test-order-*"])


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
