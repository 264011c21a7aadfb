import HTTP1
import HTTPCore
import Testing

struct ResponseEncoderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var method = HTTPCore.Method.get
        var version = HTTPVersion.http11
        var keepAlive = true
        var status = 200
        var body = Response.Body.none
        let expected: String
        var closes = false
    }

    @Test(arguments: cases)
    func `the framing of a response follows from the request and the status`(_ sample: Case) {
        var encoder = ResponseEncoder(
            answering: sample.method, version: sample.version, keepAlive: sample.keepAlive)
        var output: [UInt8] = []
        encoder.respond(with: Response(status: sample.status, body: sample.body), into: &output)
        if case .stream = sample.body {
            encoder.chunk(Array("0123456789".utf8)[...], into: &output)
            encoder.chunk([], into: &output)
            encoder.chunk(Array("abcdefghijklmnop".utf8)[...], into: &output)
            encoder.end(into: &output)
        }
        #expect(String(decoding: output, as: UTF8.self) == sample.expected)
        #expect(encoder.mustClose == sample.closes)
    }

    private static let hello = Response.Body.bytes(Array("hello".utf8))

    static let cases = [
        Case(testDescription: "no body", expected: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
        Case(
            testDescription: "bytes", status: 404, body: hello,
            expected: "HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\nhello"),
        Case(
            testDescription: "bytes in reply to HEAD", method: .head, body: hello,
            expected: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"),
        Case(testDescription: "204", status: 204, body: hello, expected: "HTTP/1.1 204 No Content\r\n\r\n"),
        Case(testDescription: "304", status: 304, body: hello, expected: "HTTP/1.1 304 Not Modified\r\n\r\n"),
        Case(testDescription: "103", status: 103, expected: "HTTP/1.1 103 Early Hints\r\n\r\n"),
        Case(testDescription: "101", status: 101, expected: "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        Case(
            testDescription: "a status without a reason phrase", status: 599,
            expected: "HTTP/1.1 599 \r\ncontent-length: 0\r\n\r\n"),
        Case(
            testDescription: "close", keepAlive: false, body: hello,
            expected: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello", closes: true),
        Case(
            testDescription: "keep-alive in HTTP/1.0", version: .http10, body: hello,
            expected: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: keep-alive\r\n\r\nhello"),
        Case(
            testDescription: "close in HTTP/1.0", version: .http10, keepAlive: false,
            expected: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", closes: true),
        Case(
            testDescription: "stream", body: .stream,
            expected: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                + "a\r\n0123456789\r\n10\r\nabcdefghijklmnop\r\n0\r\n\r\n"),
        Case(
            testDescription: "stream in reply to HEAD", method: .head, body: .stream,
            expected: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
        Case(
            testDescription: "stream in HTTP/1.0", version: .http10, body: .stream,
            expected: "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n0123456789abcdefghijklmnop", closes: true),
        Case(
            testDescription: "stream in reply to HEAD in HTTP/1.0", method: .head, version: .http10, body: .stream,
            expected: "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\n\r\n"),
        Case(
            testDescription: "stream with 204", status: 204, body: .stream,
            expected: "HTTP/1.1 204 No Content\r\n\r\n"),
    ]

    private func encode(_ response: Response, date: String? = nil) -> String {
        var encoder = ResponseEncoder(answering: .get, version: .http11, keepAlive: true)
        var output: [UInt8] = []
        encoder.respond(with: response, date: date.map { Array($0.utf8) }, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `fields keep their order, after the date`() {
        let response = Response(
            status: 201,
            headers: HeaderBlock([.contentType: "text/plain", HeaderName("x-b"): "", .allow: "GET"]))
        #expect(
            encode(response, date: "Thu, 01 Jan 1970 00:00:00 GMT")
                == "HTTP/1.1 201 Created\r\ndate: Thu, 01 Jan 1970 00:00:00 GMT\r\ncontent-type: text/plain\r\n"
                + "x-b: \r\nallow: GET\r\ncontent-length: 0\r\n\r\n")
    }

    @Test func `a response's own date is kept`() {
        let response = Response(status: 204, headers: HeaderBlock([.date: "then"]))
        #expect(encode(response, date: "now") == "HTTP/1.1 204 No Content\r\ndate: then\r\n\r\n")
    }

    @Test func `framing fields of a response are left out`() {
        let response = Response(
            status: 200,
            headers: HeaderBlock([.contentLength: "9", .transferEncoding: "chunked", .connection: "close"]),
            body: .bytes([0x78]))
        #expect(encode(response) == "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx")
    }

    @Test func `a 101 keeps its connection field`() {
        let response = Response(
            status: 101, headers: HeaderBlock([.connection: "upgrade", .upgrade: "websocket"]))
        #expect(
            encode(response)
                == "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")
    }

    @Test func `a final response may follow interim ones`() {
        var encoder = ResponseEncoder(answering: .get, version: .http11, keepAlive: true)
        var output: [UInt8] = []
        ResponseEncoder.continue100(into: &output)
        encoder.respond(with: Response(status: 103), into: &output)
        encoder.respond(with: Response(status: 204), into: &output)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
        )
    }

    @Test(arguments: [
        200, 201, 400, 403, 404, 405, 408, 410, 413, 414, 417, 421, 426, 429, 431, 500, 501, 503, 505,
    ])
    func `every status that the server sends has a reason phrase`(_ status: Int) {
        #expect(!encode(Response(status: status)).hasPrefix("HTTP/1.1 \(status) \r\n"))
    }

    @Test func `a value with a line break traps`() async {
        await #expect(processExitsWith: .failure) {
            var encoder = ResponseEncoder(answering: .get, version: .http11, keepAlive: true)
            var output: [UInt8] = []
            let headers = HeaderBlock([.contentType: "a\r\nset-cookie: b"])
            encoder.respond(with: Response(status: 200, headers: headers), into: &output)
        }
    }

    @Test func `a second response traps`() async {
        await #expect(processExitsWith: .failure) {
            var encoder = ResponseEncoder(answering: .get, version: .http11, keepAlive: true)
            var output: [UInt8] = []
            encoder.respond(with: Response(status: 200), into: &output)
            encoder.respond(with: Response(status: 200), into: &output)
        }
    }

    @Test func `FieldSyntax accepts exactly the fields that can be sent`() {
        func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
        for name in ["a", "X-Y", "!~"] { #expect(FieldSyntax.isName(bytes(name)), "\(name)") }
        for name in ["", "a b", "a:", ":path", "ä", "a\r"] {
            #expect(!FieldSyntax.isName(bytes(name)), "\(name)")
        }
        for value in ["", "a\tb", "grün"] { #expect(FieldSyntax.isValue(bytes(value)), "\(value)") }
        for value in ["a\rb", "a\nb", "\0", "\u{7F}"] {
            #expect(!FieldSyntax.isValue(bytes(value)), "\(value)")
        }
    }
}
