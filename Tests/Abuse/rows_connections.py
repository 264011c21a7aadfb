"""Connections: silent, unfinished, or one after the other. And TLS."""
from __future__ import annotations

import select
import socket
import ssl
import struct
from collections.abc import Callable

from h2_client import frames
from pour import OPENING, flood
from row import Row, Target, Verdict
from rows_frames import each, get
from streams import Streams, block

CONNECT = b"CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com:443\r\n\r\n"
HTTP1 = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
RESET = struct.pack("ii", 1, 0)
FEW_FILES = 300


def silent(count: int) -> Callable[[Target], None]:
    """Holds so many silent connections, as far as the gateway accepts them."""

    def attack(target: Target) -> None:
        opened = []
        for _ in range(count):
            connected = socket.socket()
            connected.setblocking(False)
            connected.connect_ex((target.address.host, target.address.port))
            opened.append(connected)
            target.count_sent()
        select.select([], [], [], 60)

    return attack


def log_has_one_line(target: Target, verdict: Verdict) -> None:
    """Running out of files is one log line, and the gateway goes on."""
    lines = [line for line in target.gateway.log.splitlines() if "accepting connections paused" in line]
    if len(lines) != 1:
        verdict.wrong.append(f"the log has {len(lines)} lines about a pause of accepting, not 1: {lines[:2]}")


def churn(reset: bool, sent: bytes = HTTP1) -> Callable[[Target], None]:
    def attack(target: Target) -> None:
        for _ in range(100):
            with target.connect() as connected:
                connected.sendall(sent)
                if reset:
                    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                else:
                    connected.recv(1000)
            target.count_sent()

    return attack


def handshakes(target: Target) -> None:
    target.tls("h2").close()
    target.count_sent()


def old_handshakes(target: Target) -> None:
    """TLS 1.2, whose handshake asks for a signature each time."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.wrap_socket(target.connect(), server_hostname="localhost").close()
    target.count_sent()


def hello_of(context: ssl.SSLContext) -> bytes:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def half_handshakes(target: Target) -> None:
    """500 connections that send a ClientHello and then nothing, for which the gateway signs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for connected in target.connections(500, hello_of(context)):
        connected.close()


def records_of_one_byte(target: Target) -> None:
    with target.tls("h2") as connected:
        raw = OPENING + each(300, get)()
        for index in range(len(raw)):
            connected.send(raw[index : index + 1])
        target.count_sent()


def idle_http2(target: Target) -> None:
    """1,000 connections that have said nothing but their SETTINGS."""
    _opened = target.connections(1000, OPENING)
    select.select([], [], [], 30)


def unread_pages(target: Target) -> None:
    """50 connections that ask for long pages and never read. The gateway has to close them."""
    opened = []
    for _ in range(50):
        streams = Streams(target, frames.MAX_WINDOW, receive_buffer=4096)
        streams.request(PAGE, 500)
        opened.append(streams)
    select.select([], [], [], 30)


PAGE = block("GET", "/openapi.json")
CHUNKS = b"POST /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 60_000
LINES = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + b"".join(b"x%d: y\r\n" % n for n in range(5000))

ROWS = [
    Row("silent-files", "Silent connections until the gateway has no more files.", silent(400), check=log_has_one_line, files=FEW_FILES),
    Row("silent-many", "5,000 silent connections.", silent(5000)),
    Row("idle-http2", "1,000 idle connections over HTTP/2.", idle_http2),
    Row("unread-pages", "50 connections that ask for 500 long pages and read none.", unread_pages),
    Row("churn", "One connection for each request.", churn(reset=False), workers=2),
    Row("churn-resets", "Connections that are reset at once.", churn(reset=True), workers=2),
    Row("tunnels", "Tunnels through the proxy, one after the other.", churn(reset=False, sent=CONNECT), workers=2),
    Row("tunnels-nested", "1,000 CONNECT requests in one write, each inside the tunnel of the one before.",
        churn(reset=False, sent=CONNECT * 1000), workers=2),
    Row("tls-handshakes", "One TLS handshake after the other.", handshakes, workers=4),
    Row("tls-handshakes-old", "The same with TLS 1.2.", old_handshakes, workers=4),
    Row("tls-half-handshakes", "ClientHellos without the rest.", half_handshakes, workers=4),
    Row("tls-one-byte-records", "TLS records of one byte.", records_of_one_byte, workers=2),
    Row("tls-garbage", "Records that are no TLS.", flood(b"\x16\x03\x01\x02\x00" + b"\xff" * 100_000, b"")),
    Row("http1-pipelined", "20,000 pipelined requests.", flood(HTTP1 * 20_000, b"")),
    Row("http1-chunks", "Chunks of one byte.", flood(CHUNKS, b"")),
    Row("http1-fields", "A head of 5,000 fields.", flood(LINES, b"")),
    Row("http1-malformed", "Requests that are no HTTP, each with a log line.", churn(reset=False, sent=b"BAD\r\n\r\n"), workers=2),
]
