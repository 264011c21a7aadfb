"""Tests of what the checks share: the scanner of Swift, and allow-lists."""
import unittest

from support.allowed import renew, without_allowed
from support.swift_source import Scanner
from support.tree import Finding, Tree
from tests.case import TreeCase


class ScannerTests(unittest.TestCase):
    SOURCE = '''/// A doc "comment".
let a = "text \\(call("inner", (1))) after" // note
/* outer /* inner */ still */ let b = #"raw \\(no) " \\#(yes) end"#
let c = """
    one "quoted" \\(two)
    """
'''

    def test_each_kind_is_found_and_offsets_stay(self) -> None:
        scanner = Scanner(self.SOURCE)
        self.assertEqual("".join(self.SOURCE[piece.start:piece.end] for piece in scanner.pieces), self.SOURCE)
        code = scanner.only("code")
        self.assertEqual(len(code), len(self.SOURCE))
        for word, kind in {
            "comment": "doc", "text": "string", "call": "code", "inner\"": "string", "after": "string",
            "note": "comment",
            "still": "comment", "let b": "code", "raw": "string", "(no)": "string", "yes": "code", "end": "string",
            "quoted": "string", "two": "code",
        }.items():
            offset = self.SOURCE.index(word)
            kinds = [piece.kind for piece in scanner.pieces if piece.start <= offset < piece.end]
            self.assertEqual(kinds, [kind], word)

    def test_unfinished_source_ends(self) -> None:
        for source in ('"', '"\\(', "/* /*", '"""', '#"', "///", '"\\'):
            pieces = Scanner(source).pieces
            self.assertEqual("".join(source[piece.start:piece.end] for piece in pieces), source)


class AllowedTests(TreeCase):
    FOUND = [Finding("a.swift", 3, "is long", "lines a.swift"), Finding("b.swift", 1, "is bad")]

    def test_an_entry_allows_its_finding(self) -> None:
        tree = self.tree({"list": "# head\n\nlines a.swift # to be divided\n"})
        self.assert_found(without_allowed(self.FOUND, tree, "list"), "b.swift:1: is bad")

    def test_an_entry_that_is_unneeded_unexplained_or_repeated_is_a_finding(self) -> None:
        tree = self.tree({"list": "lines a.swift #\nlines a.swift # again\nlines c.swift # old\n"})
        self.assert_found(
            without_allowed(self.FOUND[:1], tree, "list"),
            "list:1: gives no reason", "list:2: repeats line 1", "list:3: nothing needs the entry `lines c.swift`")

    def test_a_finding_names_the_entry_that_would_allow_it(self) -> None:
        self.assert_found(
            without_allowed(self.FOUND, self.tree({}), "list"), "a.swift:3: add `lines a.swift # REASON` to list",
            "b.swift:1: is bad")

    def test_a_list_is_brought_up_to_date(self) -> None:
        tree = self.tree({"list": "# head\n\nlines c.swift # old\nlines a.swift # to be divided\n"})
        renew([*self.FOUND, Finding("A.swift", 1, "is long", "lines A.swift")], tree, "list", "a reason")
        text = Tree(tree.root).text("list")
        self.assertEqual(text, "# head\nlines A.swift # a reason\nlines a.swift # to be divided\n")
        renew([], self.tree({}), "none", "a reason")
