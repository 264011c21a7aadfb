/// The comma-separated elements of a field's value, trimmed. Empty elements are included.
///
/// Use it only for fields whose elements are tokens: it would split a quoted string at its commas.
struct ListElements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>?

    init(_ value: ArraySlice<UInt8>) { rest = value }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let current = rest else { return nil }
        guard let comma = current.firstIndex(of: UInt8(ascii: ",")) else {
            rest = nil
            return current.trimmed
        }
        rest = current[(comma + 1)...]
        return current[..<comma].trimmed
    }
}
