/// Validates UTF-8 from input split anywhere, and stops at the first byte that is not valid.
struct UTF8Validator: Sendable {
    /// What may follow. The ranges are those of RFC 3629: no surrogates, no overlong forms.
    private enum State {
        case character
        /// This many continuation bytes.
        case one, two, three
        /// A continuation byte from a smaller range, then one or two from the full range.
        case afterE0, afterED, afterF0, afterF4
    }

    private var state = State.character

    /// Whether the text may end here: no character is incomplete.
    var isBetweenCharacters: Bool { state == .character }

    /// Checks the next bytes.
    ///
    /// - Returns: whether the text is valid so far. Do not use the validator again after false.
    mutating func accepts(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x80, state == .character { continue }
            guard let next = Self.next(state, byte) else { return false }
            state = next
        }
        return true
    }

    private static func next(_ state: State, _ byte: UInt8) -> State? {
        switch (state, byte) {
        case (.character, 0x00...0x7F): .character
        case (.character, 0xC2...0xDF): .one
        case (.character, 0xE0): .afterE0
        case (.character, 0xED): .afterED
        case (.character, 0xE1...0xEF): .two
        case (.character, 0xF0): .afterF0
        case (.character, 0xF1...0xF3): .three
        case (.character, 0xF4): .afterF4
        case (.one, 0x80...0xBF): .character
        case (.two, 0x80...0xBF), (.afterE0, 0xA0...0xBF), (.afterED, 0x80...0x9F): .one
        case (.three, 0x80...0xBF), (.afterF0, 0x90...0xBF), (.afterF4, 0x80...0x8F): .two
        case (.character, _), (.one, _), (.two, _), (.three, _): nil
        case (.afterE0, _), (.afterED, _), (.afterF0, _), (.afterF4, _): nil
        }
    }
}
