import JSON
import Testing

struct RefusalTests {
    @Test(arguments: [
        Refusal("", .expectedValue, 0), Refusal(" ", .expectedValue, 1),
        Refusal("[", .expectedValueOrArrayEnd, 1), Refusal("[1", .expectedCommaOrArrayEnd, 2),
        Refusal("[1,", .expectedValue, 3), Refusal("[1,]", .expectedValue, 3),
        Refusal("[,1]", .expectedValueOrArrayEnd, 1), Refusal("[1,,2]", .expectedValue, 3),
        Refusal("[,]", .expectedValueOrArrayEnd, 1), Refusal("[\"\",]", .expectedValue, 4),
        Refusal("[3[4]]", .expectedCommaOrArrayEnd, 2),
        Refusal("[1 true]", .expectedCommaOrArrayEnd, 3),
        Refusal("[\"a\" \"b\"]", .expectedCommaOrArrayEnd, 5),
        Refusal("[\"\": 1]", .expectedCommaOrArrayEnd, 3),
        Refusal("[1]]", .expectedEnd, 3), Refusal("[1}", .expectedCommaOrArrayEnd, 2),
        Refusal("[}", .expectedValueOrArrayEnd, 1), Refusal("]", .expectedValue, 0),
        Refusal("[1]x", .expectedEnd, 3), Refusal("1]", .expectedEnd, 1), Refusal("[][]", .expectedEnd, 2),
        Refusal("<null>", .expectedValue, 0),
        Refusal("['a']", .expectedValueOrArrayEnd, 1), Refusal("[*]", .expectedValueOrArrayEnd, 1),
        Refusal("//x\n1", .expectedValue, 0), Refusal("1/**/", .expectedEnd, 1),
    ])
    func `a malformed array is refused`(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        Refusal("{", .expectedKeyOrObjectEnd, 1), Refusal("{,}", .expectedKeyOrObjectEnd, 1),
        Refusal("{1:1}", .expectedKeyOrObjectEnd, 1),
        Refusal("{a:1}", .expectedKeyOrObjectEnd, 1), Refusal("{'a':1}", .expectedKeyOrObjectEnd, 1),
        Refusal("{\"a\"", .expectedColon, 4), Refusal("{\"a\"}", .expectedColon, 4),
        Refusal("{\"a\",1}", .expectedColon, 4), Refusal("{\"a\" 1}", .expectedColon, 5),
        Refusal("{\"a\":", .expectedValue, 5), Refusal("{\"a\":}", .expectedValue, 5),
        Refusal("{\"a\"::1}", .expectedValue, 5), Refusal("{\"a\":1", .expectedCommaOrObjectEnd, 6),
        Refusal("{\"a\":1 \"b\":2}", .expectedCommaOrObjectEnd, 7),
        Refusal("{\"a\":1,}", .expectedKey, 7), Refusal("{\"a\":1,,\"b\":2}", .expectedKey, 7),
        Refusal("{\"a\":1,", .expectedKey, 7), Refusal("{\"a\":1]", .expectedCommaOrObjectEnd, 6),
        Refusal("{\"a\":1}}", .expectedEnd, 7), Refusal("{\"a\":1}#", .expectedEnd, 7),
        Refusal("{null:1}", .expectedKeyOrObjectEnd, 1), Refusal("{[]:1}", .expectedKeyOrObjectEnd, 1),
        Refusal("{\"a\":1;}", .expectedCommaOrObjectEnd, 6), Refusal("}", .expectedValue, 0),
        Refusal("{]", .expectedKeyOrObjectEnd, 1),
    ])
    func `a malformed object is refused`(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        Refusal("[-]", .invalidNumber, 2), Refusal("-", .invalidNumber, 1), Refusal("+1", .invalidNumber, 0),
        Refusal(".5", .invalidNumber, 0), Refusal("1.", .invalidNumber, 2),
        Refusal("[1.]", .invalidNumber, 3), Refusal("1.e1", .invalidNumber, 2),
        Refusal("1e", .invalidNumber, 2), Refusal("[1e+]", .invalidNumber, 4),
        Refusal("1eE2", .invalidNumber, 2),
        Refusal("0e", .invalidNumber, 2), Refusal("01", .leadingZero, 1), Refusal("-01", .leadingZero, 2),
        Refusal("00", .leadingZero, 1), Refusal("[-012]", .leadingZero, 3),
        Refusal("0x1", .invalidNumber, 1), Refusal("1x", .invalidNumber, 1),
        Refusal("1_000", .invalidNumber, 1), Refusal("1.2.3", .invalidNumber, 3),
        Refusal("--1", .invalidNumber, 1),
        Refusal("1+2", .invalidNumber, 1), Refusal("1 000", .expectedEnd, 2),
        Refusal("-Infinity", .invalidNumber, 1), Refusal("-.1", .invalidNumber, 1),
        Refusal("1e1.5", .invalidNumber, 3),
        Refusal("NaN", .unknownLiteral, 0), Refusal("Infinity", .unknownLiteral, 0),
        Refusal("１", .expectedValue, 0),
        Refusal("nul", .unknownLiteral, 3), Refusal("[nul]", .unknownLiteral, 4),
        Refusal("tru", .unknownLiteral, 3), Refusal("True", .unknownLiteral, 0),
        Refusal("fals3", .unknownLiteral, 4),
        Refusal("truey", .unknownLiteral, 4), Refusal("nullnull", .unknownLiteral, 4),
        Refusal("undefined", .unknownLiteral, 0), Refusal("true_", .unknownLiteral, 4),
        Refusal("t\u{0}", .unknownLiteral, 1),
    ])
    func `a malformed number or literal is refused`(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: [
        Refusal("\"", .expectedClosingQuote, 1), Refusal("\"a", .expectedClosingQuote, 2),
        Refusal("[\"a]", .expectedClosingQuote, 4), Refusal("\"\\", .expectedClosingQuote, 2),
        Refusal("\"\\\"", .expectedClosingQuote, 3), Refusal("\"\\u", .expectedClosingQuote, 3),
        Refusal("\"\\u00A", .expectedClosingQuote, 6), Refusal("\"\\uD800\\", .expectedClosingQuote, 8),
        Refusal("\"\\a\"", .invalidEscape, 2), Refusal("\"\\x00\"", .invalidEscape, 2),
        Refusal("\"\\'\"", .invalidEscape, 2), Refusal("\"\\U0041\"", .invalidEscape, 2),
        Refusal("\"\\ \"", .invalidEscape, 2), Refusal("\"\\\u{0}\"", .invalidEscape, 2),
        Refusal("\"\\😀\"", .invalidEscape, 2), Refusal("\"\\\n\"", .invalidEscape, 2),
        Refusal("\"\\0\"", .invalidEscape, 2),
        Refusal("\"\\uqqqq\"", .invalidHexDigit, 3), Refusal("\"\\u00G0\"", .invalidHexDigit, 5),
        Refusal("\"\\u123\"", .invalidHexDigit, 6), Refusal("\"\\u-123\"", .invalidHexDigit, 3),
        Refusal("\"\\uD800\\u\"", .invalidHexDigit, 9), Refusal("\"\\uD800\\u1x\"", .invalidHexDigit, 10),
        Refusal("\"\\uD800\\x\"", .invalidEscape, 8),
        Refusal("\"a\nb\"", .controlCharacter, 2), Refusal("\"a\tb\"", .controlCharacter, 2),
        Refusal("\"\u{0}\"", .controlCharacter, 1), Refusal("\"\u{1F}\"", .controlCharacter, 1),
        Refusal("{\"\u{1}\":1}", .controlCharacter, 2), Refusal("\u{0}", .expectedValue, 0),
        Refusal("[\u{C}]", .expectedValueOrArrayEnd, 1), Refusal("1\u{0}", .expectedEnd, 1),
        Refusal("[\u{B}1]", .expectedValueOrArrayEnd, 1), Refusal("[\u{A0}1]", .expectedValueOrArrayEnd, 1),
        Refusal("[1\u{2060}]", .expectedCommaOrArrayEnd, 2),
        Refusal("\u{FEFF}1", .byteOrderMark, 0), Refusal("\u{FEFF}", .byteOrderMark, 0),
        Refusal("1\u{FEFF}", .expectedEnd, 1),
    ])
    func `malformed strings and other white space are refused`(_ refusal: Refusal) { refusal.check() }

    @Test(
        arguments: [
            ([0x80], 0), ([0xBF], 0), ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xC3, 0x22], 1),
            ([0xE0, 0x80, 0x80], 1), ([0xE0, 0xFF], 1), ([0xED, 0xA0, 0x80], 1),
            ([0xE2, 0x82, 0x22], 2), ([0xF0, 0x80, 0x80, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
            ([0xF5, 0x80], 0), ([0xF0, 0x9F, 0x92, 0x41], 3), ([0xFC], 0), ([0xFF], 0), ([0x61, 0xE9], 2),
        ] as [([UInt8], Int)])
    func `a string that is not UTF-8 is refused at its first invalid byte`(_ bytes: [UInt8], _ place: Int) {
        let quote = UInt8(ascii: "\"")
        Refusal(bytes: [quote] + bytes + [quote], .invalidUTF8, 1 + place).check()
        Refusal(bytes: Array("{\"".utf8) + bytes + Array("\":1}".utf8), .invalidUTF8, 2 + place).check()
    }

    @Test(arguments: [
        Refusal(bytes: [0x22, 0xC3], .expectedClosingQuote, 2),
        Refusal(bytes: [0x22, 0xF0, 0x9F], .expectedClosingQuote, 3),
        Refusal(bytes: [0x5B, 0xFF, 0x5D], .expectedValueOrArrayEnd, 1),
        Refusal(bytes: [0xEF, 0xBB], .expectedValue, 0),
        Refusal(bytes: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], .expectedValue, 0),
        Refusal(bytes: [0x5B, 0, 0x5D, 0], .expectedValueOrArrayEnd, 1),
    ])
    func `truncated characters and other encodings are refused`(_ refusal: Refusal) { refusal.check() }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func `ten thousand levels of nesting are refused instead of overflowing the stack`(_ opening: String) throws {
        let bytes = Array(String(repeating: opening, count: 10_000).utf8)
        #expect(
            throws: JSONError(
                .tooDeep, at: opening.utf8.count * 512 / opening.filter { "[{".contains($0) }.count,
                isAtEnd: false)
        ) {
            try JSONDocument(parsing: bytes)
        }
    }

    @Test func `depth and length are limited`() {
        Refusal("[[1]]", .tooDeep, 1).check(JSONLimits(maximumDepth: 1))
        Refusal("[]", .tooDeep, 0).check(JSONLimits(maximumDepth: 0))
        Refusal("[[],[]]", .tooLong, 6).check(JSONLimits(maximumBytes: 6))
        #expect(throws: Never.self) {
            try JSONDocument(
                parsing: Array("[[],[]]".utf8), limits: JSONLimits(maximumDepth: 2, maximumBytes: 7))
        }
    }

    @Test func `an error's sentence has the line and column`() {
        let bytes = Array("{\r\n  \"ä\": 01\n}".utf8)
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: bytes) }
        #expect(error?.sentence(in: bytes) == "line 2, column 9: a number cannot have leading zeros")
        let cut = #expect(throws: JSONError.self) { try JSONDocument(parsing: [0x5B]) }
        #expect(
            cut?.sentence(in: [0x5B]) == "line 1, column 2: expected a value or ], but the text ends there"
        )
    }
}
