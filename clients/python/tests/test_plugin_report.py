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
    # Each worker has a gateway, so its ids are the same as those of the other one.
    workers = {row.get("worker") for row in report["messages"] + report["expectations"]}
    assert workers <= {"gw0", "gw1"} if options else workers == {None}


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
    said, expected = missed
    assert command.find("failure") is not None and met.find("failure") is None
    assert said.get("message") == "0 pushes match, but at least 1 was expected."
    assert "expected \"<&\ufffd\", got \"Welcom\"" in (said.text or "")
    assert (expected.tag, expected.text) == ("system-out", "device=d2 /message/notification/title=\"<&\ufffd\" (within 0s)")
    assert met.findtext("system-out") == "device=d1 (count 1, within 5s)"


def test_the_cases_of_the_xml_have_the_same_names_in_each_run_and_those_of_pytest(pytester: pytest.Pytester) -> None:
    pytester.mkpydir("shop")
    (pytester.path / "shop/test_orders.py").write_text('''
import pytest

class TestOrders:
    @pytest.mark.parametrize("size", ["a::b[c", "d/e"])
    def test_size(self, push_app, size):
        push_app.expect(never=True, within=0)
        push_app.expect(device=push_app.device("ios"), never=True, within=0)
''')
    def cases(file: str) -> list[tuple[str | None, str | None]]:
        found = xml.parse(pytester.path / file).iter("testcase")
        rows = [(case.get("classname"), case.get("name"), float(case.get("time", -1))) for case in found]
        assert all(0 <= seconds < 60 for *_, seconds in rows)
        return [(module, name) for module, name, _ in rows]

    runs = []
    for options in ((), ("-p", "no:randomly")):
        pytester.runpytest_subprocess("--pushpit-report", "report.xml", "--junitxml", "junit.xml", *options)
        runs.append(cases("report.xml"))
    assert runs[0] == runs[1] and runs[0][0] == ("pushpit", "command: pytest")
    assert runs[0][1:] == [
        (module, f"{name} expectation {number}") for module, name in cases("junit.xml") for number in (1, 2)]
    assert runs[0][1] == ("shop.test_orders.TestOrders", "test_size[a::b[c] expectation 1")


def test_a_report_that_can_not_be_written_is_an_error_at_the_start(pytester: pytest.Pytester) -> None:
    suite(pytester, PASSES)
    result = pytester.runpytest_subprocess("--pushpit-report", "missing/report.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--pushpit-report: missing/report.json can't be written: No such file or directory"])
