"""The targets that Package.swift declares, and the fuzz target that scripts/fuzz adds from Tests/Fuzz/Package.fragment."""

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from support.tree import Tree, line_of

MANIFEST = "Package.swift"
FRAGMENT = "Tests/Fuzz/Package.fragment"


@dataclass
class Target:
    name: str
    kind: str
    folder: str
    dependencies: list[str] = field(default_factory=list)
    line: int = 1
    purpose: str = ""

    @property
    def manifest(self) -> str:
        return FRAGMENT if self.folder == "Tests/Fuzz" else MANIFEST


def dump(tree: Tree) -> dict:
    """The manifest as SwiftPM reads it. SwiftPM gets a copy, because a running build locks the checkout."""
    manifest = tree.text(MANIFEST) + (tree.text(FRAGMENT) if tree.exists(FRAGMENT) else "")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, MANIFEST).write_text(manifest, encoding="utf-8")
        done = subprocess.run(
            ["swift", "package", "--package-path", folder, "dump-package"], capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise SystemExit(f"{MANIFEST}:1: SwiftPM cannot read it:\n{done.stderr}")
    return json.loads(done.stdout)


def targets(tree: Tree) -> dict[str, Target]:
    return read(dump(tree), tree)


def read(dumped: dict, tree: Tree) -> dict[str, Target]:
    """The targets by name, each with the line that declares it and the `///` lines above that line."""
    found = {}
    for row in dumped["targets"]:
        usual = "Tests" if row["type"] == "test" else "Sources"
        target = Target(row["name"], row["type"], row.get("path") or f"{usual}/{row['name']}")
        for dependency in row["dependencies"]:
            target.dependencies += [names[0] for kind, names in dependency.items() if kind in ("byName", "target")]
        if tree.exists(target.manifest):
            place(target, tree.text(target.manifest))
        found[target.name] = target
    return found


def place(target: Target, manifest: str) -> None:
    """Finds `library("JSON"`, `.executableTarget(name: "pushpit"` or `tests("JSON"`, but not the products."""
    is_test = target.kind == "test"
    short = target.name.removesuffix("Tests") if is_test else target.name
    names = rf'(?:name:\s*"{target.name}"|"{short}")'
    entry = re.compile(rf"^[ \t]*\.?(\w+)\(\s*{names}(?!\s*,\s*targets:)", re.MULTILINE)
    for match in entry.finditer(manifest):
        if (match[1].lower() in ("tests", "testtarget")) == is_test:
            target.line = line_of(manifest, match.start())
            target.purpose = comment_above(manifest.splitlines(), target.line)
            return


def comment_above(lines: list[str], line: int) -> str:
    words: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.strip().startswith("///"):
            break
        words.insert(0, text.strip().removeprefix("///").strip())
    return " ".join(words)
