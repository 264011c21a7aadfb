import HTTP1
import HTTPCore
import TestSupport
import Testing

extension ChunkingVerifier<Outcome> {
    /// Parses the responses to requests with these methods. The end of the input is the end of the connection.
    static func responses(to methods: [HTTPCore.Method] = [.get], limits: Limits = Limits())
        -> ChunkingVerifier
    {
        ChunkingVerifier { pieces in readResponses(pieces, methods, limits) }
    }

    private static func readResponses(
        _ pieces: [ArraySlice<UInt8>], _ methods: [HTTPCore.Method], _ limits: Limits
    ) -> Outcome {
        var parser = ResponseParser(limits: limits)
        for method in methods { parser.requestSent(method) }
        var outcome = Outcome()
        var before = 0
        do throws(BadResponse) {
            for piece in pieces {
                var offset = 0
                while let event = try parser.next(piece.span, from: &offset) {
                    switch event {
                    case .interim(let status): outcome.add("interim \(status)", at: before + offset)
                    case .head(let head): outcome.add(describe(head), at: before + offset)
                    case .switched(let head):
                        outcome.add(describe(head) + ", switched", at: before + offset)
                        return outcome
                    case .body(let range):
                        outcome.add(body: piece.dropFirst(range.lowerBound).prefix(range.count))
                    case .bodyOverLimit: outcome.add("over limit", at: before + offset)
                    case .mustClose: outcome.add("must close", at: before + offset)
                    case .end: outcome.add("end", at: before + offset)
                    }
                }
                #expect(offset == piece.count, "next returned nil before the end of the input")
                before += offset
            }
            if case .end = try parser.inputEnded() { outcome.add("end by close", at: before) }
            outcome.finish()
        } catch {
            switch error {
            case .statusLine, .version, .closedEarly: outcome.finish("bad: \(error)")
            case .message(let refusal): outcome.finish("bad: \(refusal.id)")
            }
        }
        return outcome
    }

    private static func describe(_ head: ResponseParser.Head) -> String {
        var text = "\(head.response.status)"
        if head.version == .http10 { text += " HTTP/1.0" }
        if !head.keepAlive { text += ", close" }
        return text + describeFields(head.response.headers, from: 0)
    }
}
