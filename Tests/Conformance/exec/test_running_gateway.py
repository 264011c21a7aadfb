"""`pushpit env`, and `pushpit exec --url`: programs that reach a gateway which runs already."""
from __future__ import annotations

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from exec_run import PATIENCE, PUSH, WAYS, Case
from gateway import BINARY, TOPIC, Gateway, environment, program
from test_exec import OURS, TRUST

# Prints the variables of a shell that has read the output of `pushpit env`.
SHOW = f'eval "$({BINARY} env "$@")" && exec "$PYTHON" -c "import json, os; print(json.dumps(dict(os.environ)))"'
PROXY = ("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")


class Running(Case):
    def setUp(self) -> None:
        super().setUp()
        self.gateway = self.enterContext(Gateway())
        self.url = self.gateway.at().url("", "http").replace("localhost", "127.0.0.1")
        self.options = ["--url", self.url, "--certs", str(self.gateway.certificates)]

    def shell(self, script: str, *arguments: str, variables: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["sh", "-c", script, "sh", *self.options, *arguments], capture_output=True, text=True, timeout=PATIENCE,
            env=environment({"PYTHON": sys.executable, **(variables or {})}))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class Env(Running):
    def test_a_shell_gets_every_variable_and_every_file_exists(self) -> None:
        found = json.loads(self.shell(SHOW, variables={"PUSHPIT_API_TOKEN": "", "KEPT": "ä b"}))
        self.assertEqual([name for name in OURS + TRUST + PROXY if not found.get(name)], [])
        self.assertEqual((found["PUSHPIT_URL"], found["HTTPS_PROXY"], found["KEPT"]), (self.url, self.url, "ä b"))
        self.assertNotIn("PUSHPIT_API_TOKEN", found)
        for name in OURS + TRUST:
            if found[name].startswith("/") and name != "PUSHPIT_CERTS":
                self.assertTrue(Path(found[name]).is_file(), name)
        self.assertEqual(json.loads(Path(found["PUSHPIT_CREDENTIALS"]).read_text())["url"], self.url)

    def test_a_sender_pushes_to_the_gateway(self) -> None:
        self.assertEqual(self.shell(f'eval "$({BINARY} env "$@")" && {PUSH}'), "200 2")

    def test_doing_it_twice_is_the_same_as_once(self) -> None:
        inherited = {"NODE_EXTRA_CA_CERTS": self.gateway.authority, "JAVA_TOOL_OPTIONS": "-Xmx1g", "PHP_INI_SCAN_DIR": "/a"}
        once = self.shell(SHOW, variables=inherited)
        bundle = Path(json.loads(once)["SSL_CERT_FILE"]).read_text()
        self.assertEqual(json.loads(self.shell(f'eval "$({BINARY} env "$@")" && {SHOW}', variables=inherited)), json.loads(once))
        self.assertEqual(Path(json.loads(once)["SSL_CERT_FILE"]).read_text(), bundle)

    def test_odd_characters_reach_the_shell_as_they_are(self) -> None:
        odd = self.gateway.directory / "it's $HOME `x` \"y\" \\ é"
        self.gateway.certificates.rename(odd)
        found = json.loads(self.shell(SHOW, "--certs", str(odd), "--api-token", "a'b$c"))
        self.assertEqual((found["PUSHPIT_CERTS"], found["PUSHPIT_API_TOKEN"]), (str(odd), "a'b$c"))
        self.assertTrue(found["HTTPS_PROXY"].startswith("http://pushpit:a%27b%24c@127.0.0.1:"))

    def test_a_file_for_compose(self) -> None:
        text = self.shell(f'{BINARY} env "$@"', "--dotenv", "--url", "http://host.docker.internal:2197")
        lines = dict(line.split("=", 1) for line in text.splitlines())
        self.assertEqual([name for name in OURS + TRUST + PROXY if name not in lines], [])
        self.assertEqual(lines["PUSHPIT_URL"], "http://host.docker.internal:2197")
        self.assertEqual(lines["PUSHPIT_CERTS"], str(self.gateway.certificates))
        self.assertNotRegex(text, r"(?m)^(?:export|unset) ")

    def test_without_credentials_eval_fails(self) -> None:
        done = program("env", "--certs", str(self.temporary))
        self.assertEqual((done.returncode, done.stdout), (78, "false\n"))
        self.assertEqual(program("env", "--dotenv", "--certs", str(self.temporary)).stdout, "")
        sentence = f"has no complete set of credentials (pushpit.json is missing or incomplete): the gateway at {self.url} uses " \
            f"{self.gateway.certificates}, so give '--certs {self.gateway.certificates}'"
        self.assertIn("no gateway answers at http://localhost:1; start one", program("env", "--url", "http://localhost:1", "--certs", str(self.temporary)).stderr)
        done = program("env", "--url", self.url, "--certs", str(self.temporary))
        self.assertIn(sentence, done.stderr)
        self.assertEqual(list(self.temporary.iterdir()), [])


    def test_the_credentials_of_another_gateway_are_refused(self) -> None:
        other = self.temporary / "other"
        program("init", "--certs", str(other))
        done = program("env", "--url", self.url, "--certs", str(other))
        self.assertEqual((done.returncode, done.stdout), (78, "false\n"))
        self.assertIn(f"the gateway at {self.url} does not have the credentials in {other}: the gateway at {self.url} uses "
                      f"{self.gateway.certificates}", done.stderr)
        # Without a gateway, the same credentials are right.
        self.assertEqual(program("env", "--url", "http://127.0.0.1:1", "--certs", str(other)).returncode, 0)

    def test_clients_that_ignore_the_proxy_are_named(self) -> None:
        for form in ([], ["--dotenv"]):
            done = program("env", *self.options, *form)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn("such as aioapns", done.stderr)
            self.assertNotIn("aioapns", done.stdout)


class ExecUrl(Running):
    def exec(self, *arguments: str, **more: object) -> tuple[int, str, str]:
        return self.run_exec(*self.options, *arguments, **more)

    def test_the_command_reaches_the_gateway_that_runs(self) -> None:
        for way in WAYS:
            with self.subTest(way):
                script = f'{PUSH}; echo " $PUSHPIT_URL $PUSHPIT_CERTS"'
                code, output, errors = self.exec("--via", way, "sh", "-c", script)
                self.assertEqual((code, output), (0, f"200 2 {self.url} {self.gateway.certificates}\n"), errors)
        self.assertTrue(self.gateway.is_running)

    def test_only_pushes_of_this_run_count(self) -> None:
        file, report = self.temporary / "expect.json", self.temporary / "report.json"
        file.write_text(json.dumps([{"match": {"app": TOPIC}, "count": 1}, {"count": 1}]))
        for number in (1, 2):
            code, _, errors = self.exec("--expect", str(file), "--report", "json", str(report), "sh", "-c", PUSH)
            self.assertEqual(code, 0, errors)
            self.assertIn("Pushes that others send to it meanwhile count too", errors)
            self.assertEqual(self.counted, "pushpit: 1 push was caught.\n")
            self.assertIs(json.loads(report.read_text())["ok"], True)
            messages = json.loads(report.read_text())["messages"]
            self.assertEqual([message["id"] for message in messages], [f"p{number}"])
        # exec looks at the gateway first, which is no reason to report a client that leaves.
        self.assertNotIn("tls ended", self.gateway.log)

    def test_if_the_gateway_is_gone_at_the_end_the_report_says_so(self) -> None:
        report, expectations = self.temporary / "report.xml", self.temporary / "expect.json"
        expectations.write_text('[{"count":1}]')
        with Gateway() as mortal:
            code, _, errors = self.run_exec(
                "--url", mortal.at().url("", "http"), "--certs", str(mortal.certificates), "--expect", str(expectations),
                "--report", f"junit={report}", "sh", "-c", f"kill -9 {mortal.process.pid}")
        self.assertEqual((code, "has ended, or is cut off: cannot connect to" in errors), (69, True), errors)
        [suite] = xml.parse(report).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
        self.assertEqual(suite[1].get("name"), "checks")
        self.assertIn("has ended, or is cut off", suite[1][0].get("message"))

    def test_a_gateway_that_has_started_again_is_noticed_unless_it_keeps_its_pushes(self) -> None:
        expectations = self.temporary / "expect.json"
        expectations.write_text('[{"match":{"outcome":"refused"},"never":true}]')
        data = self.temporary / "data"
        for options, empties, code in (([], False, 69), (["--data", str(data)], False, 0), (["--data", str(data)], True, 69)):
            with self.subTest(options, empties=empties), Gateway(*options) as first:
                process = self.start("--url", first.at().url("", "http"), "--certs", str(first.certificates), "--expect",
                                     str(expectations), "--", "sh", "-c", "echo; read line", stdin=subprocess.PIPE)
                process.stdout.readline()
                port = first.at().port
                first.process.kill()
                first.process.wait()
                if empties:
                    shutil.rmtree(data)
                with Gateway("--listen", f"127.0.0.1:{port}", *options, certificates=first.certificates):
                    errors = process.communicate("\n", timeout=PATIENCE)[1]
                self.assertEqual(process.returncode, code, errors)
                self.assertEqual("was started again while the command ran" in errors, code != 0, errors)

    def test_an_app_that_no_push_had_is_named(self) -> None:
        file = self.temporary / "expect.json"
        file.write_text(json.dumps([
            {"match": {"app": app, **more}, "never": True} for app in (TOPIC, "com.exmaple") for more in ({}, {"outcome": "refused"})]))
        code, _, errors = self.exec("--expect", str(file), "sh", "-c", "true")
        notes = [line for line in errors.splitlines() if "could not fail" in line]
        self.assertEqual((code, notes), (0, [
            f"pushpit: No push had the app '{app}', so expectation {number} could not fail."
            for app, number in ((TOPIC, 2), ("com.exmaple", 4))]))
        code, _, errors = self.exec("--expect", str(file), "sh", "-c", PUSH)
        self.assertEqual((code, errors.count("could not fail"), "'com.exmaple'" in errors), (1, 1, True), errors)

    def test_pushes_that_the_gateway_has_forgotten_are_counted(self) -> None:
        with Gateway("--keep-messages", "1") as small:
            code, _, errors = self.run_exec("--url", small.at().url("", "http"), "--certs", str(small.certificates), "sh", "-c",
                                            f"{PUSH}; {PUSH}; {PUSH}")
        self.assertEqual((code, self.counted), (0, "pushpit: 3 pushes were caught.\n"), errors)

    def test_pushes_that_are_deleted_meanwhile_are_counted(self) -> None:
        code, _, errors = self.exec("sh", "-c", f"{PUSH}; curl -sf -X DELETE $PUSHPIT_URL/api/v1/messages")
        counted = "1 push was caught. Meanwhile, 1 push was deleted (POST /reset, DELETE /messages), so no expectation could see it."
        self.assertEqual((code, self.counted), (0, f"pushpit: {counted}\n"), errors)

    def test_what_is_wrong_before_the_command_starts(self) -> None:
        other = self.temporary / "other"
        program("init", "--certs", str(other))
        rows = [
            (64, "--auth configures a gateway that exec starts, but --url names one that runs", ["--auth", "off"]),
            (64, "--url 'x' does not begin with http:// or https://", ["--url", "x"]),
            (69, "cannot connect to 127.0.0.1:1, which --url names; start a gateway there", ["--url", "http://127.0.0.1:1"]),
            (69, "does --certs name the directory of that gateway?", ["--certs", str(other)]),
            (78, f"uses {self.gateway.certificates}, so give", ["--certs", str(self.temporary)]),
            (69, "Connections can be redirected only to a gateway on 127.0.0.1, not on ::1; use --via proxy",
             ["--url", "http://[::1]:1", "--via", "trace"]),
        ]
        for code, sentence, arguments in rows:
            with self.subTest(arguments):
                found, output, errors = self.exec(*arguments, "echo", "ran")
                self.assertEqual((found, output, errors.count("\n")), (code, "", 1), errors)
                self.assertIn(sentence, errors)
        process = self.start("--url", self.url, "echo", "ran")
        sentence = f"--url names a gateway that runs, so exec needs its credentials: the gateway at {self.url} uses " \
            f"{self.gateway.certificates}, so give '--certs {self.gateway.certificates}'"
        self.assertIn(sentence, process.communicate(timeout=PATIENCE)[1])
        with Gateway("--api-token", "secret") as closed:
            url = closed.at().url("", "http")
            code, _, errors = self.exec("--url", url, "--certs", str(closed.certificates), "echo", "ran")
            self.assertEqual((code, errors.count("\n")), (77, 1), errors)

    def test_the_topic_has_to_be_that_of_the_credentials(self) -> None:
        code, output, errors = self.exec("--apns-topic", TOPIC, "echo", "ran")
        self.assertEqual((code, output, "count too" in errors), (0, "ran\n", False), errors)
        code, output, errors = self.exec("--apns-topic", "com.example.shop", "echo", "ran")
        self.assertEqual((code, output), (64, ""), errors)
        self.assertIn(f"'com.example.shop', but {self.gateway.certificates} is for {TOPIC}", errors)

    def test_a_gateway_that_ends_meanwhile(self) -> None:
        report = self.temporary / "report.json"
        process = self.start(*self.options, "--report", "json", str(report), "--", "sh", "-c", "echo; read line; exit 7",
                             stdin=subprocess.PIPE)
        process.stdout.readline()
        self.gateway.process.kill()
        self.gateway.process.wait()
        errors = process.communicate("\n", timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 7)
        self.assertIn("has ended, or is cut off: cannot connect to 127.0.0.1:", errors)
