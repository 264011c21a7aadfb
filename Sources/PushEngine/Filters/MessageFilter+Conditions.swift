internal import JSON
internal import Patterns

extension MessageFilter {
    /// What a condition is about.
    enum Place: Equatable {
        case field(Field)
        /// A header of the request, in lower case.
        case header(String)
        /// A value in the body of the request.
        case body(JSONPointer)
        case event(EventField)
        /// A value in the event's `data`.
        case eventData(JSONPointer)
    }

    /// The fields of `event` in a filter.
    enum EventField: String, CaseIterable { case kind, device, why }

    enum Wanted {
        /// One of the texts at the place passes this test.
        case text(TextTest)
        /// The value is one of these.
        case values([JSONValue])
    }

    struct Condition {
        let place: Place
        let wanted: Wanted
        /// What is wanted, for `differs` in an answer.
        let shown: JSONValue
    }
}

extension MessageFilter.Condition {
    var isCostly: Bool { if case .text(let test) = wanted { test.size > 0 } else { false } }
}

extension MessageFilter.Place {
    /// The length of a header's name or of a pointer, in bytes.
    var length: Int {
        switch self {
        case .field, .event: 0
        case .header(let name): name.utf8.count
        case .body(let pointer), .eventData(let pointer): pointer.description.utf8.count
        }
    }

    /// A filter may have only so many conditions of one group. Nil if the place belongs to no group.
    var group: String? {
        switch self {
        case .field, .event: nil
        case .header: "headers"
        case .body: "pointers"
        case .eventData: "pointers into an event"
        }
    }
}
