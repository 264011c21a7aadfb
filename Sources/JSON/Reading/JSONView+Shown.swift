/// Shortened values, for sentences that people read.
extension JSONView {
    private static let maximumLength = 200

    /// The first 200 characters of a string; empty for anything else.
    package var shortened: String { String((string ?? "").prefix(Self.maximumLength)) }

    /// The first 200 bytes of the value's text as it was received.
    package var shown: String { String(decoding: source.prefix(Self.maximumLength), as: UTF8.self) }
}
