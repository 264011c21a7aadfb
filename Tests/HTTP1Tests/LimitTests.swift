import HTTP1
import TestSupport
import Testing

struct LimitTests {
    private var small: Limits {
        var limits = Limits()
        limits.startLine = 20
        limits.headerBytes = 30
        limits.headerFields = 3
        limits.chunkExtensions = 6
        limits.trailerBytes = 10
        limits.trailerFields = 2
        return limits
    }

    private func outcome(_ input: String) -> String? {
        ChunkingVerifier.requests(limits: small).outcome(of: input).last
    }

    @Test func `a request line may be as long as its limit, but not longer`() {
        #expect(outcome("GET /23456 HTTP/1.1\r\nHost: a\r\n\r\n") == "end")
        #expect(outcome("GET /234567 HTTP/1.1\r\nHost: a\r\n\r\n") == "end")
        #expect(
            outcome("GET /2345678 HTTP/1.1\r\nHost: a\r\n\r\n") == "refused 414 http1.request-line-too-long")
    }

    @Test func `a line that is too long is refused before its end arrives`() {
        #expect(outcome("GET /234567890123456") == "unfinished")
        #expect(outcome("GET /2345678901234567") == "refused 414 http1.request-line-too-long")
        #expect(outcome("GET / HTTP/1.1\r\na: 3456789012345678901234567") == "unfinished")
        #expect(
            outcome("GET / HTTP/1.1\r\na: 34567890123456789012345678") == "refused 431 http1.header-too-large"
        )
    }

    @Test func `the total size of the header fields is limited`() {
        // “Host: a” and its line end count for 9 of the 30 bytes.
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nb: 1234567890123456\r\n\r\n") == "end")
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nb: 1\r\nc: 23456789\r\n\r\n") == "end")
        #expect(
            outcome("GET / HTTP/1.1\r\nHost: a\r\nb: 12345678901234567\r\n\r\n")
                == "refused 431 http1.header-too-large")
        #expect(
            outcome("GET / HTTP/1.1\r\nHost: a\r\nb: 1234567890123456\r\nc:\r\n\r\n")
                == "refused 431 http1.header-too-large")
    }

    @Test func `the number of header fields is limited`() {
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nb:\r\nc:\r\n\r\n") == "end")
        #expect(
            outcome("GET / HTTP/1.1\r\nHost: a\r\nb:\r\nc:\r\nd:\r\n\r\n")
                == "refused 431 http1.too-many-fields")
    }

    private func chunkedOutcome(_ body: String) -> String? {
        var limits = small
        limits.headerBytes = 100
        return ChunkingVerifier.requests(limits: limits)
            .outcome(of: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body).last
    }

    @Test func `the total size of the chunk extensions in a body is limited`() {
        #expect(chunkedOutcome("1;23456\r\nx\r\n0\r\n\r\n") == "end")
        #expect(chunkedOutcome("1;234567\r\nx\r\n0\r\n\r\n") == "refused 400 http1.chunk-line-too-long")
        #expect(chunkedOutcome("1;23\r\nx\r\n0;23\r\n\r\n") == "end")
        #expect(chunkedOutcome("1;23\r\nx\r\n0;234\r\n\r\n") == "refused 400 http1.chunk-line-too-long")
        #expect(chunkedOutcome("1;" + String(repeating: "a", count: 20)) == "unfinished")
        #expect(
            chunkedOutcome("1;" + String(repeating: "a", count: 21))
                == "refused 400 http1.chunk-line-too-long")
    }

    @Test func `the size and number of trailer fields are limited`() {
        #expect(chunkedOutcome("0\r\na: 45678\r\n\r\n") == "end")
        #expect(chunkedOutcome("0\r\na: 456789\r\n\r\n") == "refused 431 http1.trailers-too-large")
        #expect(chunkedOutcome("0\r\na:\r\nb:\r\n\r\n") == "end")
        var limits = Limits()
        limits.trailerFields = 2
        let events = ChunkingVerifier.requests(limits: limits).outcome(
            of: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na:\r\nb:\r\nc:\r\n\r\n")
        #expect(events.last == "refused 431 http1.too-many-trailers")
    }

    @Test func `the defaults are the documented ones`() {
        func request(target: Int, field: Int = 1, fields: Int = 1) -> [UInt8] {
            var text = "GET /" + String(repeating: "t", count: target - 1) + " HTTP/1.1\r\nHost: a\r\n"
            for _ in 1..<fields { text += "b: " + String(repeating: "c", count: field) + "\r\n" }
            return Array((text + "\r\n").utf8)
        }
        // In one piece: these inputs are too long to be parsed byte by byte, as the tests above do with low limits.
        func last(_ input: [UInt8]) -> String? { ChunkingVerifier.requests().run([input[...]]).events.last }
        #expect(last(request(target: 8192 - 13)) == "end")
        #expect(last(request(target: 8192 - 12)) == "refused 414 http1.request-line-too-long")
        #expect(last(request(target: 1, field: 32768 - 9 - 5, fields: 2)) == "end")
        #expect(
            last(request(target: 1, field: 32768 - 9 - 4, fields: 2)) == "refused 431 http1.header-too-large")
        #expect(last(request(target: 1, fields: 100)) == "end")
        #expect(last(request(target: 1, fields: 101)) == "refused 431 http1.too-many-fields")
    }
}
