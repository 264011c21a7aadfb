/// The line before a chunk's data: its size in hexadecimal and extensions, which are checked and ignored.
struct ChunkLine {
    /// As many digits as a 64-bit number has; more are leading zeros or an overflow.
    static let mostDigits = 16

    let size: Int
    let digitCount: Int
    let extensionCount: Int

    /// White space between size and `;` is refused: the grammar bears with it, but readers that skip it and
    /// readers that don't have been played against each other.
    init(_ line: Span<UInt8>) throws(Refusal) {
        var size = 0
        var index = 0
        while index < line.count, let digit = line[index].hexDigitValue {
            guard index < Self.mostDigits, size <= Int.max >> 4 else { throw .chunkSizeTooLarge }
            size = size << 4 | digit
            index += 1
        }
        guard index > 0 else { throw .chunkSize }
        self.size = size
        digitCount = index
        extensionCount = line.count - index
        guard index < line.count else { return }
        guard line[index] == UInt8(ascii: ";") else {
            throw line[index].isBlank ? .chunkExtension : .chunkSize
        }
        for position in index..<line.count {
            guard line[position].isVisible || line[position].isBlank else { throw .chunkExtension }
        }
    }
}
