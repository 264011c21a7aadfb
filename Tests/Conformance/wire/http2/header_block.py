"""HPACK (RFC 7541) by hand: every representation a test needs, and the `:status` of an answer.

Encoding is without state unless a case asks for incremental indexing, so blocks can be reused on any stream.
"""
from __future__ import annotations

# The part of the static table (RFC 7541, appendix A) that requests use.
STATIC_FIELDS: dict[tuple[str, str], int] = {
    (":method", "GET"): 2, (":method", "POST"): 3, (":path", "/"): 4, (":path", "/index.html"): 5,
    (":scheme", "http"): 6, (":scheme", "https"): 7, (":status", "200"): 8,
}
STATIC_NAMES: dict[str, int] = {
    ":authority": 1, ":method": 2, ":path": 4, ":scheme": 6, ":status": 8, "content-length": 28, "user-agent": 58,
}
STATUS_BY_INDEX = {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}

# Huffman codes (RFC 7541, appendix B) of the characters the tests send, and of EOS.
HUFFMAN: dict[str, str] = {
    "0": "00000", "1": "00001", "2": "00010", "a": "00011", "c": "00100", "e": "00101", "i": "00110", "o": "00111",
    "s": "01000", "t": "01001", "-": "010110", "3": "011001", "4": "011010", "5": "011011", "6": "011100",
    "7": "011101", "8": "011110", "9": "011111", "d": "100100", "g": "100110", "h": "100111", "n": "101010",
    "p": "101011", "r": "101100", "u": "101101", "x": "1111001",
}
EOS = "1" * 30

# First byte and prefix length of each representation.
INDEXED = (0x80, 7)
INCREMENTAL = (0x40, 6)
TABLE_SIZE = (0x20, 5)
NEVER_INDEXED = (0x10, 4)
NOT_INDEXED = (0x00, 4)

Field = tuple[str, str]
Representation = tuple[int, int]


def integer(value: int, shape: Representation) -> bytes:
    """An integer with its representation's marker bits in the first byte (RFC 7541, 5.1)."""
    marker, bits = shape
    limit = (1 << bits) - 1
    if value < limit:
        return bytes([marker | value])
    encoded = [marker | limit]
    rest = value - limit
    while rest >= 128:
        encoded.append(0x80 | rest & 0x7F)
        rest >>= 7
    return bytes([*encoded, rest])


def bits_to_bytes(bits: str, filler: str = "1") -> bytes:
    padded = bits + filler * (-len(bits) % 8)
    return int(padded, 2).to_bytes(len(padded) // 8, "big")


def huffman_bits(text: str) -> str:
    return "".join(HUFFMAN[character] for character in text)


def huffman_bytes(raw_bytes: bytes) -> bytes:
    """A string literal whose bytes are already Huffman code (right or wrong)."""
    return integer(len(raw_bytes), (0x80, 7)) + raw_bytes


def string(text: str, huffman: bool = False) -> bytes:
    if huffman:
        return huffman_bytes(bits_to_bytes(huffman_bits(text)))
    raw_bytes = text.encode("latin-1")
    return integer(len(raw_bytes), (0x00, 7)) + raw_bytes


def indexed(index: int) -> bytes:
    return integer(index, INDEXED)


def literal(
    name: str, value: str, shape: Representation = NOT_INDEXED, indexed_name: bool = False, huffman: bool = False
) -> bytes:
    if indexed_name:
        return integer(STATIC_NAMES[name], shape) + string(value, huffman)
    return integer(0, shape) + string(name, huffman) + string(value, huffman)


def table_size(size: int) -> bytes:
    return integer(size, TABLE_SIZE)


def encode(fields: list[Field]) -> bytes:
    """The usual form: a static index if possible, otherwise a literal that does not change the table."""
    block = b""
    for name, value in fields:
        index = STATIC_FIELDS.get((name, value))
        block += indexed(index) if index else literal(name, value, indexed_name=name in STATIC_NAMES)
    return block


def status_of(block: bytes) -> int | None:
    """The status of a response block that begins with `:status`, as every answer does."""
    while block and block[0] & 0xE0 == 0x20:  # table size updates come first
        block = block[_integer_length(block, 5) :]
    if not block:
        return None
    if block[0] & 0x80:
        return STATUS_BY_INDEX.get(block[0] & 0x7F)
    bits = 6 if block[0] & 0x40 else 4
    if not 8 <= block[0] & ((1 << bits) - 1) <= 14:
        return None
    coded, length = bool(block[1] & 0x80), block[1] & 0x7F
    raw_bytes = block[2 : 2 + length]
    text = _huffman_digits(raw_bytes) if coded else raw_bytes.decode("latin-1")
    return int(text) if text.isdigit() else None


def _integer_length(block: bytes, bits: int) -> int:
    if block[0] & ((1 << bits) - 1) != (1 << bits) - 1:
        return 1
    return next(i for i in range(1, len(block)) if not block[i] & 0x80) + 1


def _huffman_digits(raw_bytes: bytes) -> str:
    bits = "".join(f"{byte:08b}" for byte in raw_bytes)
    digits = {code: character for character, code in HUFFMAN.items() if character.isdigit()}
    text = ""
    while len(text) < 3:
        length = 5 if bits[:5] in digits else 6
        text += digits.get(bits[:length], "?")
        bits = bits[length:]
    return text
