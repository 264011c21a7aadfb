"""The file of --pushpit-report."""
from __future__ import annotations

import json
import xml.etree.ElementTree as xml

import pytest

from pushpit import Gateway

from test_plugin import FAILS, PASSES, no_gateway_in_the_environment, suite

# This fixture applies to every test here, too.
__all__ = ["no_gateway_in_the_environment"]


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
    send("storm")

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
        assert pushed == [
            ("test_suite.py::test_one", "news"), ("test_suite.py::test_one", "storm"),
            ("test_suite.py::test_two", "weather")][:1 if shared else 3]
        [met] = report["expectations"]
        assert met["met"] and met["expectation"]["match"] == {"app": "other", "topic": "news"}
    gateway.reset("other")


def test_the_report_is_xml_if_the_name_says_so(pytester: pytest.Pytester) -> None:
    # XML does not allow the last character.
    suite(pytester, PASSES + FAILS.replace("\"Welcome\"", "\"<&\ufffe\""))
    pytester.runpytest_subprocess("--pushpit-report", "report.xml")
    [found] = xml.parse(pytester.path / "report.xml").getroot()
    assert (found.get("tests"), found.get("failures")) == ("3", "2")
    command, met, missed, pushes = found
    lines = (pushes.text or "").splitlines()
    assert pushes.tag == "system-out" and [line.split(": ")[0] for line in lines] == [
        "test_suite.py::test_welcome", "test_suite.py::test_greeting"]
    assert "FCM push \"Welcom\" of" in lines[1]
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
