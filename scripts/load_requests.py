"""Requests for scripts/load.py, encoded before the measurement: HPACK blocks, bodies, and the frames around them."""

import functools
import json
import random
import string
import struct
from collections.abc import Iterator
from dataclasses import dataclass

HEADERS, DATA = 1, 0
END_STREAM, END_HEADERS = 1, 4
TOKENS = 10_000
APNS_TOKEN = "a1b2c3d4" * 8
FCM_TOKEN = "cBENCHfirebase_installt:APA91b" + "x" * 134
FCM_PATH = "/v1/projects/pushpit-local/messages:send"

# RFC 7541, Appendix B is a canonical code: the lengths of the codes define it. These are all codes of up to 8 bits.
SHORT_CODES = {5: "012aceiost", 6: " %-./3456789=A_bdfghlmnpru", 7: ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz", 8: "&*,;XZ"}
# RFC 7541, Appendix A: the entries used here.
STATIC_NAMES = {":authority": 1, ":path": 4, "authorization": 23, "content-length": 28, "content-type": 31, "user-agent": 58}
STATIC_FIELDS = {(":method", "POST"): 3, (":scheme", "https"): 7}
# nghttp2 as a client never puts these into the dynamic table.
UNINDEXED = {":path": 0x00, "content-length": 0x00, "authorization": 0x10}


def huffman_codes() -> dict[str, str]:
    codes, code, length = {}, 0, 5
    for bits, characters in SHORT_CODES.items():
        code <<= bits - length
        for character in characters:
            codes[character] = f"{code:0{bits}b}"
            code += 1
        length = bits
    return codes


HUFFMAN = huffman_codes()


def integer(value: int, prefix: int, first: int) -> bytes:
    """An HPACK integer whose first byte carries `first` above a prefix of that many bits."""
    limit = (1 << prefix) - 1
    if value < limit:
        return bytes([first | value])
    out = bytearray([first | limit])
    value -= limit
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


@functools.lru_cache(2 * TOKENS)
def text(value: str, compress: bool) -> bytes:
    if compress and all(character in HUFFMAN for character in value):
        bits = "".join(HUFFMAN[character] for character in value)
        bits += "1" * (-len(bits) % 8)
        if len(bits) // 8 < len(value):
            return integer(len(bits) // 8, 7, 0x80) + int(bits, 2).to_bytes(len(bits) // 8, "big")
    return integer(len(value), 7, 0) + value.encode()


@dataclass(frozen=True)
class Plan:
    """What the requests of a load look like."""
    provider: str = "apns"
    tokens: int = 1
    differing_bodies: bool = False
    # Percent of the requests that repeat the token and the body of the request before.
    repeats: int = 0
    seed: int = 1
    # Encode as nghttp2's clients do (h2load, curl, Node). False: literals without Huffman codes or the dynamic table.
    like_nghttp2: bool = True
    # The device has a socket that gets all of its frames. For APNs and one token only.
    has_socket: bool = False

    def token_list(self) -> list[str]:
        """All tokens of the plan, the same for the same seed."""
        if self.tokens == 1:
            return [APNS_TOKEN if self.provider == "apns" else FCM_TOKEN]
        chance = random.Random(f"tokens {self.seed}")
        if self.provider == "apns":
            return [f"{chance.getrandbits(256):064x}" for _ in range(self.tokens)]
        letters = string.ascii_letters + string.digits
        return ["c" + "".join(chance.choices(letters, k=21)) + FCM_TOKEN[23:] for _ in range(self.tokens)]

    def paths(self) -> list[str]:
        return [f"/3/device/{token}" for token in self.token_list()] if self.provider == "apns" else [FCM_PATH]

    def fields(self, authorization: str) -> list[tuple[str, str]]:
        """The fields that are the same in each request."""
        more = ("apns-topic", "com.example.app") if self.provider == "apns" else ("content-type", "application/json")
        return [(":authority", "127.0.0.1"), ("user-agent", "pushpit load"), ("authorization", authorization), more]


LOADS = {
    "one": Plan(),
    "tokens": Plan(tokens=TOKENS),
    "bodies": Plan(tokens=TOKENS, differing_bodies=True),
    "fcm": Plan(provider="fcm", tokens=TOKENS, differing_bodies=True),
    "socket": Plan(differing_bodies=True, has_socket=True),
}


class Source:
    """An endless sequence of (path, body). A path or body that has to differ never comes twice, except as a repeat."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tokens = plan.token_list()
        self.chance = random.Random(f"requests {plan.seed}")
        self.filler = "".join(self.chance.choices(string.ascii_lowercase, k=4096))
        self.requests = self.generate()

    def alert(self, number: int, length: int) -> str:
        """A text of that length, different for each number if the plan says so."""
        if not self.plan.differing_bodies:
            return "x" * length
        start = self.chance.randrange(len(self.filler) - length)
        return f"{number:08x}" + self.filler[start:start + length - 8]

    def body(self, token: str, number: int) -> bytes:
        if self.plan.provider == "apns":
            return b'{"aps":{"alert":"%s"}}' % self.alert(number, 179).encode()
        message = {
            "token": token, "notification": {"title": "Breakfast", "body": self.alert(number, 32)},
            "android": {"priority": "high", "notification": {"channel_id": "news"}, "ttl": "3600s"},
            "apns": {"payload": {"aps": {"badge": 3, "sound": "default"}}}}
        return json.dumps({"message": message}, separators=(",", ":")).encode()

    def generate(self) -> Iterator[tuple[str, bytes]]:
        plan, number, previous = self.plan, 0, None
        while True:
            if previous is None or self.chance.random() * 100 >= plan.repeats:
                token = self.tokens[number % len(self.tokens)]
                path = f"/3/device/{token}" if plan.provider == "apns" else FCM_PATH
                previous = (path, self.body(token, number))
                number += 1
            yield previous

    def take(self, count: int) -> list[tuple[str, bytes]]:
        return [next(self.requests) for _ in range(count)]


class Encoder:
    """Makes the frames of one connection. The first block fills the dynamic table, and later ones refer to it, so
    all of them can be made before the first is sent."""

    def __init__(self, plan: Plan, authorization: str) -> None:
        self.plan = plan
        self.fields = plan.fields(authorization)
        indexed = [field for field in self.fields if plan.like_nghttp2 and field[0] not in UNINDEXED]
        self.indices = {field: 62 + place for place, field in enumerate(reversed(indexed))}
        self.table_size = sum(len(name) + len(value) + 32 for name, value in indexed)
        self.is_first = True
        # All fields but the path, for bodies of this length.
        self.constant = b""
        self.length = 0
        self.stream = 1

    def field(self, name: str, value: str) -> bytes:
        if index := STATIC_FIELDS.get((name, value)):
            return bytes([0x80 | index])
        index = self.indices.get((name, value))
        if index and not self.is_first:
            return integer(index, 7, 0x80)
        first, prefix = (0x40, 6) if index else (UNINDEXED.get(name, 0x00), 4)
        compress = self.plan.like_nghttp2
        static = STATIC_NAMES.get(name, 0)
        named = integer(static, prefix, first) if static else bytes([first]) + text(name, compress)
        return named + text(value, compress)

    def block(self, path: str, length: int) -> bytes:
        if self.is_first or length != self.length:
            fields = [*STATIC_FIELDS, *self.fields, ("content-length", str(length))]
            self.constant = b"".join(self.field(name, value) for name, value in fields)
            self.length = 0 if self.is_first else length
            self.is_first = False
        return self.field(":path", path) + self.constant

    def frames(self, requests: list[tuple[str, bytes]]) -> tuple[bytes, list[int]]:
        """The frames of these requests in one piece, and where each request ends. Stream ids go on growing."""
        pieces, ends, end = [], [], 0
        for path, body in requests:
            block = self.block(path, len(body))
            pieces += (
                struct.pack(">HBBBI", len(block) >> 8, len(block) & 255, HEADERS, END_HEADERS, self.stream), block,
                struct.pack(">HBBBI", len(body) >> 8, len(body) & 255, DATA, END_STREAM, self.stream), body)
            end += 18 + len(block) + len(body)
            ends.append(end)
            self.stream += 2
        return b"".join(pieces), ends
