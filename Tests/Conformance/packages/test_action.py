"""The steps of action.yml, run as GitHub's runner would run them."""
from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar

import yaml

from gateway import BINARY, PATIENCE, TOKEN, environment

TOP = Path(__file__).parents[3]
ACTION = yaml.safe_load((TOP / "action.yml").read_text())
EXPRESSION = re.compile(r"\$\{\{ (?:inputs\.([\w-]+)|steps\.(\w+)\.outputs\.(\w+)) \}\}")


class Runner:
    """What GitHub's runner gives a job: a directory, and files for variables, outputs and the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = {name: folder / name for name in ("GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT")}
        self.variables = environment({"RUNNER_TEMP": str(folder / "temp")})
        self.outputs: dict[tuple[str, str], str] = {}
        self.said = ""
        (folder / "temp").mkdir(parents=True)

    def use(self, action: dict[str, object], **given: str) -> dict[str, str]:
        """Runs the steps of a composite action, and returns its outputs."""
        inputs = {name: row.get("default", "") for name, row in action["inputs"].items()} | given

        def filled(text: str) -> str:
            return EXPRESSION.sub(
                lambda found: inputs[found[1]] if found[1] else self.outputs[found[2], found[3]], text)

        for step in action["runs"]["steps"]:
            self.run(step, {name: filled(text) for name, text in step.get("env", {}).items()})
        return {name: filled(row["value"]) for name, row in action["outputs"].items()}

    def run(self, step: dict[str, str], variables: dict[str, str]) -> None:
        for path in self.files.values():
            path.write_text("")
        # Not to a pipe: the gateway keeps it open.
        with open(self.folder / "said", "wb") as said:
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.folder, timeout=60,
                env=self.variables | variables | {name: str(path) for name, path in self.files.items()},
                stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        self.said = (self.folder / "said").read_text()
        assert done.returncode == 0, self.said
        for line in self.files["GITHUB_OUTPUT"].read_text().splitlines():
            name, value = line.split("=", 1)
            self.outputs[step["id"], name] = value
        self.variables |= dict(line.split("=", 1) for line in self.files["GITHUB_ENV"].read_text().splitlines())
        for line in self.files["GITHUB_PATH"].read_text().splitlines():
            self.variables["PATH"] = f"{line}:{self.variables['PATH']}"


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


class ActionTests(unittest.TestCase):
    archive: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.archive = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pushpit-"))) / "pushpit.tar.gz"
        with tarfile.open(cls.archive, "w:gz", compresslevel=1) as archive:
            archive.add(BINARY, "pushpit-0-linux/pushpit")

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-")))
        self.runner = Runner(self.folder)
        self.addCleanup(lambda: self.assertEqual(self.gateways(), [], "a gateway still runs"))
        self.addCleanup(self.stop)

    def gateways(self) -> list[int]:
        """The processes that name the directory of this test. Their program may be gone: each use of the action unpacks it again."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.fsencode(self.folder) in (path / "cmdline").read_bytes():
                    found.append(int(path.name))
        return found

    def stop(self) -> None:
        """Ends the gateways of this test, and waits until they have ended."""
        for process in self.gateways():
            with contextlib.suppress(ProcessLookupError):
                handle = os.pidfd_open(process)
                os.kill(process, signal.SIGTERM)
                select.select([handle], [], [], PATIENCE)
                os.close(handle)

    def test_a_job_gets_a_gateway_and_its_credentials(self) -> None:
        port = free_port()
        outputs = self.runner.use(
            ACTION, archive=str(self.archive), port=port, options="--unknown-devices reject\n--log-level debug\n")
        self.assertEqual(outputs, {
            "url": f"http://127.0.0.1:{port}", "certs": str(self.folder / "temp/pushpit-certs"), "log": str(self.folder / "temp/pushpit.log")})
        self.assertTrue((self.folder / "temp/pushpit-certs/pushpit.json").exists())
        self.assertFalse((self.folder / "certs").exists())
        self.assertIn("is listening on", Path(outputs["log"]).read_text())
        # The steps that follow find the program, the gateway and its credentials without options.
        (self.folder / "push.apns").write_text('{"aps":{"alert":"Hello"}}')
        send = f"code=0; pushpit send --url $PUSHPIT_URL push.apns --to {TOKEN} || code=$?; [ $code = 65 ]"
        for command in (send, "pushpit expect outcome=refused app=com.example.app"):
            self.runner.run({"run": command}, {})

    def test_the_example_uses_the_gateway_of_the_action(self) -> None:
        (text,) = re.findall(r"^```yaml\n( +- uses: .*?)^```$", (TOP / "docs/install.md").read_text(), re.DOTALL | re.MULTILINE)
        example = yaml.safe_load(text)
        outputs = self.runner.use(ACTION, **example[0]["with"] | {"archive": str(self.archive), "port": free_port()})
        (self.folder / "tests-of-your-backend").write_text(
            "#!/bin/sh\ncurl -sS https://fcm.googleapis.com/v1/projects/demo/messages:send -H 'authorization: Bearer any' "
            "-H 'content-type: application/json' -d '{\"message\":{\"topic\":\"news\",\"data\":{\"a\":\"b\"}}}'")
        (self.folder / "tests-of-your-backend").chmod(0o755)
        steps = [step for step in example if "run" in step]
        with self.assertRaises(AssertionError, msg="nothing was pushed yet"):
            self.runner.run({"run": steps[-1]["run"].replace("10s", "0s")}, {})
        for step in steps:
            self.runner.run(step, {})
        kept = example[-1]["with"]["path"].replace("${{ runner.temp }}", str(self.folder / "temp")).replace("${{ steps.pushpit.outputs.log }}", outputs["log"])
        self.assertEqual([path for path in kept.splitlines() if not Path(path).exists()], [])
        self.assertIn('failures="0"', (self.folder / "temp/pushpit.xml").read_text())
        self.assertIn("topic news", Path(outputs["log"]).read_text())

    def test_a_gateway_that_does_not_start_fails_the_step_with_its_log(self) -> None:
        with self.assertRaisesRegex(AssertionError, "'--nothing' is not an option of 'pushpit serve'"):
            self.runner.use(ACTION, archive=str(self.archive), port=free_port(), options="--nothing")

    def test_a_gateway_whose_port_another_one_has_fails_the_step(self) -> None:
        port = free_port()
        self.runner.use(ACTION, archive=str(self.archive), port=port)
        with self.assertRaisesRegex(AssertionError, f"did not start[^$]*{port}"):
            self.runner.use(ACTION, archive=str(self.archive), port=port)

    def test_two_jobs_on_one_machine_take_different_ports(self) -> None:
        (self.folder / "other").mkdir()
        urls = set()
        for runner in (self.runner, Runner(self.folder / "other")):
            outputs = runner.use(ACTION, archive=str(self.archive))
            self.assertRegex(outputs["url"], r"^http://127\.0\.0\.1:[1-9][0-9]+$")
            self.assertEqual(runner.variables["PUSHPIT_URL"], outputs["url"])
            runner.run({"run": "pushpit ready --wait 0s"}, {})
            urls.add(outputs["url"])
        self.assertEqual(len(urls), 2)

    def test_the_next_steps_have_the_token_and_the_log_of_the_job_does_not_show_it(self) -> None:
        outputs = self.runner.use(ACTION, **{"archive": str(self.archive), "api-token": "a secret"})
        self.assertEqual(self.runner.said.splitlines(), ["::add-mask::a secret"])
        self.runner.run({"run": "pushpit expect outcome=accepted --at-most 0 --within 0s"}, {})
        with self.assertRaisesRegex(AssertionError, "token"):
            self.runner.run({"run": "PUSHPIT_API_TOKEN= pushpit expect outcome=accepted --at-most 0 --within 0s"}, {})
        self.runner.run({"run": "pushpit exec -- true"}, {})
        self.assertNotIn("a secret", Path(outputs["log"]).read_text())
        for process in self.gateways():
            self.assertNotIn(b"a secret", Path(f"/proc/{process}/cmdline").read_bytes())

    def test_a_token_among_the_options_is_refused(self) -> None:
        for options in ("--log-level debug --api-token secret", "--api-token=secret", "--log-level debug\n--api-token-file token\n"):
            with self.assertRaisesRegex(AssertionError, "Use the input api-token"):
                self.runner.use(ACTION, archive=str(self.archive), options=options)

    def test_a_token_with_a_line_break_is_refused(self) -> None:
        for token in ("secret\n", "one\ntwo", "one\r"):
            with self.assertRaisesRegex(AssertionError, "The input api-token has a line break"):
                self.runner.use(ACTION, **{"archive": str(self.archive), "api-token": token})

    def test_the_file_of_the_action_is_enough(self) -> None:
        self.assertNotIn("action_path", (TOP / "action.yml").read_text().lower())

    def test_every_input_and_output_is_described(self) -> None:
        for row in [*ACTION["inputs"].values(), *ACTION["outputs"].values()]:
            self.assertGreater(len(row["description"]), 10)
