internal import HTTPCore

/// Parses HTTP/1.0 and HTTP/1.1 requests, one after the other, from input split anywhere.
///
/// A request that two parsers could understand differently is refused. A `Refusal` is final: the parser throws it again
/// at every later call.
package struct RequestParser: Sendable {
    package enum Event: Sendable {
        case head(Head)
        /// The range of body data in the input.
        case body(Range<Int>)
        /// The body exceeds its limit. Reported as soon as a Content-Length or the size of a chunk shows it, before
        /// that data arrives. The rest is read and discarded; `.end` or `.mustClose` follows.
        case bodyOverLimit
        /// More than `Limits.discard` bytes were discarded: answer, then close. All further input is ignored.
        case mustClose
        /// The request is complete. The input after it has not been read, because it belongs to another protocol if the
        /// caller accepts an upgrade.
        case end
    }

    enum State {
        case requestLine(emptyLines: Int)
        case fields(HTTPVersion, FieldBudget)
        case body(BodyReader)
        case closing
        case refused(Refusal)
    }

    let limits: Limits
    var state = State.requestLine(emptyLines: 0)
    private var lines = LineReader()
    /// The head being read. It is not part of `state`, so that its arrays grow in place.
    var head = MessageHead()
    var hasHost = false
    var hasExpectation = false

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether no part of a new request has been read.
    package var isBetweenRequests: Bool {
        if case .requestLine(emptyLines: 0) = state { lines.isEmpty } else { false }
    }

    /// Whether the head is complete and the body is not.
    package var isInBody: Bool {
        if case .body = state { true } else { false }
    }

    /// The bytes of the body that have been read, with the discarded ones; 0 outside a body.
    package var bodyCount: Int {
        if case .body(let reader) = state { reader.count } else { 0 }
    }

    /// Sets the limit of this request's body, in bytes. Call it right after `.head`.
    package mutating func limitBody(to limit: Int) {
        precondition(limit >= 0, "a body limit of \(limit)")
        guard case .body(var reader) = state else { preconditionFailure("limitBody(to:) must follow .head") }
        reader.limit = limit
        state = .body(reader)
    }

    /// Returns the next event and moves `offset` past the bytes that were read. Nil if all input is used up.
    ///
    /// After a head that expects `100 Continue`, call this once more before you send it: a body whose Content-Length
    /// exceeds the limit is reported without further input.
    package mutating func next(_ input: Span<UInt8>, from offset: inout Int) throws(Refusal) -> Event? {
        do {
            return try advance(input, from: &offset)
        } catch {
            state = .refused(error)
            throw error
        }
    }

    private mutating func advance(_ input: Span<UInt8>, from offset: inout Int) throws(Refusal) -> Event? {
        while true {
            switch state {
            case .requestLine(let emptyLines):
                let line = try lines.next(
                    input, from: &offset, limit: limits.startLine, tooLong: .requestLineTooLong)
                switch line {
                case nil: return nil
                case .whole(let range): try readRequestLine(input.extracting(range), emptyLines)
                case .reassembled(let bytes): try readRequestLine(bytes.span, emptyLines)
                }
            case .fields(let version, let budget):
                let line = try lines.next(
                    input, from: &offset, limit: budget.lineLimit, tooLong: budget.tooLarge)
                let isHeadComplete: Bool
                switch line {
                case nil: return nil
                case .whole(let range): isHeadComplete = try readField(input.extracting(range), version, budget)
                case .reassembled(let bytes): isHeadComplete = try readField(bytes.span, version, budget)
                }
                if isHeadComplete { return .head(try finishHead(version)) }
            case .body(var reader):
                let event = try reader.next(input, from: &offset, lines: &lines)
                state = .body(reader)
                switch event {
                case nil: return nil
                case .data(let range): return .body(range)
                case .overLimit: return .bodyOverLimit
                case .mustClose:
                    state = .closing
                    return .mustClose
                case .end:
                    state = .requestLine(emptyLines: 0)
                    return .end
                }
            case .closing:
                offset = input.count
                return nil
            case .refused(let refusal):
                throw refusal
            }
        }
    }
}
