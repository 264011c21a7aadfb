/// The line before a chunk's data: the size in hexadecimal, and extensions, which are checked and ignored.
struct ChunkLine {
    /// The digits of a 64-bit number. A longer size has leading zeros or overflows.
    static let maximumDigits = 16

    let size: Int
    let digitCount: Int
    let extensionCount: Int

    /// Refuses white space between the size and `;`. The grammar tolerates it, but request smuggling attacks have used
    /// the difference between parsers that skip it and parsers that do not.
    init(_ line: Span<UInt8>) throws(Refusal) {
        var size = 0
        var index = 0
        while index < line.count, let digit = line[index].hexDigitValue {
            guard index < Self.maximumDigits, size <= Int.max >> 4 else { throw .chunkSizeTooLarge }
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
