/// Splits input into lines that end with CR LF, and keeps the start of a line whose end has not arrived.
///
/// Each byte is examined once, however the input is split. A line that arrives in one input is not copied.
struct LineReader: Sendable {
    enum Line {
        /// A range of the input, without the line end.
        case whole(Range<Int>)
        /// A line that arrived in several inputs, without the line end.
        case reassembled([UInt8])
    }

    /// The start of the current line from earlier inputs.
    private var held: [UInt8] = []
    /// The last byte of the previous input was the CR of the current line.
    private var hasCarriageReturn = false

    /// Whether no part of a line is held.
    var isEmpty: Bool { held.isEmpty && !hasCarriageReturn }

    /// The next line; nil if all input is used up and more is needed.
    ///
    /// - Parameter limit: the longest line in bytes, without its end. Pass the same limit until the line is complete.
    mutating func next(
        _ input: Span<UInt8>, from offset: inout Int, limit: Int, tooLong: Refusal
    ) throws(Refusal) -> Line? {
        let start = offset
        var end = start
        if !hasCarriageReturn {
            end += input.extracting(start..<start + min(input.count - start, limit - held.count)).textCount
            guard end < input.count else {
                held.append(input, start..<end)
                offset = end
                return nil
            }
            switch input[end] {
            case .carriageReturn: offset = end + 1
            case .lineFeed: throw .bareLineFeed
            case let byte: throw byte.isControl ? .controlCharacter : tooLong
            }
        }
        guard offset < input.count else {
            held.append(input, start..<end)
            hasCarriageReturn = true
            return nil
        }
        guard input[offset] == .lineFeed else { throw .bareCarriageReturn }
        offset += 1
        if held.isEmpty, !hasCarriageReturn { return .whole(start..<end) }
        held.append(input, start..<end)
        defer { self = LineReader() }
        return .reassembled(held)
    }
}

extension Span<UInt8> {
    /// The number of bytes before the first control character.
    fileprivate var textCount: Int {
        for index in indices where self[index].isControl { return index }
        return count
    }
}
