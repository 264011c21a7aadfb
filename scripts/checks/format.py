"""Swift files are formatted as .swift-format says (`swift format lint --strict`)."""

import re
import subprocess
import sys

from support.main import main
from support.tree import Finding, Tree

COMPLAINT = re.compile(r"^(.+?):(\d+):\d+: (?:error|warning): (.*)$")


def findings(tree: Tree) -> list[Finding]:
    places = [place for place in ("Sources", "Tests", "Package.swift") if tree.exists(place)]
    done = subprocess.run(
        ["swift", "format", "lint", "--strict", "-r", "--parallel", *places],
        cwd=tree.root, capture_output=True, text=True, timeout=600)
    output = done.stderr + done.stdout
    found = []
    for line in output.splitlines():
        if match := COMPLAINT.match(line):
            path = match[1].removeprefix(f"{tree.root}/")
            remedy = f"run `swift format -i {path}`, then fix what it leaves"
            found.append(Finding(path, int(match[2]), f"{match[3]}; {remedy}"))
    if done.returncode and not found:
        raise SystemExit(f"swift format failed:\n{output}")
    return found


if __name__ == "__main__":
    sys.exit(main(findings))
