internal import JSON
internal import PushCore
internal import PushEngine

/// The shape of a value in the control API, for the OpenAPI document: the part of JSON Schema that is needed here.
indirect enum Schema: Sendable {
    /// A string, with limits for its length.
    case text(ClosedRange<Int> = 0...1_000_000)
    /// One of these strings.
    case words([String])
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case boolean
    /// A string that matches this regular expression.
    case pattern(String)
    /// `250ms`, `5s`, `1h`.
    case duration
    /// RFC 3339.
    case time
    case anything
    case list(Schema)
    /// An object with these members and no others.
    case object([Member])
    /// An object with exactly one of these members.
    case choice([Member])
    /// An object with members of any name.
    case map(Schema)
    case anyOf([Schema])
    case nullable(Schema)
    /// A reference to an entry of `SchemaBook`.
    case named(String)

    struct Member: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool
        let note: String?
        /// In a request, null means the same as a missing member.
        var isNullable = true
    }

    static func member(_ name: String, _ schema: Schema, required: Bool = false, _ note: String? = nil) -> Member {
        Member(name: name, schema: schema, isRequired: required, note: note)
    }

    /// A member that must not be null, because an accidental null would mean "all".
    static func notNull(_ member: Member) -> Member {
        var member = member
        member.isNullable = false
        return member
    }

    /// One page of a list, and the cursor of the next page.
    static func page(_ name: String, _ element: Schema) -> Schema {
        .object([member(name, .list(element), required: true), .next])
    }

    /// The position in a list at which a page begins.
    static let cursor = Schema.pattern("^[0-9]{1,\(QueryReader.longestCursor)}$")

    private var orNull: Schema {
        switch self {
        case .anything, .nullable: self
        default: .nullable(self)
        }
    }

    func write(to json: inout JSONWriter, note: String? = nil) {
        json.object { json in
            if let note { json.member("description", note) }
            writeMembers(to: &json)
        }
    }

    private func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .text(let lengths):
            json.member("type", "string")
            if lengths.lowerBound > 0 { json.member("minLength", lengths.lowerBound) }
            if lengths.upperBound < 1_000_000 { json.member("maxLength", lengths.upperBound) }
        case .words(let words):
            json.member("type", "string")
            json.member("enum", words)
        case .integer(let range):
            json.member("type", "integer")
            json.member("minimum", range.lowerBound)
            if range.upperBound < .max { json.member("maximum", range.upperBound) }
        case .number(let range):
            json.member("type", "number")
            json.member("minimum", range.lowerBound)
            json.member("maximum", range.upperBound)
        case .boolean: json.member("type", "boolean")
        case .pattern(let pattern):
            json.member("type", "string")
            json.member("pattern", pattern)
        case .duration: Schema.pattern("^[0-9]{1,9}(ms|s|m|h)$").writeMembers(to: &json)
        case .time:
            json.member("type", "string")
            json.member("format", "date-time")
        case .anything: break
        case .list(let element):
            json.member("type", "array")
            json.key("items")
            element.write(to: &json)
        case .object(let members): write(members, to: &json)
        case .choice(let members):
            write(members.map(Self.notNull), to: &json)
            json.member("minProperties", 1)
            json.member("maxProperties", 1)
        case .map(let value):
            json.member("type", "object")
            json.key("additionalProperties")
            value.write(to: &json)
        case .anyOf(let schemas):
            json.key("anyOf")
            json.array { json in for schema in schemas { schema.write(to: &json) } }
        case .nullable(let schema):
            json.key("anyOf")
            json.array { json in
                schema.write(to: &json)
                json.object { $0.member("type", "null") }
            }
        case .named(let name): json.member("$ref", "#/components/schemas/\(name)")
        }
    }

    private func write(_ members: [Member], to json: inout JSONWriter) {
        json.member("type", "object")
        json.key("properties")
        json.object { json in
            for member in members {
                json.key(member.name)
                (member.isRequired || !member.isNullable ? member.schema : member.schema.orNull).write(
                    to: &json, note: member.note)
            }
        }
        let needed = members.filter(\.isRequired).map(\.name)
        if !needed.isEmpty { json.member("required", needed) }
        json.member("additionalProperties", false)
    }
}
