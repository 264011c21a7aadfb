"""The program `pushpit`: where it is, and a gateway that it runs."""
from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Sequence

from .errors import PushpitError

START = 30.0
STOP = 10.0
LOG_TAIL = 2000
# Variables about another gateway. PUSHPIT_APNS_KEY is a path there, and with PUSHPIT_APNS_KEY_ID no option.
OTHERS = ("PUSHPIT_BINARY", "PUSHPIT_URL", "PUSHPIT_API_TOKEN", "PUSHPIT_CERTS", "PUSHPIT_LISTEN", "PUSHPIT_READY_FILE")


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


def own_environment() -> dict[str, str]:
    """This process's environment without what is about another gateway."""
    return {name: value for name, value in os.environ.items() if name not in OTHERS}


def variables_for(url: str, certificates: Path, token: str | None) -> dict[str, str]:
    """What `pushpit env` prints for a gateway."""
    command = [find_program(), "env", "--url", url, "--certs", str(certificates)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=START, check=False,
        env={**own_environment(), **({"PUSHPIT_API_TOKEN": token} if token else {})})
    if done.returncode:
        raise PushpitError(f"'{' '.join(command)}' failed: {done.stderr.strip()}")
    words = (shlex.split(line) for line in done.stdout.splitlines())
    pairs = (line[1].partition("=") for line in words if line[0] == "export")
    return {name: value for name, _, value in pairs}


class RunningProgram:
    """A gateway on a free port of 127.0.0.1 with new credentials. It ends when this process ends, however that ends."""

    def __init__(self, options: Sequence[str]) -> None:
        program = find_program()
        self._directory = tempfile.TemporaryDirectory(prefix="pushpit-")
        folder = Path(self._directory.name)
        self.certificates = folder / "certs"
        self._log = folder / "log"
        ready = folder / "ready.json"
        command = [
            program, "serve", "--listen", "127.0.0.1:0", "--certs", str(self.certificates),
            "--ready-file", str(ready), "--exit-on-stdin-eof", "--proxy-pass", *options]
        # The gateway ends when this pipe is closed. No other child gets its writing end.
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log, env=own_environment())
        try:
            self.description = self._wait_for(ready)
        except BaseException:
            self.stop()
            raise

    def _wait_for(self, ready: Path) -> dict[str, Any]:
        deadline = time.monotonic() + START
        pause = threading.Event()
        while True:
            if ready.exists():
                description: dict[str, Any] = json.loads(ready.read_text(encoding="utf-8"))
                return description
            code = self._process.poll()
            if code is not None:
                raise PushpitError(f"'pushpit serve' ended with {code}: {self.log[-LOG_TAIL:].strip()}")
            if time.monotonic() > deadline:
                raise PushpitError(f"'pushpit serve' was not ready in {START:.0f} s: {self.log[-LOG_TAIL:].strip()}")
            pause.wait(0.005)

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Ends the gateway and removes its files. The second signal means: without waiting for open connections."""
        for _ in range(2):
            if self._process.poll() is None:
                self._process.terminate()
        try:
            self._process.wait(STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
        self._directory.cleanup()
