import JSON

/// Short ways to read answers and to write bodies.
extension JSONValue {
    init(parsing bytes: [UInt8]) throws { self.init(try JSONDocument(parsing: bytes).root) }

    var bytes: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.finish()
    }

    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Nil if this is not a string.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// Nil if this is not a whole number.
    var int: Int64? { if case .int(let number) = self { number } else { nil } }

    /// Empty if this is not an array.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// Empty if this is not an object.
    var members: [(key: String, value: JSONValue)] { if case .object(let members) = self { members } else { [] } }

    var keys: Set<String> { Set(members.map(\.key)) }

    /// The value that a path of keys and indices leads to; null if there is no value.
    func at(_ path: Step...) -> JSONValue {
        path.reduce(self) { value, step in
            switch step {
            case .key(let key): value[key] ?? .null
            case .index(let index): value.elements.indices.contains(index) ? value.elements[index] : .null
            }
        }
    }

    enum Step: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
        case key(String)
        case index(Int)

        init(stringLiteral key: String) { self = .key(key) }
        init(integerLiteral index: Int) { self = .index(index) }
    }

    /// The members of both objects; `other` wins.
    func merging(_ other: JSONValue) -> JSONValue {
        .object(members.filter { other[$0.key] == nil } + other.members)
    }

    func without(_ keys: String...) -> JSONValue { .object(members.filter { !keys.contains($0.key) }) }
}
