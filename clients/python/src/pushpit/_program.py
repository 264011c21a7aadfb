"""The program `pushpit`: where it is, and a gateway that it runs."""
from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Sequence

from ._environment import without_pushpit
from .errors import PushpitError
from ._values import monotonic

# In seconds.
START_TIMEOUT = 30.0
STOP_TIMEOUT = 10.0
# How many characters of the log an error shows.
LOG_TAIL = 2000


class StartFailed(PushpitError):
    """`pushpit serve` has ended, or was not ready in time."""


def find_program() -> str:
    """The path in PUSHPIT_BINARY; else the program that the wheel installed; else the one on the PATH."""
    said = os.environ.get("PUSHPIT_BINARY")
    if said:
        if not os.access(said, os.X_OK):
            raise PushpitError(f"PUSHPIT_BINARY names '{said}', which is not a program; set it to the path of pushpit")
        return os.path.abspath(said)
    scripts = {sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")}
    for folder in sorted(scripts):
        program = os.path.join(folder, "pushpit")
        if os.access(program, os.X_OK):
            return program
    found = shutil.which("pushpit")
    if not found:
        raise PushpitError(
            "there is no program 'pushpit' on the PATH; install the wheel that contains it, "
            "or set PUSHPIT_BINARY to its path, or set PUSHPIT_URL to use a gateway that runs already")
    return found


def variables_for(url: str, certificates: Path, token: str | None) -> dict[str, str]:
    """What `pushpit env` prints for a gateway."""
    command = [find_program(), "env", "--url", url, "--certs", str(certificates)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=START_TIMEOUT, check=False,
        env={**without_pushpit(), **({"PUSHPIT_API_TOKEN": token} if token else {})})
    if done.returncode:
        raise PushpitError(f"'{' '.join(command)}' failed: {done.stderr.strip()}")
    words = (shlex.split(line) for line in done.stdout.splitlines())
    pairs = (line[1].partition("=") for line in words if line[0] == "export")
    return {name: value for name, _, value in pairs}


def token_in(options: Sequence[str]) -> str | None:
    """The value of --api-token in these options of `pushpit serve`."""
    words = [word for option in options for word in option.split("=", 1)]
    return dict(zip(words, words[1:])).get("--api-token")


class RunningProgram:
    """A gateway on a free port of 127.0.0.1 with new credentials. It ends when this process ends, however that ends."""

    def __init__(self, options: Sequence[str]) -> None:
        program = find_program()
        # Its users may write files there too: it is removed when the gateway ends.
        self.folder = folder = Path(tempfile.mkdtemp(prefix="pushpit-"))
        self.certificates = folder / "certs"
        ready, log = folder / "ready.json", folder / "log"
        command = [
            program, "serve", "--listen", "127.0.0.1:0", "--certs", str(self.certificates), "--ready-file", str(ready),
            "--exit-on-stdin-eof", "--drain-timeout", "0s", "--proxy-pass", *options]
        # The shell removes the folder even if this process is killed. The gateway runs in a session of its own, so
        # the terminal's Ctrl-C does not reach it, and tests can use it until they have ended.
        with open(log, "wb") as output:
            # Open until the end, because the shell may remove the file at any time.
            self._log = open(log, "rb")
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", '"$@"; code=$?; rm -rf -- "$0"; exit $code', str(folder), *command],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=output, env=without_pushpit(),
                start_new_session=True)
        try:
            self.description = self._wait_for(ready)
        except BaseException:
            self.stop()
            raise

    def _wait_for(self, ready: Path) -> dict[str, Any]:
        deadline = monotonic() + START_TIMEOUT
        pause = threading.Event()
        while True:
            if ready.exists():
                description: dict[str, Any] = json.loads(ready.read_text(encoding="utf-8"))
                return description
            code = self._process.poll()
            if code is not None:
                raise StartFailed(f"'pushpit serve' ended with {code}: {self.log[-LOG_TAIL:].strip()}")
            if monotonic() > deadline:
                raise StartFailed(
                    f"'pushpit serve' was not ready in {START_TIMEOUT:.0f} s: {self.log[-LOG_TAIL:].strip()}")
            pause.wait(0.005)

    @property
    def log(self) -> str:
        if not self._log.closed:
            self._log.seek(0)
            self._logged = self._log.read().decode(errors="replace")
        return self._logged

    @property
    def pid(self) -> int:
        """The process id of the gateway."""
        return int(self.description["pid"])

    def stop(self) -> None:
        """Ends the gateway, which ends when its standard input does."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
        # Kept for readers of the log.
        self._logged = self.log
        self._log.close()
