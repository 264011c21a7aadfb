import HTTPCore

/// An answer without its body.
struct AnswerHead {
    let status: Int
    let fields: HeaderBlock
}

/// What is kept of one stream while it is open.
struct ServerStream {
    let id: StreamID
    var request = Request(version: .http2)
    var phase = Phase.head
    /// The answer's head, until it is sent.
    var head: AnswerHead?
    /// The answer's bytes still to be sent start at `sent`.
    var answer: [UInt8] = []
    var sent = 0
    /// What of the budget for unsent answers is this stream's.
    var heldAnswer = 0
    /// More answer may follow what is there.
    var answerIsOpen = false
    /// The whole answer is known.
    var isAnswered = false
    /// The client has sent END_STREAM, or reset the stream.
    var peerHasEnded = false
    /// nghttp2 was told that there is nothing to send yet.
    var isDeferred = false

    enum Phase {
        case head
        case body(limit: Int)
        /// The request was handed out; what still comes is thrown away and counted.
        case handedOut(discarded: Int)
    }

    /// The caller's time when the peer last sent of its body or took of the answer.
    var lastProgress: UInt64

    init(id: StreamID, at now: UInt64) {
        self.id = id
        lastProgress = now
    }

    /// One was given, whether it has left or not.
    var hasAnswer: Bool { head != nil || isAnswered || answerIsOpen }

    var hasUnsent: Bool { sent < answer.count || answerIsOpen }

    /// The request is whole and there is nothing to send: it is our turn.
    var waitsForUs: Bool {
        guard case .handedOut = phase, !isAnswered else { return false }
        return sent == answer.count
    }

    /// Moves the next part of the answer to `write`; nil where there is none yet.
    mutating func nextPart(upTo limit: Int, _ write: (ArraySlice<UInt8>) -> Void) -> (count: Int, isLast: Bool)? {
        let count = min(limit, answer.count - sent)
        if count == 0, answerIsOpen {
            isDeferred = true
            return nil
        }
        write(answer[sent..<(sent + count)])
        sent += count
        guard sent == answer.count else { return (count, false) }
        answer = []
        sent = 0
        return (count, !answerIsOpen)
    }
}

/// The open streams of a connection in slots, so that a C callback finds its own by a number.
struct StreamTable {
    private var slots: [ServerStream?] = []
    private var free: [Int] = []
    private(set) var count = 0

    mutating func insert(_ stream: consuming ServerStream) -> Int {
        count += 1
        if let slot = free.popLast() {
            slots[slot] = stream
            return slot
        }
        slots.append(stream)
        return slots.count - 1
    }

    mutating func remove(_ slot: Int) {
        slots[slot] = nil
        free.append(slot)
        count -= 1
    }

    subscript(slot: Int) -> ServerStream {
        _read { yield slots[slot]! }
        _modify { yield &slots[slot]! }
    }

    var hasUnsent: Bool { slots.contains { $0?.hasUnsent ?? false } }

    /// Streams that wait for the peer, and have since before that time.
    func stalled(since time: UInt64) -> [StreamID] {
        slots.compactMap { stream in
            guard let stream, stream.lastProgress < time, !stream.waitsForUs else { return nil }
            return stream.id
        }
    }
}
