import HTTP1
import TestSupport
import Testing

struct WellFormedRequestTests {
    @Test(arguments: heads + connections + bodies)
    func `a well-formed request is parsed into the expected events`(_ sample: Sample) {
        #expect(ChunkingVerifier.requests().outcome(of: sample.input) == sample.events)
    }

    static let heads = [
        Sample("shortest", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / | host: a", "end"),
        Sample(
            "fields keep their order and get lower-case names",
            "GET / HTTP/1.1\r\nB: 1\r\nHOST: a\r\nA: 2\r\nb: 3\r\n\r\n",
            "GET / | b: 1 | host: a | a: 2 | b: 3", "end"),
        Sample(
            "white space around a value is removed, inside it is kept",
            "GET / HTTP/1.1\r\nHost:\t a \t\r\nb: c \t d\r\ne:\r\nf: \t \r\ng:h\r\n\r\n",
            "GET / | host: a | b: c \t d | e:  | f:  | g: h", "end"),
        Sample(
            "values outside ASCII", "GET / HTTP/1.1\r\nHost: a\r\nb: grün\r\n\r\n",
            "GET / | host: a | b: grün", "end"),
        Sample(
            "every token character", "GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~09azAZ: x\r\n\r\n",
            "GET / | host: a | !#$%&'*+-.^_`|~09azaz: x", "end"),
        Sample("unknown method", "M-SEARCH /x HTTP/1.1\r\nHost: a\r\n\r\n", "M-SEARCH /x | host: a", "end"),
        Sample(
            "query and colons", "POST /v1/projects/p/messages:send?a=b&c=%20 HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /v1/projects/p/messages:send?a=b&c=%20 | host: a", "end"),
        Sample(
            "characters that browsers send", "GET //a/{b}|^`\"<>[]\\ HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET //a/{b}|^`\"<>[]\\ | host: a", "end"),
        Sample("one empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / | host: a", "end"),
        Sample(
            "two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / | host: a", "end"),
        Sample("asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * | host: a", "end"),
        Sample(
            "URL", "GET http://b:8/x?y HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x?y | :authority: b:8 | host: a",
            "end"),
        Sample(
            "URL without path", "GET HTTPS://b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / | :authority: b | host: a", "end"),
        Sample(
            "URL with a query alone", "GET http://b?x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /?x | :authority: b | host: a", "end"),
        Sample(
            "URL without path for OPTIONS", "OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n",
            "OPTIONS * | :authority: b | host: a", "end"),
        Sample(
            "host with port", "GET / HTTP/1.1\r\nHost: a.b:65535\r\n\r\n", "GET / | host: a.b:65535", "end"),
        Sample("host with a colon and no port", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n", "GET / | host: a:", "end"),
        Sample("host of IPv6", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", "GET / | host: [::1]:80", "end"),
        Sample("host of IPv4", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET / | host: 127.0.0.1", "end"),
        Sample(
            "host with escapes", "GET / HTTP/1.1\r\nHost: a%2Db_~\r\n\r\n", "GET / | host: a%2Db_~", "end"),
        Sample("HTTP/1.2 is read as 1.1", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET / | host: a", "end"),
        Sample("HTTP/1.0 without host", "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0, close", "end"),
        Sample(
            "CONNECT", "CONNECT b.c:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT b.c:443 | host: a",
            "end"),
        Sample("head without its end", "GET / HTTP/1.1\r\nHost: a\r\n", "unfinished"),
        Sample("part of a request line", "GE", "unfinished"),
    ]

    static let connections = [
        Sample(
            "close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
            "GET /, close | host: a | connection: Close",
            "end"),
        Sample(
            "close among others", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, close ,keep-alive\r\n\r\n",
            "GET /, close | host: a | connection: x, close ,keep-alive", "end"),
        Sample(
            "options that only contain the word close",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: closed, x-close\r\n\r\n",
            "GET / | host: a | connection: closed, x-close", "end"),
        Sample(
            "keep-alive in HTTP/1.0", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
            "GET / HTTP/1.0 | connection: Keep-Alive", "end"),
        Sample(
            "close wins", "GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.0, close | connection: keep-alive | connection: close", "end"),
        Sample(
            "upgrade",
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n\r\n",
            "GET /, upgrade websocket | host: a | upgrade: WebSocket | connection: keep-alive, Upgrade", "end"
        ),
        Sample(
            "several upgrades",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\nUpgrade: b/1\r\n\r\n",
            "GET /, upgrade h2c,b/1 | host: a | connection: upgrade | upgrade: h2c | upgrade: b/1", "end"),
        Sample(
            "upgrade that Connection does not name", "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: b\r\n\r\n",
            "GET / | host: a | upgrade: b", "end"),
        Sample(
            "Connection names upgrade, but there is no Upgrade field",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n\r\n",
            "GET / | host: a | connection: upgrade", "end"),
        Sample(
            "upgrade in HTTP/1.0", "GET / HTTP/1.0\r\nConnection: upgrade, keep-alive\r\nUpgrade: b\r\n\r\n",
            "GET / HTTP/1.0 | connection: upgrade, keep-alive | upgrade: b", "end"),
        Sample(
            "expectation", "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
            "PUT /, expects, body | host: a | expect: 100-Continue | content-length: 1", "body x", "end"),
        Sample(
            "expectation without a body", "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            "PUT / | host: a | expect: 100-continue", "end"),
        Sample(
            "expectation in HTTP/1.0", "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
            "PUT / HTTP/1.0, close, body | expect: 100-continue | content-length: 1", "body x", "end"),
    ]

    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
    private static let chunkedHead = "POST /, body | host: a | transfer-encoding: Chunked"

    static let bodies = [
        Sample(
            "with a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            "POST /, body | host: a | content-length: 5", "body hello", "end"),
        Sample(
            "a length of 0", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
            "POST / | host: a | content-length: 0", "end"),
        Sample(
            "leading zeros",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0000000000000000000000002\r\n\r\nhi",
            "POST /, body | host: a | content-length: 0000000000000000000000002", "body hi", "end"),
        Sample(
            "with GET in HTTP/1.0", "GET / HTTP/1.0\r\nContent-Length: 2\r\n\r\n\r\n",
            "GET / HTTP/1.0, close, body | content-length: 2", "body \r\n", "end"),
        Sample(
            "incomplete", "GET / HTTP/1.0\r\nContent-Length: 9\r\n\r\nhi",
            "GET / HTTP/1.0, close, body | content-length: 9", "body hi", "unfinished"),
        Sample("chunks", chunked + "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", chunkedHead, "body hello!", "end"),
        Sample("no chunks", chunked + "0\r\n\r\n", chunkedHead, "end"),
        Sample("zeros", chunked + "0000000000000001\r\nx\r\n000\r\n\r\n", chunkedHead, "body x", "end"),
        Sample(
            "digits of either case", chunked + "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", chunkedHead,
            "body 01234567890123456789", "end"),
        Sample("extensions", chunked + "1;a=b;c=\"d e\"\r\nx\r\n0;z\r\n\r\n", chunkedHead, "body x", "end"),
        Sample(
            "line ends in data", chunked + "4\r\n\r\n\r\n\r\n0\r\n\r\n", chunkedHead, "body \r\n\r\n", "end"),
        Sample(
            "trailers are dropped, forbidden ones too",
            chunked + "1\r\nx\r\n0\r\nX-Sum: 1\r\nContent-Length: 99\r\nHost: b\r\n\r\n", chunkedHead,
            "body x", "end"),
        Sample("chunks not ended", chunked + "1\r\nx\r\n0\r\n", chunkedHead, "body x", "unfinished"),
    ]
}
