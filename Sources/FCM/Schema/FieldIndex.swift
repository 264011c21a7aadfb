/// Finds a message's field by either of its names in constant time, since this runs for every key of every message.
///
/// A hash table with linear probing; the hash is made of the name's length and its first and last byte.
struct FieldIndex: Sendable {
    private static let size = 128

    /// For each slot the number of a name, counted from 1; 0 is an empty slot.
    private var slots = [UInt8](repeating: 0, count: size)
    // For each name: where its bytes start, how many there are, and the index of the field that it names.
    private var starts: [Int] = []
    private var counts: [Int] = []
    private var fields: [Int] = []
    /// The bytes of all names.
    private var bytes: [UInt8] = []

    init(_ message: ProtoMessage) {
        for (index, field) in message.fields.enumerated() {
            insert(Array(field.field.snake.utf8), index)
            if field.field.camel != field.field.snake { insert(Array(field.field.camel.utf8), index) }
        }
    }

    func find(_ key: Span<UInt8>) -> Int? {
        let count = key.count
        guard count > 0 else { return nil }
        var slot = Self.slot(count, key[0], key[count - 1])
        while slots[slot] != 0 {
            let name = Int(slots[slot]) - 1
            if counts[name] == count, matches(key, starts[name]) { return fields[name] }
            slot = (slot + 1) % Self.size
        }
        return nil
    }

    private func matches(_ key: Span<UInt8>, _ start: Int) -> Bool {
        var index = 0
        while index < key.count {
            if key[index] != bytes[start &+ index] { return false }
            index &+= 1
        }
        return true
    }

    private static func slot(_ count: Int, _ first: UInt8, _ last: UInt8) -> Int {
        (count &* 7 &+ Int(first) &* 31 &+ Int(last) &* 13) % size
    }

    private mutating func insert(_ name: [UInt8], _ field: Int) {
        precondition(starts.count < Self.size / 2, "too many names for the table")
        starts.append(bytes.count)
        counts.append(name.count)
        fields.append(field)
        bytes += name
        var slot = Self.slot(name.count, name[0], name[name.count - 1])
        while slots[slot] != 0 { slot = (slot + 1) % Self.size }
        slots[slot] = UInt8(starts.count)
    }
}
