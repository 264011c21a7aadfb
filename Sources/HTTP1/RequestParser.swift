internal import HTTPCore

/// Reads HTTP/1.0 and HTTP/1.1 requests, one behind the other, from input cut anywhere.
///
/// Wherever two readers could differ about what a request says, it is refused. That `Refusal` is final: the
/// parser gives it again whenever it is asked.
package struct RequestParser: Sendable {
    package enum Event: Sendable {
        case head(Head)
        /// Where in the input body data lie.
        case body(Range<Int>)
        /// The body is longer than its limit, by its Content-Length before any of it came, or by a chunk's
        /// size before that chunk came. The rest is read and thrown away; `.end` or `.mustClose` follows.
        case bodyOverLimit
        /// More was thrown away than `Limits.discard`: answer, then close. All further input is ignored.
        case mustClose
        /// The request is whole. The input behind it is not touched; what it is depends on the answer.
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
    /// The head being read. Beside the state and not in it, so that its arrays grow in place.
    var head = MessageHead()
    var hasHost = false
    var hasExpectation = false

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// No part of a request has been read since the last one ended.
    package var isBetweenRequests: Bool {
        if case .requestLine(emptyLines: 0) = state { lines.isEmpty } else { false }
    }

    /// The head has been read, and not all of the body.
    package var isInBody: Bool {
        if case .body = state { true } else { false }
    }

    /// Sets the limit of this request's body, in octets; to be called right after its `.head`.
    package mutating func limitBody(to limit: Int) {
        precondition(limit >= 0, "a body limit of \(limit)")
        guard case .body(var reader) = state else { preconditionFailure("no head was just given") }
        reader.limit = limit
        state = .body(reader)
    }

    /// The next event from `offset` on, which is moved behind what was read. Nil: all input is used up.
    ///
    /// After a head that expects `100 Continue`, ask once more before sending it: a body whose declared
    /// length is over the limit is reported without any input.
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
                case .pieced(let bytes): try readRequestLine(bytes.span, emptyLines)
                }
            case .fields(let version, let budget):
                let line = try lines.next(
                    input, from: &offset, limit: budget.lineLimit, tooLong: budget.tooLarge)
                let isWhole: Bool
                switch line {
                case nil: return nil
                case .whole(let range): isWhole = try readField(input.extracting(range), version, budget)
                case .pieced(let bytes): isWhole = try readField(bytes.span, version, budget)
                }
                if isWhole { return .head(try finishHead(version)) }
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
