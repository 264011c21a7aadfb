"""Regular expressions in `expect` match what Python's `re` matches, for expressions and texts that are made at random."""
from __future__ import annotations

import random
import re

from api_case import APICase

SEED = 20270115
EXPRESSIONS = 400
LETTERS = "abAB01_ -.é\n🍵"
CLASSES = [r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", ".", "[ab]", "[^ab]", "[a-b0-9]", r"[^\d]", r"[\w-]", "[é🍵]", r"[\s\S]"]
# Python's `$` also matches before a line feed at the end, ours does not.
PLACES = {"^": "^", "$": r"\Z", r"\b": r"\b", r"\B": r"\B"}


class Expressions:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def expression(self, depth: int = 3) -> str:
        return "|".join(self.row(depth) for _ in range(self.random.choice([1, 1, 1, 2, 3])))

    def row(self, depth: int) -> str:
        return "".join(self.item(depth) for _ in range(self.random.randint(0, 4)))

    def item(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.1:
            return self.random.choice(list(PLACES))
        if kind < 0.3 and depth > 0:
            part = f"({self.random.choice(['', '?:'])}{self.expression(depth - 1)})"
        elif kind < 0.6:
            part = self.random.choice(CLASSES)
        else:
            part = re.escape(self.random.choice(LETTERS))
        return part + self.random.choice(["", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,}", "{,2}", "{1,3}", "{0}"])

    def text(self) -> str:
        return "".join(self.random.choice(LETTERS) for _ in range(self.random.randint(1, 8)))


def for_python(expression: str) -> str:
    """`$` outside of brackets means the end for us."""
    return re.sub(r"\\.|\[(?:\\.|[^\]])*\]|\$", lambda found: PLACES.get(found[0], found[0]), expression, flags=re.DOTALL)


class RegularExpressions(APICase):
    def test_an_expression_matches_what_python_matches(self) -> None:
        made = Expressions(SEED)
        texts = {f"p{number}": made.text() for number in range(1, 61)}
        for text in texts.values():
            self.apple.push(body={"aps": {}, "text": text})
        self.assertEqual(sorted(self.ids("limit=1000")), sorted(texts))
        matched = 0
        for _ in range(EXPRESSIONS):
            expression = made.expression()
            with self.subTest(expression, seed=SEED):
                python = re.compile(for_python(expression), re.ASCII)
                wanted = [name for name, text in texts.items() if python.search(text)]
                answer = self.api.post("/expect", json={"match": {"body": {"/text": {"regex": expression}}}, "count": len(wanted), "within": "0s"})
                self.assertEqual(answer.status_code, 200, answer.text)
                self.assertEqual(answer.json()["messages"], wanted)
                matched += 0 < len(wanted) < len(texts)
        self.assertGreater(matched, EXPRESSIONS // 5, "too few expressions tell texts apart")
