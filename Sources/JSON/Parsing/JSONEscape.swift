/// Decodes escape sequences in strings.
enum JSONEscape {
    static func hexValue(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The four hexadecimal digits at `offset`; nil if there are fewer.
    static func codeUnit(at offset: Int, in bytes: Span<UInt8>) -> UInt16? {
        guard offset + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for index in offset..<offset + 4 {
            guard let digit = hexValue(bytes[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    /// The second half of a pair, written as `\uDC00` to `\uDFFF` at `offset`.
    static func lowSurrogate(at offset: Int, in bytes: Span<UInt8>) -> UInt16? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u"), let unit = codeUnit(at: offset + 2, in: bytes),
            isLowSurrogate(unit)
        else { return nil }
        return unit
    }

    static func isHighSurrogate(_ unit: UInt16) -> Bool { unit & 0xFC00 == 0xD800 }
    static func isLowSurrogate(_ unit: UInt16) -> Bool { unit & 0xFC00 == 0xDC00 }

    /// The contents of a string that the parser has checked, with its escapes decoded. Half a surrogate pair becomes
    /// U+FFFD.
    static func decode(_ range: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                decoded.append(byte)
                index += 1
                continue
            }
            switch bytes[index + 1] {
            case UInt8(ascii: "b"): decoded.append(0x08)
            case UInt8(ascii: "f"): decoded.append(0x0C)
            case UInt8(ascii: "n"): decoded.append(0x0A)
            case UInt8(ascii: "r"): decoded.append(0x0D)
            case UInt8(ascii: "t"): decoded.append(0x09)
            case UInt8(ascii: "u"):
                let unit = codeUnit(at: index + 2, in: bytes) ?? 0xFFFD
                var value = UInt32(unit)
                if isHighSurrogate(unit), let low = lowSurrogate(at: index + 6, in: bytes) {
                    value = 0x10000 + (value - 0xD800) << 10 + UInt32(low - 0xDC00)
                    index += 6
                }
                decoded.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? .init())
                index += 4
            case let literal: decoded.append(literal)
            }
            index += 2
        }
        return decoded
    }
}
