/// Encoded frames to send to device sockets, each with its recipients, in the order of their events.
struct Outbox {
    /// One frame, or several consecutive frames for the same socket.
    private struct Entry {
        var recipient: ConnectionID
        /// Other sockets that get the same bytes.
        var others: ArraySlice<ConnectionID>
        var range: Range<Int>
    }

    /// The frames of all entries.
    private(set) var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The index of the first entry that has not been sent to all of its sockets.
    private var next = 0

    /// The largest number of bytes that are joined for one write to a socket.
    private static let pieceLimit = 1 << 16
    /// The largest buffer, in bytes, that `clear()` keeps for reuse.
    private static let reusableCapacity = 1 << 20

    var count: Int { entries.count - next }
    var isEmpty: Bool { next == entries.count }

    /// - Parameters:
    ///   - recipient: the first recipient.
    ///   - others: the other recipients.
    ///   - write: appends the frame.
    mutating func append(
        for recipient: ConnectionID, _ others: ArraySlice<ConnectionID>, _ write: (inout [UInt8]) -> Void
    ) {
        let start = bytes.count
        write(&bytes)
        let last = entries.count - 1
        if last >= next, entries[last].recipient == recipient, others.isEmpty, entries[last].others.isEmpty,
            bytes.count - entries[last].range.lowerBound <= Self.pieceLimit
        {
            entries[last].range = entries[last].range.lowerBound..<bytes.count
        } else {
            entries.append(Entry(recipient: recipient, others: others, range: start..<bytes.count))
        }
    }

    /// The next recipient, and the range of `bytes` to send to it.
    mutating func popFirst() -> (recipient: ConnectionID, range: Range<Int>)? {
        guard !isEmpty else { return nil }
        let (recipient, range) = (entries[next].recipient, entries[next].range)
        if let other = entries[next].others.popFirst() { entries[next].recipient = other } else { next += 1 }
        return (recipient, range)
    }

    /// Resets the outbox for reuse. Call it only when every entry has been removed.
    mutating func clear() {
        precondition(isEmpty, "\(count) entries are not sent")
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.reusableCapacity)
        entries.removeAll(keepingCapacity: true)
        next = 0
    }
}
