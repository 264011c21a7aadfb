internal import HTTPCore

extension ArraySlice<UInt8> {
    /// Whether the bytes equal `word`, ignoring case. `word` must be in lower case.
    func equalsIgnoringCase(_ word: String) -> Bool {
        guard count == word.utf8.count else { return false }
        var index = startIndex
        for byte in word.utf8 {
            guard self[index].lowerCased == byte else { return false }
            index += 1
        }
        return true
    }

    /// Without spaces and tabs at both ends.
    var trimmed: ArraySlice<UInt8> {
        var rest = self
        while let first = rest.first, first.isBlank { rest.removeFirst() }
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return rest
    }
}

extension [UInt8] {
    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        append(addingCapacity: range.count) { $0.append(source.extracting(range)) }
    }

    mutating func append(text: String) { append(contentsOf: text.utf8) }

    mutating func appendLineEnd() {
        append(.carriageReturn)
        append(.lineFeed)
    }
}
