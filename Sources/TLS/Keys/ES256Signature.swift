/// Converts between the two encodings of a P-256 signature.
enum ES256Signature {
    static let rawCount = 64

    /// Nil unless the bytes are a sequence of two non-negative integers of at most 256 bits.
    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        do {
            var reader = try DERReader.contents(ofSequence: der[...])
            guard let r = padded(try reader.next(.integer)), let s = padded(try reader.next(.integer)) else {
                return nil
            }
            return reader.isAtEnd ? r + s : nil
        } catch {
            return nil
        }
    }

    static func der(fromRaw raw: [UInt8]) -> [UInt8] {
        precondition(raw.count == rawCount, "a raw ES256 signature of \(raw.count) bytes")
        return DERWriter.sequence([
            DERWriter.unsignedInteger(raw.prefix(32)), DERWriter.unsignedInteger(raw.suffix(32)),
        ])
    }

    private static func padded(_ integer: ArraySlice<UInt8>) -> [UInt8]? {
        guard let first = integer.first, first < 0x80 else { return nil }
        let significant = integer.drop { $0 == 0 }
        guard significant.count <= 32 else { return nil }
        return [UInt8](repeating: 0, count: 32 - significant.count) + significant
    }
}
