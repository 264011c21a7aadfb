/// A value's place in its document, and only there. It costs nothing to copy, where a `JSONView` counts references to
/// the document: for what is done for each push.
package struct JSONPlace: Sendable, Equatable {
    package let index: Int

    package init(index: Int) { self.index = index }
}

extension JSONDocument {
    package var rootPlace: JSONPlace { JSONPlace(index: 0) }

    package func view(at place: JSONPlace) -> JSONView { JSONView(document: self, index: place.index) }

    package func kind(at place: JSONPlace) -> JSONKind { nodes[place.index].kind }

    /// The first key of an object; nil for an empty one, and for anything else.
    package func firstKey(in object: JSONPlace) -> JSONPlace? {
        let node = nodes[object.index]
        return node.kind == .object && node.count > 0 ? JSONPlace(index: object.index + 1) : nil
    }

    /// The key behind that one; nil behind the last.
    package func key(after key: JSONPlace, in object: JSONPlace) -> JSONPlace? {
        let next = nodes[key.index + 1].next
        return next < nodes[object.index].next ? JSONPlace(index: Int(next)) : nil
    }

    package func value(ofKey key: JSONPlace) -> JSONPlace { JSONPlace(index: key.index + 1) }

    /// The value of that key, the last one where the key is repeated.
    package func value(of name: [UInt8], in object: JSONPlace) -> JSONPlace? {
        var found: JSONPlace?
        var key = firstKey(in: object)
        while let here = key {
            if isString(name, at: here) { found = value(ofKey: here) }
            key = self.key(after: here, in: object)
        }
        return found
    }

    /// Whether the string or key there is that one, octet by octet.
    package func isString(_ text: [UInt8], at place: JSONPlace) -> Bool {
        let node = nodes[place.index]
        guard node.kind == .string else { return false }
        if !node.flags.isDisjoint(with: [.escaped, .bare]) {
            return view(at: place).utf8?.elementsEqual(text) ?? false
        }
        let count = Int(node.end - node.start) - 2
        guard count == text.count else { return false }
        let start = Int(node.start) + 1
        var index = 0
        while index < count {
            if bytes[start &+ index] != text[index] { return false }
            index &+= 1
        }
        return true
    }
}

extension JSONDocument {
    /// Where a view of this document is.
    package func place(of view: JSONView) -> JSONPlace { JSONPlace(index: view.index) }
}

extension JSONDocument {
    /// Where the octets of a string or key are that needs no decoding; nil for others.
    package func plainRange(at place: JSONPlace) -> Range<Int>? {
        let node = nodes[place.index]
        guard node.kind == .string, !node.flags.contains(.escaped) else { return nil }
        let quote = node.flags.contains(.bare) ? 0 : 1
        return Int(node.start) + quote..<Int(node.end) - quote
    }

    /// How many octets a string has when it is decoded.
    package func utf8Count(at place: JSONPlace) -> Int {
        plainRange(at: place)?.count ?? view(at: place).utf8?.count ?? 0
    }
}
