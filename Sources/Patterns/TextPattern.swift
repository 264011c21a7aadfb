/// A text to search for. ASCII letters match in either case; all other characters must be the same bytes.
package struct TextPattern: Sendable {
    /// The text in UTF-8, with ASCII letters in lower case.
    private let bytes: [UInt8]
    /// The bits to set in a byte of the text before it is compared with the first or the last byte of the pattern. If that
    /// byte of the pattern is a letter, this is 0x20, which makes a capital letter small. Otherwise it is 0.
    private let masks: (first: UInt8, last: UInt8)

    /// The longest pattern, in bytes.
    package static let maximumLength = 1000

    package init(_ text: String) {
        bytes = text.utf8.map(Self.lower)
        masks = (Self.mask(bytes.first ?? 0), Self.mask(bytes.last ?? 0))
    }

    private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
    private static func mask(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? 0x20 : 0 }

    /// The number of positions that are compared at once.
    private static let block = 64

    package func isContained(in text: Span<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        guard text.count >= bytes.count else { return false }
        // The candidates for the first and the last byte of a match. Few positions fit both, and the loop that finds
        // them can be vectorized.
        let positions = text.count - bytes.count + 1
        let (heads, tails) = (text.extracting(0..<positions), text.extracting((bytes.count - 1)...))
        guard positions >= Self.block else {
            for position in 0..<positions where isAt(position, in: text) { return true }
            return false
        }
        var position = 0
        while position < positions {
            // All blocks have the same constant length, so the last one may overlap the one before it. If the length
            // varied, Swift 6.3 would vectorize only half of each block, and the loop would take six times as long.
            let start = min(position, positions &- Self.block)
            position = start &+ Self.block
            let (head, tail) = (heads.extracting(start..<position), tails.extracting(start..<position))
            var found: UInt8 = 0
            var index = 0
            while index < Self.block {
                let difference = (head[index] | masks.first) ^ first | (tail[index] | masks.last) ^ last
                found |= difference == 0 ? 1 : 0
                index &+= 1
            }
            if found == 1 {
                for index in start..<position where isAt(index, in: text) { return true }
            }
        }
        return false
    }

    private func isAt(_ start: Int, in text: Span<UInt8>) -> Bool {
        for (offset, byte) in bytes.enumerated() where Self.lower(text[start + offset]) != byte { return false }
        return true
    }
}
