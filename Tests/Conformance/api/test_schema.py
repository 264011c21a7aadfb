"""Schemathesis generates valid and invalid calls from the OpenAPI document, and compares the answers with it."""
from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import httpx

from gateway import PATIENCE, Gateway, environment

SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
HOOKS = Path(__file__).parent / "schema_hooks.py"
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance", "response_headers_conformance",
    "negative_data_rejection", "unsupported_method",
]
# Random calls of each operation; calls with values at the limits of the document are added to them.
EXAMPLES = 30
# The last two statuses refuse request bodies and request lines that are too long.
CONFIGURATION = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 413, 414, 415, 422]
"""
WIDTH = 600


class Schema(unittest.TestCase):
    def test_answers_are_as_the_document_says(self) -> None:
        with Gateway("--auth", "off", "--log-level", "none") as gateway, tempfile.TemporaryDirectory() as directory:
            url = f"http://127.0.0.1:{gateway.at().port}"
            (Path(directory) / "schemathesis.toml").write_text(CONFIGURATION)
            done = subprocess.run(
                [SCHEMATHESIS, "--no-color", "run", f"{url}/openapi.json", "--checks", ",".join(CHECKS), "--max-examples", str(EXAMPLES),
                 "--generation-deterministic", "--continue-on-failure", "--request-timeout", "5", "--warnings", "off", "--output-sanitize", "false"],
                capture_output=True, text=True, timeout=300, cwd=directory,
                env=environment({"SCHEMATHESIS_HOOKS": str(HOOKS), "GATEWAY_URL": url}))
            said = "\n".join(line[:WIDTH] for line in (done.stdout + done.stderr).splitlines())
            self.assertTrue(gateway.is_running, f"{gateway.log}\n{said}")
            self.assertEqual(httpx.get(f"{url}/livez", timeout=PATIENCE).status_code, 200)
            self.assertEqual(done.returncode, 0, said)
