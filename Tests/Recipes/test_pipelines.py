"""Runs the commands of the pages about CI services, as these services would, and then with a test that pushes nothing."""
from __future__ import annotations

import json
import subprocess
import tarfile
import unittest
from pathlib import Path

import yaml

from recipe import PROGRAM, Recipe, Workplace
from test_recipes import RIGHT, Case


class Pipelines(Case):
    """The commands of the CI pages, with the archive that scripts/package makes and a test that sends one push."""

    def pipeline(self, name: str) -> tuple[dict, Workplace]:
        recipe, place = self.workplace(name, "curl")
        (text,) = [text for file, text in recipe.files.items() if file.endswith(".yml")]
        place.write("test.sh", Recipe.read("README").files["send.sh"].replace("curl", "#!/bin/sh\ncurl", 1))
        (place.folder / "test.sh").chmod(0o755)
        (place.folder / "tools").mkdir()
        with tarfile.open(place.folder / "tools/pushpit-0.0.0-linux-x86_64.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(PROGRAM, "pushpit-0.0.0-linux-x86_64/pushpit")
        return yaml.safe_load(text), place

    def without_push(self, place: Workplace) -> None:
        place.write("test.sh", "#!/bin/sh\necho nothing to push\n")

    def test_github_actions(self) -> None:
        workflow, place = self.pipeline("github-actions")
        # YAML reads the key `on` as true.
        self.assertEqual(set(workflow), {"name", True, "jobs"})
        temporary = place.folder.parent / "temporary"
        temporary.mkdir()
        variables = {"RUNNER_TEMP": str(temporary), "GITHUB_PATH": str(temporary / "path")}
        (temporary / "path").touch()
        steps = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
        self.assertEqual(len(steps), 2)

        def run(step: str) -> tuple[int, str]:
            added = "".join(f"{line}:" for line in (temporary / "path").read_text(encoding="utf-8").splitlines())
            return place.run(f'PATH="{added}$PATH"\n{step}', variables, "bash -e")

        for step in steps:
            code, text = run(step)
            self.assertEqual(code, 0, text)
        self.assertTrue(Path((temporary / "path").read_text(encoding="utf-8").strip(), "pushpit").exists())
        self.assertEqual(json.loads((temporary / "pushes.json").read_text(encoding="utf-8"))["exit"], 0)
        self.assertIn(RIGHT, (temporary / "pushpit.log").read_text(encoding="utf-8"))
        kept = workflow["jobs"]["test"]["steps"][-1]["with"]["path"].splitlines()
        made = {f"${{{{ runner.temp }}}}/{path.name}" for path in temporary.iterdir() if path.suffix in (".xml", ".json", ".log")}
        self.assertEqual((set(kept), len(made)), (made, 3))
        self.without_push(place)
        code, text = run(steps[-1])
        self.assertEqual((code, "at least 1 was expected" in text), (1, True), text)

    def test_gitlab(self) -> None:
        pipeline, place = self.pipeline("gitlab-ci")
        job = pipeline["test"]
        variables = {"CI_PROJECT_DIR": str(place.folder), "TOOLS": job["variables"]["TOOLS"].replace("$CI_PROJECT_DIR", str(place.folder))}
        script = "\n".join([*job["before_script"], "command -v pushpit", *job["script"]])
        code, text = place.run(script, variables, "bash -e")
        self.assertEqual(code, 0, text)
        self.assertIn(f"{variables['TOOLS']}/pushpit", text)
        for kept in (job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]):
            self.assertTrue((place.folder / kept).exists(), kept)
        self.without_push(place)
        code, text = place.run(script, variables, "bash -e")
        self.assertEqual((code, "at least 1 was expected" in text), (1, True), text)

    def test_a_service_and_a_job_with_their_own_copies_of_the_keys(self) -> None:
        recipe, place = self.workplace("services", "curl")
        code, text = place.run(recipe.commands[0])
        self.assertEqual(code, 0, text)
        job, gateway = place.folder / "job-certs", place.folder / "gateway-certs"
        self.assertEqual({path.name for path in gateway.iterdir()} - {path.name for path in job.iterdir()}, {"ca-key.pem", "server-key.pem", ".pushpit.lock"})
        workflow, pipeline = (yaml.safe_load(recipe.files[name]) for name in (".github/workflows/test.yml", ".gitlab-ci.yml"))
        settings = workflow["jobs"]["test"]["env"]
        self.assertEqual(settings["PUSHPIT_API_TOKEN"], workflow["jobs"]["test"]["services"]["pushpit"]["env"]["PUSHPIT_API_TOKEN"])
        push = "curl -sS --http2 --cacert job-certs/ca.pem --cert job-certs/apns-client.pem -H 'apns-topic: com.example.app' " \
            "--fail -d '{\"aps\":{\"alert\":\"Hello\"}}' \"$SECURE/3/device/$(printf 'a1b2c3d4%.0s' 1 2 3 4 5 6 7 8)\"\n"
        place.write("test.sh", f"#!/bin/sh\n{push}")
        (place.folder / "test.sh").chmod(0o755)
        service = subprocess.Popen(
            [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--certs", str(gateway), "--ready-file", str(place.folder / "ready.json"), "--api-token",
             settings["PUSHPIT_API_TOKEN"], "--server-name", "pushpit"], cwd=place.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (service.kill(), service.wait()))
        code, text = place.run("until [ -e ready.json ]; do sleep 0.1; done; sed -n 's/.*:\\([0-9]*\\)\",$/\\1/p' ready.json | head -n 1")
        port = text.strip()
        variables = {**settings, "PUSHPIT_URL": f"http://localhost:{port}", "SECURE": f"https://localhost:{port}"}
        ask = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "/expect" in step.get("run", "")]
        self.assertEqual([" ".join(ask[0].split())], [" ".join(line.split()) for line in pipeline["test"]["script"] if "/expect" in line])
        code, text = place.run(ask[0].replace('"atLeast":1', '"atLeast":1,"within":"0s"'), variables)
        self.assertEqual(code, 22, text)
        steps = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
        # The first step is for the runner only: it changes the runner's own table of hosts.
        self.assertEqual(steps.pop(0), "echo '127.0.0.1 pushpit' | sudo tee -a /etc/hosts")
        self.assertNotIn("sudo", "".join(steps))
        for step in steps:
            code, text = place.run(step, variables)
            self.assertEqual(code, 0, text)
        self.assertEqual(len(json.loads((place.folder / "pushes.json").read_text(encoding="utf-8"))["messages"]), 1)
        code, text = place.run('curl -sS --fail -O "$PUSHPIT_URL/ca.pem"; cmp ca.pem job-certs/ca.pem', variables)
        self.assertEqual(code, 0, text)
        code, text = place.run('pushpit exec --url "$PUSHPIT_URL" --certs job-certs --report junit=pushpit.xml -- ./test.sh', variables)
        self.assertEqual(code, 0, text)
        self.assertIn('failures="0"', (place.folder / "pushpit.xml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
