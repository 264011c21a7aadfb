"""What all checks share as programs."""

import sys
from collections.abc import Callable
from pathlib import Path

from support.allowed import without_allowed
from support.tree import Finding, Tree

ROOT = Path(__file__).resolve().parents[3]


def report(found: list[Finding]) -> int:
    for finding in sorted(set(found)):
        print(finding)
    return 1 if found else 0


def main(findings: Callable[[Tree], list[Finding]], allowed: str | None = None) -> int:
    """Runs a check that takes no options. `allowed` names its allow-list in scripts/checks."""
    if len(sys.argv) > 1:
        print(f"{Path(sys.argv[0]).stem} takes no options, but got {' '.join(sys.argv[1:])}", file=sys.stderr)
        return 64
    tree = Tree(ROOT)
    found = findings(tree)
    return report(without_allowed(found, tree, f"scripts/checks/{allowed}") if allowed else found)
