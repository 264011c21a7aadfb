"""Runs the commands of docs/recipes/services.md, with a gateway in place of the container."""
from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import unittest
from xml.etree import ElementTree

import yaml

from pushes import TOKEN, apns
from recipe import PAGES, PROGRAM, Recipe, Workplace
from test_recipes import Case


class Services(Case):
    def service(self, place: Workplace, **variables: str) -> tuple[str, str]:
        """The ports of a gateway in place of the container: on 127.0.0.1, and on 127.0.0.2 as an address that is not the job's own."""
        ready = place.folder / "ready.json"
        ready.unlink(missing_ok=True)
        own = {name: value for name, value in os.environ.items() if not name.startswith("PUSHPIT_")}
        service = subprocess.Popen(
            [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--listen", "127.0.0.2:0", "--certs", "gateway-certs", "--ready-file", str(ready)],
            cwd=place.folder, env=own | variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (service.kill(), service.wait()))
        code, text = place.run("until [ -e ready.json ]; do sleep 0.1; done")
        self.assertEqual(code, 0, text)
        listeners = json.loads(ready.read_text(encoding="utf-8"))["listeners"]
        return tuple(listener["url"].rpartition(":")[2] for listener in listeners)

    def services(self) -> tuple[dict, dict, Workplace]:
        """The job of each CI service, and a folder with the keys and with tests that push to $SECURE."""
        recipe, place = self.workplace("services", "curl")
        code, text = place.run(recipe.commands[0])
        self.assertEqual(code, 0, text)
        push = "curl -sS --http2 --cacert job-certs/ca.pem --cert job-certs/apns-client.pem -H 'apns-topic: com.example.app' " \
            f"--fail -d '{{\"aps\":{{\"alert\":\"Hello\"}}}}' \"$SECURE/3/device/{TOKEN}\"\n"
        place.write("test.sh", f"#!/bin/sh\n{push}")
        (place.folder / "test.sh").chmod(0o755)
        workflow, pipeline = (yaml.safe_load(recipe.files[name]) for name in (".github/workflows/test.yml", ".gitlab-ci.yml"))
        return workflow["jobs"]["test"], pipeline["test"], place

    def test_the_keys_of_a_service_and_its_job(self) -> None:
        _, _, place = self.services()
        job, gateway = ({path.name for path in (place.folder / name).iterdir()} for name in ("job-certs", "gateway-certs"))
        self.assertEqual({name for name in gateway - job if not name.startswith(".")}, {"ca-key.pem", "server-key.pem", "server.pem", "expired.pem"})
        self.assertLess(len((place.folder / "job-certs.txt").read_text(encoding="utf-8")), 10_000)
        # The page says when they end.
        page = (PAGES / "services.md").read_text(encoding="utf-8")
        for name, days, words in (("apns-client.pem", 800, "800 days"), ("ca.pem", 3650, "ten years")):
            for more, wanted in ((-2, 0), (2, 1)):
                code, text = place.run(f"openssl x509 -in job-certs/{name} -noout -checkend {(days + more) * 86_400}")
                self.assertEqual(code, wanted, text)
            self.assertIn(words, page)

    def test_a_service_of_a_job_at_github(self) -> None:
        job, _, place = self.services()
        settings, service = job["env"], job["services"]["pushpit"]
        self.assertEqual((settings["PUSHPIT_API_TOKEN"], set(service["credentials"])), (service["env"]["PUSHPIT_API_TOKEN"], {"username", "password"}))
        port, _ = self.service(place, **service["env"])
        steps = [step for step in job["steps"] if "run" in step]
        # The first step is for the runner only: it changes the runner's own table of hosts.
        self.assertEqual(steps.pop(0)["run"], "echo '127.0.0.1 pushpit' | sudo tee -a /etc/hosts")
        variables = {**settings, "PUSHPIT_URL": f"http://localhost:{port}", "SECURE": f"https://localhost:{port}",
                     "JOB_CERTS": (place.folder / "job-certs.txt").read_text(encoding="utf-8")}
        shutil.rmtree(place.folder / "job-certs")
        place.change("expectations.jsonl", '"10s"', '"0s"')
        for step in steps:
            if step["run"] == "./test.sh":
                code, text = place.run(steps[-1]["run"], variables, "bash -e")
                self.assertEqual((code, "at least 1 was expected" in text), (1, True), text)
                self.assertEqual(self.report(place), (3, 1))
            code, text = place.run(step["run"], variables, "bash -e")
            self.assertEqual(code, 0, text)
        self.assertEqual(self.report(place), (3, 0))
        self.assertEqual(len(json.loads((place.folder / "pushes.json").read_text(encoding="utf-8"))["messages"]), 1)
        (upload,) = [step for step in job["steps"] if "actions/upload-artifact" in step.get("uses", "")]
        self.assertEqual([step["if"] for step in job["steps"][-2:]], ["always()"] * 2)
        for name in upload["with"]["path"].splitlines():
            self.assertTrue((place.folder / name).exists(), name)
        code, text = place.run('curl -sS --fail -O "$PUSHPIT_URL/ca.pem"; cmp ca.pem job-certs/ca.pem', variables)
        self.assertEqual(code, 0, text)

    def test_the_script_reads_every_line_and_needs_one(self) -> None:
        _, _, place = self.services()
        port, _ = self.service(place, PUSHPIT_API_TOKEN="secret")
        variables = {"PUSHPIT_URL": f"http://localhost:{port}", "PUSHPIT_API_TOKEN": "secret"}
        # The last line has no line break, and only it is not met.
        place.write("expectations.jsonl", '{"never":true,"within":"0s"}\n{"within":"0s"}')
        code, text = place.run("sh check.sh", variables)
        self.assertEqual((code, self.report(place)), (1, (2, 1)), text)
        place.write("expectations.jsonl", '{"never":true,"within":"0s"}')
        code, text = place.run("sh check.sh", variables)
        self.assertEqual((code, self.report(place)), (0, (1, 0)), text)
        for change in (lambda file: file.write_text(""), lambda file: file.unlink()):
            change(place.folder / "expectations.jsonl")
            code, text = place.run("sh check.sh", variables)
            self.assertNotEqual(code, 0, text)

    def test_a_service_of_a_job_at_gitlab(self) -> None:
        _, job, place = self.services()
        (service,) = job["services"]
        self.assertEqual(service["alias"], "pushpit")
        settings = job["variables"]
        _, port = self.service(place, **settings | service["variables"])
        variables = {**settings, "PUSHPIT_URL": f"http://127.0.0.2:{port}", "SECURE": f"https://localhost:{port}",
                     "JOB_CERTS": (place.folder / "job-certs.txt").read_text(encoding="utf-8")}
        shutil.rmtree(place.folder / "job-certs")
        place.change("test.sh", "curl", f"curl --resolve localhost:{port}:127.0.0.2")
        place.change("expectations.jsonl", '"10s"', '"0s"')
        install, *before = job["before_script"]
        self.assertIn("apt-get install -y curl", install)
        for tests, code_wanted, met in (("exit 0", 1, (3, 1)), ("exit 7", 1, (3, 1)), ("", 0, (3, 0)), ("exit 7 # at the end", 7, (3, 0))):
            with self.subTest(tests):
                text = (place.folder / "test.sh").read_text(encoding="utf-8")
                changed = text + tests if "end" in tests else text.replace("#!/bin/sh\n", f"#!/bin/sh\n{tests}\n")
                place.write("changed.sh", changed)
                (place.folder / "changed.sh").chmod(0o755)
                script = "\n".join([*before, *job["script"]]).replace("./test.sh", "./changed.sh")
                code, said = place.run(script, variables, "bash -e")
                self.assertEqual((code, self.report(place)), (code_wanted, met), said)
        for kept in (job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]):
            self.assertTrue((place.folder / kept).exists(), kept)

    @staticmethod
    def report(place: Workplace) -> tuple[int, int]:
        """The number of tests and failures in the report, counted and as it says."""
        suite = ElementTree.fromstring((place.folder / "pushpit.xml").read_text(encoding="utf-8"))
        counted = (len(suite.findall("testcase")), len(suite.findall("testcase/failure")))
        assert counted == (int(suite.get("tests")), int(suite.get("failures")))
        return counted

    def test_exec_leads_senders_to_a_service_on_127_0_0_1_and_is_a_proxy_for_another(self) -> None:
        job, _, place = self.services()
        (command,) = re.findall(r"`(pushpit exec --url .*?)`", (PAGES / "services.md").read_text(encoding="utf-8"))
        place.write("expectations.json", Recipe.read("github-actions").files["expectations.json"])
        other = "curl -sS https://127.0.0.3:1/ 2>&1 | tee other"
        for switch in ("off", "on"):
            names = f"{job['services']['pushpit']['env']['PUSHPIT_SERVER_NAME']},127.0.0.2"
            ports = self.service(place, **job["services"]["pushpit"]["env"] | {"PUSHPIT_SERVER_NAME": names, "PUSHPIT_PROXY_PASS": switch})
            for host, port, way in (("127.0.0.1", ports[0], "trace"), ("127.0.0.2", ports[1], "proxy")):
                with self.subTest(switch=switch, host=host):
                    place.write("test.sh", f"#!/bin/sh\n{apns()}{other}\n")
                    code, text = place.run(command, {**job["env"], "PUSHPIT_URL": f"http://{host}:{port}"})
                    self.assertEqual((code, f"(via {way})" in text), (0, True), text)
                    self.assertIn('failures="0"', (place.folder / "pushpit.xml").read_text(encoding="utf-8"))
                    refused = "response 403" in (place.folder / "other").read_text(encoding="utf-8")
                    self.assertEqual(refused, (way, switch) == ("proxy", "off"), text)


if __name__ == "__main__":
    unittest.main()
