/// Hexadecimal, both ways.
package enum Hex {
    package static let lower = Array("0123456789abcdef".utf8)

    /// The bytes of an even number of digits in any case; nil where it is anything else.
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
        var strangers: UInt8 = 0
        var index = 0
        let end = text.count
        while index < end {
            let digit = text[index]
            let isDigit = digit &- UInt8(ascii: "0") < 10
            let isLetter = (digit | 0x20) &- UInt8(ascii: "a") < 6
            strangers |= isDigit || isLetter ? 0 : 1
            index &+= 1
        }
        return strangers == 0
    }

    /// The number that 16 digits stand for.
    static func word(_ text: Span<UInt8>, at start: Int) -> UInt64 {
        var word: UInt64 = 0
        var index = start
        let end = start &+ 16
        while index < end {
            word = word << 4 | UInt64(value(text[index]))
            index &+= 1
        }
        return word
    }

    /// Letters have bit 6 set, and the lower half of `A` is 1.
    private static func value(_ digit: UInt8) -> UInt8 { (digit & 15) &+ (digit >> 6) &* 9 }

    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [lower[Int($0 >> 4)], lower[Int($0 & 15)]] }, as: UTF8.self)
    }

    package static let identifierCount = 36

    /// 8-4-4-4-12 digits in capitals of plain random bits: no version, no variant, as Apple's own ids.
    package static func appendIdentifier(
        to text: inout OutputSpan<UInt8>, using generator: inout some RandomNumberGenerator
    ) {
        let high: UInt64 = generator.next()
        let low: UInt64 = generator.next()
        append(digits(high >> 32), 8, to: &text)
        text.append(UInt8(ascii: "-"))
        let middle = digits(high & 0xFFFF_FFFF)
        append(middle >> 32, 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(middle, 4, to: &text)
        text.append(UInt8(ascii: "-"))
        let end = digits(low >> 32)
        append(end >> 32, 4, to: &text)
        text.append(UInt8(ascii: "-"))
        append(end, 4, to: &text)
        append(digits(low & 0xFFFF_FFFF), 8, to: &text)
    }

    /// The last `count` octets of a word, the first of them first.
    private static func append(_ word: UInt64, _ count: Int, to text: inout OutputSpan<UInt8>) {
        var shift = UInt64(count) &* 8
        while shift > 0 {
            shift &-= 8
            text.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    /// Eight digits in capitals for 32 bits, all at once: each octet gets four bits, then `0`, and 7 more where it
    /// is a letter.
    private static func digits(_ bits: UInt64) -> UInt64 {
        var spread = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* 7
    }
}
