/// Values in sentences for people: not more of them than fits there.
extension JSONView {
    private static let most = 200

    /// The string's text; empty where it is none.
    package var shortened: String { String((string ?? "").prefix(Self.most)) }

    /// As it was sent.
    package var shown: String { String(decoding: source.prefix(Self.most), as: UTF8.self) }
}
