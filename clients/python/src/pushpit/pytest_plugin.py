"""The fixtures `pushpit` and `push_app` for pytest, what a failing test shows, and --pushpit-report."""
from __future__ import annotations

import json
import os
import re
import socket
import uuid
import warnings
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Generator, Iterator
from unittest import mock

import pytest

from ._program import StartFailed
from ._report import REPORT_ATTRIBUTE, Recorder, Report, TestRecord
from .app import PushApp
from .errors import PushpitError, UnusedFault
from .gateway import Gateway
from .identity import Identity
from .messages import lines_of

# The app of a test, and how long the gateway's log was before it.
APP = pytest.StashKey["tuple[PushApp, int]"]()
# If there is a report: notes what the tests push and expect.
RECORDER = pytest.StashKey[Recorder]()
SHOWN_PUSHES = 20
SHOWN_LOG = 4000
# The gateway logs these problems of a client's connections once a minute.
CONNECTION_PROBLEM = re.compile(r".* info (tls failed|tls ended|http/1\.1) .*")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pushpit")
    group.addoption(
        "--pushpit-report", metavar="FILE",
        help="write what was pushed and which expectations were met: JSON, or JUnit's XML if FILE ends with .xml")
    parser.addini("pushpit_app", "bundle id and package name of push_app; without it, each test has a different one")
    parser.addini("pushpit_project", "Firebase project of push_app; without it, each process has a different one")
    parser.addini(
        "pushpit_project_per_test", "give each push_app a Firebase project of its own", type="bool", default=False)
    parser.addini("pushpit_options", "options of 'pushpit serve' for the gateway that the tests start", type="args")


def pytest_configure(config: pytest.Config) -> None:
    if config.getini("pushpit_project") and config.getini("pushpit_project_per_test"):
        raise pytest.UsageError("pushpit_project names one project for all tests, so it can't be set with "
                                "pushpit_project_per_test: remove one of them")
    path = config.getoption("pushpit_report")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(Path(path)), "pushpit-report")


@pytest.fixture(scope="session")
def _pushpit_identity(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Identity]:
    """The gateway, with a key and an account that senders in this process sign in with."""
    name = f"{socket.gethostname()} {os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    project = pytestconfig.getini("pushpit_project") or None
    with ExitStack() as stack:
        problem = ""
        try:
            gateway = stack.enter_context(_gateway(pytestconfig))
            stack.enter_context(gateway.redirect())
            folder = gateway.directory or tmp_path_factory.mktemp("pushpit")
            identity = Identity.register(gateway, name, folder, project)
        except PushpitError as error:
            problem = str(error)
        if problem:
            # The frames of this package would not help. Within `except`, pytest would show both errors.
            pytest.fail(problem, pytrace=False)
        if pytestconfig.getoption("pushpit_report"):
            gateway.recorder = pytestconfig.stash[RECORDER] = Recorder(gateway)
        with mock.patch.dict(os.environ, identity.credentials.variables):
            yield identity
        if gateway.recorder:
            gateway.recorder.collect()
        if gateway.is_shared:
            # If the gateway no longer answers, it has nothing to forget.
            with suppress(PushpitError):
                identity.remove()


def _gateway(config: pytest.Config) -> Gateway:
    options = config.getini("pushpit_options")
    if options and (url := os.environ.get("PUSHPIT_URL")):
        warnings.warn(UserWarning(
            f"pushpit_options ({' '.join(options)}) is not applied, because the gateway at {url} was not started by the "
            "tests: give the options to 'pushpit exec' or 'pushpit serve'"), stacklevel=1)
        options = []
    try:
        return Gateway(options=options)
    except StartFailed as error:
        where = f"pushpit_options = {' '.join(options)}, in pytest's configuration: " if options else ""
        raise PushpitError(f"{where}{error}") from None


@pytest.fixture(scope="session")
def pushpit(_pushpit_identity: Identity) -> Gateway:
    """A gateway for this process: the one in PUSHPIT_URL, or one that is started now and ends with the tests.

    Pushes that this process sends to Apple and Google reach it, and the environment has the credentials of a sender,
    such as GOOGLE_APPLICATION_CREDENTIALS.
    """
    return _pushpit_identity.gateway


@pytest.fixture
def push_app(request: pytest.FixtureRequest, _pushpit_identity: Identity) -> Iterator[PushApp]:
    """An app that this test has to itself, in a Firebase project of this process. Its devices and faults end with it."""
    config, identity = request.config, _pushpit_identity
    if config.getini("pushpit_project_per_test"):
        identity = identity.with_project()
    app = PushApp(identity, config.getini("pushpit_app") or _unique_name(request.node.name))
    request.node.stash[APP] = app, len(app.gateway.log)
    with app, mock.patch.dict(os.environ, app.credentials.variables):
        yield app
        if app.gateway.recorder:
            app.gateway.recorder.add(app.messages())
        # If the gateway no longer answers, the end of the app says so.
        with suppress(PushpitError):
            for row in app.unused_faults():
                what = json.dumps({"match": row.get("match", {}), "effect": row["effect"]})
                warnings.warn(UnusedFault(f"no request has hit the fault {what}"), stacklevel=1)
    if app.gateway.is_shared and identity is not _pushpit_identity:
        with suppress(PushpitError):
            identity.remove_account()


def _unique_name(test: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", test.lower()).strip("-")[:40].strip("-")
    return f"com.example.{words or 'test'}-{uuid.uuid4().hex[:8]}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """The gateway and the apps end in the teardown of the last test that uses them, so this comes before."""
    if RECORDER in item.config.stash:
        # If the gateway does not answer, the fixtures say so.
        with suppress(PushpitError):
            item.config.stash[RECORDER].collect()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    # At the teardown, the app has already been removed.
    if report.when != "teardown" and report.failed and APP in item.stash:
        report.sections += _sections(*item.stash[APP])
    if report.when == "teardown" and RECORDER in item.config.stash:
        worker = getattr(item.config, "workerinput", {}).get("workerid")
        record = TestRecord(item.nodeid, worker, *item.config.stash[RECORDER].take())
        setattr(report, REPORT_ATTRIBUTE, record.text)
    return report


def _sections(app: PushApp, offset: int) -> Iterator[tuple[str, str]]:
    """What a failing test shows: its pushes, those to its devices, and what the gateway has logged in the meantime."""
    # An exception here would end pytest.
    try:
        messages = app.all_messages()
        lines = lines_of(messages[-SHOWN_PUSHES:])
        if len(messages) > SHOWN_PUSHES:
            lines.insert(0, f"({len(messages) - SHOWN_PUSHES} earlier pushes)")
        yield f"Pushes of {app.id}", "\n".join(lines) or "none"
        before, log = app.gateway.log[:offset], app.gateway.log[offset:].strip()
        if log:
            yield "Pushpit's log", log[-SHOWN_LOG:]
        problems = [line[0] for line in CONNECTION_PROBLEM.finditer(before)]
        if not messages and problems:
            yield "Earlier problems of connections", "\n".join(problems[-3:])
    except Exception as error:
        yield "Pushpit", repr(error)


