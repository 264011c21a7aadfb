"""The pytest plugin in suites that need no gateway, where none can be started, and with a gateway that runs."""
from __future__ import annotations

import pytest

from pushpit import Gateway
from test_plugin import PASSES, no_gateway_in_the_environment, suite

# This fixture applies to every test here, too.
__all__ = ["no_gateway_in_the_environment"]


def test_a_suite_that_does_not_use_the_fixtures_starts_no_gateway(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHPIT_BINARY", "/nothing")
    pytester.makepyfile("def test_nothing(): pass")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_without_the_program_the_fixture_says_what_to_install(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSHPIT_BINARY", "/nothing")
    suite(pytester, PASSES)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["PUSHPIT_BINARY names '/nothing', which is not a program*"])


@pytest.mark.parametrize(("url", "reason"), [
    ("http://127.0.0.1:9", "*Connection refused"), ("localhost:9", "'localhost:9' is not the URL of a gateway*")])
def test_a_url_without_a_gateway_is_one_sentence_that_names_the_variable(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, url: str, reason: str
) -> None:
    monkeypatch.setenv("PUSHPIT_URL", url)
    suite(pytester, PASSES)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([
        "* ERROR at setup of test_welcome *",
        f"PUSHPIT_URL names {url}, but no gateway answers there: {reason}. Start one there, or unset PUSHPIT_URL*",
        "=* short test summary info *"], consecutive=True)


def test_wrong_options_are_one_sentence_that_names_them(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npushpit_options = --quotas maybe\n")
    suite(pytester, PASSES)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([
        "* ERROR at setup of test_welcome *",
        "pushpit_options = --quotas maybe, in pytest's configuration: 'pushpit serve' ended with 64: *'maybe'*",
        "=* short test summary info *"], consecutive=True)


def test_options_that_are_not_applied_are_a_warning(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\npushpit_options = --auth strict\n")
    suite(pytester, "def test_nothing(pushpit): pass\n")
    with Gateway() as gateway:
        monkeypatch.setenv("PUSHPIT_URL", gateway.url)
        monkeypatch.setenv("PUSHPIT_CERTS", str(gateway.credentials.ca.parent))
        result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*pushpit_options (--auth strict) is not applied, because the gateway at http*"])
