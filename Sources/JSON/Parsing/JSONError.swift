/// Why a text is not JSON, and where it went wrong.
package struct JSONError: Error, Equatable, Sendable {
    package let reason: JSONErrorReason
    /// The first byte that cannot continue a JSON text; the length of the text if it ended too early.
    package let offset: Int
    /// The text is valid so far but ended too early.
    package let isAtEnd: Bool

    /// How every gzip file starts (RFC 1952 §2.3.1).
    private static let gzip: [UInt8] = [0x1F, 0x8B]

    package init(_ reason: JSONErrorReason, at offset: Int, isAtEnd: Bool) {
        self.reason = reason
        self.offset = offset
        self.isAtEnd = isAtEnd
    }

    /// An error message for people, with the line and column. `bytes` is the text that was refused.
    package func sentence(in bytes: [UInt8]) -> String {
        if bytes.starts(with: Self.gzip) {
            return "it is compressed with gzip, but content-encoding is decoded only on Google's paths"
        }
        let position = JSONPosition(of: offset, in: bytes)
        let end = isAtEnd ? ", but the text ends there" : ""
        return "line \(position.line), column \(position.column): \(reason.text)\(end)"
    }
}
