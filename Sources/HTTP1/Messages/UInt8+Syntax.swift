/// The character classes of HTTP/1, and names for a few characters.
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// Allowed in a method or a field name (`tchar`, RFC 9110 §5.6.2).
    var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A: true  // 0-9 A-Z ^ _ ` a-z
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true  // ! # $ % & ' * + - . | ~
        default: false
        }
    }

    /// Optional white space around a value.
    var isBlank: Bool { self == .space || self == .tab }

    /// Not allowed within a line. Tab is allowed; CR and LF end the line.
    var isControl: Bool { (self < .space && self != .tab) || self == 0x7F }

    /// Printable ASCII except the space.
    var isVisible: Bool { self > .space && self < 0x7F }

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    var isLowerCase: Bool { self >= 0x61 && self <= 0x7A }

    var lowerCased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    var hexDigitValue: Int? {
        switch self {
        case 0x30...0x39: Int(self - 0x30)
        case 0x41...0x46: Int(self - 0x41) + 10
        case 0x61...0x66: Int(self - 0x61) + 10
        default: nil
        }
    }
}
