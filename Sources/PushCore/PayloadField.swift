package import JSON

/// A field that a push may have, for completion in editors. It comes from the tables that pushes are checked with.
package struct PayloadField: Sendable {
    /// A JSON pointer; `*` stands for any key. Header fields of APNs are below `/headers`.
    package var path: String
    package let type: Kind
    /// The values that are known; empty if any will do.
    package let values: [JSONScalar]
    /// What the field does, in one sentence.
    package let about: String

    package enum Kind: String, Sendable, CaseIterable {
        case string, number, integer, boolean, object, strings, duration, durations, timestamp
        case stringOrObject = "string or object"
    }

    package init(_ path: String, _ type: Kind, _ values: [JSONScalar], _ about: String) {
        self.path = path
        self.type = type
        self.values = values
        self.about = about
    }

    /// The same field, with `prefix` before its path.
    package func below(_ prefix: String) -> PayloadField { PayloadField(prefix + path, type, values, about) }
}

extension PayloadField: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("type", type.rawValue)
            if !values.isEmpty { json.member("values", values) }
            json.member("about", about)
        }
    }
}
