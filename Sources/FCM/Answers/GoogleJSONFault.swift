internal import JSON

/// The messages of Google's JSON parser (docs/evidence/fcm.md §2.3, from its source): a reason, the text around the
/// fault, and a caret under it.
enum GoogleJSONFault {
    private static let contextLength = 20

    static func text(_ error: JSONError, in bytes: [UInt8]) -> String {
        let offset = start(of: error, in: bytes)
        return message(reason(error, at: offset, in: bytes), at: offset, in: bytes)
    }

    /// Adds the text around the fault and a caret under it.
    private static func message(_ reason: String, at offset: Int, in bytes: [UInt8]) -> String {
        let begin = max(0, offset - contextLength)
        let segment = bytes[begin..<min(bytes.count, offset + contextLength)]
        return "Invalid JSON payload received. \(reason)\n" + String(decoding: segment, as: UTF8.self) + "\n"
            + String(repeating: " ", count: offset - begin) + "^"
    }

    /// The offset that Google's parser reports: for numbers and literals, their first character.
    private static func start(of error: JSONError, in bytes: [UInt8]) -> Int {
        switch error.reason {
        case .invalidNumber, .leadingZero, .unknownLiteral:
            var offset = min(error.offset, bytes.count)
            while offset > 0, isLiteralByte(bytes[offset - 1]) { offset -= 1 }
            return offset
        default: return error.offset
        }
    }

    /// Whether a byte can be part of a number or a literal.
    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    private static func reason(_ error: JSONError, at offset: Int, in bytes: [UInt8]) -> String {
        switch error.reason {
        case .expectedValue: expected("Expected a value.", offset, bytes)
        case .unknownLiteral: "Expected a value."
        case .expectedValueOrArrayEnd: expected("Expected a value or ] within an array.", offset, bytes)
        case .expectedKey, .expectedKeyOrObjectEnd: expected("Expected an object key or }.", offset, bytes)
        case .expectedColon: expected("Expected : between key:value pair.", offset, bytes)
        case .expectedCommaOrArrayEnd: expected("Expected , or ] after array value.", offset, bytes)
        case .expectedCommaOrObjectEnd: expected("Expected , or } after key:value pair.", offset, bytes)
        case .expectedClosingQuote: "Closing quote expected in string."
        case .expectedEnd: "Parsing terminated before end of input."
        case .invalidNumber: isOctal(offset, bytes) ? octal : "Unable to parse number."
        case .leadingZero: octal
        case .controlCharacter, .byteOrderMark: "Unexpected token."
        case .invalidUTF8: "Encountered non UTF-8 code points."
        case .invalidEscape: "Invalid escape sequence."
        case .invalidHexDigit: "Illegal hex string."
        case .tooDeep: "Message too deep. Max recursion depth reached for key '\(key(before: offset, in: bytes))'"
        case .tooLong: "Message is too long."
        }
    }

    /// The key of the value that begins at this offset.
    private static func key(before offset: Int, in bytes: [UInt8]) -> String {
        var rest = bytes[..<min(offset, bytes.count)]
        let skipped: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "[")]
        while let last = rest.last, skipped.contains(last) { rest.removeLast() }
        guard rest.popLast() == UInt8(ascii: ":") else { return "" }
        while let last = rest.last, skipped.contains(last) { rest.removeLast() }
        guard let quote = rest.last, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return String(
                decoding: rest[(rest.lastIndex { !isLiteralByte($0) }.map { $0 + 1 } ?? 0)...], as: UTF8.self)
        }
        rest.removeLast()
        return String(decoding: rest[(rest.lastIndex(of: quote).map { $0 + 1 } ?? 0)...], as: UTF8.self)
    }

    /// The message for valid JSON that Google's parser refuses: lone surrogates, and numbers outside the range of
    /// double.
    static func text(of unrepresentableValue: JSONDocument.UnrepresentableValue, in bytes: [UInt8]) -> String {
        let reason =
            switch unrepresentableValue.kind {
            case .highSurrogateAlone: "Missing low surrogate."
            case .highSurrogateBeforeOther: "Invalid low surrogate."
            case .lowSurrogate: "Invalid unicode code point."
            case .hugeNumber: "Number exceeds the range of double."
            }
        return message(reason, at: unrepresentableValue.offset, in: bytes)
    }

    private static let octal = "Octal/hex numbers are not valid JSON values."

    private static func isOctal(_ offset: Int, _ bytes: [UInt8]) -> Bool {
        let digits = bytes[offset...].drop { $0 == UInt8(ascii: "-") }
        return digits.first == UInt8(ascii: "0")
            && digits.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    }

    /// The message for a missing token. A character that cannot start any token has its own message.
    private static func expected(_ text: String, _ offset: Int, _ bytes: [UInt8]) -> String {
        guard offset < bytes.count else { return "Unexpected end of string. \(text)" }
        switch bytes[offset] {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
            UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "-"), 0x30...0x39, UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return text
        default: return "Unexpected token."
        }
    }
}
