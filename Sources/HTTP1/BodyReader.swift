/// Reads one body, counted, chunked or up to the connection's end, and throws away what is over its limit.
struct BodyReader: Sendable {
    enum Length: Sendable {
        case exactly(Int)
        case chunked
        /// Everything until the peer closes; responses only.
        case untilClose
    }

    enum Event {
        /// Where body data lie in the input.
        case data(Range<Int>)
        /// Comes once; no data come after it.
        case overLimit
        /// The discard limit is passed too; nothing comes after it.
        case mustClose
        /// Comes last.
        case end
    }

    enum State {
        case counted(left: Int)
        case untilClose
        case chunkLine
        case chunk(left: Int)
        case chunkEnd(hasReturn: Bool)
        case trailer(FieldBudget)
    }

    var state: State
    /// Octets of data the body may have.
    var limit: Int
    private var accepted = 0
    /// Octets that may still be thrown away, once the body is over its limit.
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

    /// The body has no length of its own; the peer's close ends it.
    var endsWithConnection: Bool {
        if case .untilClose = state { true } else { false }
    }

    /// The next event; nil takes all of the input and needs more.
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
                guard let octets = try readChunkLine(input, from: &offset, lines: &lines) else { return nil }
                if discard(octets) { return .mustClose }
            case .chunk(left: 0):
                state = .chunkEnd(hasReturn: false)
            case .chunk(let left):
                let (event, taken) = take(left, of: input, from: &offset)
                state = .chunk(left: left - taken)
                if event != nil || taken < left { return event }
            case .chunkEnd(let hasReturn):
                guard offset < input.count else { return nil }
                guard input[offset] == (hasReturn ? .lineFeed : .carriageReturn) else { throw .chunkEnd }
                offset += 1
                state = hasReturn ? .chunkLine : .chunkEnd(hasReturn: true)
            case .trailer(let budget):
                guard try readTrailer(input, from: &offset, lines: &lines, budget: budget) else { return nil }
            }
        }
    }

    /// Takes what is there of the next `left` octets of data: gives them, or throws them away once over the
    /// limit.
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

    /// Counts octets of framing; true where the body is being thrown away and that was too many.
    private mutating func discard(_ count: Int) -> Bool {
        guard let discardLeft else { return false }
        self.discardLeft = max(0, discardLeft - count)
        return count > discardLeft
    }
}
