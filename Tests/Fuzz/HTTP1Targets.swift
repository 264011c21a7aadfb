import HTTP1
import HTTPCore
import TestSupport

/// Requests are the same however they are cut. Options: 0 small limits, 1 a body limit after each head.
func fuzzRequests(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    Trace.demandSame(pieces) { readRequests($0, limits(pieces), bodyLimit: pieces.isSet(1) ? 5 : nil) }
}

/// Responses are the same however they are cut. Options: 0 small limits, 1 the first request was a HEAD.
func fuzzResponses(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    Trace.demandSame(pieces) { readResponses($0, limits(pieces), first: pieces.isSet(1) ? .head : .get) }
}

/// With option 0, limits so low that short inputs exceed them.
private func limits(_ pieces: Pieces) -> Limits { pieces.isSet(0) ? .small : Limits() }

private func readRequests(_ pieces: [ArraySlice<UInt8>], _ limits: Limits, bodyLimit: Int?) -> Trace {
    var parser = RequestParser(limits: limits)
    var trace = Trace()
    var before = 0
    for piece in pieces {
        let piece = Array(piece)
        var offset = 0
        do throws(Refusal) {
            while let event = try parser.next(piece.span, from: &offset) {
                switch event {
                case .head(let head):
                    trace.add(
                        describe(head),
                        at: before + offset)
                    if let bodyLimit { parser.limitBody(to: bodyLimit) }
                case .body(let range):
                    demand(!range.isEmpty && range.upperBound == offset, "body at \(range), offset \(offset)")
                    trace.add(data: piece[range])
                case .bodyOverLimit: trace.add("over limit", at: before + offset)
                case .mustClose: trace.add("must close", at: before + offset)
                case .end: trace.add("end", at: before + offset)
                }
            }
        } catch {
            trace.end("refused \(error.status) \(error.id)")
            var again: Refusal?
            do throws(Refusal) { _ = try parser.next(piece.span, from: &offset) } catch { again = error }
            demand(again == error, "a refusal was not final")
            return trace
        }
        demand(offset == piece.count, "nil with \(piece.count - offset) bytes left")
        before += offset
    }
    trace.end("between: \(parser.isBetweenRequests)")
    return trace
}

private func readResponses(_ pieces: [ArraySlice<UInt8>], _ limits: Limits, first: Method) -> Trace {
    var parser = ResponseParser(limits: limits)
    parser.requestSent(first)
    for _ in 0..<3 { parser.requestSent(.get) }
    var trace = Trace()
    var before = 0
    do throws(BadResponse) {
        for piece in pieces {
            let piece = Array(piece)
            var offset = 0
            while let event = try parser.next(piece.span, from: &offset) {
                switch event {
                case .interim(let status): trace.add("interim \(status)", at: before + offset)
                case .head(let head):
                    trace.add(
                        "\(head.response.status) \(describe(head.response.headers)) \(head.version) \(head.keepAlive)",
                        at: before + offset)
                case .switched:
                    trace.end("switched at \(before + offset)")
                    return trace
                case .body(let range):
                    demand(!range.isEmpty && range.upperBound <= piece.count, "body at \(range)")
                    trace.add(data: piece[range])
                case .bodyOverLimit: trace.add("over limit", at: before + offset)
                case .mustClose: trace.add("must close", at: before + offset)
                case .end: trace.add("end", at: before + offset)
                }
            }
            demand(offset == piece.count, "nil with \(piece.count - offset) bytes left")
            before += offset
        }
        if case .end = try parser.inputEnded() { trace.add("end by close") }
        trace.end()
    } catch {
        trace.end("bad: \(error)")
    }
    return trace
}

/// Field names and values as they are in the block.
func describe(_ headers: HeaderBlock) -> String {
    headers.map { "\(String(decoding: $0.name, as: UTF8.self)): \(Array($0.value))" }.joined(separator: " | ")
}

private func describe(_ head: RequestParser.Head) -> String {
    let wishes = "\(head.keepAlive) \(head.expectsContinue) \(head.upgrade ?? []) \(head.hasBody)"
    return "\(head.request.method) \(describe(head.request.headers)) \(wishes)"
}
