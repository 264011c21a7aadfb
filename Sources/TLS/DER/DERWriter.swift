/// Encodes DER elements. The contents of an element are passed as encoded bytes.
enum DERWriter {
    static func element(_ tag: DERTag, _ contents: some Collection<UInt8>) -> [UInt8] {
        [tag.rawValue] + length(contents.count) + contents
    }

    static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
        element(.sequence, elements.joined().map { $0 })
    }

    static func utf8String(_ text: String) -> [UInt8] { element(.utf8String, Array(text.utf8)) }

    static let null: [UInt8] = [DERTag.null.rawValue, 0]

    /// Encodes a non-negative number given in big-endian bytes: without leading zeros, except one if the number would
    /// otherwise be negative.
    static func unsignedInteger(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let significant = Array(bytes.drop { $0 == 0 })
        let needsSign = significant.first.map { $0 >= 0x80 } ?? true
        return element(.integer, needsSign ? [0] + significant : significant)
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
