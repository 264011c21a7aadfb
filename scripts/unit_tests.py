"""Runs `swift test` on the built tests: unit_tests.py MINUTES ARGUMENTS. If they take longer than that, a test hangs, and
swift test itself would say nothing. Then this names the tests that have begun and not ended, shows what the threads wait for,
ends them, and runs them a second time."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


def unfinished(events: Path) -> list[str]:
    """The functions that have started and not ended, from the events that the tests write."""
    running: dict[str, None] = {}
    for line in events.read_text(errors="replace").splitlines():
        try:
            payload = json.loads(line)["payload"]
        except ValueError:
            continue  # The last line may be incomplete.
        if payload["kind"] == "testStarted":
            running[payload["testID"]] = None
        elif payload["kind"] == "testEnded":
            running.pop(payload["testID"], None)
    return [name for name in running if "(" in name]


def run(arguments: list[str], minutes: float) -> int | None:
    """The exit code of the tests; None if they took too long."""
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events"
        command = ["swift", "test", "--skip-build", "--quiet", "--disable-xctest", "--event-stream-output-path", str(events), *arguments]
        with subprocess.Popen(command, start_new_session=True) as tests:
            try:
                return tests.wait(minutes * 60)
            except subprocess.TimeoutExpired:
                print(f"pushpit: the tests have not ended after {minutes:g} minutes. These have begun and not ended:", flush=True)
                print("\n".join(unfinished(events)) if events.exists() else "(none has begun)", flush=True)
                subprocess.run(["ps", "-L", "-s", str(tests.pid), "-o", "pid,ppid,tid,stat,wchan:24,pcpu,comm"], check=False)
                os.killpg(tests.pid, signal.SIGKILL)
                return None


def main() -> None:
    minutes, arguments = float(sys.argv[1]), sys.argv[2:]
    for _ in range(2):
        code = run(arguments, minutes)
        if code is not None:
            sys.exit(code)
    sys.exit("pushpit: the tests hung twice")


if __name__ == "__main__":
    main()
