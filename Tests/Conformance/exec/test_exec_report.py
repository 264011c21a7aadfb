"""`pushpit exec --report`: what was pushed and what is not met, as JSON and for readers of JUnit's XML."""
from __future__ import annotations

import json
import shlex
import signal
import subprocess
from xml.etree import ElementTree

from exec_run import PATIENCE, PUSH, Case
from gateway import TOPIC

MET, UNMET = {"match": {"app": TOPIC}, "count": 2}, {"match": {"app": "a]]>\u0001\U0001f600<&\"'"}}


class Reports(Case):
    def setUp(self) -> None:
        super().setUp()
        self.json, self.junit = self.temporary / "r.json", self.temporary / "r.xml"
        self.options = ["--report", "json", str(self.json), f"--report=junit={self.junit}"]

    def failures(self) -> list[tuple[str, str | None]]:
        """The name of each test case, with the text of its failure."""
        suite = ElementTree.parse(self.junit).getroot()[0]
        cases = [(case.attrib["name"], case.findtext("failure")) for case in suite.findall("testcase")]
        self.assertEqual((suite.attrib["name"], suite.attrib["tests"], suite.attrib["failures"]),
                         ("pushpit exec", str(len(cases)), str(sum(text is not None for _, text in cases))))
        return cases

    def test_everything_that_was_pushed_and_every_expectation(self) -> None:
        file = self.temporary / "expect.json"
        file.write_text(json.dumps([MET, UNMET], ensure_ascii=False))
        code, _, errors = self.run_exec(*self.options, "--expect", str(file), "sh", "-c", f"{PUSH}; {PUSH}")
        self.assertEqual(code, 1, errors)
        report = json.loads(self.json.read_text())
        self.assertEqual((report["ok"], report["exit"], report["problem"]), (False, 0, None))
        self.assertEqual([message["id"] for message in report["messages"]], ["p1", "p2"])
        self.assertEqual(report["messages"][0]["request"]["body"], {"aps": {"alert": "Hello"}})
        met, unmet = report["expectations"]
        self.assertEqual((met, unmet["met"]), ({"met": True, "expectation": MET, "nearest": []}, False))
        self.assertEqual(unmet["expectation"], UNMET)
        self.assertEqual({miss["message"] for miss in unmet["nearest"]}, {"p1", "p2"})
        command, first, second = self.failures()
        self.assertEqual(command, ("command: sh", None))
        self.assertEqual(first, (f"expectation 1: {json.dumps(MET)}", None))
        self.assertTrue(second[1].startswith("not met, 0 found: 0 pushes match, but at least 1 was expected.\nexpected: {"))
        self.assertEqual(list(self.temporary.iterdir()).count(self.json), 1)

    def test_more_than_one_page_of_messages(self) -> None:
        url = f"https://api.push.apple.com/3/device/{'a1' * 32}"
        push = "curl -sS --http2 --cert $PUSHPIT_APNS_CERT -H 'apns-topic: com.example.app' -d '{\"aps\":{}}' -K -"
        urls = "\n".join([f'url = "{url}"'] * 250)
        code, _, errors = self.run_exec(*self.options, "sh", "-c", f"echo '{urls}' | {push}")
        self.assertEqual(code, 0, errors)
        messages = json.loads(self.json.read_text())["messages"]
        self.assertEqual([message["id"] for message in messages], [f"p{number}" for number in range(1, 251)])

    def test_a_command_that_fails_or_dies_gets_a_report_too(self) -> None:
        rows = [(7, "'sh' exited with 7", "exit 7"), (143, "'sh' was ended by signal 15", "kill -TERM $$"),
                (127, "'sh' exited with 127", "no-such-command")]
        for code, failure, script in rows:
            with self.subTest(script):
                self.assertEqual(self.run_exec(*self.options, "sh", "-c", script)[0], code)
                self.assertEqual(json.loads(self.json.read_text()),
                                 {"ok": False, "exit": code, "problem": None, "messages": [], "expectations": []})
                self.assertEqual(self.failures(), [("command: sh", f"{failure}\nThe command: sh -c {shlex.quote(script)}")])
        self.assertEqual(self.run_exec(*self.options, "no-such-command")[0], 127)
        self.assertEqual(self.failures()[0][1], "cannot run 'no-such-command': no directory in PATH has it\n"
                         "The command: no-such-command")

    def test_a_log_that_was_too_small_is_no_success(self) -> None:
        file = self.temporary / "expect.json"
        for expectations, code in (('[{"match":{"app":"a.b"},"never":true}]', 69), ('[{"count":1,"within":"0s"}]', 69), ('[{}]', 0)):
            file.write_text(expectations)
            found, _, errors = self.run_exec("--keep-messages", "1", "--expect", str(file), "--", "sh", "-c", f"{PUSH}; {PUSH}; {PUSH}")
            self.assertEqual((found, "no longer has all pushes" in errors), (code, code != 0), errors)

    def test_no_report_of_an_earlier_run_is_left(self) -> None:
        report = self.temporary / "report.xml"
        report.write_text("old")
        found, _, errors = self.run_exec("--seed", "/no/file", "--report", f"junit={report}", "--", "true")
        self.assertEqual((found, report.exists()), (66, False), errors)

    def test_a_signal_for_the_command_does_not_prevent_the_report(self) -> None:
        process = self.start("--certs", self.certificates, *self.options, "--", "sh", "-c", "echo; read line",
                             stdin=subprocess.PIPE)
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 143)
        self.assertEqual(json.loads(self.json.read_text())["exit"], 143)

    def test_a_file_that_cannot_be_written(self) -> None:
        for path in ("/dev/null", str(self.temporary)):
            with self.subTest(path):
                code, output, errors = self.run_exec("--report", "json", path, "echo", "ran")
                self.assertEqual((code, output), (73, ""))
                self.assertRegex(errors, f"^pushpit: --report: cannot write {path}: .*\n$")
        code, _, errors = self.run_exec("--report", "json", str(self.temporary / "new" / "inner" / "r.json"), "true")
        self.assertEqual((code, (self.temporary / "new" / "inner" / "r.json").exists()), (0, True), errors)
        for code, script in ((74, "exit 0"), (7, "exit 7")):
            with self.subTest(script):
                folder = self.temporary / str(code)
                folder.mkdir()
                found, _, errors = self.run_exec("--report", f"json={folder}/r.json", "sh", "-c", f"rmdir {folder}; {script}")
                self.assertEqual(found, code)
                self.assertIn(f"pushpit: --report: cannot write {folder}/r.json: No such file or directory\n", errors)
