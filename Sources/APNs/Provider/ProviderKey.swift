package import PushCore

/// A key that signs provider tokens, and what it may be used for (docs/evidence/apns.md §3.3).
package struct ProviderKey: Sendable {
    package let id: String
    package let team: String
    /// The environment that the key works in. Nil for a key from before 2025, which works in both.
    package let environment: PushEnvironment?
    /// The topics that the key is limited to; nil for a key of the whole team.
    package let topics: [String]?
    /// The one other key that may be used on a connection that began with this key.
    package let related: String?

    package init(
        id: String, team: String, environment: PushEnvironment? = nil, topics: [String]? = nil, related: String? = nil
    ) {
        self.id = id
        self.team = team
        self.environment = environment
        self.topics = topics
        self.related = related
    }

    /// Whether this is a key or team id in Apple's format: ten letters and digits.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 10 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
