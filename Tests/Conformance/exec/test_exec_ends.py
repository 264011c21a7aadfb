"""How `pushpit exec` ends: exit codes, expectations, signals, and nothing is left behind."""
from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import time
from pathlib import Path
from select import select

from exec_run import PATIENCE, PUSH, WAYS, Case
from gateway import BINARY, TOPIC, Gateway, environment


def blocked(process: int) -> set[signal.Signals]:
    """The signals that the main thread of a process blocks."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return set()
    mask = int(status.partition("SigBlk:")[2].split()[0], 16)
    return {number for number in signal.Signals if mask >> number - 1 & 1}


class Ends(Case):
    def test_exit_codes_and_one_sentence_for_each_mistake(self) -> None:
        plain = self.temporary / "plain"
        plain.touch()
        rows = [
            (0, "", ["true"]), (7, "", ["sh", "-c", "exit 7"]),
            (143, "'sh' was ended by signal 15", ["sh", "-c", "kill -TERM $$"]),
            (127, "cannot run 'no-such-command': no directory in PATH has it", ["no-such-command"]),
            (127, "cannot run '/no/one': there is no such file, or its interpreter is missing", ["/no/one"]),
            (127, "the command is empty: perhaps a shell variable in it is not set", [""]), (126, "cannot run '/tmp': it is a directory", ["/tmp"]),
            (126, f"cannot run '{plain}': it is not an executable file; 'chmod +x' makes a script one", [str(plain)]),
            (71, "the process that watches 'sh' was killed, so the command was ended too",
             ["sh", "-c", "kill -KILL $PPID; while :; do :; done"]),
        ]
        for way in WAYS:
            for code, sentence, command in rows:
                with self.subTest(way, command=command):
                    found, output, errors = self.run_exec("--via", way, "--", *command)
                    self.assertEqual((found, output), (code, ""), errors)
                    self.assertEqual(errors.splitlines()[1:], [f"pushpit: {sentence}"] if sentence else [])

    def test_standard_streams_that_are_closed(self) -> None:
        for closed in ("<&- >&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-"):
            with self.subTest(closed):
                line = f'"$0" exec --certs "$1" --via proxy -- sh -c "exit 3" {closed}'
                done = subprocess.run(["sh", "-c", line, BINARY, self.certificates], timeout=PATIENCE)
                self.assertEqual(done.returncode, 3)

    def test_what_a_killed_guard_leaves_is_ended(self) -> None:
        marker = self.temporary / "child"
        command = f"setsid sh -c 'echo $$ >{marker}; exec sleep 60' & while [ ! -s {marker} ]; do :; done; kill -KILL $PPID; sleep 60"
        code, _, errors = self.run_exec("--", "sh", "-c", command)
        self.assertEqual(code, 71, errors)
        self.assertFalse(Path(f"/proc/{marker.read_text().strip()}").exists())

    def test_a_bundle_that_is_no_file(self) -> None:
        pipe = self.temporary / "pipe"
        os.mkfifo(pipe)
        for path in (pipe, "/dev/zero"):
            code, _, errors = self.run_exec("--", "true", variables={"SSL_CERT_FILE": str(path)})
            self.assertEqual(code, 0, errors)
            self.assertIn(f"SSL_CERT_FILE names '{path}', which is not a file that can be read", errors)

    def test_what_is_wrong_before_the_command_starts(self) -> None:
        bad = self.temporary / "bad.json"
        bad.write_text('[{"cuont":1}]')
        rows = [
            (64, "exec needs a command to run: ", []), (64, "--via 'x' must be one of auto, trace, preload, proxy", ["--via", "x", "true"]),
            (66, "no-file", ["--expect", "no-file", "true"]), (65, "expectation 1 at /cuont: ", ["--expect", str(bad), "true"]),
            (64, "'--listen' is not an option of 'pushpit exec'", ["--listen", "1", "true"]),
            (78, f"cannot make the directory {bad}: ", ["--certs", str(bad), "true"]),
        ]
        for code, sentence, arguments in rows:
            with self.subTest(arguments):
                found, output, errors = self.run_exec(*arguments)
                self.assertEqual((found, output, errors.count("\n")), (code, "", 1), errors)
                self.assertIn(sentence, errors)
        process = self.start("true", variables={"TMPDIR": str(self.temporary / "missing")})
        self.assertIn("TMPDIR has to name a directory", process.communicate(timeout=PATIENCE)[1])
        self.assertEqual(process.returncode, 73)

    def test_expectations(self) -> None:
        file = self.temporary / "expect.json"
        met, unmet = {"match": {"app": TOPIC}, "count": 1}, {"match": {"app": "com.example.other"}}
        rows = [(0, [met, {"match": {"outcome": "refused"}, "never": True}], PUSH), (1, [met, unmet], PUSH),
                (7, [unmet], f"{PUSH}; exit 7")]
        for code, expectations, script in rows:
            with self.subTest(expectations, code=code):
                file.write_text(json.dumps(expectations))
                found, _, errors = self.run_exec("--expect", str(file), "sh", "-c", script)
                self.assertEqual(found, code, errors)
                lines = errors.splitlines()[1:]
                if unmet in expectations:
                    number = expectations.index(unmet) + 1
                    self.assertEqual(lines[0], f"pushpit: expectation {number} of {file}: not met, 0 found")
                    self.assertIn(f'app is "{TOPIC}", not "com.example.other"', errors)
                else:
                    self.assertEqual(lines, [])


class Signals(Case):
    TRAP = "trap 'echo got; exit 3' TERM; trap '' HUP; echo ready; while :; do sleep 0.05; done"

    def test_signals_reach_the_command(self) -> None:
        for way in WAYS:
            with self.subTest(way):
                process = self.start("--certs", self.certificates, "--via", way, "--", "sh", "-c", self.TRAP)
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(signal.SIGHUP)
                process.terminate()
                self.assertEqual(process.communicate(timeout=PATIENCE)[0], "got\n")
                self.assertEqual(process.returncode, 3)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_exec_says_how_to_end_a_command_that_ignores_sigterm(self) -> None:
        script = "trap '' TERM; echo $$; read line"
        process = self.start("--certs", self.certificates, "--", "sh", "-c", script, stdin=subprocess.PIPE)
        command = process.stdout.readline().strip()
        process.terminate()
        process.stderr.readline()
        self.assertEqual(
            process.stderr.readline(),
            f"pushpit: The command still runs 5 s after SIGTERM, which it may ignore. 'kill -KILL {command}' ends it.\n")
        os.kill(int(command), signal.SIGKILL)
        self.assertEqual(process.wait(PATIENCE), 137)

    def test_a_command_that_ignores_sigterm_ends_when_it_wants(self) -> None:
        script = "trap '' TERM; echo ready; read line; echo $line"
        process = self.start("--certs", self.certificates, "--", "sh", "-c", script, stdin=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.terminate()
        self.assertFalse(select([process.stdout], [], [], 0.3)[0])
        self.assertEqual(process.communicate("end\n", timeout=PATIENCE)[0], "end\n")
        self.assertEqual(process.returncode, 0)

    def test_a_signal_during_the_start_ends_it(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start("--", "sh", "-c", "trap '' TERM INT HUP; echo ran")
            while not list(self.temporary.iterdir()) and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(number)
            self.assertEqual((process.communicate(timeout=PATIENCE)[0], process.returncode), ("", 128 + number))
            self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_signal_ends_the_wait_for_an_expectation(self) -> None:
        file = self.temporary / "expect.json"
        file.write_text('[{"count":7,"within":"0s"},{"within":"1h"},{}]')
        report = self.temporary / "report"
        process = self.start("--certs", self.certificates, "--expect", str(file), "--report", f"json={report}.json",
                             "--report", f"junit={report}.xml", "--", "sh", "-c", "echo")
        self.assertEqual(process.stdout.readline(), "\n")
        self.wait_for_checks(process)
        process.terminate()
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        problem = "signal 15 ended exec after the command, when "
        self.assertRegex(errors, f"\\n.*{problem}. of 3 expectations were checked\\n$")
        found = json.loads(Path(f"{report}.json").read_text())
        self.assertEqual((found["ok"], found["exit"], found["problem"].startswith(problem)), (False, 0, True))
        self.assertLess(len(found["expectations"]), 2)
        # What was not met so far is printed, too.
        self.assertEqual("pushpit: expectation 1 of" in errors, len(found["expectations"]) == 1, errors)
        self.assertIn(problem, Path(f"{report}.xml").read_text())

    def test_a_second_signal_does_not_wait_for_the_gateway(self) -> None:
        with Gateway() as silent:
            self.addCleanup(silent.process.send_signal, signal.SIGCONT)
            process = self.start(
                "--url", silent.at().url("", "http"), "--certs", str(silent.certificates), "--report",
                f"json={self.temporary / 'report'}", "--", "sh", "-c", f"echo; kill -STOP {silent.process.pid}")
            process.stdout.readline()
            self.wait_for_checks(process)
            # Signals that arrive together count as one.
            while process.poll() is None:
                process.terminate()
                time.sleep(0.01)
            self.assertEqual(process.wait(PATIENCE), -signal.SIGTERM)
            silent.process.send_signal(signal.SIGCONT)

    def wait_for_checks(self, process: subprocess.Popen[str]) -> None:
        """Waits until the command has ended, and with it its directory. From then on, exec can be suspended."""
        end = time.monotonic() + PATIENCE
        while process.poll() is None and (
            list(self.temporary.glob("pushpit-exec-*")) or signal.SIGTSTP in blocked(process.pid)
        ):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.001)

    def test_after_sigkill_nothing_runs_and_the_next_run_cleans_up(self) -> None:
        for way in WAYS:
            with self.subTest(way):
                process = self.start("--certs", self.certificates, "--via", way, "--", "sh", "-c", "echo $$; sleep 600")
                command = os.pidfd_open(int(process.stdout.readline()))
                self.addCleanup(os.close, command)
                process.kill()
                self.assertTrue(select([command], [], [], PATIENCE)[0])
                left, = self.temporary.glob("pushpit-exec-*")
                self.assertEqual(stat.S_IMODE(left.stat().st_mode), 0o700)
                self.start("--certs", self.certificates, "--", "true").wait(PATIENCE)
                self.assertTrue(left.exists(), "a directory that has just changed may belong to a run that starts")
                os.utime(left, (0, 0))
                self.assertEqual(self.run_exec("true")[0], 0)

    # A system call of the start or of the end, and how many of that kind are let through before the kill.
    STEPS = [
        *(("mkdir", n) for n in (1, 2, 3)), *(("rename", n) for n in (1, 5, 10, 15, 17)), *(("openat", n) for n in (5, 15, 25)),
        *((call, 1) for call in ("socket", "bind", "listen", "socketpair", "clone", "clone3", "execve", "sendmsg")),
    ]
    ENDS = [*(("unlinkat", n) for n in (1, 5, 10)), ("rmdir", 1)]

    def test_sigkill_at_each_step_leaves_no_process_and_no_file(self) -> None:
        for command, steps in (["sleep", "600"], self.STEPS), (["true"], self.ENDS):
            for call, number in steps:
                with self.subTest(call, number=number):
                    self.kill_at(call, number, command)

    def kill_at(self, call: str, number: int, command: list[str]) -> None:
        trace = self.temporary / "trace"
        # execve counts from the start of strace itself: the first one is that of exec, the second one its command's.
        number += call == "execve"
        # strace ends when all that it has followed has ended.
        done = subprocess.run(
            ["strace", "-f", "-qq", "-o", trace, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}",
             BINARY, "exec", "--", *command],
            env=environment({"TMPDIR": str(self.temporary)}), capture_output=True, timeout=PATIENCE)
        self.assertIn("killed by SIGKILL", trace.read_text(), done.stderr)
        trace.unlink()
        for left in self.temporary.iterdir():
            os.utime(left, (0, 0))
        self.assertEqual(self.run_exec("true")[0], 0)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_directory_in_use_stays(self) -> None:
        process = self.start("--certs", self.certificates, "--", "sh", "-c", "echo; read line", stdin=subprocess.PIPE)
        process.stdout.readline()
        used, = self.temporary.iterdir()
        os.utime(used, (0, 0))
        self.start("--certs", self.certificates, "--", "true").wait(PATIENCE)
        self.assertTrue(used.exists())
        process.communicate("\n", timeout=PATIENCE)
        self.assertFalse(used.exists())
