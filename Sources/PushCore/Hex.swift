/// Hexadecimal, both ways.
package enum Hex {
    package static let lower = Array("0123456789abcdef".utf8)
    package static let upper = Array("0123456789ABCDEF".utf8)

    /// The bytes of an even number of digits in any case; nil where it is anything else.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var index = text.startIndex
        while index < text.endIndex {
            guard let high = value(text[index]), let low = value(text[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [lower[Int($0 >> 4)], lower[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// 8-4-4-4-12 digits of plain random bits: no version, no variant, as Apple's own ids.
    package static func identifier(
        _ digits: [UInt8], using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        var bits: UInt64 = 0
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append(UInt8(ascii: "-")) }
            if place & 15 == 0 { bits = generator.next() }
            text.append(digits[Int(bits & 15)])
            bits >>= 4
        }
        return text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
