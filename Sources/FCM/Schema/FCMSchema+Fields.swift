package import PushCore

/// The fields of a message to FCM, for completion in editors.
extension FCMSchema {
    /// By their names with underscores, from `/message` down. Those of `apns.payload` are Apple's.
    package static let payloadFields = fields(of: .sendMessageRequest, below: "")

    private static func fields(of name: MessageType, below parent: String) -> [PayloadField] {
        self[name].fields.flatMap { (row: ProtoField) -> [PayloadField] in
            let path = "\(parent)/\(row.field.snake)"
            let rule = row.rule.map { " \($0.sentence)" } ?? ""
            let field = PayloadField(path, row.kind, row.type.words, row.field.about + rule)
            return switch row.type {
            case .message(let inner): [field] + fields(of: inner, below: path)
            case .map: [field, PayloadField("\(path)/*", .string, [], "A value; it must be a string.")]
            case .string, .bool, .int32, .float, .duration, .timestamp, .structure, .enumeration: [field]
            }
        }
    }
}

extension FieldRule {
    /// The summary of docs/fcm-fields.md as a sentence.
    fileprivate var sentence: String {
        let text = summary.filter { $0 != "`" }
        return "\(text.prefix(1).uppercased())\(text.dropFirst())."
    }
}

extension ProtoField {
    fileprivate var kind: PayloadField.Kind {
        switch type {
        case .string, .enumeration: isRepeated ? .strings : .string
        case .bool: .boolean
        case .int32: .integer
        case .float: .number
        case .duration: isRepeated ? .durations : .duration
        case .timestamp: .timestamp
        case .structure, .map, .message: .object
        }
    }
}

extension ProtoType {
    /// The values of an enumeration, except `…_UNSPECIFIED`.
    fileprivate var words: [JSONScalar] {
        guard case .enumeration(let type) = self else { return [] }
        return type.values.filter { !$0.hasSuffix("_UNSPECIFIED") }.map { .string($0) }
    }
}
