"""The rules of the control API, which are those of the command line."""
from __future__ import annotations

import json
import unittest

from api_case import APICase
from gateway import program


class Rules(APICase):
    def test_the_rules_are_those_of_the_program(self) -> None:
        found, cursor = [], "0"
        while cursor is not None:
            page = self.ask("GET", f"/rules?limit=100&cursor={cursor}")
            found, cursor = found + page["rules"], page["next"]
        self.assertEqual(found, json.loads(program("rules", "--json").stdout))
