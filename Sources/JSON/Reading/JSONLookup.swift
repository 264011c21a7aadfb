/// Checks which values are at which paths of a document, for a caller that asks many times.
///
/// A value is decoded at most once, and a large container is searched at most once. So the time for all questions grows
/// with the size of the document plus the number of questions, and not with their product.
package struct JSONLookup {
    /// A pointer, with the hashes of its text and its tokens.
    package struct Path: Sendable {
        fileprivate let text: HashedBytes
        fileprivate let tokens: [(key: HashedBytes, position: Int?)]

        package init(_ pointer: JSONPointer) {
            text = HashedBytes(Array(pointer.description.utf8))
            tokens = pointer.tokens.map { (HashedBytes(Array($0.utf8)), JSONView.position($0)) }
        }
    }

    /// An object or array with at most this many members or elements is searched again for each question.
    private static let smallCount = 16

    private let document: JSONDocument
    private var scanned: Set<Int> = []
    private var members: [Int: [HashedBytes: JSONPlace]] = [:]
    private var elements: [Int: [JSONPlace]] = [:]
    private var values: [Int: HashedJSON] = [:]
    /// The last path, and its value. Many questions in a row are often about the same path.
    private var last: (path: HashedBytes, value: HashedJSON?)?
    /// How many members, elements and values it has read.
    private(set) var steps = 0

    package init(_ document: JSONDocument) { self.document = document }

    /// Whether `path` exists and leads to this value. If a key is repeated, its last value counts.
    package mutating func has(_ value: HashedJSON, at path: Path) -> Bool {
        if let last, last.path == path.text { return last.value == value }
        let found = place(of: path).map { self.value(at: $0) }
        last = (path.text, found)
        return found == value
    }

    private mutating func value(at place: JSONPlace) -> HashedJSON {
        if let known = values[place.index] { return known }
        steps += 1
        let value = HashedJSON(JSONValue(document.view(at: place)))
        values[place.index] = value
        return value
    }

    private mutating func place(of path: Path) -> JSONPlace? {
        var place = document.rootPlace
        for token in path.tokens {
            let inner =
                switch document.kind(at: place) {
                case .object: member(token.key, of: place)
                case .array: token.position.flatMap { element($0, of: place) }
                case .null, .bool, .number, .string: JSONPlace?.none
                }
            guard let inner else { return nil }
            place = inner
        }
        return place
    }

    private mutating func member(_ key: HashedBytes, of object: JSONPlace) -> JSONPlace? {
        if let table = members[object.index] { return table[key] }
        let count = Int(document.nodes[object.index].count)
        steps += count
        // A table is worth its price if there is a second question.
        guard count > Self.smallCount, !scanned.insert(object.index).inserted else {
            return document.lastValue(in: object.index, ofKeyWith: key.bytes.count) {
                document.string(at: $0, equals: key.bytes.span)
            }.map(JSONPlace.init(index:))
        }
        var table: [HashedBytes: JSONPlace] = [:]
        for member in document.view(at: object).members {
            table[HashedBytes(Array(member.key.utf8 ?? []))] = document.place(of: member.value)
        }
        members[object.index] = table
        return table[key]
    }

    private mutating func element(_ position: Int, of array: JSONPlace) -> JSONPlace? {
        let count = Int(document.nodes[array.index].count)
        guard position < count else { return nil }
        if let list = elements[array.index] { return list[position] }
        guard count > Self.smallCount else {
            steps += position
            return document.view(at: array)[position].map(document.place)
        }
        steps += count
        let list = document.view(at: array).elements.map(document.place)
        elements[array.index] = list
        return list[position]
    }
}
