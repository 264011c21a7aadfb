/// Loops over octets in the form that the compiler turns into vector instructions: with `indices` it does not
/// (Swift 6.3: 9 instructions an octet against less than 1).
extension Span<UInt8> {
    package func count(of octet: UInt8) -> Int {
        var found = 0
        var index = 0
        let end = count
        while index < end {
            // Sums of one octet: sixteen fit into a register.
            let stop = Swift.min(end, index &+ 255)
            var part: UInt8 = 0
            while index < stop {
                part &+= self[index] == octet ? 1 : 0
                index &+= 1
            }
            found &+= Int(part)
        }
        return found
    }

    package func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        if isIdentical(to: other) { return true }
        var difference: UInt8 = 0
        var index = 0
        let end = count
        while index < end {
            difference |= self[index] ^ other[index]
            index &+= 1
        }
        return difference == 0
    }

    /// As a string, for people.
    package var text: String {
        if let valid = try? UTF8Span(validating: self) { return String(copying: valid) }
        var copy: [UInt8] = []
        copy.append(addingCapacity: count) { $0.append(self) }
        return String(decoding: copy, as: UTF8.self)
    }

    package func firstIndex(of octet: UInt8) -> Int? {
        var index = 0
        while index < count {
            if self[index] == octet { return index }
            index &+= 1
        }
        return nil
    }

    package func starts(with other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        var index = 0
        while index < other.count {
            if self[index] != other[index] { return false }
            index &+= 1
        }
        return true
    }
}
