"""Divides Swift source into code, comments and string literals, so that a check reads only what it is about."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["code", "comment", "doc", "string"]

INTERESTING = re.compile(r'///?|/\*\*?|#*"""|#*"|[()]')
BLOCK_EDGE = re.compile(r"/\*|\*/")
IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?[ \t]+)*(?:(?:public|package|internal|private|fileprivate)[ \t]+)?import[ \t]+"
    r"(?:(?:struct|class|enum|protocol|typealias|actor|func|var|let)[ \t]+)?(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    kind: Kind
    start: int
    end: int


class Scanner:
    """Block comments nest; interpolations are code again. Regex literals are not known: the sources have none."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces: list[Piece] = []
        self._code(0, nested=False)

    def only(self, *kinds: Kind, filler: str = " ") -> str:
        """The source with every visible character of other kinds replaced: offsets and lines stay as they are."""
        parts = []
        for piece in self.pieces:
            text = self.source[piece.start:piece.end]
            parts.append(text if piece.kind in kinds else re.sub(r"\S", filler, text))
        return "".join(parts)

    def _add(self, kind: Kind, start: int, end: int) -> int:
        if end > start:
            self.pieces.append(Piece(kind, start, end))
        return end

    def _code(self, start: int, *, nested: bool) -> int:
        """Reads code to the end, or to the parenthesis that ends an interpolation."""
        position, depth = start, 0
        while match := INTERESTING.search(self.source, position):
            token = match[0]
            position = match.end()
            if '"' in token:
                self._add("code", start, position)
                start = position = self._string(position, token)
            elif token.startswith("/"):
                self._add("code", start, match.start())
                start = position = self._comment(match.start(), token)
            elif nested:
                depth += 1 if token == "(" else -1
                if depth < 0:
                    return self._add("code", start, position)
        return self._add("code", start, len(self.source))

    def _comment(self, start: int, token: str) -> int:
        if token.startswith("//"):
            end = self.source.find("\n", start)
            end = len(self.source) if end < 0 else end
        else:
            depth, end = 1, start + 2
            while depth and (edge := BLOCK_EDGE.search(self.source, end)):
                depth += 1 if edge[0] == "/*" else -1
                end = edge.end()
            end = len(self.source) if depth else end
        if token not in ("///", "/**"):
            return self._add("comment", start, end)
        # The marks `///` are not part of the text, so that a sentence goes on from line to line.
        self.pieces.append(Piece("comment", start, start + 3))
        return self._add("doc", start + 3, end)

    def _string(self, start: int, opening: str) -> int:
        """Reads a literal from after its opening quotes; returns the offset after the closing ones."""
        hashes = opening.count("#")
        quotes = opening.strip("#")
        closing, escape = quotes + "#" * hashes, re.escape("\\" + "#" * hashes)
        line_end = r"|\n" if quotes == '"' else ""
        edge = re.compile(rf"{re.escape(closing)}|{escape}\(|{escape}.{line_end}", re.DOTALL)
        position = start
        while match := edge.search(self.source, position):
            position = match.end()
            if match[0] in (closing, "\n"):
                self._add("string", start, match.start())
                return self._add("code", match.start(), position)
            if match[0].endswith("("):
                self._add("string", start, match.start())
                self._add("code", match.start(), position)
                start = position = self._code(position, nested=True)
        return self._add("string", start, len(self.source))
