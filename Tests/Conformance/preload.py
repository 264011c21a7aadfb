"""C code that is put between the program and the C library."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


def preload(source: Path, directory: Path) -> dict[str, str]:
    """Compiles the file into the directory. Returns the environment variable with which the program loads it."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        raise AssertionError("no C compiler: clang comes with the Swift toolchain")
    library = directory / f"{source.stem}.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}
