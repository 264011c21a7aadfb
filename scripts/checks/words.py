"""Documents, help, messages, comments and test names are in plain English. --count prints how much each file has to change."""

import io
import re
import sys
import tokenize
from collections import Counter

from support.main import ROOT, report
from support.markdown import without_code
from support.swift_source import Kind, Scanner
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

CODE = re.compile(r"`[^`\n]+`")
# Between the words of `snake_case` and `CamelCase`.
WORD_EDGE = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
# Replaces what is left out, so that no phrase matches across it.
HOLE = "\x01"


def prose(tree: Tree) -> dict[str, str]:
    """What people read, by file; everything else is HOLE or blank."""
    texts = {path: without_code(tree.text(path), HOLE) for path in tree.documents()}
    for path in ["docs/pushpit.1"] * tree.exists("docs/pushpit.1") + tree.files("Tests/Conformance/expected"):
        texts[path] = tree.text(path)
    for path in tree.files("Sources", suffix=".swift"):
        texts[path] = swift_prose(tree.text(path), "comment", "doc", "string")
    for path in tree.files("Tests", suffix=".swift"):
        texts[path] = swift_prose(tree.text(path), "comment", "doc")
    for path in tree.files("Tests", "scripts"):
        if path.endswith(".py"):
            texts[path] = python_prose(tree.text(path))
        elif tree.text(path).startswith("#!"):
            texts[path] = shell_prose(tree.text(path))
    return texts


def swift_prose(source: str, *kinds: Kind) -> str:
    """These kinds of text without their `code`, and names that are sentences. Comment markers are replaced by spaces."""
    scanner = Scanner(source)
    text = scanner.only(*kinds, filler=HOLE)
    text = re.sub(r"^([ \t]*)(///?)", lambda match: match[1] + " " * len(match[2]), text, flags=re.MULTILINE)
    text = CODE.sub(lambda match: HOLE * len(match[0]), text)
    for name in re.finditer(r"`([^`\n]* [^`\n]*)`", scanner.only("code")):
        text = text[:name.start(1)] + name[1] + text[name.end(1):]
    return text


def python_prose(source: str) -> str:
    """Comments, docstrings without their `code`, and the words of names that do not follow a dot, each on its line."""
    lines = [HOLE] * (source.count("\n") + 1)

    def add(line: int, text: str) -> None:
        for number, part in enumerate(text.split("\n"), start=line - 1):
            lines[number] = f"{'' if lines[number] == HOLE else f'{lines[number]} {HOLE} '}{part}"

    previous = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            add(token.start[0], CODE.sub(HOLE, token.string.lstrip("# ")))
        elif token.type == tokenize.NAME and previous != ".":
            add(token.start[0], WORD_EDGE.sub(" ", token.string))
        elif token.type == tokenize.STRING and not token.line[:token.start[1]].strip() and token.string.startswith('"""'):
            add(token.start[0], CODE.sub(HOLE, token.string))
        previous = token.string
    return "\n".join(lines)


def shell_prose(source: str) -> str:
    """Comments that have a line to themselves."""
    return "\n".join(
        CODE.sub(HOLE, line.lstrip("# \t")) if line.lstrip().startswith("#") else HOLE for line in source.split("\n"))


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
