package import HTTPCore

/// Reads HTTP/1.0 and HTTP/1.1 responses, one behind the other, from input cut anywhere. The client's side.
package struct ResponseParser: Sendable {
    package enum Event: Sendable {
        /// A status from 100 to 199 but 101; the response itself is still to come.
        case interim(Int)
        case head(Head)
        /// A 101: the input behind it belongs to another protocol, and the parser is done.
        case switched(Head)
        /// Where in the input body data lie.
        case body(Range<Int>)
        /// As in `RequestParser`.
        case bodyOverLimit
        /// As in `RequestParser`.
        case mustClose
        case end
    }

    package struct Head: Sendable {
        /// Its body is empty: the data come as events.
        package let response: Response
        package let version: HTTPVersion
        /// The server will read another request on this connection.
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
    /// The head being read, beside the state so that its arrays grow in place.
    var head = MessageHead()
    /// For each request that waits for its response whether it was HEAD, oldest first.
    var waiting: [Bool] = []

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of a request that goes out; the answer to HEAD has no body, whatever its fields say.
    package mutating func requestSent(_ method: Method) { waiting.append(method == .head) }

    /// The next event from `offset` on, which is moved behind what was read. Nil: all input is used up.
    ///
    /// Not to be called after `.switched`.
    package mutating func next(_ input: Span<UInt8>, from offset: inout Int) throws(BadResponse) -> Event? {
        do {
            return try advance(input, from: &offset)
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Takes note that the peer sends no more; the end of a body that had no length of its own.
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
                case .pieced(let bytes): try start(StatusLine(bytes.span))
                }
            case .fields(let start, let budget):
                let isWhole: Bool
                switch try readLine(input, from: &offset, limit: budget.lineLimit, tooLong: budget.tooLarge) {
                case nil: return nil
                case .whole(let range): isWhole = try readField(input.extracting(range), start, budget)
                case .pieced(let bytes): isWhole = try readField(bytes.span, start, budget)
                }
                if isWhole { return try finishHead(start) }
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
                preconditionFailure("another protocol's octets are no response")
            case .closing:
                offset = input.count
                return nil
            case .failed(let reason):
                throw reason
            }
        }
    }
}
