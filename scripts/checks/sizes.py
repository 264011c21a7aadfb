"""Source files, folders, targets and parameter lists stay small."""

import re
import sys
from collections import Counter
from pathlib import PurePosixPath

from support.main import main
from support.swift_source import Scanner
from support.tree import Finding, Tree, is_generated, line_of

MOST_LINES_UNEXPLAINED = 200
MOST_LINES = 250
EXPLANATION = "Over 200 lines:"
EXPLANATION_WITHIN_LINES = 15
MOST_FILES = 25
MOST_TARGET_LINES = 6500
MOST_PARAMETERS = 5

FUNCTION = re.compile(r"\bfunc\s+(`?\w+`?|[^\s\w(]+)")
PARAMETER = re.compile(r"\s*(?:@\w+\s+)*(?:`?\w+`?\s+)?`?\w+`?\s*:")


def findings(tree: Tree) -> list[Finding]:
    return files(tree) + folders(tree) + whole_targets(tree) + parameters(tree)


def files(tree: Tree) -> list[Finding]:
    """Files in other languages have the same limit, and need no explanation."""
    found = []
    for path in tree.files("Sources", "Tests", "scripts", "clients", "examples", suffix=(".swift", ".py", ".js", ".ts", ".go")):
        lines = tree.text(path).splitlines()
        if is_generated(path) or len(lines) <= MOST_LINES_UNEXPLAINED:
            continue
        if len(lines) > MOST_LINES:
            found.append(Finding(
                path, MOST_LINES + 1, f"the file has {len(lines)} lines; divide it, {MOST_LINES} is the limit",
                f"lines {path}"))
        elif path.endswith(".swift") and not is_explained(lines):
            found.append(Finding(
                path, 1, f"the file has {len(lines)} lines; divide it, or say why it is long in a comment "
                f"`// {EXPLANATION} …` in its first {EXPLANATION_WITHIN_LINES} lines", f"unexplained {path}"))
    return found


def is_explained(lines: list[str]) -> bool:
    return any(line.lstrip().startswith("//") and EXPLANATION in line for line in lines[:EXPLANATION_WITHIN_LINES])


def folders(tree: Tree) -> list[Finding]:
    paths = [PurePosixPath(path) for path in tree.files("Sources", "Tests", "clients") if not is_generated(path)]
    counts = Counter(path.parent.as_posix() for path in paths)
    return [
        Finding(folder, 1, f"the folder has {count} files; divide it, {MOST_FILES} is the limit", f"folder {folder}")
        for folder, count in counts.items() if count > MOST_FILES
    ]


def whole_targets(tree: Tree) -> list[Finding]:
    found = []
    for name, paths in tree.sources("Sources").items():
        lines = sum(tree.line_count(path) for path in paths)
        if lines > MOST_TARGET_LINES:
            found.append(Finding(
                f"Sources/{name}", 1, f"the target has {lines} lines; divide it, {MOST_TARGET_LINES} is the limit",
                f"target {name}"))
    return found


def parameters(tree: Tree) -> list[Finding]:
    """Initializers may take more: they mostly name the properties."""
    found = []
    for path in tree.files("Sources", "Tests", suffix=".swift"):
        code = Scanner(tree.text(path)).only("code")
        for match in FUNCTION.finditer(code):
            count = parameter_count(code, match.end())
            if count > MOST_PARAMETERS and not is_generated(path):
                found.append(Finding(
                    path, line_of(code, match.start()),
                    f"'{match[1]}' has {count} parameters; pass a value that has them, {MOST_PARAMETERS} is the limit",
                    f"parameters {path} {match[1]}"))
    return found


def parameter_count(code: str, position: int) -> int:
    """Counts `label name:` in the first parentheses after the position. In `a: A<B, C>`, `C>` has no colon and does not count."""
    start = code.find("(", position)
    if start < 0:
        return 0
    depth, part_start, count = 0, start + 1, 0
    for offset in range(start, len(code)):
        character = code[offset]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and character == ","):
            count += PARAMETER.match(code, part_start, offset) is not None
            part_start = offset + 1
        if depth == 0:
            break
    return count


if __name__ == "__main__":
    sys.exit(main(findings, allowed="sizes-allowed.txt"))
