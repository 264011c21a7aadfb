import HTTP1
import HTTPCore
import TestSupport
import Testing

struct ResponseParserTests {
    @Test(arguments: responses)
    func `a response is parsed into the expected events`(_ sample: Sample) {
        #expect(ChunkingVerifier.responses().outcome(of: sample.input) == sample.events)
    }

    @Test func `a response to HEAD has no body, whatever its fields say`() {
        let input =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let events = ChunkingVerifier.responses(to: [.head, .get]).outcome(of: input)
        #expect(events == ["200 | content-length: 5", "end", "200 | content-length: 2", "body hi", "end"])
    }

    @Test func `an interim response does not count as the response to a request`() {
        let input = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let events = ChunkingVerifier.responses(to: [.head]).outcome(of: input)
        #expect(events == ["interim 100", "200 | content-length: 5", "end"])
    }

    @Test func `a body over the limit is discarded`() {
        var limits = Limits()
        limits.body = 3
        limits.discard = 4
        let verifier = ChunkingVerifier.responses(limits: limits)
        #expect(
            verifier.outcome(of: "HTTP/1.1 200 OK\r\n\r\n1234") == [
                "200, close", "body 123", "over limit", "end by close",
            ])
        #expect(
            verifier.outcome(of: "HTTP/1.1 200 OK\r\n\r\n12345678")
                == ["200, close", "body 123", "over limit", "must close"])
        #expect(
            verifier.outcome(of: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n1234")
                == ["200 | content-length: 4", "over limit", "end"])
    }

    @Test func `every error has a sentence as its reason`() {
        for reason in [BadResponse.statusLine, .version, .closedEarly, .message(.chunkSize)] {
            #expect(reason.reason.hasSuffix(".") || reason.reason.hasSuffix("?"))
        }
        #expect(BadResponse.message(.chunkSize).reason == Refusal.chunkSize.reason)
    }

    static let responses = [
        Sample(
            "with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "200 | content-length: 2", "body hi",
            "end"),
        Sample(
            "chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nA: b\r\n\r\n",
            "200 | transfer-encoding: chunked", "body hi", "end"),
        Sample(
            "until the connection closes", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nhi", "200, close | a: b", "body hi",
            "end by close"),
        Sample(
            "empty, until the connection closes", "HTTP/1.0 404 Not Found\r\n\r\n", "404 HTTP/1.0, close",
            "end by close"),
        Sample("no content", "HTTP/1.1 204 No Content\r\n\r\n", "204", "end"),
        Sample(
            "not modified", "HTTP/1.1 304 \r\nContent-Length: 9\r\n\r\n", "304 | content-length: 9", "end"),
        Sample("no reason phrase, no space", "HTTP/1.1 204\r\n\r\n", "204", "end"),
        Sample("a reason phrase outside ASCII", "HTTP/1.1 204 schön leer\r\n\r\n", "204", "end"),
        Sample(
            "close", "HTTP/1.1 204 x\r\nConnection: close\r\n\r\n", "204, close | connection: close", "end"),
        Sample(
            "keep-alive in HTTP/1.0", "HTTP/1.0 200 x\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
            "200 HTTP/1.0 | connection: keep-alive | content-length: 0", "end"),
        Sample(
            "interim responses",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nLink: a\r\n\r\nHTTP/1.1 204 x\r\n\r\n",
            "interim 100", "interim 103", "204", "end"),
        Sample(
            "fields of an interim response do not apply to the final one",
            "HTTP/1.1 103 x\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"
                + "HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n", "interim 103", "200 | content-length: 0",
            "end"),
        Sample(
            "switching protocols", "HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n\u{0}\n",
            "101 | upgrade: websocket, switched"),
        Sample("no bytes at all", ""),
        Sample("another protocol", "SSH-2.0-x\r\n", "bad: statusLine"),
        Sample("HTTP/2", "HTTP/2.0 200 OK\r\n", "bad: version"),
        Sample("two digits", "HTTP/1.1 20 OK\r\n", "bad: statusLine"),
        Sample("four digits", "HTTP/1.1 2000 OK\r\n", "bad: statusLine"),
        Sample("status under 100", "HTTP/1.1 099 OK\r\n", "bad: statusLine"),
        Sample("bare LF", "HTTP/1.1 200 OK\n", "bad: http1.bare-line-feed"),
        Sample(
            "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n",
            "bad: http1.content-length-twice"),
        Sample(
            "length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
            "bad: http1.transfer-encoding-with-length"),
        Sample(
            "bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
            "200 | transfer-encoding: chunked", "bad: http1.chunk-size"),
        Sample("closed in the status line", "HTTP/1.1 2", "bad: closedEarly"),
        Sample("closed in the head", "HTTP/1.1 200 OK\r\nA: b\r\n", "bad: closedEarly"),
        Sample(
            "closed in the body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nh", "200 | content-length: 2",
            "body h",
            "bad: closedEarly"),
        Sample(
            "closed before the last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n",
            "200 | transfer-encoding: chunked", "body h", "bad: closedEarly"),
    ]
}
