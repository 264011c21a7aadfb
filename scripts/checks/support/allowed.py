"""Allow-lists: faults that are known and may stay for now. One entry a line: the finding's key, ` # `, the reason."""

from support.tree import Finding, Tree


def read_entries(tree: Tree, path: str) -> tuple[dict[str, int], list[Finding]]:
    """The line of each key, and what is wrong with the list itself."""
    entries: dict[str, int] = {}
    faults = []
    for number, line in enumerate(tree.text(path).splitlines() if tree.exists(path) else [], start=1):
        if not line.strip() or line.startswith("#"):
            continue
        key, _, reason = (part.strip() for part in line.partition(" #"))
        if not reason:
            faults.append(Finding(path, number, "the entry gives no reason; write ` # ` and the reason after it"))
        if key in entries:
            faults.append(Finding(path, number, f"the entry repeats line {entries[key]}; remove it"))
        entries.setdefault(key, number)
    return entries, faults


def without_allowed(found: list[Finding], tree: Tree, path: str) -> list[Finding]:
    """The findings that the list does not allow, and the entries that allow nothing: lists only shrink."""
    entries, faults = read_entries(tree, path)
    used = {finding.key for finding in found if finding.key in entries}
    rest = [
        finding if not finding.key else Finding(
            finding.path, finding.line, f"{finding.text} (or add `{finding.key} # REASON` to {path})", finding.key)
        for finding in found if finding.key not in used
    ]
    stale = [
        Finding(path, line, f"nothing needs the entry `{key}` any more; remove it")
        for key, line in entries.items() if key not in used
    ]
    return rest + stale + faults


def renew(found: list[Finding], tree: Tree, path: str, reason: str) -> None:
    """Removes the entries that nothing needs, and adds the missing ones with the reason."""
    lines = tree.text(path).splitlines() if tree.exists(path) else []
    entries, _ = read_entries(tree, path)
    needed = {finding.key for finding in found if finding.key}
    numbers = {number for key, number in entries.items() if key in needed}
    kept = [line for number, line in enumerate(lines, start=1) if number in numbers or line.startswith("#")]
    kept += [f"{key} # {reason}" for key in needed - entries.keys()]
    comments = [line for line in kept if line.startswith("#")]
    (tree.root / path).write_text("\n".join(comments + sorted(set(kept) - set(comments))) + "\n", encoding="utf-8")
