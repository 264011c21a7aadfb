/// One value of a document, by its place on the tape.
///
/// A view keeps its document alive. An accessor of the wrong kind answers nil, never traps.
package struct JSONView: Sendable {
    package let document: JSONDocument
    let index: Int

    var node: JSONNode { document.nodes[index] }

    package var kind: JSONKind { node.kind }

    /// Its bytes in the text, with quotes and brackets.
    package var range: Range<Int> { Int(node.start)..<Int(node.end) }

    /// The text of the value as it came.
    package var source: ArraySlice<UInt8> { document.bytes[range] }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        guard kind == .bool else { return nil }
        return document.bytes[Int(node.start)] == UInt8(ascii: "t")
    }

    /// How many elements or members it has; 0 for anything else.
    package var count: Int { Int(node.count) }

    /// The elements of an array in order; none for anything else.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The members of an object in order, each key as often as it came; none for anything else.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// The value of that key, the last one where the key is repeated.
    package subscript(key: String) -> JSONView? {
        var found: Int?
        forEachMember { keyIndex in
            if document.string(at: keyIndex, equals: key) { found = keyIndex + 1 }
        }
        return found.map { JSONView(document: document, index: $0) }
    }

    /// All values of that key, in order.
    package func values(of key: String) -> [JSONView] {
        var found: [JSONView] = []
        forEachMember { keyIndex in
            if document.string(at: keyIndex, equals: key) {
                found.append(JSONView(document: document, index: keyIndex + 1))
            }
        }
        return found
    }

    /// The element at that place, found by walking there; nil past the end.
    package subscript(place: Int) -> JSONView? {
        guard kind == .array, (0..<count).contains(place) else { return nil }
        var element = index + 1
        for _ in 0..<place { element = Int(document.nodes[element].next) }
        return JSONView(document: document, index: element)
    }

    private func forEachMember(_ body: (Int) -> Void) {
        guard kind == .object else { return }
        let end = Int(node.next)
        var key = index + 1
        while key < end {
            body(key)
            key = Int(document.nodes[key + 1].next)
        }
    }
}
