/// Reads the fields of a protobuf message one by one. A field with a type that is not expected counts as unknown, as
/// in Google's parsers.
package struct ProtoReader {
    package enum Value: Equatable {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A type that no message here uses.
        case other
    }

    /// The bytes are not a message: they end within a field, or a tag or number is impossible.
    package struct Damage: Error, Equatable {}

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; nil at the end.
    package mutating func next() throws(Damage) -> (number: Int, value: Value)? {
        if rest.isEmpty { return nil }
        let tag = try varint()
        guard let number = Int(exactly: tag >> 3), 1..<1 << 29 ~= number else { throw Damage() }
        switch tag & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed64(try fixed(8)))
        case 2:
            guard let count = Int(exactly: try varint()) else { throw Damage() }
            return (number, .bytes(try take(count)))
        case 5:
            _ = try take(4)
            return (number, .other)
        // Groups were removed from the language long ago, and no client sends them.
        default: throw Damage()
        }
    }

    private mutating func varint() throws(Damage) -> UInt64 {
        guard let number = Self.varint(&rest) else { throw Damage() }
        return number
    }

    private mutating func fixed(_ count: Int) throws(Damage) -> UInt64 {
        try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: Int) throws(Damage) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Damage() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Takes a number from the start of the bytes; nil if they end within it, or it has more than 64 bits.
    package static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        for (count, byte) in bytes.prefix(10).enumerated() {
            if shift == 63, byte > 1 { return nil }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 {
                bytes = bytes.dropFirst(count + 1)
                return number
            }
        }
        return nil
    }
}

extension ProtoReader.Value {
    package var number: UInt64? { if case .varint(let number) = self { number } else { nil } }
    package var fixed: UInt64? { if case .fixed64(let number) = self { number } else { nil } }
    package var bytes: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
