internal import PushCore

/// Behavior of Google's service that has not been observed, or that differs from the documentation, with a choice
/// between two answers (docs/evidence/fcm.md §10).
package enum FCMChoice: String, PolicyChoice {
    case emptyAps = "empty-aps"
    case mutableContent = "mutable-content"
    case topicPrefix = "topic-prefix"
    case topicSize = "topic-size"
    case tokenSize = "token-size"
    case silentForApple = "silent-for-apple"

    package var values: (standard: String, other: String) {
        switch self {
        case .emptyAps: ("refuse", "accept")
        case .mutableContent: ("as-sent", "added")
        case .topicPrefix: ("refuse", "strip")
        case .topicSize, .tokenSize: ("4506", "4096")
        case .silentForApple: ("accept", "refuse")
        }
    }

    package var meaning: String {
        switch self {
        case .emptyAps: "an empty 'aps' in apns.payload"
        case .mutableContent: "'mutable-content' for an iPhone, if the message has an image and does not set this key"
        case .topicPrefix: "a topic name that starts with '/topics/'"
        case .topicSize: "the maximum size in bytes of a message to a topic"
        case .tokenSize: "the maximum size in bytes of a message to a token"
        case .silentForApple: "a message that shows nothing and lacks content-available 1 or apns-priority 5"
        }
    }
}
