"""What the program prints and how it ends before it listens: help, version, usage errors, a taken port."""
from __future__ import annotations

import re
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from gateway import Gateway, program

EXPECTED = Path(__file__).parents[1] / "expected"
COMMANDS = ["serve", "init", "exec", "env", "browser", "device", "send", "check", "doctor", "expect", "rules", "ready",
            "completions"]
USAGE, UNAVAILABLE = 64, 69

# Arguments, and what the message must name: the wrong value and a right one.
BAD_LINES: list[tuple[list[str], list[str]]] = [
    (["frob"], ["'frob'", "serve, init, exec, env, browser, device, send, check, doctor, expect, rules, ready"]),
    (["--frob"], ["'--frob'", "--help"]),
    (["serve", "extra"], ["'extra'", "--help"]),
    (["init", "--listen", "127.0.0.1:0"], ["'--listen'", "pushpit init"]),
    (["--listen"], ["--listen", "[role=]host:port"]),
    (["--listen", "nonsense"], ["'nonsense'", "has no port", "127.0.0.1:2197"]),
    (["--listen", "no host:80"], ["'no host:80'", "has no valid host"]),
    (["--listen", ":80"], ["':80'", "has no host"]),
    (["--listen", "127.0.0.1:80", "--listen", "fcm=127.0.0.1:80"], ["'fcm=127.0.0.1:80'", "twice"]),
    (["--listen", "127.0.0.1:99999"], ["'127.0.0.1:99999'", "0 to 65535"]),
    (["--listen", "::1:0"], ["'::1:0'", "[::1]:"]),
    (["--listen", "gcm=127.0.0.1:0"], ["'gcm=127.0.0.1:0'", "any, apns, apns-sandbox, fcm"]),
    (["--listen="], ["--listen ''", "has no port"]),
    (["--listen", "0.0.0.0:0"], ["'0.0.0.0:0'", "--api-token"]),
    (["--listen", "[::]:0"], ["'[::]:0'", "--api-token"]),
    (["--listen", "127.0.0.1:0", "--listen", "0.0.0.0:0"], ["'0.0.0.0:0'", "--api-token"]),
    (["--listen", "0.0.0.0:0", "--api-token", ""], ["--api-token"]),
    (["--listen", "example.com:0", "--api-token", "secret"], ["example.com:0", "127.0.0.1:2197"]),
    (["--listen", "300.1.1.1:0", "--api-token", "secret"], ["300.1.1.1:0", "127.0.0.1:2197"]),
    (["--certs", ""], ["--certs"]),
    (["--unknown-devices", "maybe"], ["'maybe'", "accept, reject"]),
    (["--first-streams", "0"], ["'0'", "1 to 2048"]),
    (["--streams", "2049"], ["'2049'", "1 to 2048"]),
    (["--streams", "+5"], ["'+5'", "1 to 2048"]),
    (["--drain-timeout", "+5s"], ["'+5s'", "5s"]),
    (["--streams", "many"], ["'many'", "1 to 2048"]),
    (["--stream-drop", "perhaps"], ["'perhaps'", "on, off"]),
    (["--drain-timeout", "5"], ["'5'", "5s"]),
    (["--drain-timeout", "-1s"], ["'-1s'", "5s"]),
    (["--log", "xml"], ["'xml'", "text, json"]),
    (["--log-level", "loud"], ["'loud'", "debug, info, warning, error, none"]),
    (["ready", "--url", "ftp://localhost"], ["'ftp://localhost'", "http://localhost:2197"]),
    (["ready", "--wait", "soon"], ["'soon'", "5s"]),
]
# The same with environment variables.
BAD_VARIABLES: list[tuple[str, str, str]] = [
    ("PUSHPIT_LISTEN", "nonsense", "'nonsense'"),
    ("PUSHPIT_LISTEN", "127.0.0.1:0,nonsense", "'nonsense'"),
    ("PUSHPIT_LISTEN", "0.0.0.0:0", "--api-token"),
    ("PUSHPIT_LISTEN", ",", "has no port"),
    ("PUSHPIT_UNKNOWN_DEVICES", "maybe", "'maybe'"),
    ("PUSHPIT_FIRST_STREAMS", "0", "'0'"),
    ("PUSHPIT_STREAMS", "2049", "'2049'"),
    ("PUSHPIT_STREAM_DROP", "perhaps", "'perhaps'"),
    ("PUSHPIT_DRAIN_TIMEOUT", "5", "'5'"),
    ("PUSHPIT_LOG", "xml", "'xml'"),
    ("PUSHPIT_LOG_LEVEL", "loud", "'loud'"),
]


class Help(unittest.TestCase):
    maxDiff = None

    def test_help_is_the_expected_text(self) -> None:
        for arguments in (["--help"], ["-h"], ["help"]):
            with self.subTest(arguments):
                done = program(*arguments)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, (EXPECTED / "help.txt").read_text())

    def test_each_commands_help_is_the_expected_text(self) -> None:
        for command in COMMANDS:
            for flag in ("--help", "-h"):
                with self.subTest(command, flag=flag):
                    done = program(command, flag)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertEqual(done.stdout, (EXPECTED / f"help-{command}.txt").read_text())

    def test_the_overview_lists_every_command(self) -> None:
        listed = re.findall(r"^  (\w+) {2,}\w", program("--help").stdout.partition("COMMANDS:")[2], re.MULTILINE)
        self.assertEqual(listed, COMMANDS)

    def test_each_option_names_its_environment_variable(self) -> None:
        for command in COMMANDS:
            text = program(command, "--help").stdout
            options = re.findall(r"^  --([a-z-]+) <", text, re.MULTILINE)
            self.assertEqual(options == [], command == "completions")
            twins = ["PUSHPIT_" + option.upper().replace("-", "_") for option in options]
            self.assertEqual(re.findall(r"\[(PUSHPIT_\w+)\]$", text, re.MULTILINE), twins)

    def test_version(self) -> None:
        done = program("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Apushpit \d+\.\d+\.\d+\n\Z")


class UsageErrors(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = self.enterContext(tempfile.TemporaryDirectory(prefix="pushpit-"))

    def refused(self, names: list[str], *arguments: str, variables: dict[str, str] | None = None) -> None:
        named = {"PUSHPIT_CERTS": f"{self.directory}/certs"} | (variables or {})
        try:
            done = program(*arguments, timeout=3, variables=named)
        except subprocess.TimeoutExpired:
            self.fail("it was not refused: it runs")
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""), done.stderr[:400])
        self.assertRegex(done.stderr, r"\Apushpit: [^\n]+\n\Z")
        for name in names:
            self.assertIn(name, done.stderr)

    def test_an_invalid_argument_ends_with_64_and_names_the_value_and_the_remedy(self) -> None:
        for arguments, names in BAD_LINES:
            with self.subTest(arguments):
                self.refused(names, *arguments)

    def test_an_invalid_variable_does_too(self) -> None:
        for variable, value, name in BAD_VARIABLES:
            with self.subTest(f"{variable}={value}"):
                self.refused([name], variables={variable: value})

    def test_an_invalid_command_line_creates_no_files(self) -> None:
        self.refused(["'loud'"], "--log-level", "loud")
        self.assertEqual(list(Path(self.directory).iterdir()), [])


class TakenPort(unittest.TestCase):
    def test_a_taken_port_ends_with_69_and_names_it(self) -> None:
        taken = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with tempfile.TemporaryDirectory(prefix="pushpit-") as directory:
            done = program("--listen", address, "--certs", f"{directory}/certs")
        self.assertEqual((done.returncode, done.stdout), (UNAVAILABLE, ""))
        self.assertRegex(done.stderr, rf"\Apushpit: {re.escape(address)} .*--listen[^\n]*\n\Z")

    def test_the_port_of_another_gateway_is_taken_too(self) -> None:
        with Gateway() as gateway:
            address = f"127.0.0.1:{gateway.at().port}"
            done = program("--listen", address, "--certs", str(gateway.certificates))
            self.assertEqual(done.returncode, UNAVAILABLE)
            self.assertIn(address, done.stderr)
