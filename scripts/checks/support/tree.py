"""The files of a checkout, as the checks see them, and what a check finds in them."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

TOP_FOLDERS = ("Sources", "Tests", "scripts", "docs", "clients", "examples", ".ci")
SKIPPED_FOLDERS = {"__pycache__", ".build"}


@dataclass(frozen=True, order=True)
class Finding:
    """One fault with its remedy. The key names it in an allow-list; findings without a key cannot be allowed."""

    path: str
    line: int
    text: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


class Tree:
    """Paths are relative to the root and use forward slashes. Each file is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}

    @cached_property
    def paths(self) -> list[str]:
        """The files at the top and those in the folders above, sorted."""
        found = [entry for entry in self.root.iterdir() if entry.is_file()]
        for folder in TOP_FOLDERS:
            found += [path for path in (self.root / folder).rglob("*") if path.is_file()]
        relative = [path.relative_to(self.root) for path in found]
        return sorted(path.as_posix() for path in relative if not SKIPPED_FOLDERS.intersection(path.parts))

    def files(self, *folders: str, suffix: str | tuple[str, ...] = "") -> list[str]:
        """The files below the folders whose names end with the suffix, or with one of several."""
        starts = tuple(f"{folder}/" for folder in folders)
        return [path for path in self.paths if path.startswith(starts) and path.endswith(suffix)]

    def documents(self) -> list[str]:
        """The Markdown files at the top, in docs, and of the kits and examples."""
        folders = ("docs/", "clients/", "examples/")
        return [path for path in self.paths if path.endswith(".md") and (path.startswith(folders) or "/" not in path)]

    def exists(self, path: str) -> bool:
        return (self.root / path).exists()

    def text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def line_count(self, path: str) -> int:
        return len(self.text(path).splitlines())

    def sources(self, folder: str) -> dict[str, list[str]]:
        """The Swift files of each folder directly below the given one, by the folder's name."""
        grouped: dict[str, list[str]] = {}
        for path in self.files(folder, suffix=".swift"):
            name, _, rest = path.removeprefix(f"{folder}/").partition("/")
            if rest:
                grouped.setdefault(name, []).append(path)
        return grouped


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def is_generated(path: str) -> bool:
    return "Generated" in PurePosixPath(path).parts
