package import JSON
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
            for (name, value) in query.pointers { try add(pointer: name, Self.readings(of: value)) }
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
        // An accidental null must not match everything.
        for (key, value) in json.members where value.isNull {
            throw fields.problem(key.shortened, "must not be null. Leave it out to match everything")
        }
        for field in Field.allCases {
            guard let value = fields.value(field.rawValue) else { continue }
            if field == .status, value.kind == .number { _ = try fields.int(field.rawValue, 0...999) }
            guard let wanted = field == .status ? value.exactInteger.map(String.init) ?? value.string : value.string
            else {
                throw fields.problem(
                    field.rawValue, field == .status ? "must be a status such as 200" : "must be a string")
            }
            try at("\(pointer)/\(field.rawValue)") { () throws(ControlProblem) in try add(field, wanted) }
        }
        let (since, until) = (try fields.moment("since"), try fields.moment("until"))
        try bound(since: since, until: until, under: pointer)
        try readHeaders(&fields)
        try readBody(&fields, "body") { [JSONValue($0)] }
        try readBody(&fields, "bodyText") { $0.string.map(Self.readings) }
        try fields.end()
    }

    private mutating func readHeaders(_ fields: inout FieldReader) throws(ControlProblem) {
        guard let json = fields.value("headers") else { return }
        guard json.kind == .object else {
            throw fields.problem("headers", "must be an object of header names and values")
        }
        for (key, value) in json.members {
            guard let text = value.string else { throw fields.problem("headers", "must have strings as values") }
            try add(header: key.string ?? "", text, under: fields.pointer)
        }
    }

    private mutating func readBody(_ fields: inout FieldReader, _ name: String, _ read: (JSONView) -> [JSONValue]?)
        throws(ControlProblem)
    {
        guard let json = fields.value(name) else { return }
        guard json.kind == .object else { throw fields.problem(name, "must be an object of JSON pointers and values") }
        for (key, value) in json.members {
            guard let wanted = read(value) else { throw fields.problem(name, "must have strings as values") }
            try add(pointer: key.string ?? "", wanted, under: fields.pointer)
        }
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
    /// Reads a time or an event number.
    fileprivate mutating func moment(_ key: String) throws(ControlProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string ?? value.uint64.map({ String($0) }) else {
            throw problem(key, "must be a time or an event number")
        }
        return text
    }
}
