"""Tests of the check that compares docs/threat-model.md with the rows of Tests/Abuse."""
import limits
from tests.case import TreeCase


class LimitTests(TreeCase):
    ROWS = 'ROWS = [\n    Row("slow-heads", "Slow heads.", drip),\n    Row(\n        "slow-bodies", "Slow bodies.", drip),\n]\n'

    def found(self, page: str) -> list[limits.Finding]:
        return limits.findings(self.tree({"Tests/Abuse/rows_slow.py": self.ROWS, "docs/threat-model.md": page}))

    def test_names_and_beginnings_of_names_in_the_last_column_count(self) -> None:
        self.assert_found(self.found("| time | 10 s | `slow-heads`, `slow-bodies`; `Tests/A.swift` |\n"))
        self.assert_found(self.found("| time | 10 s | `slow-*` |\n"))

    def test_a_row_that_does_not_exist_and_a_row_that_is_not_named_are_found(self) -> None:
        self.assert_found(
            self.found("text\n| `slow-heads` | 10 s | `slow-bodies`, `quick-heads` |\n"),
            "docs/threat-model.md:2: Tests/Abuse has no row 'quick-heads'",
            "docs/threat-model.md:1: the row 'slow-heads' of Tests/Abuse is in no table")

    def test_without_the_page_nothing_is_compared(self) -> None:
        self.assert_found(limits.findings(self.tree({"Tests/Abuse/rows_slow.py": self.ROWS})))
