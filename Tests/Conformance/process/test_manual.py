"""The manual page agrees with `--help`: commands, options, environment, choices and defaults."""
from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from gateway import program

PAGE = Path(__file__).parents[3] / "docs/pushpit.1"
ROW = re.compile(r"^  (?:-h, )?--(?P<name>[a-z-]+)(?: <\S+>)?(?P<rest>(?: {2,}\S[^\n]*)?(?:\n {20,}[^\n]*)*)", re.MULTILINE)
VARIABLE = re.compile(r"\[(PUSHPIT_\w+)\]$")
# The options that `exec` does not take from `serve`.
ONLY_SERVE = ["listen", "ready-file", "exit-on-stdin-eof", "server-name", "share-credentials", "demo"]
NOTE = re.compile(r"(values|default): ([^;)]+)")


def text(*arguments: str) -> str:
    done = program(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands() -> list[str]:
    section = text("--help").split("COMMANDS:\n", 1)[1].split("\n\n", 1)[0]
    return [line.split()[0] for line in section.splitlines()]


def rows(help_text: str) -> dict[str, str]:
    """The help text of each option in one line, by its name."""
    return {row["name"]: " ".join(row["rest"].split()) for row in ROW.finditer(help_text)}


def helped(command: str) -> dict[str, str]:
    """The rows of a command's help; `help` itself is not listed."""
    found = rows(text(command, "--help"))
    assert found.pop("help", None), f"the help of {command} has no row for --help: is it read rightly?"
    return found


def section(name: str, kind: str = "Sh") -> str:
    """The lines of a section of the page, or of a subsection with `Ss`."""
    found = re.search(rf"^\.{kind} {re.escape(name)}\n(.*?)(?=^\.S[hs] |\Z)", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert found, f"the manual page has no section {name}"
    return found[1]


def items(part: str) -> dict[str, str]:
    """Each option of a list with its text, without the macros of mdoc."""
    found: dict[str, str] = {}
    for item in re.split(r"^\.It ", part, flags=re.MULTILINE)[1:]:
        head, _, body = item.partition("\n")
        name = re.match(r"Fl -([a-z-]+)", head)
        if name:
            body = re.sub(r"^\.(?:Cm|Pa|Fl|Dv|Ar) ", "", body, flags=re.MULTILINE)
            found[name[1]] = re.sub(r" Ns |\s+", " ", f"{head}\n{body}")
    return found


def documented(command: str) -> dict[str, str]:
    """The options of a command. The page describes those of `exec` that `serve` has too only once."""
    own = items(section(f"pushpit {command}", "Ss"))
    if command != "exec":
        return own
    inherited = items(section("pushpit serve", "Ss"))
    return own | {name: text for name, text in inherited.items() if name not in (*own, *ONLY_SERVE)}


class ManualTests(unittest.TestCase):
    def test_the_manual_has_exactly_the_commands_of_the_program(self) -> None:
        described = re.findall(r"^\.It Cm (\w+)$", section("DESCRIPTION"), re.MULTILINE)
        self.assertEqual(described, commands())

    def test_each_command_has_the_options_of_its_help(self) -> None:
        for command in commands():
            with self.subTest(command):
                self.assertEqual(list(documented(command)), list(helped(command)))

    def test_the_manual_has_the_options_without_a_command(self) -> None:
        overview = rows(text("--help"))
        self.assertEqual(set(overview), {"version", "help"})
        common = section("OPTIONS")
        for name in overview:
            self.assertRegex(common, rf"(?m)^\.It .*\bFl -{name}$")
        self.assertEqual(len(re.findall(r"^\.It ", common, re.MULTILINE)), len(overview))

    def test_defaults_and_values_are_those_of_the_help(self) -> None:
        for command in commands():
            page = documented(command)
            for name, row in helped(command).items():
                words = re.findall(r"[\w.:/-]+", page.get(name, ""))
                wanted = [value for _, values in NOTE.findall(row) for value in values.split(", ")]
                for value in wanted:
                    with self.subTest(command=command, option=name, value=value):
                        self.assertIn(value, [word.rstrip(".") for word in words])

    def test_each_variable_is_documented_with_its_option(self) -> None:
        page = dict(re.findall(r"^\.It Ev (PUSHPIT_\w+)\n\.Fl -([a-z-]+)$", section("ENVIRONMENT"), re.MULTILINE))
        help_says = {
            variable[1]: name for command in commands() for name, row in helped(command).items()
            if (variable := VARIABLE.search(row))}
        self.assertEqual(page, help_says)
        self.assertEqual(set(help_says.values()), {name for command in commands() for name in helped(command)})

    def test_each_file_of_init_is_in_the_manual(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            made = {Path(line.split()[1]).name for line in text("init", "--certs", directory).splitlines()}
        names = {re.sub(r"^AuthKey_\w+", "AuthKey_KEYID", name) for name in made}
        heads = re.findall(r"^\.It (.*)$", section("FILES"), re.MULTILINE)
        page = {
            re.sub(r"[Nn]s | ?Ns|Ar |Pa ", "", name).replace(" ", "").replace("keyid", "KEYID")
            for head in heads for name in head.split(" , ")}
        self.assertEqual(page - {"server-name.pem", "server-name-key.pem"}, names)

    def test_the_page_about_running_has_the_same_exit_codes(self) -> None:
        page = (PAGE.parent / "running.md").read_text()
        rows = re.findall(r"^\| ([\d, ]+) \|", page.split("## Exit codes\n", 1)[1].split("\n## ", 1)[0], re.MULTILINE)
        self.assertEqual(", ".join(rows).split(", "), re.findall(r"^\.It (\d+)$", section("EXIT STATUS"), re.MULTILINE))

    @unittest.skipUnless(shutil.which("mandoc"), "there is no mandoc here")
    def test_mandoc_accepts_the_page(self) -> None:
        done = subprocess.run(
            ["mandoc", "-Tlint", "-Wstyle", str(PAGE)], capture_output=True, text=True, timeout=30)
        self.assertEqual(done.stdout + done.stderr, "")
