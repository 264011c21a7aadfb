internal import PushCore

/// The behaviors of Apple's service that have never been recorded, or where its documentation differs from the observed
/// service (docs/evidence/apns.md). Each has a default answer, and another one that `--apns-choice` selects.
package enum APNsChoice: String, PolicyChoice {
    case unknownChannel = "unknown-channel"
    case notJSON = "not-json"
    case futureToken = "future-token"
    case otherTeam = "other-team"
    case plainTopic = "plain-topic"
    case capitalID = "capital-id"
    case pastExpiration = "past-expiration"
    case expiredPush = "expired-push"
    case wrongPushType = "wrong-push-type"
    case errorType = "error-type"

    package var values: (standard: String, other: String) {
        switch self {
        case .unknownChannel: ("ChannelNotRegistered", "BadPath")
        case .notJSON: ("accept", "PayloadEmpty")
        case .futureToken: ("accept", "InvalidProviderToken")
        case .otherTeam: ("InvalidProviderToken", "Forbidden")
        case .plainTopic: ("InvalidPushType", "DeviceTokenNotForTopic")
        case .capitalID: ("accept", "BadMessageId")
        case .pastExpiration: ("accept", "BadExpirationDate")
        case .expiredPush: ("deliver", "discard")
        case .wrongPushType: ("drop", "deliver")
        case .errorType: ("none", "application/json")
        }
    }

    package var meaning: String {
        switch self {
        case .unknownChannel: "reading a channel that does not exist"
        case .notJSON: "a body that is not JSON, with --validation service"
        case .futureToken: "a provider token whose iat is at most an hour in the future"
        case .otherTeam: "a provider token of another team on the same connection"
        case .plainTopic: "a push type other than voip that needs a topic suffix, with a topic without one"
        case .capitalID: "an apns-id with capital letters"
        case .pastExpiration: "an apns-expiration that is in the past but not 0"
        case .expiredPush: "an accepted push whose apns-expiration is in the past, for a device that is reachable"
        case .wrongPushType: "an accepted background or alert push whose content-available does not fit its type"
        case .errorType: "the content-type of error bodies"
        }
    }
}
