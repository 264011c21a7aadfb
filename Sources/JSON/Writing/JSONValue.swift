/// A JSON value as a tree, for code that cannot write its members in order with a `JSONWriter`.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    /// Members in order. Keys may repeat.
    case object([(key: String, value: JSONValue)])

    /// The value of `key`; the last one if the key is repeated. Nil if this is not an object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}

extension JSONValue: JSONWritable {
    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .int(let value): json.integer(value)
        case .double(let value): json.double(value)
        case .string(let value): json.string(value)
        case .array(let elements): elements.write(to: &json)
        case .object(let members):
            json.object { json in
                for member in members { json.member(member.key, member.value) }
            }
        }
    }
}

extension JSONValue {
    /// Copies a view and everything inside it, recursively. `JSONLimits.maximumDepth` limits the recursion.
    ///
    /// A number that is not an `Int64` becomes the nearest double; one that is too large becomes the largest double.
    package init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = .bool(view.bool == true)
        case .number:
            if let value = view.int64 {
                self = .int(value)
            } else {
                let isNegative = view.source.first == UInt8(ascii: "-")
                self = .double(view.double ?? (isNegative ? -1 : 1) * Double.greatestFiniteMagnitude)
            }
        case .string: self = .string(view.string ?? "")
        case .array: self = .array(view.elements.map { JSONValue($0) })
        case .object: self = .object(view.members.map { ($0.key.string ?? "", JSONValue($0.value)) })
        }
    }
}
