package import HTTPCore

/// Parses HTTP/1.0 and HTTP/1.1 responses, one after the other, from input split anywhere. For clients.
package struct ResponseParser: Sendable {
    package enum Event: Sendable {
        /// An interim response, with a status from 100 to 199 but not 101. The final response follows.
        case interim(Int)
        case head(Head)
        /// Status 101: the input after it belongs to another protocol. Do not call the parser again.
        case switched(Head)
        /// The range of body data in the input.
        case body(Range<Int>)
        /// See `RequestParser.Event.bodyOverLimit`.
        case bodyOverLimit
        /// See `RequestParser.Event.mustClose`.
        case mustClose
        case end
    }

    package struct Head: Sendable {
        /// Its body is empty: the data follows as `.body` events.
        package let response: Response
        package let version: HTTPVersion
        /// The server accepts another request on this connection.
        package let keepAlive: Bool
    }

    enum State {
        case statusLine
        case fields(StatusLine, FieldBudget)
        case body(BodyReader)
        case switched
        case closing
        case failed(BadResponse)
    }

    let limits: Limits
    var state = State.statusLine
    var lines = LineReader()
    /// The head being read. It is not part of `state`, so that its arrays grow in place.
    var head = MessageHead()
    /// One entry for each request without a response, oldest first: whether it was HEAD.
    var pendingRequestIsHead: [Bool] = []

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Call this for each request that is sent: a response to HEAD has no body, whatever its fields say.
    package mutating func requestSent(_ method: Method) { pendingRequestIsHead.append(method == .head) }

    /// Returns the next event and moves `offset` past the bytes that were read. Nil if all input is used up.
    ///
    /// Must not be called after `.switched`.
    package mutating func next(_ input: Span<UInt8>, from offset: inout Int) throws(BadResponse) -> Event? {
        do {
            return try advance(input, from: &offset)
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Call this when the server has closed the connection. Returns `.end` if the body was to end there; throws if a
    /// response is incomplete.
    package mutating func inputEnded() throws(BadResponse) -> Event? {
        switch state {
        case .statusLine where lines.isEmpty, .switched, .closing: return nil
        case .body(let reader) where reader.endsWithConnection:
            state = .closing
            return .end
        case .statusLine, .fields, .body:
            state = .failed(.closedEarly)
            throw .closedEarly
        case .failed(let reason): throw reason
        }
    }

    private mutating func advance(_ input: Span<UInt8>, from offset: inout Int) throws(BadResponse) -> Event? {
        while true {
            switch state {
            case .statusLine:
                switch try readLine(input, from: &offset, limit: limits.startLine, tooLong: .headerTooLarge) {
                case nil: return nil
                case .whole(let range): try start(StatusLine(input.extracting(range)))
                case .reassembled(let bytes): try start(StatusLine(bytes.span))
                }
            case .fields(let start, let budget):
                let isHeadComplete: Bool
                switch try readLine(input, from: &offset, limit: budget.lineLimit, tooLong: budget.tooLarge) {
                case nil: return nil
                case .whole(let range): isHeadComplete = try readField(input.extracting(range), start, budget)
                case .reassembled(let bytes): isHeadComplete = try readField(bytes.span, start, budget)
                }
                if isHeadComplete { return try finishHead(start) }
            case .body(var reader):
                let event: BodyReader.Event?
                do { event = try reader.next(input, from: &offset, lines: &lines) } catch {
                    throw .message(error)
                }
                state = .body(reader)
                switch event {
                case nil: return nil
                case .data(let range): return .body(range)
                case .overLimit: return .bodyOverLimit
                case .mustClose:
                    state = .closing
                    return .mustClose
                case .end:
                    state = .statusLine
                    return .end
                }
            case .switched:
                preconditionFailure("next must not be called after .switched")
            case .closing:
                offset = input.count
                return nil
            case .failed(let reason):
                throw reason
            }
        }
    }
}
