import HTTPCore

/// What senders repeat with each request and HPACK keeps out of its tables: their path and their bearer.
///
/// nghttp2 would decode such a value each time anew, out of Huffman's code, for a quarter of what a push costs. One
/// that comes coded like the last is replaced by a word before nghttp2 sees it, and put back behind it. Nothing else of
/// a block is touched, so both sides' tables stay the same.
struct HeaderLiteralCache {
    private struct Memory {
        let name: HeaderName
        /// The literal that came last, with its length.
        var coded: [UInt8] = []
        /// What it said; empty until nghttp2 has read it.
        var value: [UInt8] = []
        var isInFrame = false
    }

    private var memories = [Memory(name: .path), Memory(name: .authorization)]
    /// Begins as a path has to. Its letters are drawn for this connection, so that nobody else can say it; the last
    /// octet is the number of the memory it stands for.
    private var word = [UInt8(ascii: "/")] + (0..<14).map { _ in UInt8.random(in: 0x61...0x7A) } + [0x30]
    /// Words are in the frame that nghttp2 reads.
    private(set) var hasWords = false

    /// Longer ones are read as they come.
    private static let longestLiteral = 2048
    private enum Flag {
        static let endHeaders: UInt8 = 0x04
        static let padded: UInt8 = 0x08
        static let priority: UInt8 = 0x20
    }

    /// The number of the memory for a name in HPACK's static table.
    private static func memory(of name: Int) -> Int? {
        switch name {
        case 4, 5: 0
        case 23: 1
        default: nil
        }
    }

    /// To be called when a HEADERS frame begins, however it comes.
    mutating func blockBegan() {
        hasWords = false
        for index in memories.indices { memories[index].isInFrame = false }
    }

    /// Writes a whole HEADERS frame with words in it. False where it has to be read as it came.
    mutating func shorten(_ frame: Span<UInt8>, into output: inout [UInt8]) -> Bool {
        guard frame[4] & Flag.endHeaders != 0, frame[4] & Flag.padded == 0 else { return false }
        output.removeAll(keepingCapacity: true)
        var cursor = HPACKScanner(from: RawFrame.headerSize + (frame[4] & Flag.priority != 0 ? 5 : 0))
        var copied = 0
        while let field = cursor.next(in: frame) {
            guard !field.isForTable, let index = Self.memory(of: field.name) else { continue }
            guard !memories[index].isInFrame else { return false }
            let literal = frame.extracting(field.value)
            if isKnown(literal, index) {
                output.append(addingCapacity: field.value.lowerBound - copied + 1 + word.count) { output in
                    output.append(frame.extracting(copied..<field.value.lowerBound))
                    output.append(UInt8(word.count))
                    output.append(word.span)
                }
                output[output.count - 1] += UInt8(index)
                copied = field.value.upperBound
            }
        }
        guard !cursor.isBroken, copied > 0 else { return false }
        output.append(addingCapacity: frame.count - copied) { $0.append(frame.extracting(copied..<frame.count)) }
        RawFrame.endBlock(of: &output, from: 0)
        hasWords = true
        return true
    }

    /// Whether that is what came last; if not, it is what is remembered from now on.
    private mutating func isKnown(_ literal: Span<UInt8>, _ index: Int) -> Bool {
        memories[index].isInFrame = true
        if literal.equals(memories[index].coded) { return !memories[index].value.isEmpty }
        memories[index].coded.removeAll(keepingCapacity: true)
        memories[index].value.removeAll(keepingCapacity: true)
        guard literal.count > word.count, literal.count <= Self.longestLiteral else { return false }
        memories[index].coded.append(addingCapacity: literal.count) { $0.append(literal) }
        return false
    }

    /// The number of the memory that a value stands for.
    func memory(saidBy value: Span<UInt8>) -> Int? {
        let last = word.count - 1
        guard hasWords, value.count == word.count,
            value.extracting(first: last).equals(word.span.extracting(first: last))
        else { return nil }
        let memory = Int(value[last]) - Int(word[last])
        return memories.indices.contains(memory) ? memory : nil
    }

    subscript(_ memory: Int) -> [UInt8] { memories[memory].value }

    /// What nghttp2 made of the frame's block. A name that is there twice teaches nothing: one of the two may have
    /// come out of HPACK's table. Nor does a value that could be said where a word can't.
    mutating func learn(from block: HeaderBlock) {
        for index in memories.indices
        where memories[index].isInFrame && memories[index].value.isEmpty && !memories[index].coded.isEmpty {
            let name = memories[index].name
            guard let range = block.range(of: name), block.count(of: name) == 1 else { continue }
            guard index > 0 || block.storage[range].first == word[0] else { continue }
            memories[index].value.append(contentsOf: block.storage[range])
        }
    }
}
