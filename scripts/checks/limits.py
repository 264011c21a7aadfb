"""The rows of Tests/Abuse that the tables of docs/threat-model.md name exist, and each row is named there."""

import re
import sys
from fnmatch import fnmatchcase

from support.main import main
from support.markdown import SPAN
from support.tree import Finding, Tree

PAGE = "docs/threat-model.md"
ROW = re.compile(r"^\s+Row\(\s*\"([^\"]+)\"", re.MULTILINE)
# A name, or a beginning of names with an asterisk. Rows are named in the last column of a table.
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:-?\*)?")


def findings(tree: Tree) -> list[Finding]:
    if not tree.exists(PAGE):
        return []
    rows = {name for path in tree.files("Tests/Abuse", suffix=".py") for name in ROW.findall(tree.text(path))}
    found, named = [], set()
    for number, line in enumerate(tree.text(PAGE).splitlines(), start=1):
        if not line.startswith("|"):
            continue
        for span in SPAN.finditer(line.rstrip("| ").rpartition("|")[2]):
            text = span[2]
            if not NAME.fullmatch(text):
                continue
            matches = {row for row in rows if fnmatchcase(row, text)}
            named |= matches
            if not matches:
                found.append(Finding(PAGE, number, f"Tests/Abuse has no row '{text}'; name one that it has"))
    for row in sorted(rows - named):
        found.append(Finding(PAGE, 1, f"the row '{row}' of Tests/Abuse is in no table; name it beside the limit that it tests"))
    return found


if __name__ == "__main__":
    sys.exit(main(findings))
