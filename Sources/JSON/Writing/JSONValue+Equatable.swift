extension JSONValue: Equatable {
    /// Compares values: strings by their bytes, 1 equal to 1.0, objects in any order of members.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.int(let int), .double(let double)), (.double(let double), .int(let int)):
            Double(exactly: int) == double
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.count == right.count
                && ordered(left).elementsEqual(ordered(right)) {
                    $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
                }
        case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    /// Sorts members by key, because an object has no order (RFC 8259 §1). Members with equal keys keep their order.
    private static func ordered(_ members: [(key: String, value: JSONValue)]) -> [(key: String, value: JSONValue)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

extension JSONValue: Hashable {
    /// Values that are equal have the same hash: 1 and 1.0, and objects in any order of members.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(Double(value))
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements)
        case .object(let members):
            hasher.combine(
                members.reduce(into: 0) { sum, member in
                    var inner = Hasher()
                    inner.combine(member.key)
                    inner.combine(member.value)
                    sum &+= inner.finalize()
                })
        }
    }
}
