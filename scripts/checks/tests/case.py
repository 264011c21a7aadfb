"""A test case whose small trees of files a check reads."""

import tempfile
import unittest
from pathlib import Path

from support.tree import Finding, Tree


class TreeCase(unittest.TestCase):
    def tree(self, files: dict[str, str]) -> Tree:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path, text in files.items():
            file = Path(folder.name, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return Tree(Path(folder.name))

    def assert_found(self, found: list[Finding], *expected: str) -> None:
        """Each finding begins with `path:line: ` and has the rest of the expected text in it."""
        shown = sorted(str(finding) for finding in found)
        self.assertEqual(len(shown), len(expected), shown)
        for text in expected:
            place, _, rest = text.partition(": ")
            self.assertTrue(any(line.startswith(f"{place}: ") and rest in line for line in shown), (text, shown))
