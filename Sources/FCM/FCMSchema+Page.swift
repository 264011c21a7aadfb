/// The schema for people: docs/fcm-fields.md is made of it.
extension FCMSchema {
    package static var page: String {
        var text = """
            # FCM's fields

            Every message and field that `messages:send` takes, in the table from which Pushpit reads them \
            (documented, revision 20261023). Names may be written either way. Made by `pushpit rules --format fcm-fields`.

            """
        for name in Name.allCases {
            let message = self[name]
            text += "\n## \(message.name)\n\n"
            if message.fields.isEmpty {
                text += "No fields.\n"
                continue
            }
            text += "| JSON | proto | type | |\n|---|---|---|---|\n"
            for row in message.fields {
                let note = row.isInOneof ? "one of `\(message.oneof ?? "")`" : row.rule?.shown ?? row.type.values
                text +=
                    "| `\(row.field.camel)` | `\(row.field.snake)` | \(row.isRepeated ? "list of " : "")\(row.type.shown) | \(note) |\n"
            }
        }
        return text
    }
}

extension ProtoType {
    fileprivate var shown: String {
        switch self {
        case .string: "string"
        case .bool: "bool"
        case .int32: "int32"
        case .float: "float"
        case .duration: "duration, like `\"3.5s\"`"
        case .timestamp: "timestamp"
        case .structure: "any object"
        case .map: "map from string to string"
        case .message(let name): FCMSchema[name].name
        case .enumeration: "enum"
        }
    }

    fileprivate var values: String {
        guard case .enumeration(let type) = self else { return "" }
        return type.values.map { "`\($0)`" }.joined(separator: " ")
    }
}
