extension Base64URL {
    /// The standard alphabet, with padding (RFC 4648 §4).
    package static func encodeStandard(_ bytes: some Sequence<UInt8>) -> String {
        let text = encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    /// Decodes the standard alphabet or the one for URLs. Padding at the end is optional. Nil if the text is not valid.
    package static func decodeAny(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var characters = text.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        if characters.count.isMultiple(of: 4) {
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { _ = characters.popLast() }
        }
        return decode(characters)
    }
}
