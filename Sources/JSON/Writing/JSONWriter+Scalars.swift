extension JSONWriter {
    package mutating func null() {
        beginValue()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func bool(_ value: Bool) {
        beginValue()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func integer(_ value: some FixedWidthInteger) {
        beginValue()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(UInt64(truncatingIfNeeded: value.magnitude))
    }

    private mutating func appendDigits(_ number: UInt64) {
        bytes.append(addingCapacity: Decimal.maximumDigits) { Decimal.append(number, to: &$0) }
    }

    /// Writes a string of at most `count` bytes that need no escaping; `write` appends them.
    package mutating func plain(_ count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        beginValue()
        bytes.append(addingCapacity: count + 2) { output in
            output.append(UInt8(ascii: "\""))
            write(&output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Writes the shortest text that reads back as the same double: `0.1`, `5e-324`, `1e+16`.
    ///
    /// A whole number up to 2^53 is written without a fraction (`3`, and `-0` for negative zero), a larger one with
    /// an exponent. JSON has no infinity and no NaN; both become `null`.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        let text = value.description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }

    package mutating func string(_ value: String) {
        beginValue()
        appendString(value)
    }

    /// Writes bytes that should be UTF-8 as a string; invalid bytes become U+FFFD.
    package mutating func string(utf8 value: Span<UInt8>) {
        beginValue()
        append(utf8: value)
    }

    private mutating func append(utf8 text: Span<UInt8>) {
        if (try? UTF8Span(validating: text)) != nil { return append(text) }
        var copy: [UInt8] = []
        copy.append(addingCapacity: text.count) { $0.copy(text) }
        appendString(String(decoding: copy, as: UTF8.self))
    }

    /// Appends a string in quotes. Escapes only the characters that must be escaped.
    ///
    /// - Parameter end: a byte to append right after the closing quote.
    mutating func appendString(_ text: String, then end: UInt8? = nil) { append(text.utf8Span.span, then: end) }

    private mutating func append(_ text: Span<UInt8>, then end: UInt8? = nil) {
        guard !Self.needsEscaping(text, escapesMarkup) else { return appendEscaping(text, then: end) }
        bytes.append(addingCapacity: text.count + 3) { output in
            output.append(UInt8(ascii: "\""))
            output.copy(text)
            output.append(UInt8(ascii: "\""))
            if let end { output.append(end) }
        }
    }

    private mutating func appendEscaping(_ text: Span<UInt8>, then end: UInt8?) {
        bytes.append(UInt8(ascii: "\""))
        for index in text.indices { appendEscaping(text[index]) }
        bytes.append(UInt8(ascii: "\""))
        if let end { bytes.append(end) }
    }

    /// Whether `text` has a byte that must be escaped.
    ///
    /// Looks at every byte, without an early exit, so that the compiler emits vector instructions. The two loops
    /// differ only in a constant.
    static func needsEscaping(_ text: Span<UInt8>, _ escapesMarkup: Bool) -> Bool {
        var found: UInt8 = 0
        var index = 0
        let end = text.count
        if escapesMarkup {
            while index < end {
                found |= mustBeEscaped(text[index], true) ? 1 : 0
                index &+= 1
            }
        } else {
            while index < end {
                found |= mustBeEscaped(text[index], false) ? 1 : 0
                index &+= 1
            }
        }
        return found != 0
    }

    private mutating func appendEscaping(_ byte: UInt8) {
        guard mustBeEscaped(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x00...0x1F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            let digit = byte & 0x0F
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }

    private func mustBeEscaped(_ byte: UInt8) -> Bool { Self.mustBeEscaped(byte, escapesMarkup) }

    @inline(__always) private static func mustBeEscaped(_ byte: UInt8, _ escapesMarkup: Bool) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || escapesMarkup && (byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&"))
    }
}
