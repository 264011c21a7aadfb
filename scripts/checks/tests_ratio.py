"""Every target has at least one line of Swift tests for every four lines of source."""

import sys

from support.main import main
from support.tree import Finding, Tree

SOURCE_LINES_PER_TEST_LINE = 4


def findings(tree: Tree) -> list[Finding]:
    tested = {name.lower(): paths for name, paths in tree.sources("Tests").items()}
    found = []
    for name, paths in tree.sources("Sources").items():
        source = sum(tree.line_count(path) for path in paths)
        test = sum(tree.line_count(path) for path in tested.get(f"{name}Tests".lower(), []))
        needed = -(-source // SOURCE_LINES_PER_TEST_LINE)
        if test < needed:
            found.append(Finding(
                f"Sources/{name}", 1,
                f"{test} lines of tests for {source} lines of source; add {needed - test} to Tests/{name}Tests", name))
    return found


if __name__ == "__main__":
    sys.exit(main(findings, allowed="tests-ratio-allowed.txt"))
