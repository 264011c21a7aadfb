enum XMLText {
    /// The text for an attribute or an element. Characters that XML 1.0 does not allow become U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || 0xFFFE...0xFFFF ~= scalar.value: "\u{FFFD}"
            default: String(scalar)
            }
        }.joined()
    }
}
