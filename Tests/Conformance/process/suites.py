"""Runs the suites that are separate programs: HTTP/2 conformance and abuse in clear text and over TLS, and credentials."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gateway import Gateway

HERE = Path(__file__).parent
HTTP2 = HERE.parent / "wire/http2"


def run(*command: str) -> bool:
    print("+", *(Path(part).name for part in command[1:2]), *command[2:], flush=True)
    return subprocess.run(command, timeout=300).returncode == 0


def main() -> int:
    with Gateway("--log-level", "none") as gateway:
        port = ["--port", str(gateway.at().port)]
        python = [sys.executable]
        passed = [
            run(*python, str(HTTP2 / "run.py"), *port),
            run(*python, str(HTTP2 / "run.py"), *port, "--tls"),
            run(*python, str(HTTP2 / "abuse.py"), *port),
            run(*python, str(HTTP2 / "abuse.py"), *port, "--tls"),
            run("bash", str(HERE / "credentials_check.sh"), str(gateway.certificates)),
            gateway.is_running,
        ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
