import JSON
import PushCore

@testable import ControlAPI

/// Checks a value against a schema, as a program that reads the OpenAPI document would.
extension Schema {
    /// Where and how a value breaks the schema; nil if it matches.
    func mismatch(_ value: JSONValue, at place: String = "") -> String? {
        func unless(_ matches: Bool, _ wanted: String) -> String? { matches ? nil : "\(place): \(wanted) expected" }
        switch self {
        case .anything: return nil
        case .text(let lengths):
            return unless(value.text.map { lengths.contains($0.unicodeScalars.count) } ?? false, "a text of \(lengths)")
        case .words(let words): return unless(value.text.map(words.contains) ?? false, "one of \(words)")
        case .integer(let range):
            return unless(value.int.map { range.contains(Int($0)) } ?? false, "a whole number in \(range)")
        case .number(let range):
            if case .double(let number) = value { return unless(range.contains(number), "a number in \(range)") }
            return unless(value.int.map { range.contains(Double($0)) } ?? false, "a number in \(range)")
        case .boolean: return unless(value == true || value == false, "a boolean")
        case .pattern(let pattern):
            guard let text = value.text, let regex = try? Regex(pattern) else { return unless(false, "a text") }
            return unless(text.firstMatch(of: regex) != nil, "a text like \(pattern)")
        case .duration: return unless(value.text.flatMap(DurationText.milliseconds) != nil, "a duration")
        case .time: return unless(value.text.flatMap { Timestamp(parsing: $0) } != nil, "a time")
        case .list(let element):
            guard case .array(let elements) = value else { return unless(false, "an array") }
            return elements.indices.lazy.compactMap { element.mismatch(elements[$0], at: "\(place)/\($0)") }.first
        case .map(let element):
            guard case .object(let members) = value else { return unless(false, "an object") }
            return members.lazy.compactMap { element.mismatch($0.value, at: "\(place)/\($0.key)") }.first
        case .object(let known): return mismatch(known, value, at: place)
        case .choice(let known):
            return unless(value.members.count == 1, "one member") ?? mismatch(known.map(Self.notNull), value, at: place)
        case .anyOf(let schemas):
            return unless(schemas.contains { $0.mismatch(value, at: place) == nil }, "one of \(schemas.count) shapes")
        case .nullable(let schema): return value == .null ? nil : schema.mismatch(value, at: place)
        case .named(let name):
            guard let entry = SchemaBook.all.first(where: { $0.name == name }) else {
                return unless(false, "the shape \(name), which does not exist,")
            }
            return entry.schema.mismatch(value, at: place)
        }
    }

    private func mismatch(_ known: [Member], _ value: JSONValue, at place: String) -> String? {
        guard case .object(let members) = value else { return "\(place): an object expected" }
        if Set(members.map(\.key)).count < members.count { return "\(place): a member is repeated" }
        for member in known where member.isRequired && value[member.name] == nil {
            return "\(place)/\(member.name): is missing"
        }
        for (key, value) in members {
            guard let member = known.first(where: { $0.name == key }) else { return "\(place)/\(key): is unknown" }
            if value == .null, !member.isRequired, member.isNullable { continue }
            if let found = member.schema.mismatch(value, at: "\(place)/\(key)") { return found }
        }
        return nil
    }
}
