"""The parts of scripts/packaging that decide something. scripts/package tries the packages themselves."""
from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

TOP = Path(__file__).parents[3]

with patch.object(sys, "path", [str(TOP / "scripts/packaging"), *sys.path]), patch.object(sys, "dont_write_bytecode", True):
    import debs
    import dockerfile
    import documents
    import glibc
    import image

VERSIONS = "  0x0020:   Name: GLIBC_{}  Flags: none  Version: 2\n"


class GlibcTests(unittest.TestCase):
    def test_the_newest_version_counts_as_a_number(self) -> None:
        for names, lowest in ((["2.4", "2.35", "2.17"], "2.35"), (["2.9"], "2.9"), (["2.2.5", "2.3"], "2.3"),
                              (["2.35", "ABI_DT_RELR"], "2.36")):
            self.assertEqual(glibc.lowest("".join(map(VERSIONS.format, names)) + "Name: GCC_9.0.0"), lowest)

    def test_what_no_version_of_glibc_promises_is_refused(self) -> None:
        for sections, message in ((VERSIONS.format("PRIVATE"), "PRIVATE is needed"), ("", "no version of glibc")):
            with self.assertRaisesRegex(SystemExit, message):
                glibc.lowest(sections)


class DocumentTests(unittest.TestCase):
    """Links in the documents of the archive, which has fewer files than the repository."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        for path in ("share/man/man1", "docs"):
            (self.folder / path).mkdir(parents=True)
        shutil.copy(TOP / "docs/pushpit.1", self.folder / "share/man/man1")

    def rewritten(self, text: str, page: str = "docs/index.md") -> tuple[str, list[str]]:
        problems: list[str] = []
        return documents.rewritten(text, page, self.folder, problems), problems

    def test_the_links_of_the_archive_lead_to_its_files(self) -> None:
        shutil.copy(TOP / "scripts/packaging/README.md", self.folder / "README.md")
        shutil.rmtree(self.folder / "docs")
        command = 'set -e; source scripts/packaging/archive.sh; copy_documents "$0"'
        done = subprocess.run(["bash", "-c", command, self.folder], cwd=TOP, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(documents.main(self.folder), [])
        for page in ("clients/python/README.md", "docs/tutorial.md", "SECURITY.md"):
            self.assertTrue((self.folder / page).is_file(), page)
            self.assertIn(page.removeprefix("docs/"), (self.folder / "docs/index.md").read_text(encoding="utf-8"))

    def test_a_link_to_a_file_that_is_left_out_becomes_its_text(self) -> None:
        for text, changed in (
                ("See [how](../CONTRIBUTING.md#commits).", "See how (in the repository)."),
                ("[pushpit.1](pushpit.1)", "[pushpit.1](../share/man/man1/pushpit.1)"),
                ("`[how](../CONTRIBUTING.md)` [a](https://a.example) [b](#part)", None),
                ("```\n[how](../CONTRIBUTING.md)\n```", None)):
            self.assertEqual(self.rewritten(text), (changed or text, []))

    def test_a_link_to_nothing_fails(self) -> None:
        for text in ("[a](missing.md)", "[a](../Tests/missing.md)", "[kit](../clients/python/README.md)", "[a](../../README.md)"):
            _, problems = self.rewritten(text)
            self.assertEqual(len(problems), 1, text)
            self.assertIn("docs/index.md: the link '", problems[0])


class DockerfileTests(unittest.TestCase):
    def test_the_image_is_configured_by_the_last_stage(self) -> None:
        config = dockerfile.configuration((TOP / "Dockerfile").read_text())
        variables = dict(pair.split("=", 1) for pair in config["Env"])
        self.assertEqual(variables["PUSHPIT_LISTEN"], "0.0.0.0:2197")
        self.assertEqual(variables["PUSHPIT_API_TOKEN_FILE"], "/certs/api-token")
        self.assertEqual((config["Entrypoint"], config["Cmd"], config["User"]), (["/usr/bin/pushpit"], ["serve"], "65532:65532"))
        self.assertEqual(config["Healthcheck"], {
            "Test": ["CMD", "/usr/bin/pushpit", "ready", "--wait", "1s"],
            "Interval": 2 * 10**9, "Timeout": 3 * 10**9, "StartPeriod": 10 * 10**9})
        self.assertEqual(config["ExposedPorts"], {"2197/tcp": {}})

    def test_only_the_last_stage_counts_and_unknown_instructions_are_refused(self) -> None:
        text = "FROM a AS build\nENV A=1\nFROM b\n# a comment\nENV B=2 \\\n    C='3 4'\nCMD [\"x\"]\n"
        config = dockerfile.configuration(text)
        self.assertEqual((config["Env"][1:], config["Cmd"]), (["B=2", "C=3 4"], ["x"]))
        with self.assertRaisesRegex(ValueError, "VOLUME"):
            dockerfile.configuration("FROM a\nVOLUME /certs\n")


class ImageTests(unittest.TestCase):
    def test_paths_of_packages_are_merged_below_usr(self) -> None:
        for path, merged in (("lib/x.so", "usr/lib/x.so"), ("lib64/ld.so", "usr/lib64/ld.so"), ("usr/lib/x", "usr/lib/x"),
                             ("etc/lib/x", "etc/lib/x"), ("lib", "lib"), ("library/x", "library/x")):
            self.assertEqual(debs.merged(path), merged)
        links = debs.merged_directories()
        self.assertEqual(links["lib"].target, "usr/lib")

    def test_a_layer_is_sorted_and_the_same_each_time(self) -> None:
        files = {"usr/bin/x": debs.Entry(tarfile.REGTYPE, 0o755, b"program"), "certs": debs.Entry(tarfile.DIRTYPE, owner=7),
                 "etc/y": image.text(b"text")}
        layers = [image.packed(image.with_parents(part), 1000) for part in (files, dict(reversed(files.items())))]
        self.assertEqual(layers[0], layers[1])
        with tarfile.open(fileobj=io.BytesIO(layers[0])) as archive:
            members = archive.getmembers()
        self.assertEqual([member.name for member in members], ["certs", "etc", "etc/y", "usr", "usr/bin", "usr/bin/x"])
        self.assertEqual({(member.mtime, member.uname) for member in members}, {(1000, "")})
        self.assertEqual([member.uid for member in members], [7, 0, 0, 0, 0, 0])

    def test_licences_stay_and_other_documents_go(self) -> None:
        for path, stays in (("usr/share/doc/libc6/copyright", True), ("usr/share/doc/libc6/NEWS.gz", False),
                            ("usr/share/man/man1/x.1", False), ("usr/lib/x86_64-linux-gnu/gconv/UTF-16.so", False),
                            ("usr/lib/x86_64-linux-gnu/libcurl.so.4", True), ("etc/ssl/certs/ca-certificates.crt", True)):
            self.assertEqual(image.is_used(path), stays, path)


