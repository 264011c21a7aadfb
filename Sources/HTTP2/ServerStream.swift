import HTTPCore

/// What is kept of one stream while it is open.
struct ServerStream {
    let id: StreamID
    var headers = HeaderBlock()
    var body: [UInt8] = []
    var bodyLimit = 0
    var phase = Phase.head
    /// The answer's bytes still to be sent start at `sent`.
    var answer: [UInt8] = []
    var sent = 0
    /// More answer may follow what is there.
    var answerIsOpen = false
    /// nghttp2 was told that there is nothing to send yet.
    var isDeferred = false

    enum Phase {
        case head
        case body
        /// The request was handed out; what still comes is thrown away and counted.
        case handedOut(discarded: Int)
        /// Refused before its head was whole: its fields are not kept.
        case refused
    }

    init(id: StreamID) {
        self.id = id
        headers.reserve(bytes: 512, fields: 16)
    }

    var hasUnsent: Bool { sent < answer.count || answerIsOpen }
}

/// The open streams of a connection in slots, so that a C callback finds its own by a number.
struct StreamTable {
    private var slots: [ServerStream?] = []
    private var free: [Int] = []
    private(set) var count = 0

    mutating func insert(_ stream: ServerStream) -> Int {
        count += 1
        if let slot = free.popLast() {
            slots[slot] = stream
            return slot
        }
        slots.append(stream)
        return slots.count - 1
    }

    mutating func remove(_ slot: Int) -> ServerStream? {
        guard let stream = slots[slot] else { return nil }
        slots[slot] = nil
        free.append(slot)
        count -= 1
        return stream
    }

    subscript(slot: Int) -> ServerStream {
        _read { yield slots[slot]! }
        _modify { yield &slots[slot]! }
    }

    var hasUnsent: Bool { slots.contains { $0?.hasUnsent ?? false } }
}
