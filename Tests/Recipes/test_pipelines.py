"""Runs the commands of the pages about CI services, as these services would, and then with tests that push nothing or make a mistake."""
from __future__ import annotations

import json
import re
import tarfile
import unittest
from pathlib import Path

import yaml

from pushes import FCM, MISTAKES, NORMAL
from recipe import PAGES, PROGRAM, TOP, Recipe, Workplace
from test_recipes import RIGHT, Case

POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{0:064}\nsize 9000000\n"


class Pipelines(Case):
    """The commands of the CI pages, with the archive that scripts/package makes and a test that sends one push."""

    def pipeline(self, name: str) -> tuple[dict, Workplace]:
        recipe, place = self.workplace(name, "curl")
        (text,) = [text for file, text in recipe.files.items() if file.endswith(".yml")]
        place.write("test.sh", Recipe.read("README").files["send.sh"].replace("curl", "#!/bin/sh\ncurl", 1))
        (place.folder / "test.sh").chmod(0o755)
        # An older version is there too. Its bytes are those of a checkout without Git LFS.
        place.write("tools/pushpit-0.0.9-linux-x86_64.tar.gz", POINTER)
        with tarfile.open(place.folder / "tools/pushpit-0.0.10-linux-x86_64.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(PROGRAM, "pushpit-0.0.10-linux-x86_64/pushpit")
        return yaml.safe_load(text), place

    def without_push(self, place: Workplace) -> None:
        place.write("test.sh", "#!/bin/sh\necho nothing to push\n")

    def test_github_actions(self) -> None:
        workflow, place = self.pipeline("github-actions")
        # YAML reads the key `on` as true.
        self.assertEqual(set(workflow), {"name", True, "jobs", "permissions"})
        self.assertEqual((workflow["permissions"], "timeout-minutes" in workflow["jobs"]["test"]), ({"contents": "read"}, True))
        temporary = place.folder.parent / "temporary"
        temporary.mkdir()
        variables = {"RUNNER_TEMP": str(temporary), "GITHUB_PATH": str(temporary / "path"), "GITHUB_STEP_SUMMARY": str(temporary / "summary")}
        (temporary / "path").touch()
        unpack, test, show = (step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step)
        self.assertEqual([step["run"] for step in workflow["jobs"]["test"]["steps"] if step.get("if") == "always()" and "run" in step], [show])

        def run(step: str) -> tuple[int, str]:
            added = "".join(f"{line}:" for line in (temporary / "path").read_text(encoding="utf-8").splitlines())
            return place.run(f'PATH="{added}$PATH"\n{step}', variables, "bash -e")

        def summary() -> str:
            (temporary / "summary").write_text("", encoding="utf-8")
            code, text = run(show)
            self.assertEqual(code, 0, text)
            return (temporary / "summary").read_text(encoding="utf-8")

        self.assertEqual(summary(), "", "if an earlier step fails, there is nothing to show")
        for step in (unpack, test):
            code, text = run(step)
            self.assertEqual(code, 0, text)
        self.assertIn("1 push, the tests exited with 0", summary())
        self.assertNotIn("not met", summary())
        self.assertTrue(Path((temporary / "path").read_text(encoding="utf-8").strip(), "pushpit").exists())
        self.assertEqual(json.loads((temporary / "pushes.json").read_text(encoding="utf-8"))["exit"], 0)
        self.assertIn(RIGHT, (temporary / "pushpit.log").read_text(encoding="utf-8"))
        kept = workflow["jobs"]["test"]["steps"][-1]["with"]["path"].splitlines()
        made = {f"${{{{ runner.temp }}}}/{path.name}" for path in temporary.iterdir() if path.suffix in (".xml", ".json", ".log")}
        self.assertEqual((set(kept), len(made)), (made, 3))
        place.write("test.sh", "#!/bin/sh\n" + MISTAKES["apns 413 PayloadTooLarge"])
        code, text = run(test)
        self.assertEqual((code, "at least 1 was expected" in text), (1, True), text)
        said = summary()
        self.assertRegex(said, r"(?m)^- \*\*not met\*\*: a push was accepted: 0 pushes match, but at least 1 was expected\.$")
        self.assertRegex(said, r"(?m)^- refused: p1 apns com\.example\.app 413 PayloadTooLarge$")
        report = temporary / "pushes.json"
        report.write_text(json.dumps({**json.loads(report.read_text()), "problem": "The gateway has ended."}), encoding="utf-8")
        self.assertRegex(summary(), r"(?m)^- \*\*problem\*\*: The gateway has ended\.$")

    def test_only_refusals_that_mean_a_mistake_of_the_sender_fail_the_job(self) -> None:
        recipe, place = self.workplace("github-actions", "curl")
        self.assertEqual(recipe.files["expectations.json"], Recipe.read("gitlab-ci").files["expectations.json"])
        for pushes, wanted in ((MISTAKES, 1), (NORMAL, 0)):
            for refusal, push in pushes.items():
                with self.subTest(refusal):
                    place.write("test.sh", f"set -e\n{FCM}\n{push}")
                    code, text = place.run(
                        "pushpit exec --certs certs --expect expectations.json --report json=pushes.json -- sh test.sh")
                    report = json.loads((place.folder / "pushes.json").read_text(encoding="utf-8"))
                    said = [f"{push['provider']} {push['status']} {push['reason']}" for push in report["messages"]]
                    self.assertEqual((said, report["exit"]), (["fcm 200 None", refusal], 0), text)
                    self.assertEqual(code, wanted, text)

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
        self.assertEqual({"pushes.json", "pushpit.log"}, set(job["artifacts"]["paths"]))
        self.without_push(place)
        code, text = place.run(script, variables, "bash -e")
        self.assertEqual((code, "at least 1 was expected" in text), (1, True), text)

    def test_jobs_of_a_matrix_do_not_upload_under_the_same_name(self) -> None:
        found = 0
        for page in (PAGES / "github-actions.md", PAGES / "services.md", TOP / "docs/install.md"):
            for text in re.findall(r"^```yaml.*?\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
                for name in re.findall(r"actions/upload-artifact.*?\n +name: (.*?)\n", text, re.DOTALL):
                    found += 1
                    self.assertIn("${{ strategy.job-index }}", name, page.name)
        self.assertEqual(found, 3)


if __name__ == "__main__":
    unittest.main()
