/// The ranges of the name and the value in one field line.
struct FieldLine {
    let name: Range<Int>
    /// Without white space at both ends.
    let value: Range<Int>

    init(_ line: Span<UInt8>) throws(Refusal) {
        var colon = 0
        while colon < line.count, line[colon].isToken { colon += 1 }
        guard colon < line.count else { throw .fieldWithoutColon }
        guard line[colon] == UInt8(ascii: ":") else { throw Self.error(for: line, at: colon) }
        guard colon > 0 else { throw .fieldNameEmpty }
        var start = colon + 1
        var end = line.count
        while start < end, line[start].isBlank { start += 1 }
        while end > start, line[end - 1].isBlank { end -= 1 }
        name = 0..<colon
        value = start..<end
    }

    /// The error for a name that ends at `index` with something other than a colon.
    private static func error(for line: Span<UInt8>, at index: Int) -> Refusal {
        guard line[index].isBlank else { return .fieldName }
        guard index > 0 else { return .foldedField }
        var next = index
        while next < line.count, line[next].isBlank { next += 1 }
        guard next < line.count else { return .fieldWithoutColon }
        return line[next] == UInt8(ascii: ":") ? .spaceBeforeColon : .fieldName
    }
}
