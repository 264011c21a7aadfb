extension JSONView {
    /// The string; nil for anything else. Half a surrogate pair is read as U+FFFD.
    package var string: String? {
        utf8.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The decoded string as UTF-8; nil for anything else. A slice of the text, without a copy, unless it has escapes.
    package var utf8: ArraySlice<UInt8>? {
        guard kind == .string else { return nil }
        let range = document.stringRange(at: index)
        guard node.flags.contains(.escaped) else { return document.bytes[range] }
        return JSONEscape.decode(range, of: document.bytes.span)[...]
    }

    /// Whether the value is a string with exactly the bytes of `text`.
    ///
    /// `String`'s `==` would treat composed and decomposed characters as equal.
    package func equals(_ text: String) -> Bool {
        kind == .string && document.string(at: index, equals: text)
    }

    /// Whether the string has a `\u` escape for half of a surrogate pair.
    package var hasLoneSurrogate: Bool { node.flags.contains(.loneSurrogate) }
}

extension JSONDocument {
    /// The range of a string's bytes, without its quotes.
    func stringRange(at index: Int) -> Range<Int> {
        let quote = nodes[index].flags.contains(.bare) ? 0 : 1
        return Int(nodes[index].start) + quote..<Int(nodes[index].end) - quote
    }

    func string(at index: Int, equals text: String) -> Bool {
        let range = stringRange(at: index)
        guard !nodes[index].flags.contains(.escaped) else {
            return JSONEscape.decode(range, of: bytes.span).elementsEqual(text.utf8)
        }
        let (found, wanted) = (bytes.span, text.utf8Span.span)
        guard range.count == wanted.count else { return false }
        for offset in wanted.indices where found[range.lowerBound + offset] != wanted[offset] { return false }
        return true
    }
}
