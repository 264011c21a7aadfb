package import JSON

/// Numbers from a file, which are accepted only if nothing that is later done with them can overflow.
extension PushID {
    /// The largest number of a push or of an event that is accepted from a file.
    package static let largestSaved: UInt64 = 1 << 60
}

extension ByteReader {
    /// Reads a count that is at most `limit`.
    package mutating func count(upTo limit: Int = 1 << 53) throws(Damage) -> Int {
        let number = try number()
        guard number <= UInt64(limit) else { throw Damage() }
        return Int(number)
    }

    /// Reads a number in a range.
    package mutating func signed(in range: ClosedRange<Int64>) throws(Damage) -> Int64 {
        let number = try signed()
        guard range.contains(number) else { throw Damage() }
        return number
    }

    package mutating func push() throws(Damage) -> PushID {
        let number = try number()
        guard number <= PushID.largestSaved else { throw Damage() }
        return PushID(number)
    }
}

/// A member that is missing or null is nil, or 0 if it is a count. A number out of range, and a value of another type,
/// is damage.
extension JSONView {
    private func member(_ key: String) -> JSONView? { self[key].flatMap { $0.isNull ? nil : $0 } }

    package func savedCount(_ key: String, upTo limit: Int64 = 1 << 53) throws(ByteReader.Damage) -> Int {
        guard let value = member(key) else { return 0 }
        guard let number = value.int64, 0...limit ~= number else { throw ByteReader.Damage() }
        return Int(number)
    }

    package func savedTime(_ key: String) throws(ByteReader.Damage) -> Timestamp? {
        guard let value = member(key) else { return nil }
        return try value.savedTime()
    }

    /// This value itself as a time that can be written as RFC 3339.
    package func savedTime() throws(ByteReader.Damage) -> Timestamp {
        guard let number = int64, Timestamp.representable.contains(number) else { throw ByteReader.Damage() }
        return Timestamp(milliseconds: number)
    }

    package func savedPush(_ key: String) throws(ByteReader.Damage) -> PushID? {
        guard let value = member(key) else { return nil }
        return try value.savedPush()
    }

    package func savedPush() throws(ByteReader.Damage) -> PushID {
        guard let number = uint64, number <= PushID.largestSaved else { throw ByteReader.Damage() }
        return PushID(number)
    }
}
