"""Malformed HTTP/1.1: the bytes and the exact reaction."""
from __future__ import annotations

from dataclasses import dataclass

GET = b"GET /livez HTTP/1.1\r\n"
POST = b"POST /token HTTP/1.1\r\n"
HOST = b"host: localhost\r\n"
END = b"\r\n"
CHUNKED = POST + HOST + b"transfer-encoding: chunked\r\n\r\n"
BAD, TOO_LARGE = "400 Bad Request", "431 Request Header Fields Too Large"
NOT_DONE, NOT_SPOKEN = "501 Not Implemented", "505 HTTP Version Not Supported"
NOT_ALLOWED, CONTENT_TOO_LARGE = "405 Method Not Allowed", "413 Content Too Large"


@dataclass(frozen=True)
class Row:
    """`rule` is the id in the log line. It is empty for well-formed requests whose content is refused."""

    name: str
    raw_bytes: bytes
    status: str  # empty if the connection is closed without an answer
    rule: str
    closes: bool = True


def get(*lines: bytes, first: bytes = GET, host: bytes = HOST) -> bytes:
    return first + host + b"".join(line + b"\r\n" for line in lines) + END


def line(first: bytes) -> bytes:
    return first + b"\r\n" + HOST + END


def bad(name: str, raw_bytes: bytes, rule: str) -> Row:
    return Row(name, raw_bytes, BAD, rule)


REQUEST_LINES = [
    bad("two spaces after the method", line(b"GET  /livez HTTP/1.1"), "request-line"),
    bad("a tab for a space", line(b"GET\t/livez\tHTTP/1.1"), "request-line"),
    bad("a space in the target", line(b"GET /li vez HTTP/1.1"), "request-line"),
    bad("a space before the method", line(b" GET /livez HTTP/1.1"), "request-line"),
    bad("a space after the version", line(b"GET /livez HTTP/1.1 "), "request-line"),
    bad("a method that is not a token", line(b"G(T /livez HTTP/1.1"), "method"),
    Row("a method in lower case", line(b"get /livez HTTP/1.1"), NOT_DONE, "method-in-lower-case"),
    bad("CONNECT with a path", line(b"CONNECT / HTTP/1.1"), "connect"),
    bad("authority-form without CONNECT", line(b"GET localhost:80 HTTP/1.1"), "target"),
    bad("a target without a slash", line(b"GET livez HTTP/1.1"), "target"),
    bad("a target of another scheme", line(b"GET ftp://localhost/livez HTTP/1.1"), "target"),
    bad("an asterisk without OPTIONS", line(b"GET * HTTP/1.1"), "target-asterisk"),
    bad("a fragment", line(b"GET /livez#top HTTP/1.1"), "target-fragment"),
    bad("raw UTF-8 in the target", line("GET /livez?ü HTTP/1.1".encode()), "target-character"),
    bad("a user name in the target", line(b"GET http://me@localhost/livez HTTP/1.1"), "target-authority"),
    bad("an absolute target without a host", line(b"GET http:///livez HTTP/1.1"), "target-authority"),
    bad("three empty lines first", b"\r\n\r\n\r\n" + get(), "empty-lines"),
    bad("no version", line(b"GET /livez"), "request-line"),
    bad("a version without a dot", line(b"GET /livez HTTP/11"), "version"),
    bad("a version in lower case", line(b"GET /livez http/1.1"), "version"),
    Row("something else than HTTP", b"INVALID CONNECTION PREFACE\r\n\r\n", "", "not-http"),
    bad("a TLS alert in clear text", b"\x15\x03\x01\0\x02\x02\x50", "control-character"),
    Row("HTTP/2.0 in an HTTP/1 form", line(b"GET /livez HTTP/2.0"), NOT_SPOKEN, "version-unsupported"),
    Row("HTTP/0.9 with a version", line(b"GET /livez HTTP/0.9"), NOT_SPOKEN, "version-unsupported"),
    Row("a target of 9,000 bytes", line(b"GET /" + b"x" * 9000 + b" HTTP/1.1"), "414 URI Too Long",
        "request-line-too-long"),
    bad("a NUL in the target", line(b"GET /livez\0 HTTP/1.1"), "control-character"),
    bad("LF alone after the request line", b"GET /livez HTTP/1.1\nhost: localhost\r\n\r\n", "bare-line-feed"),
    bad("CR alone in the request line", line(b"GET /livez\rHTTP/1.1"), "bare-carriage-return"),
]

FIELDS = [
    bad("no Host", get(host=b""), "host-missing"),
    bad("two Hosts", get(b"host: localhost"), "host-twice"),
    bad("two Hosts that differ", get(b"Host: api.push.apple.com"), "host-twice"),
    bad("an empty Host", get(host=b"host:\r\n"), "host"),
    bad("a Host with a path", get(host=b"host: localhost/livez\r\n"), "host"),
    bad("a Host with a user name", get(host=b"host: me@localhost\r\n"), "host"),
    bad("a Host with a port of letters", get(host=b"host: localhost:http\r\n"), "host"),
    bad("a Host with port 65536", get(host=b"host: localhost:65536\r\n"), "host"),
    bad("a Host with two values", get(host=b"host: localhost, api.push.apple.com\r\n"), "host"),
    bad("a space before the colon", get(b"x-field : 1"), "space-before-colon"),
    bad("a folded value", get(b"x-field: 1", b" 2"), "folded-field"),
    bad("a space before the first field", get(host=b" host: localhost\r\n"), "folded-field"),
    bad("no colon", get(b"x-field"), "field-without-colon"),
    bad("an empty name", get(b": 1"), "field-name-empty"),
    bad("a name that is not a token", get(b"x(field): 1"), "field-name"),
    bad("a space in the name", get(b"x field: 1"), "field-name"),
    bad("a name in UTF-8", get("ü: 1".encode()), "field-name"),
    bad("a NUL in a value", get(b"x-field: 1\0"), "control-character"),
    bad("an escape in a value", get(b"x-field: \x1b[0m"), "control-character"),
    bad("CR alone in a value", get(b"x-field: 1\rx-other: 2"), "bare-carriage-return"),
    bad("LF alone after a field", get(b"x-field: 1\nx-other: 2"), "bare-line-feed"),
    Row("a field of 40,000 bytes", get(b"x-field: " + b"x" * 40_000), TOO_LARGE, "header-too-large"),
    Row("40 fields of 1,000 bytes", get(*[b"x: " + b"y" * 1000] * 40), TOO_LARGE, "header-too-large"),
    Row("101 fields", get(*[b"x: 1"] * 100), TOO_LARGE, "too-many-fields"),
    Row("another expectation", get(b"expect: 200-ok", b"content-length: 2"), "417 Expectation Failed", "expectation"),
]

LENGTHS = [
    bad("two lengths that differ", get(b"content-length: 2", b"content-length: 3", first=POST), "content-length-twice"),
    bad("two lengths that agree", get(b"content-length: 2", b"content-length: 2", first=POST), "content-length-twice"),
    bad("a list of lengths", get(b"content-length: 2, 2", first=POST), "content-length-twice"),
    bad("a negative length", get(b"content-length: -1", first=POST), "content-length"),
    bad("a length with a plus", get(b"content-length: +2", first=POST), "content-length"),
    bad("a length in hexadecimal", get(b"content-length: 0x2", first=POST), "content-length"),
    bad("an empty length", get(b"content-length:", first=POST), "content-length"),
    bad("a length of 30 digits", get(b"content-length: " + b"9" * 30, first=POST), "content-length-too-large"),
    bad("length and chunked", get(b"content-length: 2", b"transfer-encoding: chunked", first=POST),
        "transfer-encoding-with-length"),
    bad("chunked and length", get(b"transfer-encoding: chunked", b"content-length: 2", first=POST),
        "transfer-encoding-with-length"),
    bad("chunked twice", get(b"transfer-encoding: chunked", b"transfer-encoding: chunked", first=POST),
        "transfer-encoding-twice"),
    bad("chunked twice in a list", get(b"transfer-encoding: chunked, chunked", first=POST), "transfer-encoding"),
    bad("chunked before another coding", get(b"transfer-encoding: chunked, gzip", first=POST), "transfer-encoding"),
    bad("chunked with a vertical tab", get(b"transfer-encoding: \x0bchunked", first=POST), "control-character"),
    bad("chunked in HTTP/1.0", get(b"transfer-encoding: chunked", first=b"POST /token HTTP/1.0\r\n"),
        "transfer-encoding-in-http-1.0"),
    bad("an empty coding", get(b"transfer-encoding:", first=POST), "transfer-encoding"),
    Row("another coding", get(b"transfer-encoding: gzip, chunked", first=POST), NOT_DONE, "transfer-coding-unknown"),
    Row("the obsolete coding", get(b"transfer-encoding: identity", first=POST), NOT_DONE, "transfer-coding-unknown"),
]

CHUNKS = [
    bad("a chunk size that is not a number", CHUNKED + b"xyz\r\n", "chunk-size"),
    bad("an empty chunk size", CHUNKED + b"\r\n", "chunk-size"),
    bad("a negative chunk size", CHUNKED + b"-1\r\n", "chunk-size"),
    bad("a chunk size with 0x", CHUNKED + b"0x2\r\n{}\r\n0\r\n\r\n", "chunk-size"),
    bad("a space before a chunk size", CHUNKED + b" 2\r\n{}\r\n0\r\n\r\n", "chunk-size"),
    bad("a chunk size of 17 digits", CHUNKED + b"1" * 17 + b"\r\n", "chunk-size-too-large"),
    bad("a chunk size over 2^63", CHUNKED + b"f" * 16 + b"\r\n", "chunk-size-too-large"),
    bad("a space after a chunk size", CHUNKED + b"2 \r\n{}\r\n0\r\n\r\n", "chunk-extension"),
    bad("a control character in an extension", CHUNKED + b"2;a=\x01\r\n", "control-character"),
    bad("a chunk extension of 5,000 bytes", CHUNKED + b"2;" + b"x" * 5000 + b"\r\n", "chunk-line-too-long"),
    bad("LF alone after a chunk size", CHUNKED + b"2\n{}\r\n0\r\n\r\n", "bare-line-feed"),
    bad("LF alone in a chunk extension", CHUNKED + b"2;\n{}\r\n0\r\n\r\n", "bare-line-feed"),
    bad("a chunk longer than its size", CHUNKED + b"2\r\n{}}\r\n", "chunk-end"),
    bad("a chunk shorter than its size", CHUNKED + b"3\r\n{}\r\n0\r\n\r\n", "chunk-end"),
    bad("a trailer that is not a field", CHUNKED + b"0\r\nx-trailer\r\n\r\n", "field-without-colon"),
    Row("trailers of 9,000 bytes", CHUNKED + b"0\r\nx: " + b"y" * 9000 + b"\r\n\r\n", TOO_LARGE, "trailers-too-large"),
    Row("33 trailers", CHUNKED + b"0\r\n" + b"x: 1\r\n" * 33 + b"\r\n", TOO_LARGE, "too-many-trailers"),
]


def routed(name: str, status: str, raw_bytes: bytes, closes: bool = False) -> Row:
    return Row(name, raw_bytes, status, "", closes)


# Well-formed requests that are refused; the connection can be used again (RFC 9110 §15.5.6, §15.6.2; §10.1.1).
ROUTED = [
    routed("an unknown method", NOT_DONE, line(b"FOO /livez HTTP/1.1")),
    routed("a method that does not fit", NOT_ALLOWED, line(b"DELETE /livez HTTP/1.1")),
    routed("a method that does not fit /metrics", NOT_ALLOWED, line(b"PUT /metrics HTTP/1.1")),
    routed("a length over the limit", CONTENT_TOO_LARGE, get(b"content-length: 70000") + b"x" * 70_000),
    routed("a chunk over the limit", CONTENT_TOO_LARGE,
           get(b"transfer-encoding: chunked") + b"11170\r\n" + b"x" * 70_000 + b"\r\n0\r\n\r\n"),
    routed("a length over all limits", CONTENT_TOO_LARGE, get(b"content-length: 3000000") + b"x" * 3_000_000, True),
    routed("a length over the limit, expected", CONTENT_TOO_LARGE,
           get(b"content-length: 70000", b"expect: 100-continue"), True),
    routed("a push over HTTP/1.1", NOT_SPOKEN, line(b"POST /3/device/00 HTTP/1.1")),
    routed("an unknown path", "404 Not Found", line(b"GET /nothing HTTP/1.1")),
    routed("a host that is not ours", "403 Forbidden", b"GET /metrics HTTP/1.1\r\nhost: a.example\r\n\r\n"),
]

OK = "200 OK"
# Unusual requests that must be answered.
TAKEN = [
    routed("two empty lines first", OK, b"\r\n\r\n" + get()),
    routed("HTTP/1.9", OK, line(b"GET /livez HTTP/1.9")),
    routed("HTTP/1.0 without a Host", OK, b"GET /livez HTTP/1.0\r\n\r\n", True),
    routed("an absolute target", OK, line(b"GET http://localhost/livez HTTP/1.1")),
    routed("an absolute target in capitals", OK, line(b"GET HTTPS://localhost:2197/livez HTTP/1.1")),
    routed("a Host with an empty port", OK, get(host=b"Host:localhost:\r\n")),
    routed("an IPv6 Host", OK, get(host=b"HOST: [::1]:2197 \t\r\n")),
    routed("100 fields", OK, get(*[b"x: 1"] * 99)),
    routed("raw UTF-8 in a value", OK, get("x-field: ü".encode())),
    routed("chunks with all that they may have", OK,
           get(b"transfer-encoding: CHUNKED") + b"000A;name=\"v\"\r\n0123456789\r\n0;last\r\nx-trailer: 1\r\n\r\n"),
]

ROWS = [*REQUEST_LINES, *FIELDS, *LENGTHS, *CHUNKS, *ROUTED, *TAKEN]
