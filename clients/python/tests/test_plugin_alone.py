"""The pytest plugin in suites that need no gateway, and where no gateway can be started."""
from __future__ import annotations

import pytest

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
    result.stdout.fnmatch_lines(["E   *PUSHPIT_BINARY names '/nothing', which is not a program*"])
