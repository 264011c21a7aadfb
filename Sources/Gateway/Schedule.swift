internal import HTTPCore
internal import PushCore

/// Actions to run later, ordered by their time on the gateway's clock.
struct Schedule {
    /// The connection or the stream that an action is for. When that is closed, the action has no effect.
    struct Owner {
        let connection: ConnectionID
        /// Nil if the action is for the whole connection, or for its only request.
        var stream: StreamID?
    }

    private struct Entry {
        let due: Timestamp
        /// Actions with equal times are run in the order in which they were added.
        let number: UInt64
        let owner: Owner?
        let body: () -> Void

        func isBefore(_ other: Entry) -> Bool { (due, number) < (other.due, other.number) }
    }

    /// A binary heap: an entry is before the two at twice its index plus 1 and plus 2.
    private var entries: [Entry] = []
    private var added: UInt64 = 0
    /// The number of actions that belong to connections.
    private var owned = 0
    /// The number of entries at which those of closed connections and streams are removed.
    private var purgeAt = smallestPurge

    private static let smallestPurge = 10_000
    /// If this many actions for connections wait, the delay of a new one is skipped.
    static let ownedLimit = 100_000

    var count: Int { entries.count }
    var isFull: Bool { owned >= Self.ownedLimit }
    /// When the next action is due.
    var next: Timestamp? { entries.first?.due }

    mutating func add(at due: Timestamp, for owner: Owner?, isOpen: (Owner) -> Bool, _ body: @escaping () -> Void) {
        if entries.count >= purgeAt { purge(isOpen) }
        if owner != nil { owned += 1 }
        added &+= 1
        entries.append(Entry(due: due, number: added, owner: owner, body: body))
        moveUp(from: entries.count - 1)
    }

    /// Removes and returns the next action that is due; nil if there are no more.
    mutating func takeDue(at now: Timestamp) -> (() -> Void)? {
        guard let first = entries.first, first.due <= now, let last = entries.popLast() else { return nil }
        if first.owner != nil { owned -= 1 }
        if !entries.isEmpty {
            entries[0] = last
            moveDown(from: 0)
        }
        return first.body
    }

    private mutating func purge(_ isOpen: (Owner) -> Bool) {
        entries.removeAll { entry in entry.owner.map { !isOpen($0) } ?? false }
        owned = entries.count { $0.owner != nil }
        purgeAt = max(Self.smallestPurge, 2 * entries.count)
        for index in (0..<entries.count / 2).reversed() { moveDown(from: index) }
    }

    private mutating func moveUp(from index: Int) {
        var child = index
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func moveDown(from index: Int) {
        var parent = index
        while true {
            var first = parent
            for child in 2 * parent + 1...2 * parent + 2
            where child < entries.count && entries[child].isBefore(entries[first]) {
                first = child
            }
            if first == parent { return }
            entries.swapAt(first, parent)
            parent = first
        }
    }
}
