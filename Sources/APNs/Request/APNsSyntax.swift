/// The syntax of single header values (docs/evidence/apns.md §2).
enum APNsSyntax {
    /// In bytes.
    static let collapseIDLimit = 64

    /// A UUID: 8-4-4-4-12 hexadecimal digits. Capital letters are accepted (assumed), unless `APNsChoice.capitalID` is
    /// set.
    static func isIdentifier(_ text: Span<UInt8>, _ policy: APNsPolicy) -> Bool {
        guard isIdentifier(text) else { return false }
        guard policy.choices.contains(.capitalID) else { return true }
        for index in text.indices where text[index] &- UInt8(ascii: "A") < 26 { return false }
        return true
    }

    static func isIdentifier(_ text: Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                if byte != UInt8(ascii: "-") { return false }
            } else if byte &- UInt8(ascii: "0") >= 10, (byte | 0x20) &- UInt8(ascii: "a") >= 6 {
                return false
            }
        }
        return true
    }

    /// Seconds since 1970. Nil unless the text is a number of 1 to 19 digits.
    static func seconds(_ text: Span<UInt8>) -> UInt64? {
        guard 1...19 ~= text.count else { return nil }
        var number: UInt64 = 0
        for index in text.indices {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + UInt64(digit)
        }
        return number
    }

    /// Nil for anything but 10, 5 and 1.
    static func priority(_ text: Span<UInt8>) -> Int? {
        if text.count == 2, text[0] == UInt8(ascii: "1"), text[1] == UInt8(ascii: "0") { return 10 }
        guard text.count == 1 else { return nil }
        return text[0] == UInt8(ascii: "5") ? 5 : text[0] == UInt8(ascii: "1") ? 1 : nil
    }
}
