package import JSON
internal import Patterns
package import PushCore

/// Reading filters from a query, and from `match` in a body.
extension MessageFilter {
    package static var names: [String] { Field.allCases.map(\.rawValue) + ["since", "until"] }

    /// Reads a query. A parameter whose name begins with a slash is a JSON pointer into the body; its value is JSON or
    /// text.
    package init(_ query: QueryReader) throws(ControlProblem) {
        try self.init(query, Field.allCases)
        do throws(ControlProblem) {
            try bound(since: query.text("since"), until: query.text("until"))
            for (name, value) in query.pointers {
                try add(.body(try Self.pointer(name, at: "/body")), jsonOrText: value, at: "/body")
            }
        } catch { throw QueryReader.bad(error.message) }
    }

    /// Reads only these fields of a query.
    package init(_ query: QueryReader, _ fields: [Field]) throws(ControlProblem) {
        do throws(ControlProblem) {
            for field in fields {
                if let wanted = query.text(field.rawValue) { try add(field, wanted) }
            }
        } catch { throw QueryReader.bad(error.message) }
    }

    package init(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        var fields = try FieldReader(json, at: pointer)
        try Self.refuseNull(json, fields)
        try Self.refusePointers(json, at: pointer)
        for field in Field.allCases { try readField(field, &fields) }
        let (since, until) = (try fields.timeOrNumber("since"), try fields.timeOrNumber("until"))
        try bound(since: since, until: until, under: pointer)
        try readHeaders(&fields)
        for name in ["body", "bodyText"] {
            try readValues(&fields, name) { Place.body($0) }
        }
        if let event = fields.value("event") { try readEvent(event, at: "\(pointer)/event") }
        try fields.end()
    }

    /// An accidental null must not match everything.
    private static func refuseNull(_ json: JSONView, _ fields: FieldReader) throws(ControlProblem) {
        for (key, value) in json.members where value.isNull {
            throw fields.problem(key.shortened, "must not be null. Leave it out to match everything")
        }
    }

    /// In a query, pointers into the body are names of parameters. Here they belong into `body`.
    private static func refusePointers(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        for key in json.members.map(\.key.shortened) where key.hasPrefix("/") {
            throw .bad(
                "'\(key)' is a pointer into the body. Write it in 'body': {\"body\":{\"\(key)\":…}}.",
                at: "\(pointer)\(FieldReader.escaped(key))")
        }
    }

    private mutating func readField(_ field: Field, _ fields: inout FieldReader) throws(ControlProblem) {
        guard let value = fields.value(field.rawValue) else { return }
        let pointer = "\(fields.pointer)/\(field.rawValue)"
        if field == .status, value.kind == .number { _ = try fields.int(field.rawValue, 0...999) }
        let status = field == .status ? value.exactInteger : nil
        let text = try WantedText(value, at: pointer)
        guard let wanted = status.map({ .whole(String($0)) }) ?? text else {
            throw fields.problem(
                field.rawValue, "must be \(field == .status ? "a status such as 200" : "a string"), \(Self.orPattern)")
        }
        try at(pointer) { () throws(ControlProblem) in try add(field, wanted) }
    }

    private static let orPattern = #"{"prefix":"…"} or {"regex":"…"}"#

    private mutating func readHeaders(_ fields: inout FieldReader) throws(ControlProblem) {
        guard let json = fields.value("headers") else { return }
        guard json.kind == .object else {
            throw fields.problem("headers", "must be an object of header names and values")
        }
        let pointer = "\(fields.pointer)/headers"
        for (key, value) in json.members {
            guard let wanted = try WantedText(value, at: "\(pointer)\(FieldReader.escaped(key.shortened))") else {
                throw fields.problem("headers", "must have strings as values, \(Self.orPattern)")
            }
            try add(.header((key.string ?? "").lowercased()), wanted, at: pointer)
        }
    }

    /// Reads an object of JSON pointers, each with the wanted value.
    ///
    /// - Parameter name: the name of the member with the object. If it ends in `Text`, each wanted value is a string.
    private mutating func readValues(
        _ fields: inout FieldReader, _ name: String, _ place: (JSONPointer) -> Place
    ) throws(ControlProblem) {
        guard let json = fields.value(name) else { return }
        guard json.kind == .object else { throw fields.problem(name, "must be an object of JSON pointers and values") }
        let parent = "\(fields.pointer)/\(name)"
        for (key, value) in json.members {
            let place = place(try Self.pointer(key.string ?? "", at: parent))
            let wanted = try WantedText(value, at: "\(parent)\(FieldReader.escaped(key.shortened))")
            if let wanted, wanted.isPattern {
                try add(place, wanted, at: parent)
            } else if !name.hasSuffix("Text") {
                let value = JSONValue(value)
                try add(place, .values([value]), shown: value, length: 0, at: parent)
            } else if case .whole(let text) = wanted {
                try add(place, jsonOrText: text, at: parent)
            } else {
                throw fields.problem(name, "must have strings as values, \(Self.orPattern)")
            }
        }
    }

    private mutating func readEvent(_ json: JSONView, at pointer: String) throws(ControlProblem) {
        var fields = try FieldReader(json, at: pointer)
        try Self.refuseNull(json, fields)
        guard let kind = fields.value("kind") else {
            throw fields.problem("kind", "is required: the kind of event, such as \"presented\"")
        }
        var only: Event.Kind?
        if let word = kind.string {
            only = Event.Kind(rawValue: word)
            if only == nil { throw fields.problem("kind", notOneOf: Event.Kind.allCases.map(\.rawValue)) }
        }
        countEvents(of: only)
        for field in EventField.allCases {
            guard let value = fields.value(field.rawValue) else { continue }
            let place = "\(pointer)/\(field.rawValue)"
            guard let wanted = try WantedText(value, at: place) else {
                throw fields.problem(field.rawValue, "must be a string, \(Self.orPattern)")
            }
            try add(.event(field), wanted, at: place)
        }
        for name in ["data", "dataText"] {
            try readValues(&fields, name) { Place.eventData($0) }
        }
        try fields.end()
    }

    private static func pointer(_ text: String, at parent: String) throws(ControlProblem) -> JSONPointer {
        guard let pointer = JSONPointer(text) else {
            throw .bad(
                "'\(text.prefix(100))' is not a JSON pointer. A pointer begins with '/', for example /aps/alert/title.",
                at: parent)
        }
        return pointer
    }

    /// Adds a condition: the value at the place is this string, or the value that the text is in JSON.
    private mutating func add(_ place: Place, jsonOrText text: String, at parent: String) throws(ControlProblem) {
        let readings = Self.readings(of: text)
        try add(place, .values(readings), shown: readings.first ?? .null, length: 0, at: parent)
    }

    /// The values that a text may stand for: `7` is the number 7 or the string "7", because FCM data contains only
    /// strings.
    private static func readings(of text: String) -> [JSONValue] {
        ((try? JSONDocument(parsing: Array(text.utf8)))?.root).map { [JSONValue($0), .string(text)] } ?? [.string(text)]
    }

    /// Runs `body`, and sets the pointer of an error that it throws.
    private func at(_ pointer: String, _ body: () throws(ControlProblem) -> Void) throws(ControlProblem) {
        do throws(ControlProblem) { try body() } catch {
            var error = error
            error.pointer = pointer
            throw error
        }
    }
}

extension FieldReader {
    /// Reads a time or an event number, as text.
    fileprivate mutating func timeOrNumber(_ key: String) throws(ControlProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string ?? value.uint64.map({ String($0) }) else {
            throw problem(key, "must be a time or an event number")
        }
        return text
    }
}
