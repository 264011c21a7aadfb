extension String {
    /// The text with escapes such as `\u001b` instead of characters that could control a terminal or change the order
    /// of what it shows (C0, C1, and bidirectional controls). Inside a JSON string they mean the same characters.
    ///
    /// - Parameter keepsLines: leave line feeds and tabs as they are.
    package func escapedForTerminals(keepsLines: Bool) -> String {
        guard unicodeScalars.contains(where: { Self.isControl($0, keepsLines) }) else { return self }
        var safe = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard Self.isControl(scalar, keepsLines) else {
                safe.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            safe.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
        }
        return String(safe)
    }

    /// The text as a part of one line, with escapes for line feeds and tabs too. Text from outside Pushpit is escaped
    /// in this way before it is put into a line. No part of it can then look like a line of Pushpit's.
    package var onOneLine: String { escapedForTerminals(keepsLines: false) }

    private static func isControl(_ scalar: Unicode.Scalar, _ keepsLines: Bool) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: !keepsLines
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Sequence<String> {
    /// One text, with a line for each of the strings.
    package var asLines: String { map { "\($0.onOneLine)\n" }.joined() }
}
