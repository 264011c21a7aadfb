/// One value of a document.
///
/// A view keeps its document alive. An accessor for another kind of value returns nil; it never traps.
package struct JSONView: Sendable {
    package let document: JSONDocument
    let index: Int

    var node: JSONNode { document.nodes[index] }

    package var kind: JSONKind { node.kind }

    /// The range of the value's bytes in the text, including quotes and brackets.
    package var range: Range<Int> { Int(node.start)..<Int(node.end) }

    /// The text of the value as it was received.
    package var source: ArraySlice<UInt8> { document.bytes[range] }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        guard kind == .bool else { return nil }
        return document.bytes[Int(node.start)] == UInt8(ascii: "t")
    }

    /// The number of elements or members; 0 if this is not an array or object.
    package var count: Int { Int(node.count) }

    /// The elements of an array in order; empty for anything else.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The members of an object in order, including repeated keys; empty for anything else.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// The value of `key`; the last one if the key is repeated.
    package subscript(key: String) -> JSONView? {
        document[key, in: JSONPlace(index: index)].map(document.view)
    }

    /// All values of `key`, in order.
    package func values(of key: String) -> [JSONView] {
        members.lazy.filter { $0.key.equals(key) }.map(\.value)
    }

    /// The element at `position`; nil past the end. Takes time proportional to the position.
    package subscript(position: Int) -> JSONView? {
        guard kind == .array, (0..<count).contains(position) else { return nil }
        var element = index + 1
        for _ in 0..<position { element = Int(document.nodes[element].next) }
        return JSONView(document: document, index: element)
    }
}
