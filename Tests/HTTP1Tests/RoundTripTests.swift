import HTTP1
import HTTPCore
import TestSupport
import Testing

struct RoundTripTests {
    static let bodies: [Response.Body] = [.none, .bytes([]), .bytes(Array("hello\r\n".utf8)), .stream]

    @Test(arguments: HTTPCore.Method.allCases, bodies)
    func `the parser reads what the encoder writes`(_ method: HTTPCore.Method, _ body: Response.Body) {
        for (version, keepAlive) in [
            (HTTPVersion.http11, true), (.http11, false), (.http10, true), (.http10, false),
        ] {
            for status in [200, 204, 304, 404, 503] {
                var encoder = ResponseEncoder(answering: method, version: version, keepAlive: keepAlive)
                var output: [UInt8] = []
                let response = Response(
                    status: status, headers: HeaderBlock([.contentType: "text/plain"]), body: body)
                encoder.respond(with: response, into: &output)
                var sent: [UInt8] = []
                switch body {
                case .none: break
                case .bytes(let bytes): sent = bytes
                case .stream:
                    for piece in ["one", "", "two"] { encoder.chunk(Array(piece.utf8)[...], into: &output) }
                    encoder.end(into: &output)
                    sent = Array("onetwo".utf8)
                }
                if method == .head || status == 204 || status == 304 { sent = [] }
                var verifier = ChunkingVerifier.responses(to: [method])
                verifier.randomSplits = 1
                let events = verifier.outcome(of: output)
                #expect(events[0].hasPrefix(encoder.mustClose ? "\(status), close |" : "\(status) |"))
                let data = events.dropFirst().dropLast()
                #expect(
                    data.elementsEqual(sent.isEmpty ? [] : ["body " + String(decoding: sent, as: UTF8.self)]))
                #expect(events.last?.hasPrefix("end") == true)
            }
        }
    }

    @Test func `an encoded request is parsed as the same request`() {
        var request = Request(
            version: .http11,
            headers: HeaderBlock([
                .method: "POST", .path: "/x?y", .authority: "a:1", .contentType: "application/json",
                .contentLength: "99", .transferEncoding: "chunked",
            ]))
        request.body = Array("{}".utf8)
        var output: [UInt8] = []
        RequestEncoder.append(request, into: &output)
        #expect(
            ChunkingVerifier.requests().outcome(of: output)
                == [
                    "POST /x?y, body | host: a:1 | content-type: application/json | content-length: 2",
                    "body {}", "end",
                ])
    }

    @Test func `content-length 0 is sent only with methods that usually have a body`() {
        func encode(_ method: String, _ version: HTTPVersion) -> String {
            var output: [UInt8] = []
            let headers = HeaderBlock([.method: method, .path: "/", .host: "b"])
            RequestEncoder.append(Request(version: version, headers: headers), into: &output)
            return String(decoding: output, as: UTF8.self)
        }
        #expect(encode("GET", .http11) == "GET / HTTP/1.1\r\nhost: b\r\n\r\n")
        #expect(encode("GET", .http10) == "GET / HTTP/1.0\r\nhost: b\r\n\r\n")
        #expect(encode("PUT", .http11) == "PUT / HTTP/1.1\r\nhost: b\r\ncontent-length: 0\r\n\r\n")
    }
}
