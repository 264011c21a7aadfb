/// Encodes and decodes hexadecimal.
package enum Hex {
    package static let lower = Array("0123456789abcdef".utf8)

    /// The bytes of an even number of digits in upper or lower case. Nil for any other text.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2), isHex(text) else { return nil }
        return [UInt8](capacity: text.count / 2) { output in
            var index = 0
            while index &+ 1 < text.count {
                output.append(value(text[index]) << 4 | value(text[index &+ 1]))
                index &+= 2
            }
        }
    }

    static func isHex(_ text: Span<UInt8>) -> Bool {
        var invalid: UInt8 = 0
        var index = 0
        let end = text.count
        while index < end {
            let digit = text[index]
            let isDigit = digit &- UInt8(ascii: "0") < 10
            let isLetter = (digit | 0x20) &- UInt8(ascii: "a") < 6
            invalid |= isDigit || isLetter ? 0 : 1
            index &+= 1
        }
        return invalid == 0
    }

    /// The value of 16 digits.
    static func word(_ text: Span<UInt8>, at start: Int) -> UInt64 {
        half(text, at: start) << 32 | half(text, at: start + 8)
    }

    /// The value of 8 digits, computed in parallel: first the value of each digit, then neighbors are joined in three
    /// steps.
    private static func half(_ text: Span<UInt8>, at start: Int) -> UInt64 {
        let digits = text.extracting(start..<(start + 8))
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(digits[index]) }
        word = (word & 0x0F0F_0F0F_0F0F_0F0F) &+ ((word >> 6) & 0x0101_0101_0101_0101) &* 9
        word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF
        word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
        return (word | word >> 16) & 0xFFFF_FFFF
    }

    /// A letter has bit 6 set, which adds 9 here, and the lower four bits of `A` are 1.
    private static func value(_ digit: UInt8) -> UInt8 { (digit & 15) &+ (digit >> 6) &* 9 }

    package static func encode(_ bytes: [UInt8]) -> String {
        let digits = [UInt8](capacity: 2 * bytes.count) { output in
            for byte in bytes {
                output.append(lower[Int(byte >> 4)])
                output.append(lower[Int(byte & 15)])
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
