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
from ._values import monotonic

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
        matched: Iterable[Message], seconds: float,
    ) -> None:
        """Notes an expectation as `pushpit exec --report` writes it, with the text of a failure and how long it took."""
        self._expectations.append({
            "met": failure is None, "expectation": dict(request), "seconds": round(seconds, 3),
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
    # The worker of pytest-xdist that ran it. Each may have a gateway, and all gateways begin with p1.
    worker: str | None
    messages: list[dict[str, Any]]
    expectations: list[dict[str, Any]]

    @property
    def text(self) -> str:
        return json.dumps(asdict(self))

    @property
    def origin(self) -> dict[str, str]:
        """What the report says of each of its pushes and expectations."""
        return {"test": self.test, **({"worker": self.worker} if self.worker else {})}

    @property
    def names(self) -> tuple[str, str]:
        """The `classname` and the `name` that pytest gives the test in its own report for JUnit."""
        path, bracket, parameters = self.test.partition("[")
        file, *inner = path.split("::")
        *classes, name = inner or [""]
        return ".".join([re.sub(r"\.py$", "", file).replace("/", "."), *classes]), f"{name}{bracket}{parameters}"


class Report:
    """A plugin that collects the records of all tests. With xdist, only the controller has it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.records: list[TestRecord] = []
        self._start = monotonic()
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
            "messages": [{**record.origin, **message} for record in self.records for message in record.messages],
            "expectations": [{**record.origin, **row} for record in self.records for row in record.expectations],
        }
        return json.dumps(report, indent=2) + "\n"

    def _junit(self, exit: int) -> str:
        cases = [_case(
            SUITE, "command: pytest", monotonic() - self._start, f"pytest exited with {exit}" if exit else None)]
        for record in self.records:
            module, test = record.names
            for number, row in enumerate(record.expectations, 1):
                cases.append(_case(
                    module, f"{test} expectation {number}", row["seconds"], row.get("text"),
                    expectation_text(row["expectation"])))
        failures = sum("<failure" in case for case in cases)
        head = f'<testsuite name="{SUITE}" tests="{len(cases)}" failures="{failures}" errors="0">'
        lines = [f"{record.test}: {Message.parse(json)}" for record in self.records for json in record.messages]
        pushes = [f"    <system-out>{_escaped(chr(10).join(lines))}</system-out>"] if lines else []
        return "\n".join([
            '<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", f"  {head}", *cases, *pushes, "  </testsuite>",
            "</testsuites>", ""])


def _case(module: str, name: str, seconds: float, failure: str | None, expectation: str | None = None) -> str:
    """Its names are the same in each run. What differs, such as the app of the test, is in its texts."""
    start = f'    <testcase classname={_attribute(module)} name={_attribute(name)} time="{seconds:.3f}"'
    parts = []
    if failure is not None:
        parts.append(f"<failure message={_attribute(failure.splitlines()[0])}>{_escaped(failure)}</failure>")
    if expectation is not None:
        parts.append(f"<system-out>{_escaped(expectation)}</system-out>")
    inner = "".join(f"      {part}\n" for part in parts)
    return f"{start}>\n{inner}    </testcase>" if parts else f"{start}/>"


def _escaped(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text))
