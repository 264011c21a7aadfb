import HTTP1
import TestSupport
import Testing

struct BodyLimitTests {
    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func counted(_ body: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    /// The events after the head, with a body limit of 4 bytes and a discard limit of 10.
    private func outcome(_ input: String) -> [String] {
        var limits = Limits()
        limits.discard = 10
        return Array(ChunkingVerifier.requests(limits: limits, bodyLimit: 4).outcome(of: input).dropFirst())
    }

    @Test(arguments: [
        Sample("with a length, at the limit", counted("1234"), "body 1234", "end"),
        Sample(
            "with a length, over the limit",
            counted("12345") + next, "over limit", "end", "GET /next | host: a", "end"),
        Sample(
            "with a length over the limit, before any of the body arrives",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n",
            "over limit", "unfinished"),
        Sample(
            "the largest possible length",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nx", "over limit",
            "unfinished"),
        Sample(
            "with a length, at the discard limit", counted("1234567890") + next, "over limit", "end",
            "GET /next | host: a", "end"),
        Sample(
            "with a length, over the discard limit", counted("12345678901") + next, "over limit", "must close",
            "unfinished"),
        Sample("chunked, at the limit", chunked + "2\r\n12\r\n2\r\n34\r\n0\r\n\r\n", "body 1234", "end"),
        Sample(
            "chunked, over the limit in the second chunk", chunked + "2\r\n12\r\n3\r\n345\r\n0\r\n\r\n" + next,
            "body 12", "over limit", "end", "GET /next | host: a", "end"),
        Sample(
            "chunked, over the limit by a chunk that has not arrived", chunked + "2\r\n12\r\n3\r\n", "body 12",
            "over limit",
            "unfinished"),
        Sample(
            "the largest possible chunk", chunked + "2\r\n12\r\n7fffffffffffffff\r\n", "body 12", "over limit",
            "unfinished"),
        Sample(
            "the lines of discarded chunks are counted", chunked + "5\r\n12345\r\n2\r\n12\r\n0\r\n\r\n",
            "over limit", "must close", "unfinished"),
        Sample(
            "discarded chunks at the discard limit", chunked + "7\r\n1234567\r\n0\r\n\r\n", "over limit",
            "end"),
        Sample(
            "discarded chunks must still be well-formed", chunked + "5\r\n123456\r\n", "over limit",
            "refused 400 http1.chunk-end"),
    ])
    func `a body over its limit is reported once and discarded`(_ sample: Sample) {
        #expect(outcome(sample.input) == sample.events)
    }

    @Test func `after the discard limit all input is ignored`() throws {
        var limits = Limits()
        limits.body = 1
        limits.discard = 0
        var parser = RequestParser(limits: limits)
        let input = Array((Self.counted("12") + Self.next).utf8)
        var offset = 0
        var events = 0
        while try parser.next(input.span, from: &offset) != nil { events += 1 }
        #expect(events == 3)
        #expect(offset == input.count)
        offset = 0
        #expect(try parser.next(input.span, from: &offset) == nil)
        #expect(offset == input.count)
    }

    @Test func `a limit of 0 accepts only requests without a body`() {
        let verifier = ChunkingVerifier.requests(bodyLimit: 0)
        #expect(verifier.outcome(of: Self.next) == ["GET /next | host: a", "end"])
        #expect(verifier.outcome(of: Self.counted("1"))[1...] == ["over limit", "end"])
        #expect(verifier.outcome(of: Self.chunked + "0\r\n\r\n")[1...] == ["end"])
    }

    @Test func `a Content-Length over the limit is reported before 100 Continue is sent`() throws {
        var parser = RequestParser()
        let input = Array(
            "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n".utf8)
        var offset = 0
        guard case .head(let head) = try parser.next(input.span, from: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(head.expectsContinue && head.hasBody && head.contentLength == 9)
        parser.limitBody(to: 8)
        guard case .bodyOverLimit = try parser.next(input.span, from: &offset) else {
            Issue.record("not over the limit")
            return
        }
    }
}
