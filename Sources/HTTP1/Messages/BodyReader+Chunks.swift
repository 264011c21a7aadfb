extension BodyReader {
    /// Reads the line before a chunk and sets the state for what follows it.
    ///
    /// - Returns: the length of the line with its line end; nil if more input is needed.
    mutating func readChunkLine(
        _ input: Span<UInt8>, from offset: inout Int, lines: inout LineReader
    ) throws(Refusal) -> Int? {
        let limit = ChunkLine.maximumDigits + extensionsLeft
        guard let line = try lines.next(input, from: &offset, limit: limit, tooLong: .chunkLineTooLong) else {
            return nil
        }
        let chunk: ChunkLine
        switch line {
        case .whole(let range): chunk = try ChunkLine(input.extracting(range))
        case .reassembled(let bytes): chunk = try ChunkLine(bytes.span)
        }
        guard chunk.extensionCount <= extensionsLeft else { throw .chunkLineTooLong }
        extensionsLeft -= chunk.extensionCount
        state = chunk.size == 0 ? .trailer(.trailer(limits)) : .chunk(left: chunk.size)
        return chunk.digitCount + chunk.extensionCount + 2
    }

    /// Reads one trailer field, or the empty line after the last one; returns false if more input is needed.
    ///
    /// Trailer fields are checked and then dropped. They are not used here, and a dropped field cannot change how the
    /// message is framed or routed (RFC 9110 §6.5.1).
    mutating func readTrailer(
        _ input: Span<UInt8>, from offset: inout Int, lines: inout LineReader, budget: FieldBudget
    ) throws(Refusal) -> Bool {
        let next = try lines.next(input, from: &offset, limit: budget.lineLimit, tooLong: budget.tooLarge)
        guard let next else { return false }
        let count: Int
        switch next {
        case .whole(let range): count = try Self.checkTrailer(input.extracting(range))
        case .reassembled(let bytes): count = try Self.checkTrailer(bytes.span)
        }
        if count == 0 {
            state = .counted(left: 0)
        } else {
            var budget = budget
            try budget.spend(count)
            state = .trailer(budget)
        }
        return true
    }

    private static func checkTrailer(_ line: Span<UInt8>) throws(Refusal) -> Int {
        if !line.isEmpty { _ = try FieldLine(line) }
        return line.count
    }
}
