/// A JSON text and a flat tape of what is in it, in two arrays however large the text.
///
/// Strings and numbers are decoded when a view is asked for them; every value knows its bytes in the text.
package struct JSONDocument: Sendable {
    /// The text as it came.
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

    /// The outermost value.
    package var root: JSONView { JSONView(document: self, index: 0) }

    /// Whether a string or key has a `\u` escape for half of a surrogate pair; it is read as U+FFFD.
    package var hasLoneSurrogates: Bool { nodes.contains { $0.flags.contains(.loneSurrogate) } }

    package func position(of offset: Int) -> JSONPosition { JSONPosition(of: offset, in: bytes) }
}
