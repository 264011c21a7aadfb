"""The file of --pushpit-report, in the form of the reports of `pushpit exec`."""
from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest

from .expectations import expectation_text

# Characters that XML 1.0 does not allow.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SUITE = "pushpit"
# The attribute of a test's report that carries its record, as text: xdist can't send every value to the controller.
REPORT_ATTRIBUTE = "pushpit_record"


@dataclass
class TestRecord:
    """What a test has pushed, oldest first, and expected."""

    __test__ = False
    test: str
    messages: list[dict[str, Any]]
    expectations: list[dict[str, Any]]

    @property
    def text(self) -> str:
        return json.dumps(asdict(self))


class Report:
    """A plugin that collects the records of all tests. With xdist, only the controller has it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.records: list[TestRecord] = []
        try:
            # A file that can't be written is found before the tests run.
            self.path.open("ab").close()
        except OSError as error:
            raise pytest.UsageError(f"--pushpit-report: {path} can't be written: {error.strerror}") from error

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        text = getattr(report, REPORT_ATTRIBUTE, None)
        if text:
            self.records.append(TestRecord(**json.loads(text)))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        exit = int(exitstatus)
        text = self._junit(exit) if self.path.suffix == ".xml" else self._json(exit)
        self.path.write_text(text, encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        pushes = sum(len(record.messages) for record in self.records)
        terminalreporter.write_sep("-", f"pushes: {pushes}, written to {self.path}")

    def _json(self, exit: int) -> str:
        report = {
            "exit": exit,
            "messages": [{"test": record.test, **message} for record in self.records for message in record.messages],
            "expectations": [{"test": record.test, **row} for record in self.records for row in record.expectations],
        }
        return json.dumps(report, indent=2) + "\n"

    def _junit(self, exit: int) -> str:
        cases = [_case("command: pytest", f"pytest exited with {exit}" if exit else None)]
        for record in self.records:
            for row in record.expectations:
                cases.append(_case(f"{record.test}: {expectation_text(row['expectation'])}", row.get("text")))
        failures = sum("<failure" in case for case in cases)
        head = f'<testsuite name="{SUITE}" tests="{len(cases)}" failures="{failures}" errors="0">'
        return "\n".join([
            '<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", f"  {head}", *cases, "  </testsuite>",
            "</testsuites>", ""])


def _case(name: str, failure: str | None) -> str:
    start = f'    <testcase classname="{SUITE}" name={_attribute(name)}'
    if failure is None:
        return f"{start}/>"
    text, message = escape(NOT_XML.sub("\ufffd", failure)), _attribute(failure.splitlines()[0])
    return f"{start}>\n      <failure message={message}>{text}</failure>\n    </testcase>"


def _attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text))
