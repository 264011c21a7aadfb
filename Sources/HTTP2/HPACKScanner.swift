/// Walks over the fields of an HPACK block without decoding any.
struct HPACKScanner {
    struct Field {
        /// Its place in HPACK's tables; 0 where it is spelt.
        let name: Int
        /// The value's literal with its length.
        let value: Range<Int>
        /// It changes the table.
        let isForTable: Bool
    }

    private(set) var index: Int
    /// Something that no encoder writes.
    private(set) var isBroken = false

    init(from start: Int) { index = start }

    /// The next field that has a value of its own.
    mutating func next(in block: Span<UInt8>) -> Field? {
        while !isBroken, index < block.count {
            let first = block[index]
            if first & 0x80 != 0 {
                _ = integer(block, prefix: 7)
            } else if first & 0xE0 == 0x20 {
                _ = integer(block, prefix: 5)
            } else {
                let isForTable = first & 0x40 != 0
                let name = integer(block, prefix: isForTable ? 6 : 4)
                if name == 0 { skipText(block) }
                let start = index
                skipText(block)
                return isBroken ? nil : Field(name: name, value: start..<index, isForTable: isForTable)
            }
        }
        return nil
    }

    private mutating func skipText(_ block: Span<UInt8>) {
        guard index < block.count else {
            isBroken = true
            return
        }
        let count = integer(block, prefix: 7)
        guard !isBroken, count <= block.count - index else {
            isBroken = true
            return
        }
        index += count
    }

    /// RFC 7541 §5.1, below 2^28.
    private mutating func integer(_ block: Span<UInt8>, prefix: Int) -> Int {
        let most = 1 << prefix - 1
        var value = Int(block[index]) & most
        index += 1
        guard value == most else { return value }
        for shift in stride(from: 0, to: 28, by: 7) {
            guard index < block.count else { break }
            let octet = block[index]
            index += 1
            value += Int(octet & 0x7F) << shift
            if octet & 0x80 == 0 { return value }
        }
        isBroken = true
        return 0
    }
}
