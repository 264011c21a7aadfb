"""The scripts of `pushpit completions` complete command lines in real shells."""
from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from gateway import program

# A command line up to the cursor, and what is offered for it.
CASES = {
    "pushpit s": {"serve", "send"},
    "pushpit --log-": {"--log-level"},
    "pushpit serve --auth ": {"off", "lenient", "strict"},
    "pushpit init --cer": {"--certs"},
    "pushpit send --certs ": {"folder/"},
    "pushpit check a": {"a.apns"},
    "pushpit completions ": {"bash", "zsh", "fish"},
    "pushpit browser ": {"chromium", "firefox"},
    "pushpit ready --nothing": set(),
}
BASH = """
source ./script
COMP_WORDS=($LINE)
[[ $LINE == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_pushpit
for word in "${COMPREPLY[@]}"; do [[ -d $word ]] && word+=/; printf '%s\\n' "$word"; done
"""
ZSH = "PS1='READY> '; autoload -Uz compinit; compinit -D -u; source ./script; stty -echo\n"


class CompletionTests(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = Path(directory.name)
        (self.folder / "folder").mkdir()
        (self.folder / "a.apns").write_text("{}")

    def script(self, shell: str) -> None:
        done = program("completions", shell)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (self.folder / "script").write_text(done.stdout)

    def output(self, *command: str, **variables: str) -> str:
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, **variables}, capture_output=True,
                              text=True, timeout=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    @unittest.skipUnless(shutil.which("bash"), "there is no bash here")
    def test_bash(self) -> None:
        self.script("bash")
        for line, offered in CASES.items():
            with self.subTest(line):
                self.assertEqual(set(self.output("bash", "-c", BASH, LINE=line).split()), offered)
        self.assertEqual(self.output("bash", "-c", BASH, LINE="pushpit --auth = l").split(), ["lenient"])

    @unittest.skipUnless(shutil.which("fish"), "there is no fish here")
    def test_fish(self) -> None:
        self.script("fish")
        for line, offered in CASES.items():
            with self.subTest(line):
                lines = self.output("fish", "--no-config", "-c", 'source script; complete -C "$LINE"', LINE=line)
                self.assertEqual({row.split("\t")[0] for row in lines.splitlines()}, offered)

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh here")
    def test_zsh(self) -> None:
        """Zsh completes only on a terminal."""
        self.script("zsh")
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.execve(shutil.which("zsh"), ["zsh", "-f", "-i"], {"PATH": os.environ["PATH"], "TERM": "dumb"})
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.close, terminal)
        os.write(terminal, ZSH.encode())
        self.read(terminal, r"[\r\n]READY> ")
        for typed, shown in {"pushpit ini\t": "init ", "pushpit serve --aut\t": "--auth=", "pushpit check a\t": "a.apns ",
                             "pushpit serve --auth=le\t": "lenient ", "pushpit completions z\t": "zsh "}.items():
            with self.subTest(typed):
                os.write(terminal, typed.encode())
                self.read(terminal, re.escape(shown))
                os.write(terminal, b"\x15")

    def read(self, terminal: int, pattern: str) -> None:
        """Reads what the terminal shows until it matches."""
        text, end = "", time.monotonic() + 20
        while not re.search(pattern, text):
            ready, _, _ = select.select([terminal], [], [], max(end - time.monotonic(), 0))
            self.assertTrue(ready, f"{pattern!r} is not in {text!r}")
            text += os.read(terminal, 4096).decode(errors="replace")


