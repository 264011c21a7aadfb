/// The line and column of a byte in a text, as an editor shows them.
package struct JSONPosition: Equatable, Sendable {
    /// Counts from 1. A line ends with LF, CR or CR LF.
    package let line: Int
    /// Counts from 1, in Unicode scalars.
    package let column: Int

    /// - Parameter offset: the index of a byte, or `bytes.count` for the end.
    package init(of offset: Int, in bytes: [UInt8]) {
        precondition((0...bytes.count).contains(offset), "offset \(offset) is outside of \(bytes.count) bytes")
        var line = 1
        var column = 1
        for index in 0..<offset {
            let isLineFeedOfPair = bytes[index] == 0x0A && index > 0 && bytes[index - 1] == 0x0D
            if isLineFeedOfPair { continue }
            if bytes[index] == 0x0A || bytes[index] == 0x0D {
                line += 1
                column = 1
            } else if bytes[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
