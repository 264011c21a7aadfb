"""The libraries that the program links, and what the pure targets may import and do."""
from __future__ import annotations

import platform
import re
import subprocess
import unittest
from pathlib import Path

from gateway import BINARY

TOP = Path(__file__).parents[3]
SOURCES = TOP / "Sources"
PURE = ["JSON", "HTTPCore", "Patterns", "PushCore", "APNs", "FCM", "Devices", "Faults", "PushEngine", "ControlAPI", "HTTP1",
        "Receivers", "WebSocket"]
# An import with any access level and attributes before it, and a kind or submodule after it.
TEXT = re.compile(r'(#*)"""\n.*?"""\1', re.DOTALL)
IMPORT = re.compile(r"^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?"
                    r"import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?(\w+)", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def files(target: str = "") -> list[Path]:
    return sorted((SOURCES / target).rglob("*.swift"))


def code(file: Path) -> str:
    """The text without comments, and without texts of several lines: some are programs in other languages."""
    return COMMENT.sub("", TEXT.sub("", file.read_text()))


def shown(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def linked_libraries(binary: str) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.+)\]", shown("readelf", "-d", binary))


def foundation_symbols(binary: str) -> list[str]:
    """Symbols whose mangled name begins with one of Foundation's modules."""
    names = shown("nm", "--dynamic", binary) + subprocess.run(["nm", binary], capture_output=True, text=True).stdout
    return re.findall(r"\$s\w*?(?:10Foundation|20FoundationEssentials)\w*", names)[:5]


class Binary(unittest.TestCase):
    def test_it_needs_only_the_c_library(self) -> None:
        """An unexpected library would have to be installed where the program runs."""
        libraries = linked_libraries(BINARY)
        self.assertIn("libc.so.6", libraries)
        self.assertEqual([name for name in libraries if not re.match(r"libc\.so|libm\.so|ld-linux", name)], [])

    def test_it_looks_for_libraries_only_where_the_system_does(self) -> None:
        self.assertNotRegex(shown("readelf", "-d", BINARY), r"\((?:RPATH|RUNPATH)\)")

    @unittest.skipUnless(platform.libc_ver()[1] == "2.36", "a build on another system may need a newer glibc")
    def test_it_runs_with_the_glibc_of_2022(self) -> None:
        """arc4random, for example, would need 2.36."""
        lowest = shown("python3", "-B", str(TOP / "scripts/packaging/glibc.py"), BINARY).strip()
        self.assertLessEqual([int(part) for part in lowest.split(".")], [2, 35])

    def test_it_has_nothing_of_foundation(self) -> None:
        self.assertEqual(foundation_symbols(BINARY), [])
        texts = shown("strings", "-n", "12", BINARY)
        self.assertEqual([line for line in texts.splitlines() if "FoundationEssentials" in line or "NSObject" in line], [])


class Sources(unittest.TestCase):
    def test_there_are_sources_to_look_at(self) -> None:
        for target in PURE:
            self.assertTrue(files(target), target)
            self.assertTrue(any(IMPORT.search(code(file)) for file in files()), target)

    def test_the_pattern_finds_every_form_of_an_import(self) -> None:
        for line in ("import Foundation", "  internal import Foundation", "@_exported import Foundation",
                     "@preconcurrency package import Foundation", "public import struct Foundation.Data",
                     "@_spi(Testing) internal import Foundation"):
            self.assertEqual(IMPORT.findall(line), ["Foundation"], line)
        self.assertEqual(COMMENT.sub("", "let x = 1 // import Foundation"), "let x = 1 ")

    def test_nothing_imports_foundation(self) -> None:
        bad = {"Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML"}
        self.assertEqual([str(file) for file in files() if bad & set(IMPORT.findall(code(file)))], [])

    def test_pure_targets_import_nothing_but_each_other(self) -> None:
        for target in PURE:
            foreign = {name for file in files(target) for name in IMPORT.findall(code(file))} - set(PURE)
            self.assertEqual(foreign, set(), target)

    def test_pure_targets_have_no_unsafe_code(self) -> None:
        """As `grep -rw unsafe` finds it, in comments too."""
        found = [str(file.relative_to(TOP)) for target in PURE for file in files(target)
                 if re.search(r"\bunsafe\b|\bUnsafe\w*Pointer\b|@unchecked\b", file.read_text())]
        self.assertEqual(found, [])

    def test_one_target_alone_imports_each_c_library(self) -> None:
        wrappers = {"CNghttp2": "HTTP2", "COpenSSL": "TLS", "CUV": "EventLoop", "CSQLite": "Storage",
                    "CZlib": "Compression"}
        for library, wrapper in wrappers.items():
            importers = {file.relative_to(SOURCES).parts[0] for file in files() if library in IMPORT.findall(code(file))}
            self.assertLessEqual(importers, {wrapper}, library)

    def test_no_unchecked_sendable(self) -> None:
        self.assertEqual([str(file) for file in files() if "@unchecked Sendable" in code(file)], [])
