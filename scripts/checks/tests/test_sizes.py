"""Tests of the checks of sizes and of the ratio of tests."""

import sizes
import tests_ratio
from tests.case import TreeCase


class SizeTests(TreeCase):
    def test_limits_are_reached_but_not_passed(self) -> None:
        explained = "/// A table.\n// Over 200 lines: one row for each field.\n"
        self.assert_found(sizes.findings(self.tree({
            "Sources/A/Plain.swift": "\n" * 200, "Sources/A/Long.swift": explained + "\n" * 248,
            "Sources/A/Generated/Huge.swift": "\n" * 900, "Tests/ATests/T.swift": "\n" * 200,
            "scripts/a.py": "\n" * 250, "Tests/a.py": "\n" * 250, "scripts/a.sh": "\n" * 300, "docs/a.py": "\n" * 300,
        } | {f"{folder}/F{number}.swift": "" for folder in ("Sources/B", "Tests/BTests") for number in range(25)}
          | {f"scripts/f{number}.py": "" for number in range(30)})))

    def test_long_files(self) -> None:
        late = "\n" * 15 + "// Over 200 lines: too late\n" + "\n" * 190
        self.assert_found(
            sizes.findings(self.tree({
                "Sources/A/A.swift": "\n" * 201, "Sources/A/B.swift": late,
                "Sources/A/C.swift": 'let a = "Over 200 lines:"\n' + "\n" * 200,
                "Tests/ATests/T.swift": "// Over 200 lines: a table\n" + "\n" * 250})),
            "Sources/A/A.swift:1: has 201 lines", "Sources/A/B.swift:1: has 206 lines",
            "Sources/A/C.swift:1: has 201 lines", "Tests/ATests/T.swift:251: has 251 lines")

    def test_long_python_files(self) -> None:
        files = {f"{folder}/a.py": "\n" * 251 for folder in ("Sources/A", "Tests/Live/wire", "scripts", "scripts/checks")}
        self.assert_found(
            sizes.findings(self.tree(files)), *(f"{path}:251: the file has 251 lines" for path in files))

    def test_full_folders_and_large_targets(self) -> None:
        files = {f"Sources/A/F{number}.swift": "\n" * 200 for number in range(25)}
        files |= {f"Sources/A/B/F{number}.swift": "\n" * 200 for number in range(8)}
        self.assert_found(sizes.findings(self.tree(files)), "Sources/A:1: the target has 6600 lines")
        for folder, suffix in (("Sources/A/B", "swift"), ("Tests/ATests", "swift"), ("Tests/Live/wire", "py")):
            files = {f"{folder}/f{number}.{suffix}": "" for number in range(26)}
            self.assert_found(sizes.findings(self.tree(files)), f"{folder}:1: the folder has 26 files")

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
