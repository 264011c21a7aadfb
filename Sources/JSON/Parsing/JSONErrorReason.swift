/// What is wrong with a text.
package enum JSONErrorReason: Sendable, Equatable, CaseIterable {
    case expectedValue
    case expectedValueOrArrayEnd
    case expectedKey
    case expectedKeyOrObjectEnd
    case expectedColon
    case expectedCommaOrArrayEnd
    case expectedCommaOrObjectEnd
    case expectedClosingQuote
    case expectedEnd
    case unknownLiteral
    case invalidNumber
    case leadingZero
    case controlCharacter
    case invalidUTF8
    case invalidEscape
    case invalidHexDigit
    case byteOrderMark
    case tooDeep
    case tooLong

    package var text: String {
        switch self {
        case .expectedValue: "expected a value"
        case .expectedValueOrArrayEnd: "expected a value or ]"
        case .expectedKey: "expected a key in double quotes"
        case .expectedKeyOrObjectEnd: "expected a key in double quotes or }"
        case .expectedColon: "expected a colon after the key"
        case .expectedCommaOrArrayEnd: "expected a comma or ] after the element"
        case .expectedCommaOrObjectEnd: "expected a comma or } after the member"
        case .expectedClosingQuote: "the string has no closing quote"
        case .expectedEnd: "nothing may follow the value"
        case .unknownLiteral: "expected true, false or null, or quotes around a string"
        case .invalidNumber: "the number is not valid JSON"
        case .leadingZero: "a number cannot have leading zeros"
        case .controlCharacter: "a control character in a string must be escaped"
        case .invalidUTF8: "a string must be UTF-8"
        case .invalidEscape: "a backslash must be followed by one of \" \\ / b f n r t u"
        case .invalidHexDigit: "\\u must be followed by four hexadecimal digits"
        case .byteOrderMark: "the text starts with a byte order mark, which JSON does not allow"
        case .tooDeep: "arrays and objects are nested too deeply"
        case .tooLong: "the text is too long"
        }
    }
}
