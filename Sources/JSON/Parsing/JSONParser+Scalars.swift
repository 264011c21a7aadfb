extension JSONParser {
    /// Parses a literal at the current position.
    ///
    /// - Parameter word: `true`, `false` or `null`; its first letter has been seen.
    mutating func parseLiteral(
        _ word: String, _ kind: JSONKind, _ bytes: Span<UInt8>
    ) throws(JSONError) {
        let start = position
        for letter in word.utf8 {
            guard byte(bytes) == letter else { throw failure(.unknownLiteral, bytes) }
            position += 1
        }
        switch byte(bytes) ?? 0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            throw failure(.unknownLiteral, bytes)
        default:
            appendScalar(kind, from: start)
        }
    }

    mutating func parseNumber(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        var flags: JSONNode.Flags = .integer
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if byte(bytes) == UInt8(ascii: "0") {
            position += 1
            if isDigit(byte(bytes)) { throw failure(.leadingZero, bytes) }
        } else {
            try skipDigits(bytes)
        }
        if byte(bytes) == UInt8(ascii: ".") {
            flags = []
            position += 1
            try skipDigits(bytes)
        }
        if byte(bytes) == UInt8(ascii: "e") || byte(bytes) == UInt8(ascii: "E") {
            flags = []
            position += 1
            if byte(bytes) == UInt8(ascii: "+") || byte(bytes) == UInt8(ascii: "-") { position += 1 }
            try skipDigits(bytes)
        }
        switch byte(bytes) ?? 0 {
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            throw failure(.invalidNumber, bytes)
        default:
            appendScalar(.number, flags: flags, from: start)
        }
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JSONError) {
        guard isDigit(byte(bytes)) else { throw failure(.invalidNumber, bytes) }
        repeat { position += 1 } while isDigit(byte(bytes))
    }

    private func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte &- UInt8(ascii: "0") < 10
    }
}
