internal import JSON
internal import PushCore

/// The texts of conversion errors (docs/evidence/fcm.md §2.3: quoted, except those about maps, lists and scalars, which
/// are derived).
extension ProtoCheck {
    enum Fault: String {
        case unknownName = "Cannot find field."
        case listOnSingle = "Proto field is not repeating, cannot start list."
        case objectOnScalar = "Starting an object on a scalar field"
        case rootNotMessage = "Root element must be a message."
    }

    mutating func report(_ fault: Fault, _ name: String, remedy: String = ProtoType.nameRemedy) {
        guard violations.count < Self.maximumViolations else { return }
        let context = location.map { " at '\($0)'" } ?? ""
        add("Invalid JSON payload received. Unknown name \"\(name)\"\(context): \(fault.rawValue)", remedy: remedy)
    }

    mutating func reportMap(_ text: String) {
        guard violations.count < Self.maximumViolations else { return }
        add("Invalid value at '\(location ?? "")' (Map), \(text)", remedy: ProtoType.mapRemedy)
    }

    mutating func reportOneof(_ oneof: String, _ field: FCMField) {
        add(
            "Invalid value at '\(location ?? "")' (oneof), oneof field '\(oneof)' is already set. Cannot set '\(field.snake)'",
            remedy: "Set only one field of '\(oneof)': remove '\(field.camel)' or the other one.")
    }

    /// - Parameter remedy: what would be right, if the type alone does not say it.
    mutating func reportInvalid(_ value: JSONPlace, _ type: ProtoType, remedy: String? = nil) {
        guard violations.count < Self.maximumViolations else { return }
        let view = document.view(at: value)
        let text = view.string.map { "\"\($0)\"" } ?? String(decoding: view.source, as: UTF8.self)
        reportInvalid(text, type, remedy: remedy)
    }

    mutating func reportInvalid(_ text: String, _ type: ProtoType, remedy: String? = nil) {
        guard violations.count < Self.maximumViolations else { return }
        add("Invalid value at '\(location ?? "")' (\(type.errorName)), \(text)", remedy: remedy ?? type.remedy)
    }

    private mutating func add(_ description: String, remedy: String) {
        let offset = document.view(at: place).range.lowerBound
        violations.append(Violation(field: location, description: description, offset: offset, remedy: remedy))
    }

    /// The path of the current value, like `message.data[1].value`; nil at the root.
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

    private static let maximumSuggestions = 20

    /// Adds a finding that says which field an unknown name probably stands for.
    mutating func suggest(_ key: String, _ value: JSONPlace, in name: FCMSchema.MessageType) {
        let isImage = NameGuesser.isMedia(key, document.string(at: value))
        let image = isImage && FCMSchema.index(of: .image, in: name) != nil ? FCMField.image.camel : nil
        guard suggestions.count < Self.maximumSuggestions, let guess = FCMSchema.spelling(of: name).guess(key) ?? image
        else { return }
        let parent = (location ?? "").split(separator: ".").map { "/\($0)" }.joined()
        suggestions.append(
            Finding(
                "fcm.misspelled-key", .warning, at: "\(parent)/\(key.prefix(40))",
                "Did you mean '\(guess)'? '\(key.prefix(40))' is not a field here."))
    }
}
