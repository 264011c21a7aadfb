extension Base64URL {
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
