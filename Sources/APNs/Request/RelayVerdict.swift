package import PushCore

extension APNsDialect {
    /// What Apple says about a push that Google sends. All paths point into the FCM message.
    package struct RelayVerdict {
        package let refusal: APNsRefusal?
        /// The JSON pointer of the value that is refused; the message itself if no single value is wrong.
        package let place: String
        /// Findings about the headers and the payload.
        package let findings: [Finding]

        init(refusal: APNsRefusal?, at place: String?, findings: [Finding]) {
            self.refusal = refusal
            self.place = place ?? RelayedPush.message
            self.findings = findings
        }
    }
}

extension RelayedPush {
    static let message = "/message"

    /// The fields that a reason can be about. The first one that the message contains is the wrong one.
    private static let fields: [APNsReason: [String]] = [
        .badCollapseID: ["apns-collapse-id"], .badExpirationDate: ["apns-expiration"], .badMessageID: ["apns-id"],
        .badPriority: ["apns-priority", "apns-push-type"], .badTopic: ["apns-topic"], .missingTopic: ["apns-topic"],
        .invalidPushType: ["apns-push-type", "apns-topic"], .deviceTokenNotForTopic: ["apns-topic", "apns-push-type"],
    ]

    /// The JSON pointer of the value in the message for which Apple refuses the push.
    func place(of reason: APNsReason) -> String {
        if reason == .payloadTooLarge { return Self.message }
        if let name = Self.fields[reason]?.first(where: { headers[$0] != nil }) {
            return "\(Self.message)/apns/headers/\(name)"
        }
        return isForLiveActivity ? "\(Self.message)/apns/live_activity_token" : Self.message
    }
}
