"""Floods of HTTP/2 frames."""
from __future__ import annotations

from collections.abc import Callable

from h2_client import frames
from header_block import INCREMENTAL, indexed, literal, table_size
from pour import OPENING, flood
from row import Row
from streams import block, push_block

GET = block("GET", "/livez")
PUSH = push_block("0" * 64)
MAX = frames.MAX_WINDOW
FRAME = frames.DEFAULT_FRAME_SIZE


def ids(count: int) -> range:
    return range(1, 2 * count, 2)


def each(count: int, make: Callable[[int], bytes]) -> Callable[[], bytes]:
    """The bytes of `make` for each of so many streams."""
    return lambda: b"".join(map(make, ids(count)))


def get(stream: int) -> bytes:
    return frames.headers(stream, GET)


def begun(stream: int) -> bytes:
    """A push without its body."""
    return frames.headers(stream, PUSH, end_stream=False)


def references(count: int) -> bytes:
    """Blocks of 16 KB that name an entry of 3,900 bytes again and again."""
    entry = literal("x", "b" * 3_860, INCREMENTAL)
    rest = FRAME - len(GET) - len(entry) - 8
    first = frames.headers(1, GET + entry)
    return first + b"".join(frames.headers(stream, GET + indexed(62) * rest) for stream in ids(count)[1:])


def sizes(count: int) -> bytes:
    """Blocks that change the size of the table from 0 to 4,096 and back, and fill it."""
    entry = literal("x", "b" * 3_000, INCREMENTAL)
    change = table_size(0) + table_size(4096)
    return b"".join(frames.headers(stream, change + GET + entry) for stream in ids(count))


def names(count: int) -> bytes:
    """Blocks with as many small fields as fit."""
    many = b"".join(literal(f"x{n}", "") for n in range(200))
    return b"".join(frames.headers(stream, GET + many) for stream in ids(count))


def tiny_data(size: int) -> Callable[[], bytes]:
    return lambda: begun(1) + frames.data(1, b"x" * size, end=False) * 60_000


def padded() -> bytes:
    return begun(1) + frames.data(1, b"", end=False, padding=255) * 250


def padded_headers(count: int) -> bytes:
    return b"".join(frames.headers(stream, GET, padding=255) for stream in ids(count))


def continuations(size: int) -> bytes:
    part = literal("x-more", "y" * size) if size else b""
    return frames.headers(1, GET, end_headers=False) + frames.continuation(1, part, end=False) * 20_000


def malformed(stream: int) -> bytes:
    """A request with a capital letter in a name, which is a stream error."""
    return frames.headers(stream, GET + literal("X", "y"))


def closed_data(stream: int) -> bytes:
    return get(stream) + frames.data(stream, b"late")


def wrong_length(stream: int) -> bytes:
    header = PUSH + literal("content-length", "5")
    return frames.headers(stream, header, end_stream=False) + frames.data(stream, b"123456789")


def depends_on_itself(stream: int) -> bytes:
    return get(stream) + frames.priority(stream, parent=stream)



SMALL = OPENING + frames.settings((frames.Setting.INITIAL_WINDOW_SIZE, 1))
NONE = OPENING + frames.settings((frames.Setting.INITIAL_WINDOW_SIZE, 0))
ENTRIES = frames.settings(*[(frames.Setting.INITIAL_WINDOW_SIZE, 65_535)] * 2_730)
FLIP = frames.settings((frames.Setting.INITIAL_WINDOW_SIZE, 0)) + frames.settings((frames.Setting.INITIAL_WINDOW_SIZE, MAX))
TABLE = frames.settings((frames.Setting.HEADER_TABLE_SIZE, 0)) + frames.settings((frames.Setting.HEADER_TABLE_SIZE, 1 << 20))

ROWS = [
    Row("hpack-references", "Blocks of 16 KB that name an entry of 3,900 bytes.", flood(lambda: references(40)), workers=2),
    Row("hpack-table-sizes", "Two changes of the table's size in each block.", flood(lambda: sizes(300))),
    Row("hpack-names", "Blocks of 200 small fields.", flood(lambda: names(500))),
    Row("rapid-reset", "Requests that are cancelled at once (CVE-2023-44487).",
        flood(each(10_000, lambda n: get(n) + frames.rst_stream(n)))),
    Row("rapid-reset-pushes", "The same with pushes that are begun.",
        flood(each(10_000, lambda n: begun(n) + frames.rst_stream(n)))),
    Row("provoked-overflow", "Windows of streams that overflow (CVE-2025-8671).",
        flood(each(10_000, lambda n: begun(n) + frames.window_update(n, MAX)))),
    Row("provoked-zero", "WINDOW_UPDATE of 0 on streams.", flood(each(10_000, lambda n: begun(n) + frames.window_update(n, 0)))),
    Row("provoked-malformed", "Malformed requests.", flood(each(10_000, malformed))),
    Row("provoked-closed", "DATA on streams that the client has closed.", flood(each(10_000, closed_data))),
    Row("provoked-length", "More DATA than content-length says.", flood(each(10_000, wrong_length))),
    Row("provoked-priority", "Streams that depend on themselves.", flood(each(10_000, depends_on_itself))),
    Row("streams-surplus", "2,000 requests beyond the limit of streams, with a window of 0.", flood(each(3000, get), NONE)),
    Row("streams-refused", "9,000 requests beyond the limit of streams, which end the connection.", flood(each(10_000, get), NONE)),
    Row("streams-window-1", "Answers that get a window of one byte each.", flood(each(900, get), SMALL)),
    Row("data-one-byte", "DATA of one byte.", flood(tiny_data(1))),
    Row("data-empty", "Empty DATA.", flood(tiny_data(0))),
    Row("data-padded", "DATA that is only padding.", flood(padded)),
    Row("headers-padded", "HEADERS with 255 bytes of padding.", flood(lambda: padded_headers(5000))),
    Row("continuation-flood", "CONTINUATION without end (CVE-2024-28182).", flood(lambda: continuations(100))),
    Row("continuation-empty", "Empty CONTINUATION without end.", flood(lambda: continuations(0))),
    Row("ping-flood", "PING, whose answers are read.", flood(frames.ping() * 50_000)),
    Row("ping-unread", "PING, whose answers are not read (CVE-2019-9512).", flood(frames.ping() * 200_000, reads=False)),
    Row("settings-flood", "SETTINGS (CVE-2019-9515).", flood(frames.settings() * 50_000)),
    Row("settings-entries", "SETTINGS with 2,730 entries.", flood(ENTRIES * 200)),
    Row("settings-windows", "SETTINGS that open and close all windows of 900 streams.",
        flood(FLIP * 5000, NONE + each(900, get)())),
    Row("settings-table", "SETTINGS that change the size of HPACK's table.", flood(TABLE * 10_000)),
    Row("window-updates", "WINDOW_UPDATE of 1.", flood(frames.window_update(0, 1) * 100_000)),
    Row("priority-flood", "PRIORITY of idle streams (CVE-2019-9513).",
        flood(each(50_000, lambda n: frames.priority(n + 2, parent=n)))),
    Row("unknown-frames", "Frames of unknown types.", flood(frames.frame(0x16, 0, 0, b"x" * 16) * 100_000)),
    Row("unknown-frames-long", "The same with 16 KB each.", flood(frames.frame(0x16, 0, 0, b"x" * FRAME) * 500)),
    Row("goaway-flood", "GOAWAY of the client, again and again.", flood(frames.goaway() * 50_000)),
    Row("pushes-flood", "Pushes without a pause.",
        flood(each(50_000, lambda n: begun(n) + frames.data(n, b'{"aps":{"alert":"%d"}}' % n))), keeps=False),
]
