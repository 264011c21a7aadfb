/// The index of a value in its document; it means nothing in any other document.
///
/// Use it in code that runs for every push: copying one is free, while copying a `JSONView` retains the document.
package struct JSONPlace: Sendable, Equatable {
    package let index: Int

    package init(index: Int) { self.index = index }
}

extension JSONDocument {
    /// The place of the outermost value.
    package var rootPlace: JSONPlace { JSONPlace(index: 0) }

    package func view(at place: JSONPlace) -> JSONView { JSONView(document: self, index: place.index) }

    package func kind(at place: JSONPlace) -> JSONKind { nodes[place.index].kind }

    /// The first key of an object; nil if it is empty or not an object.
    package func firstKey(in object: JSONPlace) -> JSONPlace? {
        let node = nodes[object.index]
        return node.kind == .object && node.count > 0 ? JSONPlace(index: object.index + 1) : nil
    }

    /// The key after `key`; nil after the last one.
    package func key(after key: JSONPlace, in object: JSONPlace) -> JSONPlace? {
        let next = nodes[key.index + 1].next
        return next < nodes[object.index].next ? JSONPlace(index: Int(next)) : nil
    }

    package func value(ofKey key: JSONPlace) -> JSONPlace { JSONPlace(index: key.index + 1) }

    /// The value of the key `name`; the last one if the key is repeated.
    package func value(of name: [UInt8], in object: JSONPlace) -> JSONPlace? {
        lastValue(in: object.index, ofKeyWith: name.count) { string(at: $0, equals: name.span) }
            .map(JSONPlace.init(index:))
    }

    /// The value of the key `name`, the last one if the key is repeated. Nil if `object` is nil, is not an object, or
    /// does not have the key.
    package subscript(name: String, in object: JSONPlace?) -> JSONPlace? {
        guard let object else { return nil }
        return lastValue(in: object.index, ofKeyWith: name.utf8.count) { string(at: $0, equals: name.utf8Span.span) }
            .map(JSONPlace.init(index:))
    }

    /// Whether the value at `place` is a string or key with exactly the bytes of `text`.
    package func isString(_ text: [UInt8], at place: JSONPlace) -> Bool {
        nodes[place.index].mayBeString(ofLength: text.count) && string(at: place.index, equals: text.span)
    }
}

extension JSONDocument {
    /// The place of a view of this document.
    package func place(of view: JSONView) -> JSONPlace { JSONPlace(index: view.index) }
}

extension JSONDocument {
    /// The range of a string's or key's bytes in the text; nil if it has escapes, or is not a string.
    package func plainRange(at place: JSONPlace) -> Range<Int>? {
        let node = nodes[place.index]
        guard node.kind == .string, !node.flags.contains(.escaped) else { return nil }
        let quote = node.flags.contains(.bare) ? 0 : 1
        return Int(node.start) + quote..<Int(node.end) - quote
    }

    /// The string at `place`; nil if `place` is nil or not a string.
    package func string(at place: JSONPlace?) -> String? {
        guard let place, kind(at: place) == .string else { return nil }
        return view(at: place).string
    }

    /// The number at `place` if it is whole, even if it is written like `1.0` or `1e0`; nil otherwise, and if `place` is
    /// nil.
    package func exactInteger(at place: JSONPlace?) -> Int64? {
        guard let place, kind(at: place) == .number else { return nil }
        return view(at: place).exactInteger
    }

    /// The length in bytes of a string or key after decoding; 0 for anything else.
    package func utf8Count(at place: JSONPlace) -> Int {
        plainRange(at: place)?.count ?? view(at: place).utf8?.count ?? 0
    }
}
