import HTTPCore

/// The status and header fields of an answer.
struct AnswerHead {
    let status: Int
    let fields: HeaderBlock
}

/// The state of one open stream.
struct ServerStream {
    let id: StreamID
    var request = Request(version: .http2)
    var phase = Phase.head
    /// The answer's head; nil before the stream has an answer, and after the head was sent.
    var head: AnswerHead?
    /// The answer's body. The bytes from `sent` on have not been sent.
    var answer: [UInt8] = []
    var sent = 0
    /// The bytes that this stream has reserved from the budget for unsent answers.
    var reservedAnswer = 0
    /// The answer is a stream that has not been finished.
    var answerIsOpen = false
    /// The answer is complete, though perhaps not sent.
    var isAnswerComplete = false
    /// The client has sent END_STREAM, or reset the stream.
    var peerHasEnded = false
    /// `ServerState.reset` has queued an RST_STREAM.
    var isReset = false
    /// nghttp2 waits until `nghttp2_session_resume_data` is called, because there was nothing to send.
    var isDeferred = false

    enum Phase {
        case head
        case body(limit: Int)
        /// The request was delivered. More bytes of its body are discarded and counted.
        case delivered(discarded: Int)
    }

    /// When the peer last sent or received data on this stream.
    var lastProgress: UInt64
    /// The time from which the minimum rate is measured: when the stream began, when its answer was given, or when
    /// bytes were added to a streamed answer that had none waiting. The latest of these counts.
    var began: UInt64

    init(id: StreamID, at now: UInt64) {
        self.id = id
        lastProgress = now
        began = now
    }

    /// Whether the body arrives or the answer is taken at less than the minimum rate.
    func isSlow(at now: UInt64, answerGrace: UInt64) -> Bool {
        if case .body = phase { return MinimumRate.isMissed(request.body.count, since: began, at: now) }
        return sent < answer.count && MinimumRate.isMissed(sent, since: began, at: now, grace: answerGrace)
    }

    /// Whether the request was answered, even if nothing has been sent.
    var hasAnswer: Bool { head != nil || isAnswerComplete || answerIsOpen }

    var hasUnsent: Bool { sent < answer.count || answerIsOpen }

    /// The request was delivered and there is nothing to send, so the server has to act next.
    var isWaitingForServer: Bool {
        guard case .delivered = phase, !isAnswerComplete else { return false }
        return sent == answer.count
    }

    /// Passes the next part of the answer to `write`; returns nil if there is nothing to send yet.
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

/// The open streams of a connection, in numbered slots, so that a callback finds its stream by a number. A free slot has
/// a stream with the id 0, which takes fewer instructions than an optional.
struct StreamTable {
    private var slots: [ServerStream] = []
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
        slots[slot] = ServerStream(id: 0, at: 0)
        free.append(slot)
        count -= 1
    }

    subscript(slot: Int) -> ServerStream {
        _read { yield slots[slot] }
        _modify { yield &slots[slot] }
    }

    var hasUnsent: Bool { slots.contains { $0.hasUnsent } }

    /// The streams that miss the minimum rate.
    func slow(at now: UInt64, answerGrace: UInt64) -> [StreamID] {
        slots.compactMap { $0.id > 0 && $0.isSlow(at: now, answerGrace: answerGrace) ? $0.id : nil }
    }

    /// The streams that have been waiting for the peer since before `time`.
    func stalled(since time: UInt64) -> [StreamID] {
        slots.compactMap { stream in
            stream.id > 0 && stream.lastProgress < time && !stream.isWaitingForServer ? stream.id : nil
        }
    }
}
