"""Each place that might trap has a form that never traps, or a line in traps-allowed: why no input can cause the trap."""

import re
import signal
import sys
from dataclasses import dataclass, field

from support.main import ROOT, report
from support.traps import EXACT, KINDS, Site, sites
from support.tree import Finding, Tree

FOLDER = "scripts/checks/traps-allowed"
LINE = re.compile(r"(?P<file>\S+) (?P<functions>\S+) (?P<kinds>[a-z+]+)(?::(?P<text>.*?))? # *(?P<reason>.*)")
SHAPE = "file, functions, kind or kind:text, ` # `, a reason"
TEST = re.compile(r"(?:^|\()test: ([^)]+)")
TEST_NAME = re.compile(r"\bfunc `([^`\n]+)`")
FUZZ_TARGET = re.compile(r"\bfuzz target ([\w-]+)")
FUZZ_TARGET_NAME = re.compile(r"\bFuzzTarget\(name: \"([\w-]+)\"")


@dataclass
class Entry:
    """One line of a list. `*` stands for all files, or for all functions of a file."""

    path: str
    line: int
    file: str
    functions: list[str]
    kinds: list[str]
    text: str
    reason: str
    used: set[str] = field(default_factory=set)

    def covers(self, site: Site, file: str) -> bool:
        if site.kind not in self.kinds or self.file not in (file, "*"):
            return False
        if site.kind in EXACT:
            return site.scope in self.functions and site.text == self.text
        return ("*" in self.functions or site.scope in self.functions) and site.text.startswith(self.text)

    def with_functions(self, line: str, kept: str) -> str:
        return line.replace(f" {','.join(self.functions)} ", f" {kept} ", 1) if kept else ""

    def unneeded_functions(self) -> list[str]:
        """The functions in which no place needs this line any more."""
        return [name for name in self.functions if name not in self.used and not (name == "*" and self.used)]


def read(tree: Tree, target: str) -> tuple[list[Entry], list[Finding]]:
    path = f"{FOLDER}/{target}.txt"
    entries, faults = [], []
    for number, line in enumerate(tree.text(path).splitlines() if tree.exists(path) else [], start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        kinds = match["kinds"].split("+") if match else []
        if not match or not set(kinds) <= set(KINDS) or not match["reason"].strip():
            faults.append(Finding(path, number, f"the line is not understood; write {SHAPE}"))
            continue
        if set(kinds) & set(EXACT) and not match["text"]:
            faults.append(Finding(path, number, f"{kinds[0]} needs the text of the code; write {kinds[0]}:TEXT"))
        if match["file"] == "*" and not match["text"]:
            faults.append(Finding(path, number, "a line for all files needs the code's text; add :TEXT or name a file"))
        entries.append(Entry(
            path, number, match["file"], match["functions"].split(","), kinds, match["text"] or "", match["reason"]))
    return entries, faults


def file_of(site: Site) -> str:
    """The path inside the target, without `.swift`."""
    return site.path.split("/", 2)[2].removesuffix(".swift")


def findings(tree: Tree) -> list[Finding]:
    texts = [tree.text(path) for path in tree.files("Tests", suffix=".swift")]
    tests = {name for text in texts for name in TEST_NAME.findall(text)}
    fuzz_targets = {name for text in texts for name in FUZZ_TARGET_NAME.findall(text)}
    found = []
    targets = tree.sources("Sources")
    for target, paths in targets.items():
        entries, faults = read(tree, target)
        found += faults + without_reason(target, entries, sites({path: tree.text(path) for path in paths})) + stale(entries)
        found += [
            Finding(entry.path, entry.line, f"there is no {what} `{name}`; name one, or say why input cannot reach it")
            for what, pattern, names in (("test", TEST, tests), ("fuzz target", FUZZ_TARGET, fuzz_targets))
            for entry in entries for name in pattern.findall(entry.reason) if name not in names
        ]
    lists = {path.removeprefix(f"{FOLDER}/").removesuffix(".txt"): path for path in tree.files(FOLDER)}
    return found + [
        Finding(path, 1, f"there is no target {name}; remove the list")
        for name, path in lists.items() if name not in targets
    ]


def without_reason(target: str, entries: list[Entry], all_sites: list[Site]) -> list[Finding]:
    """The places without a reason. Marks the entries that cover one."""
    found = []
    for site in all_sites:
        if site.shape:
            continue
        file = file_of(site)
        covering = [entry for entry in entries if entry.covers(site, file)]
        for entry in covering[:1]:
            entry.used.add(site.scope)
        if not covering:
            text = f":{site.text}" if site.kind in EXACT else ""
            key = f"{file} {site.scope} {site.kind}{text}"
            found.append(Finding(
                site.path, site.line, f"`{site.text}` can trap, which ends the process; answer wrong input with an error, "
                f"or add `{key} # REASON` to {FOLDER}/{target}.txt", key))
    return found


def stale(entries: list[Entry]) -> list[Finding]:
    return [
        Finding(entry.path, entry.line, f"no place in {function} needs the line any more; remove it")
        for entry in entries for function in entry.unneeded_functions()
    ]


def renew(tree: Tree, reason: str) -> None:
    """Removes what nothing needs from the lists, and adds the missing lines with the reason."""
    for target, paths in tree.sources("Sources").items():
        entries, _ = read(tree, target)
        missing = without_reason(target, entries, sites({path: tree.text(path) for path in paths}))
        path = f"{FOLDER}/{target}.txt"
        lines = dict(enumerate(tree.text(path).splitlines() if tree.exists(path) else [], start=1))
        for entry in entries:
            unneeded = entry.unneeded_functions()
            kept = ",".join(name for name in entry.functions if name not in unneeded)
            lines[entry.line] = entry.with_functions(lines[entry.line], kept)
        comments = [line for line in lines.values() if line.startswith("#")]
        rest = {line for line in lines.values() if line and line not in comments}
        rest |= {f"{finding.key} # {reason}" for finding in missing}
        if rest or tree.exists(path):
            (tree.root / path).parent.mkdir(exist_ok=True)
            (tree.root / path).write_text("\n".join(comments + sorted(rest)) + "\n", encoding="utf-8")


def show(tree: Tree, chosen: list[str]) -> int:
    """Prints each place with its form or reason."""
    targets = tree.sources("Sources")
    unknown = [name for name in chosen if name not in targets]
    if unknown:
        print(f"'{unknown[0]}' is not a target; the targets are {' '.join(targets)}", file=sys.stderr)
        return 64
    # `scripts/traps | head` ends quietly.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for target in chosen or targets:
        entries, _ = read(tree, target)
        for site in sites({path: tree.text(path) for path in targets[target]}):
            reasons = [entry.reason for entry in entries if entry.covers(site, file_of(site))]
            reason = site.shape or (reasons or ["NO REASON"])[0]
            print(f"{site.path}:{site.line}: {site.kind} `{site.text}`: {reason}")
    return 0


def main() -> int:
    options = sys.argv[1:]
    if options[:1] == ["--list"]:
        return show(Tree(ROOT), options[1:])
    reason = options[0].removeprefix("--allow=").strip() if len(options) == 1 and options[0][:8] == "--allow=" else ""
    if options and not reason:
        print(f"traps takes only --allow=REASON or --list [TARGET…], but got {' '.join(options)}", file=sys.stderr)
        return 64
    if reason:
        renew(Tree(ROOT), reason)
        return 0
    return report(findings(Tree(ROOT)))


if __name__ == "__main__":
    sys.exit(main())
