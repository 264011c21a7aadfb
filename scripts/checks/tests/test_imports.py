"""Tests of the check of imports."""

import imports
from support.package import Target, read, targets
from support.tree import Finding, Tree
from tests.case import TreeCase


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
