"""Tests of the checks of formatting, duplicates, links and words."""
import contextlib
import io

import duplicates
import format as format_check
import links
import words
from support.tree import Finding
from tests.case import TreeCase


class FormatTests(TreeCase):
    CONFIGURATION = '{"version": 1, "lineLength": 120, "indentation": {"spaces": 4}}'

    def test_formatted_source_passes_and_other_source_does_not(self) -> None:
        files = {".swift-format": self.CONFIGURATION, "Sources/A/Good.swift": "func good() -> Int { 1 }\n"}
        self.assert_found(format_check.findings(self.tree(files)))
        files["Sources/A/Bad.swift"] = "func good() -> Int { 1 }\n\n  let  wide = 1\n"
        found = format_check.findings(self.tree(files))
        self.assertTrue(found)
        self.assertEqual({(finding.path, finding.line) for finding in found}, {("Sources/A/Bad.swift", 3)})


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
                "Sources/A/C.swift": f'let a = """\n    {sample}\n    """\n',
                "Sources/A/D.swift": f"let a = 1  // {sample}\n", "Tests/ATests/A.swift": f"// {sample}\nlet a = 1\n",
                "Tests/ATests/B.swift": f"/// {sample}\nlet a = 1\n",
                "Tests/ATests/C.swift": f"@Test func `for {sample}`() {{}}\n",
                "Tests/Live/a.py": f'"""{sample}"""\n', "Tests/Live/b.py": f'def a():\n    """One.\n\n    {sample}\n    """\n',
                "scripts/a.py": f"a = 1  # {sample}\n", "scripts/run": f"#!/bin/sh\n    # {sample}\n"}
            found = words.findings(self.tree(files))
            self.assertEqual(sorted(finding.path for finding in found), sorted(files), sample)

    def test_phrases_reach_over_lines_but_not_over_code(self) -> None:
        files = {"README.md": "It is\nnone.\n\nIt is\n\nnone.\n",
                 "Sources/A/A.swift": '/// It is\n/// none.\nlet a = "is", b = "none"\n',
                 "Sources/A/B.swift": '/// It is\nlet none = "none"\n'}
        self.assert_found(words.findings(self.tree(files)), "README.md:1: 'is none'", "Sources/A/A.swift:1: 'is none'")

    def test_the_words_of_python_names_are_read(self) -> None:
        files = {"Tests/a.py": "def test_a_log_that_nobody_reads(): pass\n", "scripts/a.py": "class NobodyWaits: pass\n",
                 "scripts/b.py": "def f(sent_octets): pass\n", "Tests/b.py": "file_of_its_own = 1\n"}
        self.assert_found(
            words.findings(self.tree(files)), "Tests/a.py:1: 'nobody'", "scripts/a.py:1: 'Nobody'",
            "scripts/b.py:1: 'octets'", "Tests/b.py:1: 'of its own'")

    def test_what_may_stay(self) -> None:
        files = {
            "Tests/ATests/A.swift": 'let a = "nobody"\n// Says `is none`.\n',
            "Tests/a.py": 'a = "nobody"  # Says `is none`.\nself.assertIsNone(a is None)\nb = """\nnobody\n"""\n',
            "scripts/run": "#!/bin/sh\necho nobody # `nobody`\n", "scripts/note.txt": "# nobody\n",
            "README.md": 'RFC 9110 says "octets". `nobody`\n```\nnobody\n```\nThey are over 200 lines, octet-stream.\n',
            "Sources/A/A.swift": '// `nobody`\n/// Says `is none`.\nlet nobody = octets\n'
            'let b = "\\(octets) application/octet-stream"\n'
            '/// RFC 9112: "a sequence of octets".\n'}
        self.assert_found(words.findings(self.tree(files)))

    def test_counts_are_sorted(self) -> None:
        found = [Finding("a", 1, ""), Finding("b", 1, ""), Finding("b", 2, "")]
        with contextlib.redirect_stdout(io.StringIO()) as output:
            words.print_counts(found)
        self.assertEqual(output.getvalue().split("\n"), ["    2 b", "    1 a", "    3 in all", ""])
