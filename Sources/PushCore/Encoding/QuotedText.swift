extension String {
    /// The text in single quotes, for messages that name a wrong value: shortened, and with escapes for control
    /// characters.
    package var quoted: String {
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: Self.longestQuote, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return "'\(onOneLine)'" }
        return "'\(String(scalars[..<end]).onOneLine)…'"
    }

    /// In Unicode scalars, because one character can have any length.
    private static var longestQuote: Int { 60 }
}
