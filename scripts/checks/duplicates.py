"""No code is in two places: there are no equal runs of lines in Sources, Tests and scripts."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from support.main import main
from support.swift_source import IMPORT, Scanner
from support.tree import Finding, Tree, is_generated

# At 8, every match in this repository was a real copy. At 6, lists of properties and switches matched too.
SHORTEST_RUN = 8
NO_CONTENT = re.compile(r"[\])}]+[,;]?|else:|fi|done|esac|;;")
PYTHON_IMPORT = re.compile(r"(?:from [\w.]+ )?import ")


@dataclass
class File:
    path: str
    language: str
    lines: list[tuple[int, str]]


def language(tree: Tree, path: str) -> str | None:
    for ending, name in ((".swift", "swift"), (".py", "python"), (".sh", "shell")):
        if path.endswith(ending):
            return name
    return "shell" if path.startswith("scripts/") and tree.text(path).startswith("#!") else None


def normalised(text: str, kind: str) -> list[tuple[int, str]]:
    """The significant lines, with their numbers: no blanks, comments, imports or closing brackets."""
    if kind == "swift":
        text = Scanner(text).only("code", "string")
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = " ".join(line.split())
        if not words or NO_CONTENT.fullmatch(words):
            continue
        if kind == "swift" and IMPORT.match(words) or kind != "swift" and words.startswith("#"):
            continue
        if kind == "python" and PYTHON_IMPORT.match(words):
            continue
        lines.append((number, words))
    return lines


def read_files(tree: Tree) -> Iterator[File]:
    for path in tree.files("Sources", "Tests", "scripts"):
        kind = language(tree, path)
        if kind and not is_generated(path):
            yield File(path, kind, normalised(tree.text(path), kind))


def findings(tree: Tree) -> list[Finding]:
    """Each run is reported once, at its later place, with the first place that has it."""
    first_seen: dict[tuple[str, ...], tuple[File, int]] = {}
    found = []
    for file in read_files(tree):
        words = [text for _, text in file.lines]
        reported_to = 0
        for index in range(len(words) - SHORTEST_RUN + 1):
            window = (file.language, *words[index:index + SHORTEST_RUN])
            other, start = first_seen.setdefault(window, (file, index))
            overlaps = other is file and index < start + SHORTEST_RUN
            if overlaps or index < reported_to:
                continue
            length = run_length(other, start, file, index)
            reported_to = index + length
            found.append(finding(other, start, file, index, length))
    return found


def run_length(one: File, start: int, two: File, other_start: int) -> int:
    length = 0
    limit = min(len(one.lines) - start, len(two.lines) - other_start)
    if one is two:
        limit = min(limit, other_start - start)
    while length < limit and one.lines[start + length][1] == two.lines[other_start + length][1]:
        length += 1
    return length


def finding(one: File, start: int, two: File, other_start: int, length: int) -> Finding:
    first, last = one.lines[start][0], one.lines[start + length - 1][0]
    return Finding(
        two.path, two.lines[other_start][0],
        f"{length} lines are as in {one.path}:{first}-{last}; keep them in one place that both use",
        f"{one.path} {two.path}")


if __name__ == "__main__":
    sys.exit(main(findings, allowed="duplicates-allowed.txt"))
