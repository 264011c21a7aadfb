extension BodyReader {
    /// Reads the line before a chunk and moves on to what follows it; gives the line's length with its end.
    mutating func readChunkLine(
        _ input: Span<UInt8>, from offset: inout Int, lines: inout LineReader
    ) throws(Refusal) -> Int? {
        let limit = ChunkLine.mostDigits + extensionsLeft
        guard let line = try lines.next(input, from: &offset, limit: limit, tooLong: .chunkLineTooLong) else {
            return nil
        }
        let chunk: ChunkLine
        switch line {
        case .whole(let range): chunk = try ChunkLine(input.extracting(range))
        case .pieced(let bytes): chunk = try ChunkLine(bytes.span)
        }
        guard chunk.extensionCount <= extensionsLeft else { throw .chunkLineTooLong }
        extensionsLeft -= chunk.extensionCount
        state = chunk.size == 0 ? .trailer(.trailer(limits)) : .chunk(left: chunk.size)
        return chunk.digitCount + chunk.extensionCount + 2
    }

    /// Reads one trailer field or the empty line after the last; false if more input is needed.
    ///
    /// Fields are checked and dropped: nothing here uses one, and one that could still change how the message
    /// is framed or routed (RFC 9110 §6.5.1) so cannot.
    mutating func readTrailer(
        _ input: Span<UInt8>, from offset: inout Int, lines: inout LineReader, budget: FieldBudget
    ) throws(Refusal) -> Bool {
        let next = try lines.next(input, from: &offset, limit: budget.lineLimit, tooLong: budget.tooLarge)
        guard let next else { return false }
        let count: Int
        switch next {
        case .whole(let range): count = try Self.checkTrailer(input.extracting(range))
        case .pieced(let bytes): count = try Self.checkTrailer(bytes.span)
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
