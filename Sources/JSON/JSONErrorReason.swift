/// What was wrong with a text.
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
        case .expectedValue: "a value is expected"
        case .expectedValueOrArrayEnd: "a value or ] is expected"
        case .expectedKey: "a key in double quotes is expected"
        case .expectedKeyOrObjectEnd: "a key in double quotes or } is expected"
        case .expectedColon: "a colon is expected after a key"
        case .expectedCommaOrArrayEnd: "a comma or ] is expected after an element"
        case .expectedCommaOrObjectEnd: "a comma or } is expected after a member"
        case .expectedClosingQuote: "a string needs its closing quote"
        case .expectedEnd: "nothing may follow the value"
        case .unknownLiteral: "a bare word can only be true, false or null"
        case .invalidNumber: "this is not how a number is written"
        case .leadingZero: "a number cannot begin with a needless 0"
        case .controlCharacter: "a control character in a string must be escaped"
        case .invalidUTF8: "a string must be UTF-8"
        case .invalidEscape: "after a backslash only \" \\ / b f n r t u are known"
        case .invalidHexDigit: "\\u takes four hexadecimal digits"
        case .byteOrderMark: "the text begins with a byte order mark, which JSON does not allow"
        case .tooDeep: "arrays and objects are nested too deeply"
        case .tooLong: "the text is too long"
        }
    }
}
