"""Runs the commands of the pages about CI services, as these services would, and then with a test that pushes nothing."""
from __future__ import annotations

import json
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


if __name__ == "__main__":
    unittest.main()
