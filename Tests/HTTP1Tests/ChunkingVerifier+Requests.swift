import HTTP1
import HTTPCore
import TestSupport
import Testing

extension ChunkingVerifier<Outcome> {
    /// Parses requests; `bodyLimit`, if given, applies to each of them.
    static func requests(limits: Limits = Limits(), bodyLimit: Int? = nil) -> ChunkingVerifier {
        ChunkingVerifier { pieces in readRequests(pieces, limits, bodyLimit) }
    }

    private static func readRequests(
        _ pieces: [ArraySlice<UInt8>], _ limits: Limits, _ bodyLimit: Int?
    ) -> Outcome {
        var parser = RequestParser(limits: limits)
        var outcome = Outcome()
        var before = 0
        for piece in pieces {
            var offset = 0
            do throws(Refusal) {
                while let event = try parser.next(piece.span, from: &offset) {
                    switch event {
                    case .head(let head):
                        outcome.add(describe(head), at: before + offset)
                        if let bodyLimit { parser.limitBody(to: bodyLimit) }
                    case .body(let range):
                        #expect(!range.isEmpty && range.upperBound == offset)
                        outcome.add(body: piece.dropFirst(range.lowerBound).prefix(range.count))
                    case .bodyOverLimit: outcome.add("over limit", at: before + offset)
                    case .mustClose: outcome.add("must close", at: before + offset)
                    case .end: outcome.add("end", at: before + offset)
                    }
                }
            } catch {
                outcome.finish("refused \(error.status) \(error.id)")
                #expect(throws: error) { try parser.next(piece.span, from: &offset) }
                return outcome
            }
            #expect(offset == piece.count, "next returned nil before the end of the input")
            before += offset
        }
        outcome.finish(parser.isBetweenRequests ? nil : "unfinished")
        return outcome
    }

    /// Describes a head as `GET / HTTP/1.0, close, … | name: value | …`, without the defaults.
    private static func describe(_ head: RequestParser.Head) -> String {
        let headers = head.request.headers
        // CONNECT has a host and a port instead of a path.
        let second = head.request.method == .connect ? ":authority" : ":path"
        #expect(headers.prefix(2).map { String(decoding: $0.name, as: UTF8.self) } == [":method", second])
        var text = headers.prefix(2).map { String(decoding: $0.value, as: UTF8.self) }.joined(separator: " ")
        if head.request.version == .http10 { text += " HTTP/1.0" }
        if !head.keepAlive { text += ", close" }
        if head.expectsContinue { text += ", expects" }
        if let upgrade = head.upgrade { text += ", upgrade " + String(decoding: upgrade, as: UTF8.self) }
        if head.hasBody { text += ", body" }
        return text + describeFields(headers, from: 2)
    }

    static func describeFields(_ headers: HeaderBlock, from first: Int) -> String {
        headers.dropFirst(first).map {
            " | \(String(decoding: $0.name, as: UTF8.self)): " + String(decoding: $0.value, as: UTF8.self)
        }.joined()
    }
}
