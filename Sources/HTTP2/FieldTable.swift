import HTTPCore

/// HPACK's dynamic table (RFC 7541 §2.3.2), as the encoder keeps it.
struct FieldTable {
    /// Names and values, one after the other, oldest first.
    private var storage: [UInt8] = []
    private var entries: [Entry] = []
    /// The total size of the entries: their bytes plus 32 for each entry.
    private var size = 0
    private(set) var limit = 4096

    private struct Entry {
        let quickKey: UInt32
        let nameCount: Int
        let valueCount: Int

        var size: Int { nameCount + valueCount + 32 }
    }

    /// The index of the newest entry, after the 61 entries of the static table. Older entries have higher indices.
    private static let firstIndex = 62

    /// The index of the field at `place` in a block's storage; nil if it is not in the table.
    func index(of place: HeaderBlock.Place, in blockStorage: Span<UInt8>) -> Int? {
        let storage = storage.span
        let field = blockStorage.extracting(Int(place.nameStart)..<Int(place.end))
        var start = 0
        for (age, entry) in entries.enumerated() {
            let end = start &+ entry.nameCount &+ entry.valueCount
            if entry.quickKey == place.quickKey, end &- start == field.count,
                storage.extracting(start..<end).equals(field)
            {
                return Self.firstIndex + entries.count - 1 - age
            }
            start = end
        }
        return nil
    }

    /// Adds the field at `place` and drops the oldest entries if necessary. A field larger than the table empties it
    /// (RFC 7541 §4.4).
    mutating func insert(_ place: HeaderBlock.Place, of blockStorage: [UInt8]) {
        let entry = Entry(quickKey: place.quickKey, nameCount: place.name.count, valueCount: place.value.count)
        shrink(to: limit - entry.size)
        guard entry.size <= limit else { return }
        entries.append(entry)
        storage += blockStorage[place.name.lowerBound..<place.value.upperBound]
        size += entry.size
    }

    mutating func setLimit(_ limit: Int) {
        self.limit = limit
        shrink(to: limit)
    }

    private mutating func shrink(to room: Int) {
        var droppedEntries = 0
        var droppedBytes = 0
        while droppedEntries < entries.count, size > room {
            let entry = entries[droppedEntries]
            size -= entry.size
            droppedBytes += entry.nameCount + entry.valueCount
            droppedEntries += 1
        }
        guard droppedEntries > 0 else { return }
        entries.removeFirst(droppedEntries)
        storage.removeFirst(droppedBytes)
    }
}
