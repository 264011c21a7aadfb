"""Runs the example of docs/exec.md with --seed, and then with mistakes in the program."""
from __future__ import annotations

import json
import unittest

from recipe import TOP, Recipe, Workplace


class Seeding(unittest.TestCase):
    def test_the_program_meets_a_fault_and_the_phone_shows_its_image(self) -> None:
        page = Recipe.read(TOP / "docs/exec.md")
        place = self.enterContext(Workplace(page))
        (command,) = [text for text in page.commands if "--seed" in text]
        code, text = place.run(command)
        self.assertEqual(code, 0, text)
        self.assertIn("2 pushes were caught, 1 of them refused", text)
        for old, new, sentence in (("1 2", "1", "is missing"), ("bread.png", "toast.png", "fetch.skipped")):
            with self.subTest(new):
                place.write("sender.sh", page.files["sender.sh"])
                place.change("sender.sh", old, new)
                code, text = place.run(command)
                self.assertEqual((code, sentence in text), (1, True), text)

    def test_several_at_the_same_time_see_only_their_own_pushes(self) -> None:
        place = self.enterContext(Workplace(Recipe.read("README")))
        place.change("send.sh", "Welcome", "'$1'")
        place.change("expectations.json", "Welcome", "NAME")
        names = ("Ann", "Ben", "Cid", "Dee")
        runs = "".join(
            f"sed s/NAME/{name}/ expectations.json >{name}.json; "
            f"pushpit exec --expect {name}.json --report json={name}.report -- sh send.sh {name} >/dev/null & running=\"${{running-}} $!\"\n" for name in names)
        code, text = place.run(f"{runs}for run in $running; do wait $run; done")
        self.assertEqual(code, 0, text)
        for name in names:
            report = json.loads((place.folder / f"{name}.report").read_text(encoding="utf-8"))
            self.assertEqual([push["request"]["body"]["message"]["notification"]["title"] for push in report["messages"]], [name])


if __name__ == "__main__":
    unittest.main()
