"""Tests of the check of places that can trap."""

import unittest

import traps
from support.traps import sites
from tests.case import TreeCase

SOURCE = "Sources/A/B.swift"
LIST = "scripts/checks/traps-allowed/A.txt"


def rows(code: str) -> list[tuple[str, str, str]]:
    """Kind, text and shape of each place."""
    return [(site.kind, site.text, site.shape) for site in sites({SOURCE: code})]


class SiteTests(unittest.TestCase):
    def test_places_that_can_trap(self) -> None:
        for code, kind, text in (
            ('precondition(a > 0, "a is wrong")', "precondition", 'precondition(a > 0, "")'),
            ("preconditionFailure()", "precondition", "preconditionFailure()"),
            ("fatalError()", "precondition", "fatalError()"),
            ("let a = b.c!", "unwrap", "b.c!"), ("b(c)![d]", "unwrap", "b(c)!"), ("try! a()", "unwrap", "try!"),
            ("a as! B", "unwrap", "as!"), ("unowned let a: B", "unwrap", "unowned"),
            ("Dictionary(uniqueKeysWithValues: a)", "unwrap", "uniqueKeysWithValues:"),
            ("Int(a)", "conversion", "Int(a)"), ("UInt8(a + b)", "conversion", "UInt8(a + b)"),
            ("a.map(UInt32.init)", "conversion", "UInt32.init"), ("Int32(\n    a)", "conversion", "Int32(a)"),
            ("a + b", "arithmetic", "a + b"), ("a.b(c) *= 2", "arithmetic", "a.b(c) *= 2"),
            ("(-a)", "arithmetic", "-a"),
            ("a / b", "arithmetic", "a / b"), ("a % 0", "arithmetic", "a % 0"), ("a - 1", "arithmetic", "a - 1"),
            ("a[b]", "index", "a[b]"), ("a.b[0]", "index", "a.b[0]"), ("a...b", "index", "a...b"),
            ("0..<b", "index", "0..<b"), ("a.removeFirst()", "index", "removeFirst()"),
            ("a.dropFirst(b.count - c.count)", "index", "dropFirst(b.count - c.count)"),
            ("a.remove(at: b)", "index", "remove(at: b)"), ("a.insert(b, at: c)", "index", "insert(b, at: c)"),
            ("Array(repeating: 0, count: a)", "index", "count: a"), ("Int.random(in: a)", "index", "random(in: a)"),
        ):
            self.assertIn((kind, text, ""), rows(f"func f() {{\n    {code}\n}}\n"), code)

    def test_other_code_has_no_places(self) -> None:
        for code in (
            "a &+ b", "a << b", "a != b", "!a", "a = !b", "Int(clamping: a)", "UInt8(\n    truncatingIfNeeded: a)",
            "let a: [Int] = []", "return [a]", "for a in [b] {}", "a.prefix(while: b)", "a.remove(b)", "a.insert(b)",
            "// a + b!", '"a + b!"', "assert(a)", "a...", "func + (a: A, b: B) {}", "func a() -> Int",
        ):
            self.assertEqual(rows(code), [], code)

    def test_forms_that_cannot_trap(self) -> None:
        for code, shape in (
            ('"a" + b', "texts or lists are joined"), ("[a] + b", "texts or lists are joined"),
            ("a / 8", "division by a literal"),
            ("a += 1", "counts by one"), ("a.count - 1", "sizes in memory"), ("2 * 3", "literals"),
            ("Int(a.count)", "a count"), ("Int(text) ?? 0", "a text, which gives nil"), ("UInt8(0x20)", "a literal"),
            ("UInt64(UInt32.max)", "a constant"), ("1...20", "literals"), ("1...Self.most", "constants"),
            ("0...UInt32.max", "constants"),
            ("a.suffix(B.most)", "a constant"), ("0..<a.count", "0 to a count"),
            ('a["b"]', "a key"), ("a[b, default: 0]", "a key"), ("a[.b]", "a case"), ("a.prefix(3)", "not negative"),
        ):
            self.assertEqual([row[2] for row in rows(f"func f() {{\n    {code}\n}}\n")], [shape], code)
        loop = "func f() {\n    for i in a.indices { g(a[i]) }\n}\n"
        self.assertEqual(rows(loop), [("index", "a[i]", "an index of the same list")])
        self.assertEqual(rows(loop.replace("g(a", "g(b")), [("index", "b[i]", "")])

    def test_dictionaries_are_known_by_their_declaration(self) -> None:
        self.assertEqual(rows("let a: [Int: B] = [:]\nlet c = a[d]\n"), [("index", "a[d]", "a dictionary")])
        self.assertEqual(rows("let a: [(k: Int, v: B)] = []\nlet c = a[d]\n"), [("index", "a[d]", "")])
        self.assertEqual(rows('let c = ["a": b, "c": d][e]\n'), [("index", '[" ": b, " ": d][e]', "a dictionary")])
        self.assertEqual(rows("let a: [Int: B] = [:]\nlet c = b[d]\n"), [("index", "b[d]", "")])
        self.assertEqual(rows("let a: [Int: B] = [:]\nlet a: [Int] = []\nlet c = a[d]\n"), [("index", "a[d]", "")])

    def test_the_outermost_function_is_named(self) -> None:
        code = "struct A {\n    init(a: B) {\n        func b() { c! }\n    }\n    var d: E { f! }\n    let g = h!\n}\n"
        self.assertEqual(
            [(site.scope, site.line) for site in sites({SOURCE: code})], [("init", 3), ("d", 5), ("-", 6)])


class ListTests(TreeCase):
    source = "func f() {\n    a!\n    b[c]\n}\nfunc g() {\n    b[d]\n}\n"

    def found(self, lines: str, **files: str) -> list[traps.Finding]:
        test = 'func `a test`() {}\nFuzzTarget(name: "der")\n'
        return traps.findings(self.tree({SOURCE: self.source, LIST: lines, "Tests/ATests/T.swift": test} | files))

    def test_each_place_has_a_reason(self) -> None:
        self.assert_found(self.found("# Words\n\nB f unwrap:a! # never nil\nB f,g index # found (fuzz target der)\n"))
        self.assert_found(self.found("B f unwrap:a! # test: a test\nB * index # found\n"))
        self.assert_found(self.found("B f unwrap:a! # never nil\n* * index:b[ # found (test: a test)\n"))

    def test_places_without_a_reason(self) -> None:
        self.assert_found(
            self.found(""), f"{SOURCE}:2: add `B f unwrap:a! # REASON` to {LIST}",
            f"{SOURCE}:3: add `B f index # REASON`", f"{SOURCE}:6: add `B g index # REASON`")
        self.assert_found(
            self.found("B f unwrap:a! # never nil\nB f index # found\n"),
            f"{SOURCE}:6: `b[d]` can trap, which ends the process")

    def test_lines_that_nothing_needs(self) -> None:
        good = "B f unwrap:a! # never nil\nB f,g index # found\n"
        self.assert_found(
            self.found(good + "B f unwrap:b! # never nil\nB f,g,h index # found\nC * index # found\n"),
            f"{LIST}:3: no place in f needs", f"{LIST}:4: no place in f needs", f"{LIST}:4: no place in g needs",
            f"{LIST}:4: no place in h needs", f"{LIST}:5: no place in * needs")

    def test_lines_that_say_too_little(self) -> None:
        good = "B f unwrap:a! # never nil\nB f,g index # found\n"
        for line in ("B f index", "B f index #", "B f thing # found", "B index # found"):
            self.assert_found(self.found(f"{good}{line}\n"), f"{LIST}:3: the line is not understood; write file, ")
        self.assert_found(
            self.found("B f unwrap # never nil\nB f,g index # found\n"),
            f"{LIST}:1: needs the text of the code; write unwrap:TEXT", f"{LIST}:1: no place in f",
            f"{SOURCE}:2: add `B f unwrap:a!")
        self.assert_found(
            self.found("B f unwrap:a! # never nil\n* * index # found\n"),
            f"{LIST}:2: a line for all files needs the code's text")

    def test_tests_and_targets_exist(self) -> None:
        self.assert_found(
            self.found("B f unwrap:a! # test: another test\nB f,g index # found (fuzz target html)\n"),
            f"{LIST}:1: there is no test `another test`", f"{LIST}:2: there is no fuzz target `html`")
        path = "scripts/checks/traps-allowed/Z.txt"
        good = "B f unwrap:a! # never nil\nB f,g index # found\n"
        self.assert_found(self.found(good, **{path: ""}), f"{path}:1: there is no target Z; remove the list")

    def test_lists_are_brought_up_to_date(self) -> None:
        lines = "# Words\nB f unwrap:b! # never nil\nB f,h index # found\n"
        tree = self.tree({SOURCE: self.source, LIST: lines})
        traps.renew(tree, "a reason")
        self.assertEqual(
            (tree.root / LIST).read_text(encoding="utf-8"),
            "# Words\nB f index # found\nB f unwrap:a! # a reason\nB g index # a reason\n")
