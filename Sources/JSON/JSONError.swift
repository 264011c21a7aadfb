/// Why a text is not JSON, and where.
package struct JSONError: Error, Equatable, Sendable {
    package let reason: JSONErrorReason
    /// The first byte that no JSON text could have there after the bytes before it; the length of the text
    /// where the text ended too early.
    package let offset: Int
    /// The text ended where more was needed; its bytes so far are fine.
    package let isAtEnd: Bool

    package init(_ reason: JSONErrorReason, at offset: Int, isAtEnd: Bool) {
        self.reason = reason
        self.offset = offset
        self.isAtEnd = isAtEnd
    }

    /// One sentence for a person, with line and column in `bytes`, the text that was refused.
    package func sentence(in bytes: [UInt8]) -> String {
        let position = JSONPosition(of: offset, in: bytes)
        let end = isAtEnd ? ", but the text ends there" : ""
        return "line \(position.line), column \(position.column): \(reason.text)\(end)"
    }
}
