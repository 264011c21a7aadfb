/// Reads one body and discards the part over its limit. The body has a length, is chunked, or ends with the connection.
struct BodyReader: Sendable {
    enum Length: Sendable {
        case exactly(Int)
        case chunked
        /// Everything until the server closes the connection; responses only.
        case untilClose
    }

    enum Event {
        /// The range of body data in the input.
        case data(Range<Int>)
        /// The body exceeds its limit. Reported once; no data follows.
        case overLimit
        /// The discard limit is exceeded too. No event follows.
        case mustClose
        /// The body is complete. No event follows.
        case end
    }

    enum State {
        case counted(left: Int)
        case untilClose
        case chunkLine
        case chunk(left: Int)
        case chunkEnd(hasCarriageReturn: Bool)
        case trailer(FieldBudget)
    }

    var state: State
    /// The maximum number of bytes of data in the body.
    var limit: Int
    private var accepted = 0
    /// The bytes that may still be discarded; nil until the body exceeds its limit.
    private var discardLeft: Int?
    var extensionsLeft: Int
    let limits: Limits

    init(_ length: Length, limits: Limits) {
        switch length {
        case .exactly(let count): state = .counted(left: count)
        case .chunked: state = .chunkLine
        case .untilClose: state = .untilClose
        }
        limit = limits.body
        extensionsLeft = limits.chunkExtensions
        self.limits = limits
    }

    /// The bytes that have been read. Chunk framing counts only after the body has exceeded its limit.
    var count: Int { accepted + (discardLeft.map { limits.discard - $0 } ?? 0) }

    /// The body ends when the server closes the connection.
    var endsWithConnection: Bool {
        if case .untilClose = state { true } else { false }
    }

    /// The next event; nil if all input is used up and more is needed.
    mutating func next(
        _ input: Span<UInt8>, from offset: inout Int, lines: inout LineReader
    ) throws(Refusal) -> Event? {
        while true {
            switch state {
            case .counted(left: 0):
                return .end
            case .counted(let left):
                let (event, taken) = take(left, of: input, from: &offset)
                state = .counted(left: left - taken)
                if event != nil || taken < left { return event }
            case .untilClose:
                guard offset < input.count else { return nil }
                let room = accepted < limit ? limit - accepted : input.count
                let (event, _) = take(min(input.count - offset, room), of: input, from: &offset)
                if event != nil { return event }
            case .chunkLine:
                guard let count = try readChunkLine(input, from: &offset, lines: &lines) else { return nil }
                if discard(count) { return .mustClose }
            case .chunk(left: 0):
                state = .chunkEnd(hasCarriageReturn: false)
            case .chunk(let left):
                let (event, taken) = take(left, of: input, from: &offset)
                state = .chunk(left: left - taken)
                if event != nil || taken < left { return event }
            case .chunkEnd(let hasCarriageReturn):
                guard offset < input.count else { return nil }
                guard input[offset] == (hasCarriageReturn ? .lineFeed : .carriageReturn) else { throw .chunkEnd }
                offset += 1
                state = hasCarriageReturn ? .chunkLine : .chunkEnd(hasCarriageReturn: true)
            case .trailer(let budget):
                guard try readTrailer(input, from: &offset, lines: &lines, budget: budget) else { return nil }
            }
        }
    }

    /// Takes the available part of the next `left` bytes of data, and either returns it as an event or discards it if
    /// the body is over its limit.
    private mutating func take(
        _ left: Int, of input: Span<UInt8>, from offset: inout Int
    ) -> (event: Event?, taken: Int) {
        let count = min(left, input.count - offset)
        if let discardLeft {
            let taken = min(count, discardLeft)
            offset += taken
            self.discardLeft = discardLeft - taken
            return (taken < count ? .mustClose : nil, taken)
        }
        guard left <= limit - accepted else {
            discardLeft = limits.discard
            return (.overLimit, 0)
        }
        guard count > 0 else { return (nil, 0) }
        defer { offset += count }
        accepted += count
        return (.data(offset..<offset + count), count)
    }

    /// Counts bytes of chunk framing against the discard limit. Returns true if the limit is exceeded; always false
    /// while the body is within its limit.
    private mutating func discard(_ count: Int) -> Bool {
        guard let discardLeft else { return false }
        self.discardLeft = max(0, discardLeft - count)
        return count > discardLeft
    }
}
