internal import PushCore

/// What nobody has recorded of Apple's service, or what its documentation says otherwise than the wire
/// (facts/apns.md): each has the answer that is taken here, and another one for those who know better.
package enum APNsChoice: String, PolicyChoice {
    case unknownChannel = "unknown-channel"
    case notJSON = "not-json"
    case futureToken = "future-token"
    case otherTeam = "other-team"
    case plainTopic = "plain-topic"
    case capitalID = "capital-id"
    case pastExpiration = "past-expiration"
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
        case .errorType: ("none", "application/json")
        }
    }

    package var meaning: String {
        switch self {
        case .unknownChannel: "reading a channel that is not there"
        case .notJSON: "a body that is no JSON, with --validation service"
        case .futureToken: "a provider token whose iat lies ahead, by an hour at most"
        case .otherTeam: "a provider token of another team on a connection"
        case .plainTopic: "a push type that needs a suffix with a topic that has none, beside voip"
        case .capitalID: "an apns-id with capitals"
        case .pastExpiration: "an apns-expiration that is past and not 0"
        case .errorType: "the content-type of errors"
        }
    }
}
