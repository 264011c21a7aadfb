#!/usr/bin/env python3
"""Prints the lowest version of glibc with which a program runs: glibc.py PROGRAM.

The loader refuses a program if its glibc lacks one of the versions in the section .gnu.version_r.
"""

import re
import subprocess
import sys

NEEDED = re.compile(r"\bName: GLIBC_(\S+)")
# Versions that are not numbers, with the glibc that introduced them.
NAMED = {"ABI_DT_RELR": "2.36"}


def lowest(sections: str) -> str:
    """The version for what `readelf --version-info` prints."""
    names = {NAMED.get(name, name) for name in NEEDED.findall(sections)}
    unknown = sorted(name for name in names if not re.fullmatch(r"\d+(\.\d+)+", name))
    if unknown or not names:
        raise SystemExit(f"glibc.py: {', '.join(unknown) or 'no version of glibc'} is needed: is this a program for Linux?")
    return max(names, key=lambda name: [int(part) for part in name.split(".")])


if __name__ == "__main__":
    print(lowest(subprocess.run(
        ["readelf", "--version-info", "--wide", sys.argv[1]], capture_output=True, text=True, check=True).stdout))
