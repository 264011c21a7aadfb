/// A JSON text and a flat list of its values and keys (the tape): two arrays, regardless of the size of the text.
///
/// Strings and numbers are decoded only when a view asks for them. Every value knows its range of bytes in the text.
package struct JSONDocument: Sendable {
    /// The text as it was received.
    package let bytes: [UInt8]
    let nodes: [JSONNode]

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), dialect: JSONDialect = .rfc8259
    ) throws(JSONError) {
        var parser = JSONParser(limits: limits, dialect: dialect)
        try parser.parse(bytes.span)
        self.bytes = bytes
        nodes = parser.nodes
    }

    private init(bytes: [UInt8], nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    /// The text `null`.
    package static let null = JSONDocument(
        bytes: Array("null".utf8), nodes: [JSONNode(kind: .null, start: 0, end: 4, next: 1)])

    /// The outermost value.
    package var root: JSONView { JSONView(document: self, index: 0) }

    /// Whether any string or key has a `\u` escape for half of a surrogate pair, which is read as U+FFFD.
    package var hasLoneSurrogates: Bool { nodes.contains { $0.flags.contains(.loneSurrogate) } }

    package func position(of offset: Int) -> JSONPosition { JSONPosition(of: offset, in: bytes) }
}
