internal import PushCore

/// Clients in order of arrival, for choosing one to forget when there is no room. Clients without registrations are
/// chosen first.
struct SecondChance<Key: Hashable> {
    /// Clients without registrations, and clients with some. Entries of clients that have moved or gone since are left in
    /// their places for a time.
    private var queues = (light: Queue<Entry>(), heavy: Queue<Entry>())
    /// The number of each client's entry that counts.
    private var numbers: [Key: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    private struct Entry {
        let key: Key
        let number: UInt64
    }

    /// How many connected clients are skipped in each queue before the search gives up.
    private static var most: Int { 100 }

    /// Adds a client, or moves it to the end.
    mutating func place(_ key: Key, hasRegistrations: Bool) {
        lastNumber += 1
        numbers[key] = lastNumber
        let entry = Entry(key: key, number: lastNumber)
        if hasRegistrations { queues.heavy.append(entry) } else { queues.light.append(entry) }
        if entries > 2 * numbers.count + Self.most { compact() }
    }

    /// The number of all entries.
    var entries: Int { queues.light.count + queues.heavy.count }

    mutating func remove(_ key: Key) { numbers[key] = nil }

    /// A client that can be forgotten. Nil if all clients that were looked at are connected.
    mutating func next(isConnected: (Key) -> Bool) -> Key? {
        next(&queues.light, isConnected) ?? next(&queues.heavy, isConnected)
    }

    private func next(_ queue: inout Queue<Entry>, _ isConnected: (Key) -> Bool) -> Key? {
        var left = Self.most
        while left > 0, let entry = queue.popFirst() {
            guard numbers[entry.key] == entry.number else { continue }
            if !isConnected(entry.key) { return entry.key }
            queue.append(entry)
            left -= 1
        }
        return nil
    }

    private mutating func compact() {
        for path in [\Self.queues.light, \Self.queues.heavy] {
            var kept = Queue<Entry>()
            while let entry = self[keyPath: path].popFirst() {
                if numbers[entry.key] == entry.number { kept.append(entry) }
            }
            self[keyPath: path] = kept
        }
    }
}
