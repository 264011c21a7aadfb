internal import PushCore

/// What nobody has recorded of Google's service (facts/fcm.md §10).
package enum FCMChoice: String, PolicyChoice {
    case emptyAps = "empty-aps"
    case mutableContent = "mutable-content"
    case topicPrefix = "topic-prefix"
    case topicSize = "topic-size"
    case silentForApple = "silent-for-apple"

    package var values: (standard: String, other: String) {
        switch self {
        case .emptyAps: ("refuse", "accept")
        case .mutableContent: ("as-sent", "added")
        case .topicPrefix: ("refuse", "strip")
        case .topicSize: ("4506", "4096")
        case .silentForApple: ("accept", "refuse")
        }
    }

    package var meaning: String {
        switch self {
        case .emptyAps: "an empty 'aps' in apns.payload"
        case .mutableContent: "'mutable-content' for an iPhone that gets an image without it"
        case .topicPrefix: "a topic with '/topics/' before its name"
        case .topicSize: "the octets that a message to a topic may have"
        case .silentForApple: "a message that shows nothing, without content-available 1 and apns-priority 5"
        }
    }
}
