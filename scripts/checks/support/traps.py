"""Finds the places in Swift code where a process can trap, which ends it."""

import re
from dataclasses import dataclass

from support.swift_code import Code
from support.swift_source import Scanner
from support.trap_shapes import arithmetic_shape, call_shape, conversion_shape, range_shape, subscript_shape
from support.tree import line_of

INTEGER = r"(?:U?Int(?:8|16|32|64)?|StreamID)"
# Each site of these kinds needs a separate line in the list. For the other kinds, one line may cover a whole function.
EXACT = ("precondition", "unwrap", "conversion")
KINDS = (*EXACT, "arithmetic", "index")

PRECONDITION = re.compile(r"\b(?:precondition|preconditionFailure|fatalError)\(")
UNWRAP = re.compile(
    r"\btry!|\bas!|\bunowned\b|\buniqueKeysWithValues:|\bunsafeDowncast\(|(?<=[\w)\]])!(?![=\w])")
CONVERSION = re.compile(rf"\b{INTEGER}\((?!\s*\w+:)|\b{INTEGER}\.init\b")
# An operator with blanks around it, as `swift format` writes binary operators, or a minus before an operand.
OPERATOR = re.compile(r"(?<=\s)(?:[-+*/%]=?)(?=\s)|(?<=[\s(\[,:])-(?=[A-Za-z_(])")
SUBSCRIPT = re.compile(r"(?<=[\w)\]?!])\[")
RANGE = re.compile(r"\.\.[.<]")
CALL = re.compile(
    r"\.(?:removeFirst|removeLast|remove|insert|replaceSubrange|removeSubrange|dropFirst|dropLast|prefix|suffix"
    r"|extracting|index|random|swapAt)\(|\brepeating:")
NAMED = r"\b(?:var|let)\s+(\w+)(?:\s*:\s*|\s*=\s*)"
DICTIONARY = re.compile(NAMED + r"(?:\[(?!\()[^\[\]\n]+:[^\n]*\]|\[:\]|\[\[UInt8\]: |Dictionary\()")
LIST = re.compile(
    NAMED + r"(?:\[[\w.]+\](?:[^\w:]|$)|\[\[?\w+\]?\]\??(?: |$)|\[\]|Array\(|ArraySlice|Span<|InlineArray)",
    re.MULTILINE)
NO_BASE = re.compile(r"(?:^|\s)(?:in|return|case|else|where|inout|is|as|throws|consuming|borrowing)$")


# The text and the shape of a site.
Row = tuple[str, str]


@dataclass(frozen=True)
class Site:
    path: str
    line: int
    scope: str
    kind: str
    text: str
    """The part of the source that can trap, on one line."""

    shape: str = ""
    """Why code of this form cannot trap; empty if it may trap."""


def sites(texts: dict[str, str]) -> list[Site]:
    """The sites of the files of one target, by path. Dictionaries are known by their declarations."""
    codes = {path: Scanner(text).only("code") for path, text in texts.items()}
    dictionaries = {match[1] for code in codes.values() for match in DICTIONARY.finditer(code)}
    lists = {match[1] for code in codes.values() for match in LIST.finditer(code)}
    return [
        Site(path, line_of(code, start), scope, kind, text, shape)
        for path, code in codes.items()
        for start, scope, kind, text, shape in Finder(code, dictionaries - lists).found()
    ]


class Finder:
    """Knows no types. It reads the form that `swift format` gives to code."""

    def __init__(self, code: str, dictionaries: set[str]) -> None:
        self.code = Code(code)
        self.dictionaries = dictionaries

    def found(self) -> list[tuple[int, str, str, str, str]]:
        rows = []
        for kind, pattern, describe in (
            ("precondition", PRECONDITION, self.precondition), ("unwrap", UNWRAP, self.unwrap),
            ("conversion", CONVERSION, self.conversion), ("arithmetic", OPERATOR, self.arithmetic),
            ("index", SUBSCRIPT, self.subscript), ("index", RANGE, self.range), ("index", CALL, self.call),
        ):
            for match in pattern.finditer(self.code.text):
                described = describe(match)
                if described is not None:
                    text, shape = described
                    scope = self.code.scopes.at(match.start())
                    rows.append((match.start(), scope, kind, " ".join(text.split()), shape))
        return sorted(rows)

    def precondition(self, match: re.Match[str]) -> Row:
        text = f"{match[0]}{self.code.argument(match.end() - 1)})"
        return re.sub(r'"\s*"', '""', text), ""

    def unwrap(self, match: re.Match[str]) -> Row:
        return (f"{self.code.operand_before(match.start())}!" if match[0] == "!" else match[0].strip("(")), ""

    def conversion(self, match: re.Match[str]) -> Row:
        if match[0].endswith(".init"):
            return match[0], ""
        argument = self.code.argument(match.end() - 1)
        before = self.code.text[:match.start()].rstrip()[-80:]
        after = self.code.text[self.code.closing(match.end() - 1) + 1:][:80]
        return f"{match[0]}{argument})", conversion_shape(match[0], argument, before, after)

    def arithmetic(self, match: re.Match[str]) -> Row | None:
        left = self.code.operand_before(match.start()) if self.code.text[match.start() - 1].isspace() else ""
        right = self.code.operand_after(match.end())
        if not right or re.search(r"\bfunc\s*$", self.code.text[:match.start()][-20:]):
            return None
        text = f"{left} {match[0]} {right}" if left else f"-{right}"
        return text, arithmetic_shape(left, match[0], right)

    def subscript(self, match: re.Match[str]) -> Row | None:
        base = self.code.operand_before(match.start())
        if not base or NO_BASE.search(base):
            return None
        argument = self.code.argument(match.start())
        is_literal = re.match(r"!?\[[^\[\]]*: ", base)
        if is_literal or base.rsplit(".", 1)[-1].rstrip("?!") in self.dictionaries:
            return f"{base}[{argument}]", "a dictionary"
        return f"{base}[{argument}]", subscript_shape(base, argument, self.code.scopes.body(match.start()))

    def range(self, match: re.Match[str]) -> Row | None:
        left = self.code.operand_before(match.start())
        right = self.code.operand_after(match.end())
        is_open = not re.match(r"[\w(\[.$-]", self.code.text[match.end():][:1])
        return None if is_open or not left else (f"{left}{match[0]}{right}", range_shape(left, right))

    def call(self, match: re.Match[str]) -> Row | None:
        if match[0] == "repeating:":
            line = self.code.line(match.start())
            count = re.search(r"repeating:[^,]*, count: ([^)]*)", line)
            if not count or "InlineArray" in line:
                return None
            return f"count: {count[1]}", "a literal" if count[1].isdigit() else ""
        name = match[0].strip(".(")
        argument = self.code.argument(match.end() - 1)
        shape = call_shape(name, argument)
        return None if shape is None else (f"{name}({argument})", shape)
