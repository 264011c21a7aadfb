"""Suites under `pushpit exec`."""
from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pushpit._environment import without_pushpit
from pushpit._program import find_program

from test_plugin import suite

# Two tests with the same app and project, each with one push to a phone and one to a topic.
TESTS = '''
import pytest

@pytest.mark.parametrize("title", ["Breakfast", "Lunch"])
def test_meal(push_app, title):
    phone = push_app.device("android")
    assert welcome(push_app, phone.token, title) == 200
    assert push(push_app, {"topic": "news", "notification": {"title": title}}) == 200
    push_app.expect(count=2)
    assert len(push_app.messages()) == 2
    push_app.expect(topic="news", count=1, within="0s")
'''


def test_exec_expects_and_reports_the_pushes_of_tests_that_are_over(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\npushpit_app = com.acme.shop\npushpit_project = acme\n")
    suite(pytester, TESTS)
    expectations = pytester.path / "pushes.json"
    expectations.write_text(json.dumps([
        {"match": {"app": "com.acme.shop", "event": {"kind": "presented"}}, "count": 2},
        {"match": {"topic": "news", "app": "acme"}, "count": 2}]))
    done = subprocess.run(
        [find_program(), "exec", "--expect", "pushes.json", "--report", "json", "report.json", "--", sys.executable, "-m",
         "pytest", "-p", "no:cacheprovider"], env=without_pushpit(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 pushes were caught" in done.stderr
    report = json.loads((pytester.path / "report.json").read_text())
    titles = [row["request"]["body"]["message"]["notification"]["title"] for row in report["messages"]]
    assert titles == ["Breakfast", "Breakfast", "Lunch", "Lunch"]
