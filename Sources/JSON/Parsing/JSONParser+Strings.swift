extension JSONParser {
    /// Checks a string. The current position is at its opening quote. `JSONView` decodes the string when it is read.
    mutating func parseString(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        let quote = bytes[start]
        var flags: JSONNode.Flags = []
        position = plainEnd(bytes, from: position + 1)
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                position += 1
                if byte == quote { return appendScalar(.string, flags: flags, from: start) }
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                position += 1
                if try skipEscape(bytes) { flags.insert(.loneSurrogate) }
            case 0x00...0x1F:
                switch dialect {
                case .rfc8259: throw failure(.controlCharacter, bytes)
                case .google: position += 1
                }
            case 0x20...0x7F:
                position += 1
            default:
                try skipScalar(bytes)
            }
        }
        throw failure(.expectedClosingQuote, bytes)
    }

    /// Parses a key without quotes: letters, digits, `_` and `$`, not starting with a digit.
    ///
    /// - Returns: false if there is no such key here.
    mutating func parseBareKey(_ bytes: Span<UInt8>) -> Bool {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "$"):
                position += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where position > start: position += 1
            default:
                if position > start { appendScalar(.string, flags: .bare, from: start) }
                return position > start
            }
        }
        if position > start { appendScalar(.string, flags: .bare, from: start) }
        return position > start
    }

    /// Skips blocks of 32 plain characters, which need no check, and returns the start of the first block that
    /// contains any other character.
    ///
    /// The compiler turns a loop of this form into vector instructions.
    private func plainEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        let end = bytes.count
        while index < end {
            let stop = min(end, index &+ 32)
            var invalid: UInt8 = 0
            var next = index
            while next < stop {
                let byte = bytes[next]
                let isPlain = byte &- 0x20 < 0x60 && byte != 0x22 && byte != 0x27 && byte != 0x5C
                invalid |= isPlain ? 0 : 1
                next &+= 1
            }
            if invalid != 0 { return index }
            index = stop
        }
        return index
    }

    /// Skips the rest of an escape, after the backslash.
    ///
    /// - Returns: whether the escape is half of a surrogate pair, which is valid JSON but not a character.
    private mutating func skipEscape(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        switch byte(bytes) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
            return false
        case UInt8(ascii: "'") where dialect == .google:
            position += 1
            return false
        case UInt8(ascii: "u"):
            position += 1
            return try skipUnicodeEscape(bytes)
        case nil:
            throw failure(.expectedClosingQuote, bytes)
        default:
            throw failure(.invalidEscape, bytes)
        }
    }

    /// Skips the four digits of a `\u` escape, and the low surrogate after a high one.
    private mutating func skipUnicodeEscape(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        for _ in 0..<4 {
            guard let byte = byte(bytes) else { throw failure(.expectedClosingQuote, bytes) }
            guard JSONEscape.hexValue(byte) != nil else { throw failure(.invalidHexDigit, bytes) }
            position += 1
        }
        let unit = JSONEscape.codeUnit(at: position - 4, in: bytes) ?? 0
        if JSONEscape.isLowSurrogate(unit) { return true }
        guard JSONEscape.isHighSurrogate(unit) else { return false }
        guard JSONEscape.lowSurrogate(at: position, in: bytes) != nil else { return true }
        position += 6
        return false
    }

    /// Skips a character of two to four bytes. The ranges are those of RFC 3629: no surrogates, no overlong forms.
    private mutating func skipScalar(_ bytes: Span<UInt8>) throws(JSONError) {
        let second: ClosedRange<UInt8>
        let more: Int
        switch bytes[position] {
        case 0xC2...0xDF: (second, more) = (0x80...0xBF, 0)
        case 0xE0: (second, more) = (0xA0...0xBF, 1)
        case 0xED: (second, more) = (0x80...0x9F, 1)
        case 0xE1...0xEF: (second, more) = (0x80...0xBF, 1)
        case 0xF0: (second, more) = (0x90...0xBF, 2)
        case 0xF1...0xF3: (second, more) = (0x80...0xBF, 2)
        case 0xF4: (second, more) = (0x80...0x8F, 2)
        default: throw failure(.invalidUTF8, bytes)
        }
        position += 1
        try skipContinuation(second, bytes)
        for _ in 0..<more { try skipContinuation(0x80...0xBF, bytes) }
    }

    private mutating func skipContinuation(
        _ range: ClosedRange<UInt8>, _ bytes: Span<UInt8>
    ) throws(JSONError) {
        guard let byte = byte(bytes) else { throw failure(.expectedClosingQuote, bytes) }
        guard range.contains(byte) else { throw failure(.invalidUTF8, bytes) }
        position += 1
    }
}
