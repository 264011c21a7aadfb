import HTTP1
import TestSupport
import Testing

struct MalformedHeadTests {
    @Test(arguments: requestLines + lines + fields + hosts + lengths + encodings + expectations)
    func `a malformed head is refused with its own status and id`(_ sample: Sample) {
        #expect(ChunkingVerifier.requests().outcome(of: sample.input) == sample.events)
    }

    /// A row of the tables: the input is refused before any event.
    private static func bad(_ name: String, _ input: String, _ status: Int, _ id: String) -> Sample {
        Sample(name, input, "refused \(status) http1.\(id)")
    }

    private static func badLine(_ name: String, _ line: String, _ status: Int, _ id: String) -> Sample {
        bad(name, line + "\r\nHost: a\r\n\r\n", status, id)
    }

    private static func badField(_ name: String, _ line: String, _ status: Int, _ id: String) -> Sample {
        bad(name, "POST / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n", status, id)
    }

    private static func badHost(_ value: String) -> Sample {
        bad("host “\(value)”", "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n", 400, "host")
    }

    static let requestLines = [
        badLine("no version", "GET /", 400, "request-line"),
        badLine("method only", "GET", 400, "request-line"),
        badLine("two spaces after method", "GET  / HTTP/1.1", 400, "request-line"),
        badLine("two spaces before version", "GET /  HTTP/1.1", 400, "request-line"),
        badLine("trailing space", "GET / HTTP/1.1 ", 400, "request-line"),
        badLine("leading space", " GET / HTTP/1.1", 400, "request-line"),
        badLine("leading space, no version", " GET /", 400, "request-line"),
        badLine("no target", "GET  HTTP/1.1", 400, "request-line"),
        badLine("space without a version", "GET / ", 400, "request-line"),
        badLine("space in target", "GET /a b HTTP/1.1", 400, "request-line"),
        badLine("tab after method", "GET\t/ HTTP/1.1", 400, "request-line"),
        badLine("tabs only", "GET\t/\tHTTP/1.1", 400, "request-line"),
        badLine("tab in target", "GET /a\tb HTTP/1.1", 400, "target-character"),
        badLine("tab before version", "GET / \tHTTP/1.1", 400, "version"),
        badLine("method with a colon", "GE:T / HTTP/1.1", 400, "method"),
        badLine("method with a slash", "GET/ / HTTP/1.1", 400, "method"),
        badLine("method outside ASCII", "GËT / HTTP/1.1", 400, "method"),
        badLine("method in brackets", "(GET) / HTTP/1.1", 400, "method"),
        badLine("method in lower case", "get / HTTP/1.1", 501, "method-in-lower-case"),
        badLine("method in mixed case", "Post / HTTP/1.1", 501, "method-in-lower-case"),
        bad("CONNECT with a body", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n", 400, "connect"),
        badLine("CONNECT with path", "CONNECT / HTTP/1.1", 400, "connect"),
        badLine("CONNECT with URL", "CONNECT http://a:443/ HTTP/1.1", 400, "connect"),
        badLine("CONNECT with large port", "CONNECT a:65536 HTTP/1.1", 400, "connect"),
        badLine("CONNECT without host", "CONNECT :443 HTTP/1.1", 400, "connect"),
        badLine("authority with GET", "GET a:443 HTTP/1.1", 400, "target"),
        badLine("relative target", "GET index.html HTTP/1.1", 400, "target"),
        badLine("other scheme", "GET ftp://a/ HTTP/1.1", 400, "target"),
        badLine("scheme alone", "GET http:/a HTTP/1.1", 400, "target"),
        badLine("query without path", "GET ?a HTTP/1.1", 400, "target"),
        badLine("asterisk with GET", "GET * HTTP/1.1", 400, "target-asterisk"),
        badLine("asterisk and more", "OPTIONS *a HTTP/1.1", 400, "target"),
        badLine("target outside ASCII", "GET /ä HTTP/1.1", 400, "target-character"),
        badLine("fragment", "GET /a#b HTTP/1.1", 400, "target-fragment"),
        badLine("URL without host", "GET http:///a HTTP/1.1", 400, "target-authority"),
        badLine("URL without anything after the scheme", "GET http:// HTTP/1.1", 400, "target-authority"),
        badLine("URL with a user name", "GET http://u@a/ HTTP/1.1", 400, "target-authority"),
        badLine("URL with a bad port", "GET http://a:x/ HTTP/1.1", 400, "target-authority"),
        badLine("version in lower case", "GET / http/1.1", 400, "version"),
        badLine("version without minor", "GET / HTTP/1", 400, "version"),
        badLine("version with two digits", "GET / HTTP/1.10", 400, "version"),
        badLine("version with a comma", "GET / HTTP/1,1", 400, "version"),
        badLine("version with a letter", "GET / HTTP/1.x", 400, "version"),
        badLine("another protocol", "GET / RTSP/1.0", 400, "not-http"),
        badLine("HTTP/2.0", "GET / HTTP/2.0", 505, "version-unsupported"),
        badLine("HTTP/0.9", "GET / HTTP/0.9", 505, "version-unsupported"),
        badLine("HTTP/2 preface", "PRI * HTTP/2.0", 505, "version-unsupported"),
    ]

    static let lines = [
        bad("LF after request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400, "bare-line-feed"),
        bad("LF first", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "bare-line-feed"),
        bad("LF after field", "GET / HTTP/1.1\r\nHost: a\n\r\n", 400, "bare-line-feed"),
        bad("LF for the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400, "bare-line-feed"),
        bad("CR in request line", "GET /\rHTTP/1.1\r\nHost: a\r\n\r\n", 400, "bare-carriage-return"),
        bad("two CRs", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", 400, "bare-carriage-return"),
        bad("CR in field", "GET / HTTP/1.1\r\nHost: a\rb: c\r\n\r\n", 400, "bare-carriage-return"),
        bad("CR for the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\rX", 400, "bare-carriage-return"),
        bad("NUL in request line", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "control-character"),
        bad("DEL in target", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", 400, "control-character"),
        bad("NUL in value", "GET / HTTP/1.1\r\nHost: a\r\nb: c\0d\r\n\r\n", 400, "control-character"),
        bad("form feed in value", "GET / HTTP/1.1\r\nHost: a\r\nb: \u{0C}\r\n\r\n", 400, "control-character"),
        bad("TLS hello", "\u{16}\u{03}\u{01}", 400, "control-character"),
        bad("three empty lines", "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "empty-lines"),
    ]

    static let fields = [
        badField("no colon", "abc", 400, "field-without-colon"),
        badField("no colon, trailing space", "abc ", 400, "field-without-colon"),
        badField("no name", ": b", 400, "field-name-empty"),
        badField("space before colon", "a : b", 400, "space-before-colon"),
        badField("tab before colon", "a\t: b", 400, "space-before-colon"),
        badField("space before length's colon", "Content-Length : 5", 400, "space-before-colon"),
        badField("space in name", "a b: c", 400, "field-name"),
        badField("bracket in name", "a(b: c", 400, "field-name"),
        badField("at sign in name", "a@b: c", 400, "field-name"),
        badField("name outside ASCII", "ä: c", 400, "field-name"),
        badField("pseudo-field", ":path: /", 400, "field-name-empty"),
        badField("folded with a space", "a: b\r\n c", 400, "folded-field"),
        badField("folded with a tab", "a: b\r\n\tc: d", 400, "folded-field"),
        bad("first line folded", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400, "folded-field"),
        bad("line of spaces instead of an empty line", "GET / HTTP/1.1\r\nHost: a\r\n \r\n\r\n", 400, "folded-field"),
    ]

    static let hosts = [
        bad("no host", "GET / HTTP/1.1\r\n\r\n", 400, "host-missing"),
        bad("no host with a URL", "GET http://a/ HTTP/1.1\r\n\r\n", 400, "host-missing"),
        badField("two hosts", "Host: b", 400, "host-twice"),
        badField("two equal hosts", "hOST: a", 400, "host-twice"),
        bad("two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400, "host-twice"),
        badHost(""), badHost("a b"), badHost("a/b"), badHost("u@a"), badHost("a:b"), badHost(":80"),
        badHost("a:70000"),
        badHost("a:80:80"), badHost("ä"), badHost("[::1"), badHost("[]"), badHost("[::1]x"), badHost("[g::]"),
        badHost("a%zz"), badHost("a%2"), badHost("\"a\""), badHost("http://a"),
    ]

    static let lengths = [
        badField("length twice", "Content-Length: 5\r\nContent-Length: 5", 400, "content-length-twice"),
        badField("differing lengths", "Content-Length: 5\r\nContent-Length: 6", 400, "content-length-twice"),
        badField("length list", "Content-Length: 5, 5", 400, "content-length-twice"),
        badField("positive sign", "Content-Length: +5", 400, "content-length"),
        badField("negative", "Content-Length: -5", 400, "content-length"),
        badField("inner space", "Content-Length: 5 5", 400, "content-length"),
        badField("hexadecimal", "Content-Length: 0x5", 400, "content-length"),
        badField("hexadecimal digit", "Content-Length: a", 400, "content-length"),
        badField("fraction", "Content-Length: 5.0", 400, "content-length"),
        badField("empty length", "Content-Length:", 400, "content-length"),
        badField("2^63", "Content-Length: 9223372036854775808", 400, "content-length-too-large"),
        badField("2^64 + 5", "Content-Length: 18446744073709551621", 400, "content-length-too-large"),
    ]

    static let encodings = [
        badField(
            "both", "Transfer-Encoding: chunked\r\nContent-Length: 5", 400, "transfer-encoding-with-length"),
        badField(
            "both, in the other order", "Content-Length: 5\r\nTransfer-Encoding: chunked", 400,
            "transfer-encoding-with-length"),
        badField(
            "twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400,
            "transfer-encoding-twice"),
        badField("chunked twice", "Transfer-Encoding: chunked, chunked", 400, "transfer-encoding"),
        badField("chunked not last", "Transfer-Encoding: chunked, gzip", 400, "transfer-encoding"),
        badField("parameter", "Transfer-Encoding: chunked;q=1", 400, "transfer-encoding"),
        badField("quoted", "Transfer-Encoding: \"chunked\"", 400, "transfer-encoding"),
        badField("empty element", "Transfer-Encoding: , chunked", 400, "transfer-encoding"),
        badField("empty coding", "Transfer-Encoding:", 400, "transfer-encoding"),
        badField("gzip under chunked", "Transfer-Encoding: gzip, chunked", 501, "transfer-coding-unknown"),
        badField("gzip", "Transfer-Encoding: gzip", 501, "transfer-coding-unknown"),
        badField("gzip with a parameter", "Transfer-Encoding: gzip;q=1", 501, "transfer-coding-unknown"),
        badField("identity", "Transfer-Encoding: identity", 501, "transfer-coding-unknown"),
        badField("nearly chunked", "Transfer-Encoding: xchunked", 501, "transfer-coding-unknown"),
        bad(
            "in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
            "transfer-encoding-in-http-1.0"),
    ]

    static let expectations = [
        badField("other expectation", "Expect: 200-ok", 417, "expectation"),
        badField("one known, one not", "Expect: 100-continue, x", 417, "expectation"),
        badField("empty expectation", "Expect:", 417, "expectation"),
        badField("parameter on 100-continue", "Expect: 100-continue;a=b", 417, "expectation"),
    ]
}
