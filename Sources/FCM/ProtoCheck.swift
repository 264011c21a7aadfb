internal import JSON

/// Tries a JSON text against a message type as Google's converter does, and says each fault in its words
/// (facts/fcm.md §2.2 and §2.3). Nothing is made where all is well.
struct ProtoCheck {
    struct Violation: Sendable, Equatable {
        /// Nil at the root.
        let field: String?
        let description: String
        /// Where the fault is in the text; nil for none of its octets.
        var offset: Int?

        static func == (one: Violation, other: Violation) -> Bool { one.field == other.field && one.description == other.description }
    }

    private(set) var violations: [Violation] = []
    private let document: JSONDocument
    private var path: [Step] = []
    /// What is being looked at: a key, or a value.
    private var place: JSONPlace

    private enum Step {
        case field(String)
        case entry(Int)
        case mapValue(Int)
    }

    /// Faults told of one text.
    private static let most = 1000

    init(_ document: JSONDocument, as name: FCMSchema.Name) {
        self.document = document
        let root = document.rootPlace
        place = root
        if document.kind(at: root) == .object {
            check(object: root, FCMSchema[name])
        } else {
            unknown("", "Root element must be a message.")
        }
    }

    private mutating func check(object: JSONPlace, _ message: ProtoMessage) {
        var chosen: String?
        var key = document.firstKey(in: object)
        while let here = key {
            let value = document.value(ofKey: here)
            place = here
            if let field = message.field(at: here, of: document) {
                if document.kind(at: value) != .null {
                    if let oneof = message.oneof, oneof.fields.contains(field.name) {
                        if let chosen, chosen != field.name {
                            note(
                                location, "Invalid value at '\(location ?? "")' (oneof), oneof field '\(oneof.name)' is "
                                    + "already set. Cannot set '\(field.name)'")
                        }
                        chosen = field.name
                    }
                    check(value, field)
                }
            } else {
                unknown(document.view(at: here).string ?? "", "Cannot find field.")
            }
            key = document.key(after: here, in: object)
        }
    }

    private mutating func check(_ value: JSONPlace, _ field: ProtoField) {
        let kind = document.kind(at: value)
        if field.isRepeated, kind == .array {
            for (index, element) in document.view(at: value).elements.enumerated() where !element.isNull {
                path.append(.field(field.name))
                path.append(.entry(index))
                place = document.place(of: element)
                checkScalar(document.place(of: element), field)
                path.removeLast(2)
            }
            return
        }
        if kind == .array { return checkList(field) }
        path.append(.field(field.name))
        defer { path.removeLast() }
        switch (field.type, kind) {
        case (.message(let name), .object): check(object: value, FCMSchema[name])
        case (.map, .object): checkMap(value)
        case (.structure, .object): break
        case (.message, _), (.map, _), (.structure, _): invalid(value, field.type.text)
        case (_, .object):
            path.removeLast()
            unknown(field.name, "Starting an object on a scalar field")
            path.append(.field(field.name))
        default: checkScalar(value, field)
        }
    }

    /// A list where there should be none.
    private mutating func checkList(_ field: ProtoField) {
        if case .map = field.type {
            note(location, "Invalid value at '\(location ?? "")' (Map), Cannot bind a list to map for field '\(field.name)'.")
        } else {
            unknown(field.name, "Proto field is not repeating, cannot start list.")
        }
    }

    private mutating func checkMap(_ map: JSONPlace) {
        var index = 0
        var key = document.firstKey(in: map)
        while let here = key {
            let value = document.value(ofKey: here)
            place = here
            path.append(.mapValue(index))
            switch document.kind(at: value) {
            case .string, .null: break
            case .array:
                let name = document.view(at: here).string ?? ""
                note(location, "Invalid value at '\(location ?? "")' (Map), Cannot have repeated items ('\(name)') within a map.")
            case .object:
                for (inner, _) in document.view(at: value).members { unknown(inner.string ?? "", "Cannot find field.") }
            case .number, .bool: invalid(value, ProtoType.string.text)
            }
            path.removeLast()
            index += 1
            key = document.key(after: here, in: map)
        }
    }

    private mutating func checkScalar(_ value: JSONPlace, _ field: ProtoField) {
        let view = document.view(at: value)
        switch field.type {
        case .string: if view.kind != .string { invalid(value, field.type.text) }
        case .bool: if ProtoScalar.bool(view) == nil { invalid(value, field.type.text) }
        case .int32: if ProtoScalar.int32(view) == nil { invalid(value, field.type.text) }
        case .float: if ProtoScalar.float(view) == nil { invalid(value, field.type.text) }
        case .enumeration(let type): if ProtoScalar.enumeration(view, type) == nil { invalid(value, field.type.text) }
        case .duration:
            if case .failure(let fault) = ProtoScalar.duration(view) {
                invalid(saying: "Field '\(field.name)', \(fault.text)", field.type.text)
            }
        case .timestamp:
            if ProtoScalar.timestamp(view) == nil {
                invalid(saying: "Field '\(field.name)', Invalid time format: \(view.string ?? view.shown)", field.type.text)
            }
        case .structure, .map, .message: break
        }
    }

    private mutating func invalid(_ value: JSONPlace, _ type: String) {
        let view = document.view(at: value)
        invalid(saying: view.string.map { "\"\($0)\"" } ?? String(decoding: view.source, as: UTF8.self), type)
    }

    private mutating func invalid(saying text: String, _ type: String) {
        note(location, "Invalid value at '\(location ?? "")' (\(type)), \(text)")
    }

    private mutating func unknown(_ name: String, _ fault: String) {
        let place = location.map { " at '\($0)'" } ?? ""
        note(location, "Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(fault)")
    }

    private mutating func note(_ field: String?, _ description: String) {
        guard violations.count < Self.most else { return }
        violations.append(
            Violation(field: field, description: description, offset: document.view(at: place).range.lowerBound))
    }

    /// `message.data[1].value`; nil at the root.
    private var location: String? {
        guard !path.isEmpty else { return nil }
        var text = ""
        for step in path {
            switch step {
            case .field(let name): text += text.isEmpty ? name : ".\(name)"
            case .entry(let index): text += "[\(index)]"
            case .mapValue(let index): text += "[\(index)].value"
            }
        }
        return text
    }
}

extension ProtoMessage {
    /// The field that a key names, by either of its names.
    func field(at key: JSONPlace, of document: JSONDocument) -> ProtoField? {
        for index in fields.indices
        where document.isString(fields[index].octets, at: key) || document.isString(fields[index].camelOctets, at: key) {
            return fields[index]
        }
        return nil
    }
}
