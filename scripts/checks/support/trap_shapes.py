"""Forms of Swift code that cannot trap: each function returns why, or an empty text if code of this form may trap."""

import re

NUMBER = re.compile(r"(?:0x[\dA-Fa-f_]+|\d[\d_]*(?:\.\d+)?)")
SIZE = re.compile(r"(?:[\w.?!$()\[\]]*\.)?(?:count|listSize|underestimatedCount)|MemoryLayout<.*>\.size")
CONSTANT = re.compile(r"(?:Self|[A-Z]\w*)\.[a-z]\w*|(?:Int\()?U?Int\d*\.max\)?|Int\(StreamID\.max\)")
# What follows the bracket if the function can trap.
LABELS = {"random": "in:", "remove": "at:", "index": ("after:", "before:")}


def is_list(operand: str) -> bool:
    made = re.match(r"\[|(?:Array|String|Set)\(", operand)
    ending = r"\.(?:joined\(.*\)|description|utf8\)|rawValue|quoted|finish\(\)|pem|dropLast\(\)|dropFirst\(\))$"
    return bool(made or re.search(ending, operand))


def conversion_shape(call: str, argument: str, before: str, after: str) -> str:
    """`before` and `after` are the code around the call."""
    if re.fullmatch("-?" + NUMBER.pattern, argument):
        return "a literal"
    if re.fullmatch(r"[A-Z][A-Z\d_ |]+|U?Int\d*\.max|StreamID\.max|NGHTTP2_[\w.]+", argument):
        return "a constant"
    is_optional = re.search(r"(?:(?:\bif|\bguard|,)\s*let \w+ =|[fF]latMap\(?\s*(?:\{|\())$", before)
    if re.search(r"\bradix:", argument) or is_optional or re.match(r"\s*(?:\?\?|[!=]= nil|\.(?:map|flatMap)\b)", after):
        return "a text, which gives nil"
    if call in ("UInt64(", "Int64(", "Int(") and re.fullmatch(r"[\w.?$()]*\.count", argument):
        return "a count"
    return ""


def arithmetic_shape(left: str, operator: str, right: str) -> str:
    if '"' in (left[-1:], right[:1]) or is_list(left) or is_list(right):
        return "texts or lists are joined" if operator in ("+", "+=") else ""
    if NUMBER.fullmatch(right):
        if operator in ("/", "%", "/=", "%=") and not re.fullmatch(r"-?[0_]+", right):
            return "division by a literal"
        if NUMBER.fullmatch(left):
            return "literals"
        if operator == "+=" and right == "1":
            return "counts by one"
    if all(NUMBER.fullmatch(operand) or SIZE.fullmatch(operand) for operand in (left, right)):
        return "sizes in memory" if operator in ("+", "-", "+=", "-=") else ""
    return ""


def subscript_shape(base: str, argument: str, body: str) -> str:
    if argument.startswith('"') or ", default:" in argument or argument.startswith(("\\.", "keyPath:")):
        return "a key"
    if re.match(r"\.[a-z]\w*$", argument):
        return "a case"
    if argument == "...":
        return "everything"
    name = re.escape(argument)
    if re.fullmatch(r"\w+", argument):
        bases = re.escape(base)
        if re.search(rf"\bfor {name} in (?:{bases}\.indices|0\.\.<{bases}\.count)\b", body):
            return "an index of the same list"
        if re.search(rf"\b{name} = {bases}\.(?:first|last)?[iI]ndex\b", body):
            return "an index that was found"
    return ""


def range_shape(left: str, right: str) -> str:
    if NUMBER.fullmatch(left) and CONSTANT.fullmatch(right):
        return "constants"
    if NUMBER.fullmatch(left) and NUMBER.fullmatch(right):
        return "literals"
    if left == "0" and SIZE.fullmatch(right):
        return "0 to a count"
    if re.search(r"UInt8\(ascii:", left) or left.startswith('"'):
        return "characters"
    return ""


def call_shape(name: str, argument: str) -> str | None:
    """None if another function of that name is called, or one that takes any argument."""
    if name in ("dropFirst", "dropLast", "prefix", "suffix"):
        if not argument or argument.startswith(("while:", "{")):
            return None
        if CONSTANT.fullmatch(argument):
            return "a constant"
        return "not negative" if NUMBER.fullmatch(argument) or SIZE.fullmatch(argument) else ""
    if name in LABELS and not argument.startswith(LABELS[name]):
        return None
    return None if name == "insert" and ", at: " not in argument else ""
