import HTTPCore

/// HPACK's dynamic table (RFC 7541 §2.3.2) as the one who sends fields keeps it.
struct FieldTable {
    /// Names and values back to back, oldest first.
    private var octets: [UInt8] = []
    private var entries: [Entry] = []
    /// What the entries count for: 32 octets more than they have, each.
    private var size = 0
    private(set) var limit = 4096

    private struct Entry {
        let quickKey: UInt32
        let nameCount: Int
        let valueCount: Int

        var size: Int { nameCount + valueCount + 32 }
    }

    /// Behind the 61 entries of the static table, newest first.
    private static let firstIndex = 62

    /// Where the field is in the table; nil where it is not.
    func index(of place: HeaderBlock.Place, in storage: Span<UInt8>) -> Int? {
        let octets = octets.span
        let field = storage.extracting(Int(place.nameStart)..<Int(place.end))
        var start = 0
        for (age, entry) in entries.enumerated() {
            let end = start &+ entry.nameCount &+ entry.valueCount
            if entry.quickKey == place.quickKey, end &- start == field.count,
                octets.extracting(start..<end).equals(field)
            {
                return Self.firstIndex + entries.count - 1 - age
            }
            start = end
        }
        return nil
    }

    /// A field that is larger than the table empties it (§4.4).
    mutating func insert(_ place: HeaderBlock.Place, of storage: [UInt8]) {
        let entry = Entry(quickKey: place.quickKey, nameCount: place.name.count, valueCount: place.value.count)
        shrink(to: limit - entry.size)
        guard entry.size <= limit else { return }
        entries.append(entry)
        octets += storage[place.name.lowerBound..<place.value.upperBound]
        size += entry.size
    }

    mutating func setLimit(_ limit: Int) {
        self.limit = limit
        shrink(to: limit)
    }

    private mutating func shrink(to room: Int) {
        var gone = 0
        var goneOctets = 0
        while gone < entries.count, size > room {
            size -= entries[gone].size
            goneOctets += entries[gone].nameCount + entries[gone].valueCount
            gone += 1
        }
        guard gone > 0 else { return }
        entries.removeFirst(gone)
        octets.removeFirst(goneOctets)
    }
}
