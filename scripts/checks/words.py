"""Documents, help, messages and doc comments are in plain English. --count prints how much each file has to change."""

import re
import sys
from collections import Counter

from support.main import ROOT, report
from support.markdown import without_code
from support.swift_source import Scanner
from support.tree import Finding, Tree, line_of

# What is banned, and what to write instead.
BANNED = {
    r"octets?(?!-)": "bytes or characters",
    r"nobody(?:'s|’s)?": "the subject by name, or \"no client\", \"unknown\"",
    r"is none": "\"does not exist\", \"is not a …\"",
    r"where none": "\"if there are no …\", \"without a …\"",
    r"where there is none": "\"if it does not exist\", \"otherwise\"",
    r"those that": "the noun again: \"messages that …\"",
    r"whoever": "\"anyone who\", or the subject by name",
    r"is told": "\"gets\", \"receives\", \"is configured\"",
    r"in the moment": "\"when\", \"as soon as\"",
    r"of its own": "\"its own …\", \"separate\"",
    r"are over(?=[.,;:)\"']|\s*$|\s+(?:and|or|but|when|are|is)\b)": "\"expired\", \"ended\"",
}
GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*)"
BANNED_WORDS = re.compile(
    "|".join(
        rf"(?P<ban{index}>(?<![\w-]){pattern.replace(' ', GAP)}(?![\w-]))" for index, pattern in enumerate(BANNED)),
    re.IGNORECASE | re.MULTILINE)
REMEDIES = list(BANNED.values())

# Replaces what is left out, so that no phrase matches across it.
HOLE = "\x01"


def prose(tree: Tree) -> dict[str, str]:
    """What people read, by file; everything else is HOLE."""
    texts = {path: without_code(tree.text(path), HOLE) for path in tree.documents()}
    for path in ["docs/pushpit.1"] * tree.exists("docs/pushpit.1") + tree.files("Tests/Conformance/expected"):
        texts[path] = tree.text(path)
    for path in tree.files("Sources", suffix=".swift"):
        texts[path] = swift_prose(tree.text(path))
    return texts


def swift_prose(source: str) -> str:
    """Doc comments without their `code`, and string literals. The marks of a doc comment are blanks."""
    scanner = Scanner(source)
    text = scanner.only("doc", "string", filler=HOLE)
    text = re.sub(rf"^([ \t]*){HOLE}{{3}}(?!{HOLE})", r"\1   ", text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]+`", lambda match: HOLE * len(match[0]), text)


def quotes_an_rfc(lines: list[str]) -> bool:
    return any("RFC" in line and re.search("[\"“”]", line) for line in lines)


def findings(tree: Tree) -> list[Finding]:
    found = []
    for path, text in prose(tree).items():
        lines = tree.text(path).splitlines()
        for match in BANNED_WORDS.finditer(text):
            first, last = line_of(text, match.start()), line_of(text, match.end())
            if quotes_an_rfc(lines[first - 1:last]):
                continue
            remedy = REMEDIES[int(str(match.lastgroup).removeprefix("ban"))]
            found.append(Finding(path, first, f"do not write '{' '.join(match[0].split())}'; write {remedy}"))
    return found


def print_counts(found: list[Finding]) -> None:
    counts = Counter(finding.path for finding in found)
    for path, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:5} {path}")
    print(f"{len(found):5} in all")


def main() -> int:
    if sys.argv[1:] not in ([], ["--count"]):
        print(f"words takes only --count, but got {' '.join(sys.argv[1:])}", file=sys.stderr)
        return 64
    found = findings(Tree(ROOT))
    if not sys.argv[1:]:
        return report(found)
    print_counts(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
