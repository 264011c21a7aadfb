"""Runs the commands of the README and of docs/install.md that install the wheel and the archive, with the files that scripts/package makes."""
from __future__ import annotations

import tarfile
import unittest

from recipe import PROGRAM, TOP, Recipe, Workplace
from test_recipes import make_wheel

ENTER = {"pip install": ". ~/pushpit-venv/bin/activate", "tar xzf": 'export PATH="$HOME/pushpit:$PATH"'}


class Installing(unittest.TestCase):
    def setUp(self) -> None:
        self.place = self.enterContext(Workplace(Recipe({}, [])))
        (self.place.folder / "build").symlink_to(self.place.home / "build")
        # In the first directory of the PATH: it ends with an error if the commands do not install another one.
        (self.place.folder.parent / "bin/pushpit").unlink()
        self.place.write("../bin/pushpit", "#!/bin/sh\nexit 99\n")
        (self.place.folder.parent / "bin/pushpit").chmod(0o755)

    def follow(self, name: str) -> None:
        for page in ("README.md", "docs/install.md"):
            with self.subTest(page):
                (script,) = [text for text in Recipe.read(TOP / page).commands if name in text]
                variables = {"HOME": str(self.place.home)}
                code, text = self.place.run(f"{script}\npushpit --version\ncommand -v pushpit", variables)
                self.assertEqual(code, 0, text)
                self.assertIn(str(self.place.home / "pushpit"), text)
                # The line for each terminal is enough for the second one.
                (line,) = [line.split("#")[0] for line in script.splitlines() if "# in each terminal" in line]
                self.assertEqual(line.strip(), ENTER[name])
                code, text = self.place.run(f"{line}\npushpit --version", variables)
                self.assertEqual(code, 0, text)

    def test_the_wheel(self) -> None:
        make_wheel(self.place)
        self.follow("pip install")

    def test_the_archive(self) -> None:
        with tarfile.open(self.place.home / "build/pushpit-0.0.0-linux-x86_64.tar.gz", "w:gz", compresslevel=1) as archive:
            archive.add(PROGRAM, "pushpit-0.0.0-linux-x86_64/pushpit")
        self.follow("tar xzf")


if __name__ == "__main__":
    unittest.main()
