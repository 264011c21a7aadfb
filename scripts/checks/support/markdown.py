"""Removes from Markdown what is not prose. Offsets and lines stay as they are."""

import re

FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n.*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)


def blanked(text: str, filler: str) -> str:
    return re.sub(r"\S", filler, text)


def without_fences(text: str, filler: str = " ") -> str:
    return FENCE.sub(lambda match: blanked(match[0], filler), text)


def without_code(text: str, filler: str = " ") -> str:
    """Without fenced blocks and without `code` in sentences."""
    return SPAN.sub(lambda match: blanked(match[0], filler), without_fences(text, filler))
