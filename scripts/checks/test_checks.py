"""Tests of the checks: small trees that break one rule each are reported, and trees that keep it are not."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import duplicates  # noqa: E402
import format as format_check  # noqa: E402
import imports  # noqa: E402
import links  # noqa: E402
import sizes  # noqa: E402
import tests_ratio  # noqa: E402
import words  # noqa: E402
from support.allowed import renew, without_allowed  # noqa: E402
from support.package import Target, read, targets  # noqa: E402
from support.swift_source import Scanner  # noqa: E402
from support.tree import Finding, Tree  # noqa: E402


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

    def test_an_entry_without_need_reason_or_twice_is_a_finding(self) -> None:
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


class FormatTests(TreeCase):
    CONFIGURATION = '{"version": 1, "lineLength": 120, "indentation": {"spaces": 4}}'

    def test_formatted_source_passes_and_other_source_does_not(self) -> None:
        files = {".swift-format": self.CONFIGURATION, "Sources/A/Good.swift": "func good() -> Int { 1 }\n"}
        self.assert_found(format_check.findings(self.tree(files)))
        files["Sources/A/Bad.swift"] = "func good() -> Int { 1 }\n\n  let  wide = 1\n"
        found = format_check.findings(self.tree(files))
        self.assertTrue(found)
        self.assertEqual({(finding.path, finding.line) for finding in found}, {("Sources/A/Bad.swift", 3)})


class ImportTests(TreeCase):
    FILES = {
        "Package.swift": "", "Sources/JSON/A.swift": "let a = 1\n",
        "Sources/HTTPCore/A.swift": '// import Foundation\nlet a = "\\nimport Foundation"\n',
        "Sources/TLS/A.swift": "internal import CSSL\n", "Sources/App/A.swift": "package import JSON\n",
        "Tests/JSONTests/A.swift": "@testable import JSON\nimport Testing\n",
        "docs/architecture.md": f"# Map\n{imports.BEGIN}\n{imports.END}\n",
    }

    def setUp(self) -> None:
        self.addCleanup(setattr, imports, "PURE", imports.PURE)
        imports.PURE = ["JSON", "HTTPCore"]

    def declared(self) -> dict[str, Target]:
        return {target.name: target for target in (
            Target("CSSL", "system", "Sources/CSSL"), Target("JSON", "regular", "Sources/JSON", [], 2, "Reads JSON."),
            Target("HTTPCore", "regular", "Sources/HTTPCore", [], 3, "Messages."),
            Target("TLS", "regular", "Sources/TLS", ["CSSL"], 4, "Encrypts."),
            Target("App", "executable", "Sources/App", ["JSON"], 5, "Runs."),
            Target("JSONTests", "test", "Tests/JSONTests", ["JSON"], 6))}

    def found(self, changed: dict[str, str], declared: dict[str, Target] | None = None) -> list[Finding]:
        """The findings after the table was written, so that only the change itself is found."""
        declared = declared or self.declared()
        tree = self.tree(self.FILES | changed)
        imports.write(tree, declared)
        return imports.findings(Tree(tree.root), declared)

    def test_a_tree_that_agrees_is_clean(self) -> None:
        self.assert_found(self.found({}))

    def test_an_import_that_is_not_declared(self) -> None:
        self.assert_found(
            self.found({"Sources/App/B.swift": "\n@preconcurrency internal import struct TLS.Session\n"}),
            "Sources/App/B.swift:2: App imports TLS without declaring it")

    def test_a_declaration_that_is_not_used(self) -> None:
        self.assert_found(self.found({"Sources/App/A.swift": ""}), "Package.swift:5: App declares JSON")

    def test_a_pure_target_imports_only_pure_ones(self) -> None:
        declared = self.declared()
        declared["JSON"].dependencies = ["HTTPCore"]
        self.assert_found(
            self.found({"Sources/JSON/A.swift": "internal import Glibc\nimport HTTPCore\n"}, declared),
            "Sources/JSON/A.swift:1: JSON is pure and may not import Glibc")

    def test_a_pure_target_that_is_gone(self) -> None:
        imports.PURE = ["JSON", "HTTPCore", "Old"]
        self.assert_found(self.found({}), "Package.swift:1: there is no pure target Old")

    def test_foundation_is_for_tests_alone(self) -> None:
        self.assert_found(
            self.found({
                "Sources/TLS/B.swift": "import FoundationEssentials\n",
                "Tests/JSONTests/B.swift": "import Foundation\n"}),
            "Sources/TLS/B.swift:1: FoundationEssentials may not be imported")

    def test_a_c_library_has_one_user(self) -> None:
        declared = self.declared()
        declared["App"].dependencies.append("CSSL")
        self.assert_found(
            self.found({"Sources/App/B.swift": "import CSSL\n"}, declared),
            "Sources/App/B.swift:1: TLS imports CSSL already")
        declared = self.declared()
        declared["TLS"].dependencies = []
        self.assert_found(self.found({"Sources/TLS/A.swift": ""}, declared), "Package.swift:1: no target imports CSSL")

    def test_a_target_says_its_purpose(self) -> None:
        declared = self.declared()
        declared["App"].purpose = ""
        self.assert_found(self.found({}, declared), "Package.swift:5: App has no purpose")

    def test_the_table_is_as_the_code(self) -> None:
        declared = self.declared()
        self.assert_found(
            imports.findings(self.tree(self.FILES | {"docs/architecture.md": "# Map\n"}), declared),
            "docs/architecture.md:1: the table's place is missing")
        tree = self.tree(self.FILES)
        imports.write(tree, declared)
        table = Tree(tree.root).text("docs/architecture.md")
        self.assertIn("| `App` | Runs. | JSON | 100 |\n", table)
        changed = table.replace("Runs. | JSON", "Runs. | TLS")
        self.assert_found(
            imports.findings(self.tree(self.FILES | {"docs/architecture.md": changed}), declared),
            "docs/architecture.md:5: not as the code has it",
            "docs/architecture.md:2: the row of `App` is missing or old")
        twice = table.replace(imports.END, "| `App` | Runs. | JSON | 100 |\n" + imports.END)
        self.assert_found(
            imports.findings(self.tree(self.FILES | {"docs/architecture.md": twice}), declared),
            "docs/architecture.md:2: repeats a row")

    def test_the_number_of_lines_may_be_off_by_a_tenth(self) -> None:
        self.assertTrue(imports.same_row("| `A` | x | y | 2,000 |", "| `A` | x | y | 2,200 |"))
        self.assertFalse(imports.same_row("| `A` | x | y | 2,000 |", "| `A` | x | y | 2,300 |"))
        self.assertFalse(imports.same_row("| `A` | x | y | 2,000 |", "| `A` | x | z | 2,000 |"))

    def test_targets_above_others_come_first(self) -> None:
        names = [target.name for target in imports.listed(self.declared())]
        self.assertEqual(names, ["App", "TLS", "HTTPCore", "JSON"])

    MANIFEST = '''// swift-tools-version: 6.2
import PackageDescription
func library(_ name: String) -> Target { .target(name: name) }
func tests(_ name: String) -> Target { .testTarget(name: name + "Tests", dependencies: [.byName(name: name)]) }
let package = Package(
    name: "app",
    products: [
        .executable(name: "app", targets: ["app"])
    ],
    targets: [
        // Pure.
        /// Reads JSON
        /// and writes it.
        library("JSON"),
        /// Runs.
        .executableTarget(
            name: "app", dependencies: ["JSON"]),
        tests("JSON"),
    ])
'''

    def test_the_manifest_is_read_with_its_comments(self) -> None:
        found = targets(self.tree({"Package.swift": self.MANIFEST}))
        self.assertEqual(
            [(row.name, row.folder, row.dependencies, row.line, row.purpose) for row in found.values()],
            [("JSON", "Sources/JSON", [], 14, "Reads JSON and writes it."),
             ("app", "Sources/app", ["JSON"], 16, "Runs."), ("JSONTests", "Tests/JSONTests", ["JSON"], 18, "")])

    def test_the_fuzz_target_belongs_to_its_fragment(self) -> None:
        row = {"name": "Fuzz", "type": "executable", "path": "Tests/Fuzz", "dependencies": [{"byName": ["JSON", None]}]}
        fragment = '\n.executableTarget(\n    name: "Fuzz")\n'
        found = read({"targets": [row]}, self.tree({"Tests/Fuzz/Package.fragment": fragment}))
        self.assertEqual((found["Fuzz"].manifest, found["Fuzz"].line), ("Tests/Fuzz/Package.fragment", 2))


class SizeTests(TreeCase):
    def test_limits_are_reached_but_not_passed(self) -> None:
        explained = "/// A table.\n// Over 200 lines: one row for each field.\n"
        self.assert_found(sizes.findings(self.tree({
            "Sources/A/Plain.swift": "\n" * 200, "Sources/A/Long.swift": explained + "\n" * 248,
            "Sources/A/Generated/Huge.swift": "\n" * 900, "Tests/ATests/T.swift": "\n" * 200,
        } | {f"Sources/B/F{number}.swift": "" for number in range(25)})))

    def test_long_files(self) -> None:
        late = "\n" * 15 + "// Over 200 lines: too late\n" + "\n" * 190
        self.assert_found(
            sizes.findings(self.tree({
                "Sources/A/A.swift": "\n" * 201, "Sources/A/B.swift": late,
                "Sources/A/C.swift": 'let a = "Over 200 lines:"\n' + "\n" * 200,
                "Tests/ATests/T.swift": "// Over 200 lines: a table\n" + "\n" * 250})),
            "Sources/A/A.swift:1: has 201 lines", "Sources/A/B.swift:1: has 206 lines",
            "Sources/A/C.swift:1: has 201 lines", "Tests/ATests/T.swift:251: has 251 lines")

    def test_full_folders_and_large_targets(self) -> None:
        files = {f"Sources/A/F{number}.swift": "\n" * 200 for number in range(25)}
        files |= {f"Sources/A/B/F{number}.swift": "\n" * 200 for number in range(8)}
        self.assert_found(sizes.findings(self.tree(files)), "Sources/A:1: the target has 6600 lines")
        files = {f"Sources/A/B/F{number}.swift": "" for number in range(26)}
        self.assert_found(sizes.findings(self.tree(files)), "Sources/A/B:1: the folder has 26 files")

    def test_parameters_are_counted(self) -> None:
        source = '''
func five(a: Int, _ b: [Int: String], c d: (_ x: Int, _ y: Int) -> Void, e: Dictionary<A, B> = [1: 2],
          @Box f: Int = g(1, h: 2)) {}
init(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) {}
// func comment(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int)
let text = "func text(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int)"
func none() { call(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6) }
static func < (one: A, other: A) -> Bool { one.a < other.a }
func six<T: P, U>(
    a: Int, b: inout borrowing T,
    c: Int = (1 > 2) ? 3 : 4, d: [U], _ e: consuming U, f: Int...
) {}
func `repeat`(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A, _ f: A, g: A) {}
'''
        self.assert_found(
            sizes.findings(self.tree({"Sources/A/A.swift": source})), "Sources/A/A.swift:9: 'six' has 6 parameters",
            "Sources/A/A.swift:13: '`repeat`' has 7 parameters")


class RatioTests(TreeCase):
    def test_a_quarter_is_enough(self) -> None:
        files = {"Sources/a/A.swift": "\n" * 8, "Tests/ATests/Deep/T.swift": "\n" * 2, "Sources/C/shim.h": "\n" * 90}
        self.assert_found(tests_ratio.findings(self.tree(files)))

    def test_less_is_not(self) -> None:
        files = {"Sources/A/A.swift": "\n" * 9, "Tests/ATests/T.swift": "\n" * 2, "Tests/ATests/t.py": "\n" * 9}
        self.assert_found(
            tests_ratio.findings(self.tree(files)),
            "Sources/A:1: 2 lines of tests for 9 lines of source; add 1 to Tests/ATests")
        self.assert_found(
            tests_ratio.findings(self.tree({"Sources/A/A.swift": "\n"})), "Sources/A:1: 0 lines of tests for 1")


class DuplicateTests(TreeCase):
    RUN = [f"call{number}(a, b)" for number in range(duplicates.SHORTEST_RUN)]

    def test_a_run_is_found_whatever_stands_between_its_lines(self) -> None:
        spread = "import A\n" + "\n\n    // a note\n}\n".join(self.RUN)
        self.assert_found(
            duplicates.findings(self.tree({"Sources/A/A.swift": "\n".join(self.RUN), "Tests/ATests/B.swift": spread})),
            f"Tests/ATests/B.swift:2: {len(self.RUN)} lines are as in Sources/A/A.swift:1-{len(self.RUN)}")

    def test_a_long_run_is_one_finding_and_each_copy_is_named(self) -> None:
        text = "\n".join(self.RUN + ["more()", "still()"])
        files = {"scripts/a.py": text, "scripts/b.py": "first()\n" + text, "scripts/c.py": text}
        self.assert_found(
            duplicates.findings(self.tree(files)),
            f"scripts/b.py:2: {len(self.RUN) + 2} lines are as in scripts/a.py:1-",
            f"scripts/c.py:1: {len(self.RUN) + 2} lines are as in scripts/a.py:1-")

    def test_a_run_twice_in_one_file(self) -> None:
        text = "\n".join([*self.RUN, "between()", *self.RUN])
        self.assert_found(
            duplicates.findings(self.tree({"scripts/a.sh": text})),
            f"scripts/a.sh:{len(self.RUN) + 2}: as in scripts/a.sh:1-")

    def test_a_run_three_times_in_a_row(self) -> None:
        count = len(self.RUN)
        self.assert_found(
            duplicates.findings(self.tree({"scripts/a.sh": "\n".join(3 * self.RUN)})),
            f"scripts/a.sh:{count + 1}: {count} lines are as in scripts/a.sh:1-{count}",
            f"scripts/a.sh:{2 * count + 1}: {count} lines are as in scripts/a.sh:1-{count}")

    def test_shorter_runs_other_languages_generated_files_and_repeated_lines_pass(self) -> None:
        text = "\n".join(self.RUN)
        self.assert_found(duplicates.findings(self.tree({
            "Sources/A/A.swift": text, "scripts/a.py": text, "Sources/A/Generated/B.swift": text,
            "Sources/A/C.swift": "\n".join(self.RUN[1:]), "scripts/b.sh": "same\n" * (2 * len(self.RUN) - 1)})))


class LinkTests(TreeCase):
    def test_good_links_paths_and_anchors(self) -> None:
        readme = ("# A `code` heading: it's [linked](docs/a.md)!\n## Twice\n## Twice\n[a](docs/a.md#one-two) "
                  "[b](#twice-1) [c](#a-code-heading-its-linked) [d](https://example.com/x) [e](scripts/) "
                  "`[f](none.md)` [g](#here)\n"
                  '<a id="here"></a> `scripts/run --all >docs/a.md` `scripts/*.sh` `Sources/<Target>/x`\n'
                  "```\n[f](none.md) # Not a heading\n```\n")
        self.assert_found(links.findings(self.tree({
            "README.md": readme, "docs/a.md": "# One two\n[up](../README.md#twice)\n", "scripts/run": "",
            "scripts/a.sh": ""})))

    def test_broken_links_and_anchors(self) -> None:
        text = "# A\n\n[a](none.md) [b](#b) [c](../../x.md)\n```\n# Fenced\n```\n[d](#fenced)\n\n[ref]: gone.md\n"
        self.assert_found(
            links.findings(self.tree({"docs/a.md": text})), "docs/a.md:3: 'none.md' leads to no file",
            "docs/a.md:3: no heading for '#b'", "docs/a.md:3: '../../x.md' leads to no file",
            "docs/a.md:7: no heading for '#fenced'", "docs/a.md:9: 'gone.md' leads to no file")

    def test_paths_that_do_not_exist(self) -> None:
        text = "`Sources/A.swift`\n`cat docs/b.md | scripts/run`, `scripts/*.py`, `My/Sources/X`\n"
        self.assert_found(
            links.findings(self.tree({"CONTRIBUTING.md": text, "docs/a.md": ""})),
            "CONTRIBUTING.md:1: 'Sources/A.swift' does not exist", "CONTRIBUTING.md:2: 'docs/b.md' does not exist",
            "CONTRIBUTING.md:2: 'scripts/run' does not exist", "CONTRIBUTING.md:2: 'scripts/*.py' does not exist")

    def test_files_outside_the_repository(self) -> None:
        files = {"Sources/A/A.swift": "let a = 1\n// See facts/fcm.md\n", "scripts/run": "# ../shared/style.md",
                 "docs/a.md": "protocol.md and artifacts/x, shared/x", "Tests/Conformance/fixtures/a.txt": "facts/x"}
        self.assert_found(
            links.findings(self.tree(files)), "Sources/A/A.swift:2: 'facts/'", "scripts/run:1: '../shared'",
            "docs/a.md:1: 'protocol.md'")


class WordTests(TreeCase):
    def test_every_banned_word_is_found_in_every_place(self) -> None:
        samples = ["An octet.", "Octets.", "Nobody.", "nobody's", "it is none", "where none is", "where there is none",
                   "those that", "Whoever", "is told", "in the moment", "of its own", "Tokens that are over."]
        for sample in samples:
            files = {
                "README.md": f"\n{sample}\n", "docs/notes/a.md": sample, "docs/pushpit.1": sample,
                "Tests/Conformance/expected/help.txt": sample, "Sources/A/A.swift": f"/// {sample}\nlet a = 1\n",
                "Sources/A/B.swift": f'let a = "{sample} \\(b)"\n',
                "Sources/A/C.swift": f'let a = """\n    {sample}\n    """\n'}
            found = words.findings(self.tree(files))
            self.assertEqual(sorted(finding.path for finding in found), sorted(files), sample)

    def test_phrases_reach_over_lines_but_not_over_code(self) -> None:
        files = {"README.md": "It is\nnone.\n\nIt is\n\nnone.\n",
                 "Sources/A/A.swift": '/// It is\n/// none.\nlet a = "is", b = "none"\n',
                 "Sources/A/B.swift": '/// It is\nlet none = "none"\n'}
        self.assert_found(words.findings(self.tree(files)), "README.md:1: 'is none'", "Sources/A/A.swift:1: 'is none'")

    def test_what_may_stay(self) -> None:
        files = {
            "README.md": 'RFC 9110 says "octets". `nobody`\n```\nnobody\n```\nThey are over 200 lines, octet-stream.\n',
            "Sources/A/A.swift": '// nobody\n/// Says `is none`.\nlet nobody = octets\n'
            'let b = "\\(octets) application/octet-stream"\n'
            '/// RFC 9112: "a sequence of octets".\n'}
        self.assert_found(words.findings(self.tree(files)))

    def test_counts_are_sorted(self) -> None:
        found = [Finding("a", 1, ""), Finding("b", 1, ""), Finding("b", 2, "")]
        with contextlib.redirect_stdout(io.StringIO()) as output:
            words.print_counts(found)
        self.assertEqual(output.getvalue().split("\n"), ["    2 b", "    1 a", "    3 in all", ""])


if __name__ == "__main__":
    unittest.main()
