"""A page of docs/recipes: its files and commands, and a new folder to follow it in."""
from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGES = TOP / "docs/recipes"
PROGRAM = Path(os.environ["PUSHPIT_BINARY"]).resolve()
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PATIENCE = 300
# A Python environment that is active here must not be used by a recipe.
FOREIGN = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")


@dataclass(frozen=True)
class Recipe:
    # By name: blocks that say a file's name after the language.
    files: dict[str, str]
    # Blocks in the language sh without a name, in their order. What can't be run here is in the language console.
    commands: list[str]

    @staticmethod
    def read(page: str | Path) -> Recipe:
        """The page with this path, or with this name in docs/recipes."""
        path = page if isinstance(page, Path) else PAGES / f"{page}.md"
        files, commands = {}, []
        for language, file, text in BLOCK.findall(path.read_text(encoding="utf-8")):
            if file:
                files[file] = text
            elif language == "sh":
                commands.append(text)
        return Recipe(files, commands)


class Workplace:
    """A new folder with the files of a recipe, a PATH with pushpit, and the files that scripts/package makes."""

    def __init__(self, recipe: Recipe) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="pushpit-recipe-")
        root = Path(self._directory.name)
        self.folder, self.home, self._programs = root / "project", root / "home", root / "bin"
        for folder in (self.folder, self.home / "build", self._programs):
            folder.mkdir(parents=True)
        (self.home / "clients").symlink_to(TOP / "clients")
        (self._programs / "pushpit").symlink_to(PROGRAM)
        for name, text in recipe.files.items():
            self.write(name, text)

    def __enter__(self) -> Workplace:
        return self

    def __exit__(self, *error: object) -> None:
        self._directory.cleanup()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text, f"{name} has no {old!r}"
        self.write(name, text.replace(old, new))

    def run(self, script: str, variables: dict[str, str] | None = None, shell: str = "bash -euo pipefail") -> tuple[int, str]:
        """The exit code, and everything that was printed."""
        own = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        environment = own | {
            "PATH": f"{self._programs}:{os.environ['PATH']}", "PUSHPIT_HOME": str(self.home), "GOPROXY": "off",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", **(variables or {})}
        environment.pop("PUSHPIT_BINARY", None)
        done = subprocess.run(
            [*shell.split(), "-c", script], cwd=self.folder, env=environment, timeout=PATIENCE, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout
