import HTTPCore

/// Avoids decoding the path and the bearer token again when a sender repeats them.
///
/// Senders keep both out of HPACK's tables, so they arrive in full with each request, and nghttp2 would spend a quarter
/// of a push's time decoding their Huffman code. If a literal has the same encoded bytes as the last one for its
/// name, a short placeholder is put in its place before nghttp2 reads the frame, and the decoded value is put back
/// afterwards. Nothing else in the block changes, so the HPACK tables of both sides stay the same.
struct HeaderLiteralCache {
    private struct Entry {
        let name: HeaderName
        /// The last literal as it was encoded, with its length.
        var encoded: [UInt8] = []
        /// Its decoded value; empty until nghttp2 has decoded it.
        var decoded: [UInt8] = []
        /// The current HEADERS frame has a literal for this name.
        var isInFrame = false
    }

    private var entries = [Entry(name: .path), Entry(name: .authorization)]
    /// Starts with a slash, as a path must. The characters after it are random for each connection, so that a client
    /// cannot guess them. The last byte is the number of the entry.
    private var placeholder = [UInt8(ascii: "/")] + (0..<14).map { _ in UInt8.random(in: 0x61...0x7A) } + [0x30]
    /// The frame that nghttp2 is reading contains placeholders.
    private(set) var hasPlaceholders = false

    /// Longer literals are not cached.
    private static let longestLiteral = 2048
    private enum Flag {
        static let endHeaders: UInt8 = 0x04
        static let padded: UInt8 = 0x08
        static let priority: UInt8 = 0x20
    }

    /// The entry for a name's index in HPACK's static table.
    private static func entry(forName index: Int) -> Int? {
        switch index {
        case 4, 5: 0
        case 23: 1
        default: nil
        }
    }

    /// Call this when a HEADERS frame begins, even if it arrives in pieces.
    mutating func headersFrameBegan() {
        hasPlaceholders = false
        for index in entries.indices { entries[index].isInFrame = false }
    }

    /// Writes a complete HEADERS frame with placeholders instead of repeated literals. Returns false if nghttp2 must
    /// read the frame as it is.
    mutating func replaceLiterals(in frame: Span<UInt8>, into output: inout [UInt8]) -> Bool {
        guard frame[4] & Flag.endHeaders != 0, frame[4] & Flag.padded == 0 else { return false }
        output.removeAll(keepingCapacity: true)
        var isRewritten = false
        // A placeholder is shorter than the literal that it replaces, so the output is at most as long as the frame.
        output.append(addingCapacity: frame.count) { isRewritten = write(frame, to: &$0) }
        guard isRewritten else { return false }
        RawFrame.endBlock(of: &output, from: 0)
        hasPlaceholders = true
        return true
    }

    /// Returns false if nothing was replaced, or if nghttp2 must read the frame as it is.
    private mutating func write(_ frame: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Bool {
        var scanner = HPACKScanner(from: RawFrame.headerSize + (frame[4] & Flag.priority != 0 ? 5 : 0))
        var copied = 0
        while let field = scanner.next(in: frame) {
            guard !field.isAddedToTable, let index = Self.entry(forName: field.nameIndex) else { continue }
            guard !entries[index].isInFrame else { return false }
            guard isRepeated(frame.extracting(field.value), index) else { continue }
            output.append(copying: frame.extracting(copied..<field.value.lowerBound))
            output.append(UInt8(placeholder.count))
            output.append(copying: placeholder.span.extracting(droppingLast: 1))
            output.append(placeholder[placeholder.count - 1] + UInt8(index))
            copied = field.value.upperBound
        }
        guard !scanner.isMalformed, copied > 0 else { return false }
        output.append(copying: frame.extracting(copied..<frame.count))
        return true
    }

    /// Whether `literal` equals the entry's last one and the decoded value is known. A different literal replaces the
    /// entry's last one.
    private mutating func isRepeated(_ literal: Span<UInt8>, _ index: Int) -> Bool {
        entries[index].isInFrame = true
        if literal.equals(entries[index].encoded) { return !entries[index].decoded.isEmpty }
        entries[index].encoded.removeAll(keepingCapacity: true)
        entries[index].decoded.removeAll(keepingCapacity: true)
        guard literal.count > placeholder.count, literal.count <= Self.longestLiteral else { return false }
        entries[index].encoded.append(addingCapacity: literal.count) { $0.append(literal) }
        return false
    }

    /// The index of the entry whose placeholder equals `value`; nil if `value` is not a placeholder.
    func entry(forPlaceholder value: Span<UInt8>) -> Int? {
        let last = placeholder.count - 1
        guard hasPlaceholders, value.count == placeholder.count,
            value.extracting(first: last).equals(placeholder.span.extracting(first: last))
        else { return nil }
        let index = Int(value[last]) - Int(placeholder[last])
        return entries.indices.contains(index) ? index : nil
    }

    /// The decoded value of an entry.
    subscript(_ entry: Int) -> [UInt8] { entries[entry].decoded }

    /// Stores the values that nghttp2 decoded from the current frame.
    ///
    /// Skips a name that occurs twice, because one of its values may come from HPACK's table. Skips a path that does
    /// not start with a slash, because nghttp2 might refuse the value but accept the placeholder.
    mutating func storeValues(of block: HeaderBlock) {
        for index in entries.indices
        where entries[index].isInFrame && entries[index].decoded.isEmpty && !entries[index].encoded.isEmpty {
            let name = entries[index].name
            guard let range = block.range(of: name), block.count(of: name) == 1 else { continue }
            guard index > 0 || block.storage[range].first == placeholder[0] else { continue }
            entries[index].decoded.append(contentsOf: block.storage[range])
        }
    }
}

extension OutputSpan<UInt8> {
    /// Copies all bytes at once, which a loop over the span does not.
    fileprivate mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity, "\(bytes.count) bytes do not fit into \(freeCapacity)")
        unsafe withUnsafeMutableBufferPointer { memory, initialized in
            let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[initialized...])
            initialized += unsafe bytes.withUnsafeBufferPointer { unsafe free.update(fromContentsOf: $0) }
        }
    }
}
