"""The command line that all checks share."""

import sys
from collections.abc import Callable
from pathlib import Path

from support.allowed import renew, without_allowed
from support.tree import Finding, Tree

ROOT = Path(__file__).resolve().parents[3]


def report(found: list[Finding]) -> int:
    for finding in sorted(set(found)):
        print(finding)
    return 1 if found else 0


def main(findings: Callable[[Tree], list[Finding]], allowed: str | None = None) -> int:
    """Runs a check. `allowed` names its allow-list in scripts/checks; --allow=REASON brings that up to date."""
    options = sys.argv[1:]
    tree = Tree(ROOT)
    found = findings(tree)
    if not options:
        return report(without_allowed(found, tree, f"scripts/checks/{allowed}") if allowed else found)
    reason = options[0].removeprefix("--allow=").strip()
    if not allowed or len(options) > 1 or not options[0].startswith("--allow=") or not reason:
        usage = "takes only --allow=REASON" if allowed else "takes no options"
        print(f"{Path(sys.argv[0]).stem} {usage}, but got {' '.join(options)}", file=sys.stderr)
        return 64
    renew(found, tree, f"scripts/checks/{allowed}", reason)
    return 0
