package import JSON

/// What a person does with a notification.
package enum UserAction: Sendable {
    case open(String)
    case dismiss(String)
    case action(String, id: String, text: String?)

    package var key: String {
        switch self {
        case .open(let key), .dismiss(let key), .action(let key, _, _): key
        }
    }

    /// In bytes.
    private static let maxTextLength = 4096

    /// Reads the JSON object that clients send, with `notification`, `kind`, and for an action `actionId` and `text`.
    package init(_ json: JSONView) throws(DeviceProblem) {
        guard let key = json["notification"]?.string else {
            throw DeviceProblem(
                pointer: "/notification", message: "'notification' must be the key of a notification in the shade.")
        }
        switch json["kind"]?.string {
        case "open": self = .open(key)
        case "dismiss": self = .dismiss(key)
        case "action":
            guard let id = json["actionId"]?.string else {
                throw DeviceProblem(
                    pointer: "/actionId", message: "'actionId' must be the id of one of the notification's actions.")
            }
            let text = json["text"]
            if let text, !text.isNull, text.string.map({ $0.utf8.count > Self.maxTextLength }) ?? true {
                throw DeviceProblem(
                    pointer: "/text", message: "'text' must be a string of at most \(Self.maxTextLength) bytes.")
            }
            self = .action(key, id: id, text: text?.string)
        default: throw DeviceProblem(pointer: "/kind", message: "'kind' must be open, dismiss or action.")
        }
    }
}
