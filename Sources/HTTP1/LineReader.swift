/// Cuts input into lines that end with CR LF, and keeps the start of a line whose end has not come.
///
/// Each octet is looked at once, however the input is cut, and a line that lies in one input is not copied.
struct LineReader: Sendable {
    enum Line {
        /// In the input, without its end.
        case whole(Range<Int>)
        /// Put together from several inputs.
        case pieced([UInt8])
    }

    private var held: [UInt8] = []
    private var hasReturn = false

    /// No part of a line is held.
    var isEmpty: Bool { held.isEmpty && !hasReturn }

    /// The next line; nil takes all of the input and needs more.
    ///
    /// - Parameter limit: octets the line may have without its end; the same until the line is whole.
    mutating func next(
        _ input: Span<UInt8>, from offset: inout Int, limit: Int, tooLong: Refusal
    ) throws(Refusal) -> Line? {
        let start = offset
        var end = start
        if !hasReturn {
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
            hasReturn = true
            return nil
        }
        guard input[offset] == .lineFeed else { throw .bareCarriageReturn }
        offset += 1
        if held.isEmpty, !hasReturn { return .whole(start..<end) }
        held.append(input, start..<end)
        defer { self = LineReader() }
        return .pieced(held)
    }
}

extension Span<UInt8> {
    /// How many octets come before the first control character.
    fileprivate var textCount: Int {
        for index in indices where self[index].isControl { return index }
        return count
    }
}
