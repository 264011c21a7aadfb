"""Reads expressions and enclosing functions in Swift code, without knowing its types."""

import re

DECLARATION = re.compile(
    r"\b(?:func\s+(?P<func>`[^`]+`|[^\s\w(]+|\w+)|(?P<init>init|deinit|subscript)\b(?=[\s?(<{])"
    r"|(?:var|let)\s+(?P<var>\w+)|(?:class|struct|enum|extension|protocol|actor)\s+(?P<type>[\w.]+))")


DEPTH_CHANGES = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
OPERAND = "_.?!\"$\\`"


class Code:
    """The code of a file without comments and texts, as `Scanner.only` gives it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.scopes = Scopes(text)

    def line(self, offset: int) -> str:
        return self.text[self.text.rfind("\n", 0, offset) + 1:].split("\n", 1)[0].strip()

    def closing(self, opening: int) -> int:
        """The offset of the bracket that closes the one at this offset."""
        depth = 0
        for offset in range(opening, len(self.text)):
            depth += DEPTH_CHANGES.get(self.text[offset], 0)
            if depth == 0:
                return offset
        return len(self.text) - 1

    def opening(self, closing: int) -> int:
        depth = 0
        for offset in range(closing, -1, -1):
            depth -= DEPTH_CHANGES.get(self.text[offset], 0)
            if depth == 0:
                return offset
        return 0

    def argument(self, opening: int) -> str:
        """The text between the bracket at this offset and the one that closes it, on one line."""
        return re.sub(r"\s+", " ", self.text[opening + 1:self.closing(opening)]).strip()

    def operand_before(self, end: int) -> str:
        """The operand that ends at this offset, with the calls and subscripts that belong to it."""
        offset = stop = len(self.text[:end].rstrip())
        while offset > 0:
            character = self.text[offset - 1]
            if character in ")]}":
                offset = self.opening(offset - 1)
            elif character.isalnum() or character in OPERAND:
                offset -= 1
            else:
                break
        return self.text[offset:stop]

    def operand_after(self, start: int) -> str:
        begin = offset = len(self.text) - len(self.text[start:].lstrip())
        while offset < len(self.text):
            character = self.text[offset]
            if character in "([" or (character == "{" and offset == begin):
                offset = self.closing(offset) + 1
            elif character.isalnum() or character in OPERAND:
                offset += 1
            else:
                break
        return self.text[begin:offset]


class Scopes:
    """The names of the functions and properties that enclose each place."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.spans: list[tuple[int, int, str]] = []
        declarations = {match.start(): match for match in DECLARATION.finditer(code)}
        stack: list[tuple[int, str, int]] = []
        pending, depth = "", 0
        for offset, character in enumerate(code):
            if depth == 0 and (match := declarations.get(offset)):
                pending = self.name(match)
            if character in "([":
                depth += 1
            elif character in ")]":
                depth -= 1
            elif character == "{":
                stack.append((offset, pending if depth == 0 else "", depth))
                pending, depth = "" if depth == 0 else pending, 0
            elif character == "}" and stack:
                start, name, depth = stack.pop()
                if name:
                    self.spans.append((start, offset, name))

    @staticmethod
    def name(match: re.Match[str]) -> str:
        return "" if match["type"] else match["func"] or match["init"] or match["var"]

    def enclosing(self, offset: int) -> tuple[int, int, str] | None:
        """The outermost one."""
        around = [span for span in self.spans if span[0] <= offset < span[1]]
        return max(around, key=lambda span: span[1] - span[0], default=None)

    def at(self, offset: int) -> str:
        span = self.enclosing(offset)
        return span[2] if span else "-"

    def body(self, offset: int) -> str:
        span = self.enclosing(offset)
        return self.code[span[0]:span[1]] if span else ""
