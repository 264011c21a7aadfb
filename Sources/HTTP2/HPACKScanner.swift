/// Steps through the fields of an HPACK block (RFC 7541 §6) without decoding them.
struct HPACKScanner {
    /// A field with a literal value.
    struct Field {
        /// The index of the name in HPACK's tables; 0 if the name is a literal too.
        let nameIndex: Int
        /// The range of the value's literal, including its length.
        let value: Range<Int>
        /// The field is added to the dynamic table.
        let isAddedToTable: Bool
    }

    private(set) var index: Int
    /// The block ends within a field, or has a number of more than 28 bits.
    private(set) var isMalformed = false

    init(from start: Int) { index = start }

    /// The next field with a literal value; nil at the end of the block, or if it is malformed.
    mutating func next(in block: Span<UInt8>) -> Field? {
        while !isMalformed, index < block.count {
            let first = block[index]
            if first & 0x80 != 0 {
                _ = integer(block, prefix: 7)
            } else if first & 0xE0 == 0x20 {
                _ = integer(block, prefix: 5)
            } else {
                let isAddedToTable = first & 0x40 != 0
                let nameIndex = integer(block, prefix: isAddedToTable ? 6 : 4)
                if nameIndex == 0 { skipString(block) }
                let start = index
                skipString(block)
                return isMalformed
                    ? nil : Field(nameIndex: nameIndex, value: start..<index, isAddedToTable: isAddedToTable)
            }
        }
        return nil
    }

    private mutating func skipString(_ block: Span<UInt8>) {
        guard index < block.count else {
            isMalformed = true
            return
        }
        let count = integer(block, prefix: 7)
        guard !isMalformed, count <= block.count - index else {
            isMalformed = true
            return
        }
        index += count
    }

    /// Reads an integer (RFC 7541 §5.1) below 2^28.
    private mutating func integer(_ block: Span<UInt8>, prefix: Int) -> Int {
        let maximum = 1 << prefix - 1
        var value = Int(block[index]) & maximum
        index += 1
        guard value == maximum else { return value }
        for shift in stride(from: 0, to: 28, by: 7) {
            guard index < block.count else { break }
            let byte = block[index]
            index += 1
            value += Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        isMalformed = true
        return 0
    }
}
