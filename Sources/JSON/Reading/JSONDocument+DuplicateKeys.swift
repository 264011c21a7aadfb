/// Keys that one object has more than once.
extension JSONDocument {
    /// The path of each repeated key, in the order of the text; at most `maximum`.
    package func duplicateKeys(maximum: Int) -> [JSONPointer] {
        var found: [JSONPointer] = []
        Self.search(root, at: JSONPointer(), maximum, &found)
        return found
    }

    /// The parser limits the depth of a document, and so of this recursion.
    private static func search(_ view: JSONView, at path: JSONPointer, _ maximum: Int, _ found: inout [JSONPointer]) {
        if view.kind == .array {
            for (index, element) in view.elements.enumerated() {
                search(element, at: path.appending(index), maximum, &found)
            }
        }
        // Keys are compared as bytes, because `String` would treat composed and decomposed characters as equal.
        var seen: Set<ArraySlice<UInt8>> = []
        for (key, value) in view.members {
            guard found.count < maximum else { return }
            let inner = path.appending(key.string ?? "")
            if !seen.insert(key.utf8 ?? []).inserted, !found.contains(inner) { found.append(inner) }
            search(value, at: inner, maximum, &found)
        }
    }
}
