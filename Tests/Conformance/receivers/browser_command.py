"""`pushpit browser` as a process, and the browser that it has started."""
from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from browsers import LONGEST, Browser, Chromium, Firefox
from gateway import BINARY, environment


class Command:
    """Runs the command during its `with` block. Its temporary files are in a directory of this object."""

    def __init__(self, kind: str, *arguments: str, headless: bool = True, variables: dict[str, str] | None = None) -> None:
        self.kind, self.variables = kind, variables or {}
        self.words = [BINARY, "browser", kind, *(["--headless"] if headless else []), *arguments]
        self._directory = tempfile.TemporaryDirectory(prefix="pushpit-command-", ignore_cleanup_errors=True)
        self.temporary, self.home = Path(self._directory.name, "temporary"), Path(self._directory.name, "home")
        for directory in (self.temporary, self.home):
            directory.mkdir()

    def __enter__(self) -> Command:
        self.process = subprocess.Popen(
            self.words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(self.variables | {"TMPDIR": str(self.temporary), "HOME": str(self.home)}))
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end()
        for pipe in (self.process.stdout, self.process.stderr):
            pipe.close()
        self._directory.cleanup()

    def started(self) -> dict[str, str]:
        """What it prints when the browser has started: the first lines as names and values."""
        rows = {}
        for line in self.process.stdout:
            name, _, value = line.partition("  ")
            rows[name] = value.strip()
            if name in ("DevTools", "BiDi"):
                return rows
        raise AssertionError(f"it ended with {self.process.wait()}: {self.process.stderr.read()}")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit code after this signal."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        try:
            return self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    @property
    def left(self) -> list[str]:
        """What is in the temporary and in the home directory, besides the directory for downloads, which Firefox makes."""
        return [path.name for directory in (self.temporary, self.home) for path in directory.iterdir() if path.name != "Downloads"]

    def processes(self) -> list[int]:
        """The browser's processes: their temporary files are in a directory of the command."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if f"\0TMPDIR={self.temporary}/".encode() in b"\0" + (path / "environ").read_bytes():
                    found.append(int(path.name))
        return found

    def browser(self) -> int:
        """The process that the command has started: it leads a group of processes."""
        (first,) = [process for process in self.processes() if os.getpgid(process) == process]
        return first


def wait_for_end(processes: list[int]) -> None:
    deadline = time.monotonic() + LONGEST
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            handle = os.pidfd_open(process)
            ended = select.select([handle], [], [], max(deadline - time.monotonic(), 0))[0]
            os.close(handle)
            assert ended, f"process {process} still runs"


class Attached:
    """A browser that a command has started: its page, over the address that the command prints."""

    name: str
    command: Command
    rows: dict[str, str]
    said = ""
    """What the command has printed on standard error, when it has ended."""

    @classmethod
    def make(cls, *arguments: str, **options: Any) -> Command:
        return Command(cls.name, *arguments, **options)

    def __init__(self, *arguments: str, **options: Any) -> None:
        self.command = self.make(*arguments, **options).__enter__()
        try:
            self.rows = self.command.started()
            self.attach(int((self.rows.get("DevTools") or self.rows["BiDi"]).split(":")[2].split("/")[0]))
        except BaseException:
            self.command.__exit__()
            raise

    def end(self) -> None:
        if self.command.process.poll() is None:
            self.command.end()
            self.said = self.command.process.stderr.read()
        self.command.__exit__()


class AttachedChromium(Attached, Chromium):
    name = "chromium"


class AttachedFirefox(Attached, Firefox):
    name = "firefox"
    # Otherwise it would trust a gateway that the command has not made it trust.
    trusts_everyone = False
