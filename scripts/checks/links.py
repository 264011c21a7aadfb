"""Links, anchors and paths in the documents lead somewhere, and nothing refers to files outside the repository."""

import re
import sys
from collections import Counter
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import unquote

from support.main import main
from support.markdown import SPAN, without_code, without_fences
from support.tree import Finding, Tree, line_of

LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//")
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
NAMED = re.compile(r"<\w+[^>]*\s(?:id|name)=\"([^\"]+)\"")
PATH = re.compile(r"(?<![\w./-])((?:Sources|Tests|scripts|docs)/[\w./+*-]*)([<{$…]?)")
OUTSIDE = re.compile(r"(?<![\w-])(facts/|protocol\.md\b)|(\.\./shared)\b")

# Recorded and generated files have words that are not ours, and the checks have to name what they look for.
NOT_OURS = ("Tests/Conformance/fixtures/", "Tests/Fuzz/corpus/", "scripts/checks/")


def findings(tree: Tree) -> list[Finding]:
    found = []
    for path in tree.documents():
        found += broken_links(tree, path)
        found += missing_paths(tree, path)
    return found + outside(tree)


def broken_links(tree: Tree, path: str) -> list[Finding]:
    found = []
    text = without_code(tree.text(path))
    for match in LINK.finditer(text):
        link = match[1] or match[2]
        if SCHEME.match(link):
            continue
        file, _, anchor = unquote(link).partition("#")
        target = normpath((PurePosixPath(path).parent / file).as_posix()) if file else path
        line = line_of(text, match.start())
        if target.startswith(("..", "/")) or not tree.exists(target):
            found.append(Finding(path, line, f"the link '{link}' leads to no file; correct or remove it"))
        elif anchor and target.endswith(".md") and anchor not in anchors(tree.text(target)):
            found.append(Finding(path, line, f"{target} has no heading for '#{anchor}'; name one that it has"))
    return found


def anchors(text: str) -> set[str]:
    """What may follow a '#': headings as hosting pages spell them, repeated ones with a number, and HTML ids."""
    prose = without_fences(text)
    names = set(NAMED.findall(prose))
    seen: Counter[str] = Counter()
    for match in HEADING.finditer(prose):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", match[1])
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        names.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return names


def missing_paths(tree: Tree, path: str) -> list[Finding]:
    """Paths in `code` that begin with a folder of the repository; one with a placeholder cannot be looked up."""
    found = []
    prose = without_fences(tree.text(path))
    for span in SPAN.finditer(prose):
        for match in PATH.finditer(span[2]):
            name = match[1].rstrip(".-")
            if match[2] or (any(tree.root.glob(name)) if "*" in name else tree.exists(name)):
                continue
            line = line_of(prose, span.start(2) + match.start())
            found.append(Finding(path, line, f"'{name}' does not exist; name the file that has it now"))
    return found


def outside(tree: Tree) -> list[Finding]:
    found = []
    for path in tree.paths:
        if path.startswith(NOT_OURS):
            continue
        for number, line in enumerate(tree.text(path).splitlines(), start=1):
            if match := OUTSIDE.search(line):
                text = f"'{match[0]}' is not in this repository; name the page in docs/evidence that says it"
                found.append(Finding(path, number, text))
    return found


if __name__ == "__main__":
    sys.exit(main(findings))
