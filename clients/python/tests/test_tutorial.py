"""docs/tutorial.md, step by step, as a reader follows it: each file is as printed, and each run ends as the page says."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs/tutorial.md"
BLOCK = re.compile(r"^```python (\S+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Reader:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._steps = iter(BLOCK.findall(PAGE.read_text()))
        self._before: dict[Path, str] = {}

    def step(self, name: str, how: str = "") -> None:
        """Does what the next block says: a new file, lines at its end (+), or lines instead of others (-1, or their text)."""
        found, kind, text = next(self._steps)
        assert (found, kind) == (name, how)
        path = self.directory / name
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        self._before[path] = "".join(lines)
        if how == "+":
            lines += ["\n", text] if name == "shop.py" else ["\n\n", text]
        elif how == "-1":
            lines[-1:] = [text]
        elif how:
            lines[next(n for n, line in enumerate(lines) if line.strip().startswith(how))] = text
        else:
            lines = [text]
        path.write_text("".join(lines))

    def undo(self, name: str) -> None:
        path = self.directory / name
        path.write_text(self._before[path])

    def pytest(self) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=self.directory, capture_output=True,
            text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def passes(self, count: int) -> None:
        code, text = self.pytest()
        assert (code, f"{count} passed" in text, "Warning" in text) == (0, True, False), text

    def fails(self, *sentences: str) -> None:
        code, text = self.pytest()
        assert code == 1, text
        for sentence in sentences:
            assert sentence in text, text


def test_the_tutorial(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.step("shop.py")
    reader.step("test_shop.py")
    reader.passes(1)
    reader.step("test_shop.py", "+")
    (promised,) = re.findall(r"^```text\n(0 pushes.*?)\n```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    reader.fails(promised)
    reader.undo("test_shop.py")
    reader.step("test_shop.py", "+")
    reader.fails("UnregisteredError")
    reader.step("shop.py", "-1")
    reader.passes(2)
    reader.step("test_shop.py", "+")
    reader.passes(3)
    reader.step("shop.py", "+")
    reader.step("test_shop.py", "+")
    reader.fails("InvalidArgumentError", "mutable-content")
    reader.step("shop.py", "apns=")
    reader.passes(4)
