/// Whom a message is for.
package enum FCMTarget: Sendable {
    case token(String)
    case fid(String)
    case topic(String)
    case condition(TopicCondition, String)

    /// One installation of an app.
    var isSingle: Bool { single != nil }

    /// Its name, where it is one.
    package var topic: String? {
        if case .topic(let name) = self { return name }
        return nil
    }

    /// Its token or id.
    package var single: String? {
        switch self {
        case .token(let token), .fid(let token): token
        case .topic, .condition: nil
        }
    }
}
