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
        node.mayBeString(ofLength: text.utf8.count) && document.string(at: index, equals: text.utf8Span.span)
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

    /// Whether a string has exactly the bytes of `text`. Ask `mayBeString` first.
    func string(at index: Int, equals text: Span<UInt8>) -> Bool {
        let range = stringRange(at: index)
        guard !nodes[index].flags.contains(.escaped) else {
            let decoded = JSONEscape.decode(range, of: bytes.span)
            return decoded.count == text.count && decoded.indices.allSatisfy { decoded[$0] == text[$0] }
        }
        let found = bytes.span
        var offset = 0
        while offset < text.count {
            if found[range.lowerBound &+ offset] != text[offset] { return false }
            offset &+= 1
        }
        return true
    }

    /// Finds the last key of `object` with this length for which `matches` returns true, and returns the index of its
    /// value.
    @inline(__always)
    func lastValue(in object: Int, ofKeyWith length: Int, _ matches: (Int) -> Bool) -> Int? {
        let nodes = nodes.span
        guard nodes[object].kind == .object else { return nil }
        let end = Int(nodes[object].next)
        var found: Int?
        var key = object &+ 1
        while key < end {
            if nodes[key].mayBeString(ofLength: length), matches(key) { found = key &+ 1 }
            key = Int(nodes[key &+ 1].next)
        }
        return found
    }
}
