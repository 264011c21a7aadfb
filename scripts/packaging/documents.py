#!/usr/bin/env python3
"""Makes the links in a package's documents lead to files of the package: documents.py FOLDER.

A link to a file that only the repository has becomes its text, because the repository has no public address. It ends
with an error if a link leads nowhere in the repository either, or if the page is not told to be missing.
"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

TOP = Path(__file__).resolve().parents[2]
# Where the packages have files of the repository, by path.
MOVED = {"docs/pushpit.1": "share/man/man1/pushpit.1"}
# The files of the repository that packages leave out although documents link to them.
LEFT_OUT = ("CONTRIBUTING.md", "Tests/", "certs/", "scripts/", "docs/pushpit.1")
REMARK = " (in the repository)"

CODE = re.compile(r"^[ \t]*(```+).*?^[ \t]*\1[ \t]*$|(`+)(?!`).+?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<start>!?\[(?P<text>[^\[\]]*)\]\()(?P<path>[^)\s#]*)(?P<anchor>#[^)\s]*)?\)")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//")


def rewritten(text: str, page: str, folder: Path, problems: list[str]) -> str:
    """The text of a page, whose path is relative to the folder. The page has the same path in the repository."""
    codes = [(match.start(), match.end()) for match in CODE.finditer(text)]

    def replace(link: re.Match[str]) -> str:
        path = unquote(link["path"])
        in_code = any(start <= link.start() and link.end() <= end for start, end in codes)
        if in_code or not path or SCHEME.match(path):
            return link[0]
        target = (folder / page).parent.joinpath(path).resolve()
        if target.is_relative_to(folder) and target.exists():
            return link[0]
        name = target.relative_to(folder).as_posix() if target.is_relative_to(folder) else path
        moved = MOVED.get(name)
        if moved and (folder / moved).exists():
            up = "../" * page.count("/")
            return f"{link['start']}{up}{moved})"
        if not name.startswith(LEFT_OUT) or not (TOP / name).exists():
            problems.append(f"{page}: the link '{path}' leads to nothing in the package: pack the file, or name it in LEFT_OUT")
        return link["text"] + REMARK

    return LINK.sub(replace, text)


def main(folder: Path) -> list[str]:
    """Rewrites the documents, and returns what is wrong."""
    problems: list[str] = []
    for path in sorted(folder.rglob("*.md")):
        page = path.relative_to(folder).as_posix()
        text = path.read_text(encoding="utf-8")
        changed = rewritten(text, page, folder, problems)
        if changed != text:
            path.write_text(changed, encoding="utf-8")
    return problems


if __name__ == "__main__":
    found = main(Path(sys.argv[1]).resolve())
    if found:
        raise SystemExit("\n".join(f"documents.py: {text}" for text in found))
