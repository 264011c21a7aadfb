internal import PushCore

/// A set of pushes. Each push is one bit, at the place of its number, in words of 64 bits. Words without a push are left
/// out.
///
/// An ordinary set of ids would be too large: a thousand calls may each have counted all pushes of the journal.
struct CountedPushes {
    private struct Word {
        let index: UInt64
        var bits: UInt64
    }

    /// In the order of their indices.
    private var words: [Word] = []
    private(set) var count = 0

    /// Adds a push. Returns false if it was there already.
    mutating func insert(_ push: PushID) -> Bool {
        let (index, bit) = Self.place(of: push)
        let position = position(of: index)
        if position == words.count || words[position].index != index {
            words.insert(Word(index: index, bits: 0), at: position)
        }
        guard words[position].bits & bit == 0 else { return false }
        words[position].bits |= bit
        count += 1
        return true
    }

    func contains(_ push: PushID) -> Bool {
        let (index, bit) = Self.place(of: push)
        let position = position(of: index)
        return position < words.count && words[position].index == index && words[position].bits & bit != 0
    }

    mutating func remove(_ push: PushID) {
        let (index, bit) = Self.place(of: push)
        let position = position(of: index)
        guard position < words.count, words[position].index == index, words[position].bits & bit != 0 else { return }
        words[position].bits &= ~bit
        if words[position].bits == 0 { words.remove(at: position) }
        count -= 1
    }

    mutating func removeAll(where isRemoved: (PushID) -> Bool) {
        for position in words.indices {
            var left = words[position].bits
            while left != 0 {
                let bit = left & (~left &+ 1)
                left &= ~bit
                let number = words[position].index << 6 | UInt64(bit.trailingZeroBitCount)
                guard isRemoved(PushID(number)) else { continue }
                words[position].bits &= ~bit
                count -= 1
            }
        }
        words.removeAll { $0.bits == 0 }
    }

    /// Removes the pushes that are in none of these rows, which are in the order of their numbers.
    mutating func removeAll(outside rows: [Journal.Row]) {
        var (kept, position): ([Word], Int) = ([], 0)
        count = 0
        for row in rows {
            let (index, bit) = Self.place(of: row.push)
            while position < words.count, words[position].index < index { position += 1 }
            guard position < words.count else { break }
            guard words[position].index == index, words[position].bits & bit != 0 else { continue }
            if kept.last?.index != index { kept.append(Word(index: index, bits: 0)) }
            kept[kept.count - 1].bits |= bit
            count += 1
        }
        words = kept
    }

    private static func place(of push: PushID) -> (index: UInt64, bit: UInt64) {
        (push.number >> 6, 1 << (push.number & 63))
    }

    /// Where the word with this index is, or where it belongs. Usually the push is newer than all counted ones.
    private func position(of index: UInt64) -> Int {
        guard let last = words.last, index <= last.index else { return words.count }
        if index == last.index { return words.count - 1 }
        var (low, high) = (0, words.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if words[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
