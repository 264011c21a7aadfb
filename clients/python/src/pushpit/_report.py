"""What --pushpit-report notes while the tests run, and its file, in the form of the reports of `pushpit exec`."""
from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

import pytest

from ._failure import expectation_text
from .messages import Message

if TYPE_CHECKING:
    from .errors import ExpectationFailed
    from .gateway import Gateway

# Characters that XML 1.0 does not allow.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SUITE = "pushpit"
# The attribute of a test's report that carries its record, as text: xdist can't send every value to the controller.
REPORT_ATTRIBUTE = "pushpit_record"


class Recorder:
    """The pushes and expectations of the test that runs now."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._since = gateway.newest_event
        self._messages: dict[str, Message] = {}
        self._expectations: list[dict[str, Any]] = []

    def note(
        self, request: Mapping[str, Any], answer: Mapping[str, Any], failure: ExpectationFailed | None,
        matched: Iterable[Message],
    ) -> None:
        """Notes an expectation as `pushpit exec --report` writes it, with the text of a failure."""
        self._expectations.append({
            "met": failure is None, "expectation": dict(request),
            **({"why": failure.why, "text": str(failure)} if failure else {}), "nearest": answer.get("nearest", [])})
        self.add(matched)

    def add(self, messages: Iterable[Message]) -> None:
        self._messages.update({message.id: message for message in messages if message.seq > self._since})

    def collect(self) -> None:
        """Notes all new pushes, unless some of them may be those of others."""
        if not self._gateway.is_shared:
            self.add(self._gateway.messages(since=self._since))

    def take(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The pushes, oldest first, and the expectations since the last call."""
        messages = sorted(self._messages.values(), key=lambda message: message.seq)
        taken = [message.json for message in messages], self._expectations
        self._since = messages[-1].seq if messages else self._since
        self._messages, self._expectations = {}, []
        return taken


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
        lines = [f"{record.test}: {Message.parse(json)}" for record in self.records for json in record.messages]
        pushes = [f"    <system-out>{_escaped(chr(10).join(lines))}</system-out>"] if lines else []
        return "\n".join([
            '<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", f"  {head}", *cases, *pushes, "  </testsuite>",
            "</testsuites>", ""])


def _case(name: str, failure: str | None) -> str:
    start = f'    <testcase classname="{SUITE}" name={_attribute(name)}'
    if failure is None:
        return f"{start}/>"
    text, message = _escaped(failure), _attribute(failure.splitlines()[0])
    return f"{start}>\n      <failure message={message}>{text}</failure>\n    </testcase>"


def _escaped(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text))
