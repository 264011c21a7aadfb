package import PushCore

/// Every rule of this dialect, for `pushpit rules` and the documentation.
package enum APNsRules {
    package static let all: [Rule] =
        APNsReason.allCases.map { Rule($0.rule.description, $0.effect, $0.meaning, $0.evidence) }
        + PayloadRule.allCases.map { rule in
            Rule(rule.rawValue, rule.effect, "\(rule.meaning); \(rule.consequence).", .ours)
        }
        + [
            Rule(
                "auth.unknown-key", .finding(.note),
                "The key id is none that Pushpit knows, so its signature was not checked; Apple would check it.", .ours),
            Rule(
                "apns.needs-http2", .refusal(505),
                "A push came over HTTP/1.1 to a listener that is not Apple's alone; use curl --http2.", .ours),
        ]
}

extension APNsReason {
    fileprivate var effect: Rule.Effect {
        self == .invalidPayload ? .strictRefusal(status, service: nil) : .refusal(status)
    }

    /// When a push is refused for it.
    package var meaning: String {
        switch self {
        case .badCollapseID: "apns-collapse-id has more than 64 octets."
        case .badDeviceToken: "The device token is no hex of 64 to 200 digits, unknown, or of the other environment."
        case .badExpirationDate: "apns-expiration is no whole number of seconds."
        case .badMessageID: "apns-id is no UUID."
        case .badPriority: "apns-priority is not 10, 5 or 1."
        case .badTopic: "apns-topic has characters that no bundle id has, or more than 255."
        case .deviceTokenNotForTopic: "The device token belongs to another topic."
        case .duplicateHeaders: "authorization, or a field that begins with apns-, came twice."
        case .idleTimeout: "The connection was idle; comes in a GOAWAY."
        case .invalidPushType: "apns-push-type is unknown, or does not belong to the topic's suffix."
        case .missingDeviceToken: "The path ends where the device token should be."
        case .missingTopic: "apns-topic is absent, and no certificate stands for just one."
        case .payloadEmpty: "There is no body."
        case .topicDisallowed: "The certificate or the key is not for this topic."
        case .badCertificate: "The client certificate is of another authority; comes in a GOAWAY."
        case .badCertificateEnvironment: "The client certificate is for the other environment; comes in a GOAWAY."
        case .expiredProviderToken: "The provider token is older than an hour."
        case .forbidden: "The action is not allowed; only asked for by a fault or a magic token."
        case .invalidProviderToken:
            "The provider token can't be read, its signature is not good, or its team is another."
        case .missingProviderToken: "There is neither a client certificate nor 'authorization: bearer'."
        case .unrelatedKeyIDInToken: "The key is not kin to the one that this connection began with."
        case .badEnvironmentKeyInToken: "The key is for the other environment."
        case .badPath: "The path is not /3/device/ and a token."
        case .methodNotAllowed: "The method is not POST."
        case .expiredToken: "The device token has expired; only asked for by a fault or a magic token."
        case .unregistered: "The app is gone from the device; the body says since when."
        case .payloadTooLarge: "The body is longer than 4,096 octets, 5,120 for voip."
        case .tooManyProviderTokenUpdates: "Another provider token came on this connection within 20 minutes."
        case .tooManyRequests: "Too many pushes to one device; only asked for by a fault or a magic token."
        case .internalServerError: "Apple's own trouble; only asked for by a fault or a magic token."
        case .serviceUnavailable:
            "Apple's own trouble; here also: every device is watched and there is no room for more."
        case .shutdown: "The server goes down; comes in a GOAWAY."
        case .broadcastFeatureNotEnabled: "The app may not broadcast; only asked for by a fault."
        case .missingChannelID: "apns-channel-id is absent."
        case .badChannelID: "apns-channel-id is no channel's, and never was."
        case .channelNotRegistered: "The channel was deleted, or is read and not there."
        case .badRequestParams: "A new channel's body has a member that is not known."
        case .badRequestPayload: "A new channel's body is no JSON object."
        case .missingPushType: "The push type is absent."
        case .missingChannelQueueSize: "A new channel's message-storage-policy is absent, or neither 0 nor 1."
        case .cannotCreateChannelConfig: "The app has 10,000 channels."
        case .topicMismatch: "The certificate or the key is not for the app in the path."
        case .invalidPayload: "The strict profile: what the phone could not use; the answer says which rule."
        }
    }

    package var evidence: Rule.Evidence {
        switch self {
        case .missingProviderToken, .invalidProviderToken, .badCertificate, .badCertificateEnvironment,
            .missingDeviceToken, .methodNotAllowed, .badPath, .badEnvironmentKeyInToken, .shutdown, .invalidPushType,
            .broadcastFeatureNotEnabled, .badChannelID, .channelNotRegistered, .missingChannelQueueSize:
            .observed
        case .badTopic, .forbidden: .assumed
        case .invalidPayload: .ours
        default: .documented
        }
    }
}

extension PayloadRule {
    fileprivate var effect: Rule.Effect { refuses ? .strictRefusal(400, service: severity) : .finding(severity) }

    /// What is found.
    var meaning: String {
        switch self {
        case .notJSON: "The body is no JSON"
        case .notObject: "The body is JSON, but no object"
        case .wrongType: "A documented key of 'aps' has a value of another type"
        case .mutableContent: "'mutable-content' is neither the number 1 nor 0"
        case .mediaNeedsMutableContent: "There is a media URL, and 'mutable-content' is not 1"
        case .mediaNotAbsolute: "A media URL is no absolute http or https URL"
        case .mediaNoExtension: "The path of a media URL ends in no file extension"
        case .mediaUnknownExtension: "The path of a media URL ends in an extension of no type that attachments take"
        case .liveActivityIncomplete: "A Live Activity's payload lacks what its event needs"
        case .broadcastStart: "A broadcast has the event 'start'; only 'update' and 'end' can be broadcast"
        case .unknownKey: "'aps' has a key that is not documented"
        case .mutableWithoutAlert: "'mutable-content' is 1 and there is no 'alert'"
        case .alertInBackground: "A background push carries an alert, a badge or a sound"
        case .backgroundPriority: "A background push has priority 10"
        case .mediaInClearText: "A media URL is http"
        case .simulatorKey: "The simulator's key is in the payload"
        case .nullValue: "A value beside 'aps' is null"
        case .mutableBesideAps: "'mutable-content' stands beside 'aps'"
        case .soundShape: "A 'sound' object has no 'name', or its 'critical' or 'volume' is none"
        case .interruptionLevel: "'interruption-level' is none of passive, active, time-sensitive and critical"
        case .relevanceScore: "'relevance-score' is not from 0 to 1"
        case .hostLooksLikeFile: "A media URL has a file extension in its host and none in its path"
        case .trackingSwitch: "'_acsDeliveryTracking' is neither on nor off"
        case .trackingID: "'_mId' is no h and hex, or '_dId' no hex below 2^31"
        }
    }
}
