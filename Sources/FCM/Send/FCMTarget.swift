/// The recipient of a message.
package enum FCMTarget: Sendable {
    case token(String)
    case fid(String)
    case topic(String)
    /// A condition, parsed and as it was sent.
    case condition(TopicCondition, String)

    /// Whether it is one installation of an app, not a topic or a condition.
    package var isSingle: Bool {
        switch self {
        case .token, .fid: true
        case .topic, .condition: false
        }
    }

    /// The topic's name; nil for other targets.
    package var topic: String? {
        if case .topic(let name) = self { return name }
        return nil
    }

    /// The token or the installation id; nil for a topic or a condition.
    package var single: String? {
        switch self {
        case .token(let token), .fid(let token): token
        case .topic, .condition: nil
        }
    }
}
