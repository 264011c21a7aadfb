/// Keys in order. Adding or removing one moves at most `chunkLimit` others, however many there are.
package struct SortedKeys<Key: Comparable & Sendable>: Sendable {
    /// None is empty, and each is sorted. The keys of a chunk come before those of the next one.
    private var chunks: [[Key]] = []
    package private(set) var count = 0

    static var chunkLimit: Int { 512 }

    package init() {}

    /// Adds a key that is not in the list.
    package mutating func insert(_ key: Key) {
        count += 1
        guard !chunks.isEmpty else { return chunks = [[key]] }
        let chunk = chunkIndex(of: key)
        chunks[chunk].insert(key, at: Self.index(of: key, in: chunks[chunk]))
        guard chunks[chunk].count > Self.chunkLimit else { return }
        let upperHalf = Array(chunks[chunk][(Self.chunkLimit / 2)...])
        chunks[chunk].removeSubrange((Self.chunkLimit / 2)...)
        chunks.insert(upperHalf, at: chunk + 1)
    }

    /// Removes a key that is in the list.
    package mutating func remove(_ key: Key) {
        guard !chunks.isEmpty else { return }
        let chunk = chunkIndex(of: key)
        let index = Self.index(of: key, in: chunks[chunk])
        guard index < chunks[chunk].count, chunks[chunk][index] == key else { return }
        count -= 1
        chunks[chunk].remove(at: index)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    /// Removes and returns the first key; nil if the list is empty.
    package mutating func popFirst() -> Key? {
        guard let first = chunks.first?.first else { return nil }
        remove(first)
        return first
    }

    /// Removes the keys that are not before this one.
    package mutating func removeAll(from key: Key) {
        while let last = chunks.popLast() {
            count -= last.count
            let staying = last.prefix { $0 < key }
            guard !staying.isEmpty else { continue }
            count += staying.count
            return chunks.append(Array(staying))
        }
    }

    /// All keys in order.
    package var all: [Key] { Array(chunks.joined()) }

    /// At most `limit` keys in order, without the first `start`.
    package func keys(from start: Int, atMost limit: Int) -> [Key] {
        var found: [Key] = []
        var skipped = 0
        for chunk in chunks {
            if found.count >= limit { break }
            let first = max(0, start - skipped)
            skipped += chunk.count
            if first < chunk.count { found += chunk[first...].prefix(limit - found.count) }
        }
        return found
    }

    /// The last chunk that begins with this key or an earlier one, or the first chunk.
    private func chunkIndex(of key: Key) -> Int {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle][0] <= key { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The index of the first key in the chunk that is not before this one.
    private static func index(of key: Key, in chunk: [Key]) -> Int {
        var (low, high) = (0, chunk.count)
        while low < high {
            let middle = (low + high) / 2
            if chunk[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
