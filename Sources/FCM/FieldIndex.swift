/// Finds the field that a key names, by either of its names, in a few steps: what is done for every key of every message.
/// A table of numbers by length and ends of the name; where two meet, the next place is taken.
struct FieldIndex: Sendable {
    private static let size = 128

    /// For each place the number of a name, from 1 on; 0: nobody.
    private var places = [UInt8](repeating: 0, count: size)
    /// Of each name: where its octets are, how many, and which of the message's fields it names.
    private var starts: [Int] = []
    private var counts: [Int] = []
    private var fields: [Int] = []
    private var octets: [UInt8] = []

    init(_ message: ProtoMessage) {
        for (number, field) in message.fields.enumerated() {
            insert(Array(field.field.snake.utf8), number)
            if field.field.camel != field.field.snake { insert(Array(field.field.camel.utf8), number) }
        }
    }

    func find(_ key: Span<UInt8>) -> Int? {
        let count = key.count
        guard count > 0 else { return nil }
        var place = Self.place(count, key[0], key[count - 1])
        while places[place] != 0 {
            let name = Int(places[place]) - 1
            if counts[name] == count, isSame(key, starts[name]) { return fields[name] }
            place = (place + 1) % Self.size
        }
        return nil
    }

    private func isSame(_ key: Span<UInt8>, _ start: Int) -> Bool {
        var index = 0
        while index < key.count {
            if key[index] != octets[start &+ index] { return false }
            index &+= 1
        }
        return true
    }

    private static func place(_ count: Int, _ first: UInt8, _ last: UInt8) -> Int {
        (count &* 7 &+ Int(first) &* 31 &+ Int(last) &* 13) % size
    }

    private mutating func insert(_ name: [UInt8], _ number: Int) {
        precondition(starts.count < Self.size / 2, "too many names for the table")
        starts.append(octets.count)
        counts.append(name.count)
        fields.append(number)
        octets += name
        var place = Self.place(name.count, name[0], name[name.count - 1])
        while places[place] != 0 { place = (place + 1) % Self.size }
        places[place] = UInt8(starts.count)
    }
}
