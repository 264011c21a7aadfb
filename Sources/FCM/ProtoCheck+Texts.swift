internal import JSON

/// What the converter says of each fault (facts/fcm.md §2.3: quoted, but what it says of maps, lists and scalars, which is
/// derived).
extension ProtoCheck {
    enum Fault: String {
        case unknownName = "Cannot find field."
        case listOnSingle = "Proto field is not repeating, cannot start list."
        case objectOnScalar = "Starting an object on a scalar field"
        case rootNotMessage = "Root element must be a message."
    }

    mutating func tell(_ fault: Fault, _ name: String) {
        guard violations.count < Self.most else { return }
        let place = location.map { " at '\($0)'" } ?? ""
        note("Invalid JSON payload received. Unknown name \"\(name)\"\(place): \(fault.rawValue)")
    }

    mutating func tellMap(_ text: String) {
        guard violations.count < Self.most else { return }
        note("Invalid value at '\(location ?? "")' (Map), \(text)")
    }

    mutating func tellOneof(_ oneof: String, _ field: FCMField) {
        note(
            "Invalid value at '\(location ?? "")' (oneof), oneof field '\(oneof)' is already set. Cannot set '\(field.snake)'"
        )
    }

    mutating func tellInvalid(_ value: JSONPlace, _ type: ProtoType) {
        guard violations.count < Self.most else { return }
        let view = document.view(at: value)
        tellInvalid(view.string.map { "\"\($0)\"" } ?? String(decoding: view.source, as: UTF8.self), type)
    }

    mutating func tellInvalid(_ text: String, _ type: ProtoType) {
        guard violations.count < Self.most else { return }
        note("Invalid value at '\(location ?? "")' (\(type.text)), \(text)")
    }

    private mutating func note(_ description: String) {
        violations.append(
            Violation(field: location, description: description, offset: document.view(at: place).range.lowerBound))
    }

    /// `message.data[1].value`; nil at the root.
    private var location: String? {
        guard !path.isEmpty else { return nil }
        var text = ""
        for step in path {
            switch step {
            case .field(let field): text += text.isEmpty ? field.snake : ".\(field.snake)"
            case .entry(let index): text += "[\(index)]"
            case .mapValue(let index): text += "[\(index)].value"
            }
        }
        return text
    }
}
