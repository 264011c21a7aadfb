package import PushCore

/// Apple's reasons for a refusal, in the order of docs/evidence/apns.md §4.2. `APNsReason+Rows.swift` defines each.
///
/// A magic token selects a reason by its position among the reasons with the same status, so add a new reason after
/// all others with its status.
package enum APNsReason: UInt8, Sendable, CaseIterable {
    case badCollapseID, badDeviceToken, badExpirationDate, badMessageID, badPriority, badTopic
    case deviceTokenNotForTopic, duplicateHeaders, idleTimeout, invalidPushType
    case missingDeviceToken, missingTopic, payloadEmpty, topicDisallowed
    case badCertificate, badCertificateEnvironment, expiredProviderToken, forbidden
    case invalidProviderToken, missingProviderToken, unrelatedKeyIDInToken, badEnvironmentKeyInToken
    case badPath, methodNotAllowed, expiredToken, unregistered, payloadTooLarge
    case tooManyProviderTokenUpdates, tooManyRequests, internalServerError, serviceUnavailable, shutdown
    // Channels and broadcasts (docs/evidence/apns.md §7.3).
    case broadcastFeatureNotEnabled, missingChannelID, badChannelID, channelNotRegistered
    case badRequestParams, badRequestPayload, missingPushType, missingChannelQueueSize
    case cannotCreateChannelConfig, topicMismatch
    /// Not Apple's: Pushpit's `strict` validation refuses a payload that the phone could not use.
    case invalidPayload

    /// The word in the answer's body.
    package var word: String { row.word }
    package var status: Int { row.status }
    package var rule: RuleID { row.rule.id }
    /// Why a push is refused with this reason.
    package var meaning: String { row.rule.meaning }
    /// Whether a device push to Apple can be refused with this reason. False for Pushpit's own reason and for the
    /// reasons of channels and broadcasts.
    var appliesToDevicePushes: Bool { row.api == .devicePush }

    struct Row: Sendable {
        enum API: Sendable { case devicePush, broadcast, ours }

        let word: String
        let status: Int
        let api: API
        let rule: Rule

        init(
            _ word: String, _ status: Int, _ evidence: Rule.Evidence, observed: String? = nil,
            of api: API = .devicePush, _ meaning: String, _ remedy: String
        ) {
            self.word = word
            self.status = status
            self.api = api
            let effect: Rule.Effect = api == .ours ? .strictRefusal(status, service: nil) : .refusal(status)
            rule = Rule("apns.\(word)", effect, evidence, observed: observed, meaning, remedy)
        }
    }

    /// The rows in the order of the cases, so that the raw value of a case is the index of its row.
    static let rows = allCases.map(\.definition)

    private var row: Row { Self.rows[Int(rawValue)] }
}
