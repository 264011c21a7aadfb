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
        half(text, at: start) << 32 | half(text, at: start + 8)
    }

    /// The number that 8 digits stand for, all at once: `value` of each octet, then neighbours joined three times.
    private static func half(_ text: Span<UInt8>, at start: Int) -> UInt64 {
        let digits = text.extracting(start..<(start + 8))
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(digits[index]) }
        word = (word & 0x0F0F_0F0F_0F0F_0F0F) &+ ((word >> 6) & 0x0101_0101_0101_0101) &* 9
        word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF
        word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF
        return (word | word >> 16) & 0xFFFF_FFFF
    }

    /// Letters have bit 6 set, and the lower half of `A` is 1.
    private static func value(_ digit: UInt8) -> UInt8 { (digit & 15) &+ (digit >> 6) &* 9 }

    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [lower[Int($0 >> 4)], lower[Int($0 & 15)]] }, as: UTF8.self)
    }

    package static let identifierCount = 36

    /// Writes 8-4-4-4-12 digits in capitals of plain random bits: no version, no variant, as Apple's own ids.
    package static func writeIdentifier(
        over text: inout MutableSpan<UInt8>, at start: Int, using generator: inout Random
    ) {
        let high = generator.next()
        let low = generator.next()
        let middle = digits(high & 0xFFFF_FFFF)
        let end = digits(low >> 32)
        write(digits(high >> 32), 8, over: &text, at: start)
        write(middle >> 32, 4, over: &text, at: start + 9)
        write(middle, 4, over: &text, at: start + 14)
        write(end >> 32, 4, over: &text, at: start + 19)
        write(end, 4, over: &text, at: start + 24)
        write(digits(low & 0xFFFF_FFFF), 8, over: &text, at: start + 28)
        for dash in 0..<4 { text[start + 8 + 5 * dash] = UInt8(ascii: "-") }
    }

    /// One as text, where it is no template's value.
    package static func identifier(using generator: inout Random) -> String {
        var text = [UInt8](repeating: 0, count: identifierCount)
        var octets = text.mutableSpan
        writeIdentifier(over: &octets, at: 0, using: &generator)
        return String(decoding: text, as: UTF8.self)
    }

    /// The last `count` octets of a word, the first of them first.
    private static func write(_ word: UInt64, _ count: Int, over text: inout MutableSpan<UInt8>, at start: Int) {
        for index in 0..<count { text[start + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * (count - 1 - index))) }
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
