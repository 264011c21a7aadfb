import HTTP1
import HTTPCore
import TestSupport
import Testing

struct PipeliningTests {
    @Test func `pipelined requests are parsed one by one`() {
        let input =
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
            + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nho\r\n0\r\n\r\n\r\n"
            + "GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let events = ChunkingVerifier.requests().outcome(of: input)
        #expect(
            events == [
                "POST /1, body | host: a | content-length: 2", "body hi", "end",
                "GET /2 | host: a", "end",
                "POST /3, body | host: a | transfer-encoding: chunked", "body ho", "end",
                "GET /4, close | host: a | connection: close", "end",
            ])
    }

    @Test func `no state of a request is carried over to the next one`() {
        let input =
            "PUT / HTTP/1.1\r\nHost: a\r\nConnection: close, upgrade\r\nUpgrade: x\r\nExpect: 100-continue\r\n"
            + "Content-Length: 1\r\n\r\n1PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n2"
            + "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            + "GET / HTTP/1.1\r\n\r\n"
        let events = ChunkingVerifier.requests().outcome(of: input)
        #expect(
            events.dropFirst(3) == [
                "PUT /, body | host: a | content-length: 1", "body 2", "end",
                "GET / | host: a", "end", "refused 400 http1.host-missing",
            ])
    }

    @Test func `a malformed request does not affect the request before it`() {
        let events = ChunkingVerifier.requests().outcome(of: "GET / HTTP/1.1\r\nHost: a\r\n\r\nHELO mail\r\n")
        #expect(events == ["GET / | host: a", "end", "refused 400 http1.request-line"])
    }

    @Test func `bytes after a complete body are parsed as the next request`() {
        let input =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /admin HTTP/1.1\r\nHost: a\r\n\r\n"
        let events = ChunkingVerifier.requests().outcome(of: input)
        #expect(events == ["POST / | host: a | content-length: 0", "end", "GET /admin | host: a", "end"])
    }

    @Test func `the parser does not read past a request with an upgrade`() throws {
        let head = "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c, websocket/13\r\n\r\n"
        let input = Array(head.utf8) + [0x81, 0x00, 0x0A]
        var parser = RequestParser()
        var offset = 0
        guard case .head(let request) = try parser.next(input.span, from: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(request.offersUpgrade(to: "websocket"))
        #expect(request.offersUpgrade(to: "h2c"))
        #expect(!request.offersUpgrade(to: "h2"))
        guard case .end = try parser.next(input.span, from: &offset) else {
            Issue.record("no end")
            return
        }
        #expect(offset == head.utf8.count)
    }

    @Test func `isBetweenRequests is true only before and after a complete request`() throws {
        let input = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for count in 0...input.count {
            var parser = RequestParser()
            var offset = 0
            let part = input[..<count]
            while try parser.next(part.span, from: &offset) != nil {}
            #expect(parser.isBetweenRequests == (count == 0 || count == input.count), "\(count)")
        }
    }

    @Test func `a request has the method, path, version and authority that were sent`() throws {
        let input = Array("DELETE /x/y?z HTTP/1.0\r\nHost: b\r\n\r\n".utf8)
        var parser = RequestParser()
        var offset = 0
        guard case .head(let head) = try parser.next(input.span, from: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(head.request.method == .delete)
        #expect(head.request.version == .http10)
        #expect(head.request.path.elementsEqual("/x/y".utf8))
        #expect(head.request.authority?.elementsEqual("b".utf8) == true)
        #expect(head.request.body.isEmpty)
        #expect(head.contentLength == nil)
    }
}
