extension OutputSpan<UInt8> {
    /// Appends bytes in a loop that the compiler turns into a memory copy.
    package mutating func copy(_ bytes: Span<UInt8>) {
        var index = 0
        let end = bytes.count
        while index < end {
            append(bytes[index])
            index &+= 1
        }
    }

    package mutating func copy(_ text: String) { copy(text.utf8Span.span) }
}
