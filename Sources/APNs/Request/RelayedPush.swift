package import PushCore

/// A push that Google sends to Apple for a message to one iPhone.
package struct RelayedPush {
    /// The fields of the message's `apns.headers`, by name in lower case. Fields that Apple does not define are ignored.
    let headers: [String: String]
    /// The digits of the Live Activity's token. Any device token is represented by 64 zeros.
    let token: String
    let isForLiveActivity: Bool
    /// The push is for a Live Activity, but the device never had this token.
    let isUnknownActivity: Bool
    /// The bundle id; the default for `apns-topic`, which Google knows from the registration.
    let app: String
    /// The device that the token belongs to. Nil if the token is unknown, or if the gateway does not know the device's
    /// app.
    package let owner: TokenBinding?
    /// The payload as JSON.
    let payload: [UInt8]
    /// The length of the parts that Google adds to the payload for each device.
    let addedLength: Int

    package init(
        _ headers: [String: String], token: Token, app: String, owner: TokenBinding?,
        payload: (bytes: [UInt8], addedLength: Int)
    ) {
        self.headers = headers
        self.token = token.digits
        (isForLiveActivity, isUnknownActivity) = token.kind
        self.app = APNsTopic.isWellFormed(app.utf8Span.span) && !app.isEmpty ? app : Self.anyApp
        self.owner = owner
        (self.payload, addedLength) = payload
    }

    package enum Token {
        case device
        case liveActivity(String, isUnknown: Bool)

        fileprivate var digits: String {
            switch self {
            // Google knows the device's token, so it is valid, and its digits do not matter.
            case .device: String(repeating: "0", count: 64)
            // These characters would end the token in a path.
            case .liveActivity(let digits, _): digits.utf8.contains { "/?".utf8.contains($0) } ? "" : digits
            }
        }

        fileprivate var kind: (isForLiveActivity: Bool, isUnknown: Bool) {
            if case .liveActivity(_, let isUnknown) = self { (true, isUnknown) } else { (false, false) }
        }
    }

    /// The bundle id in a topic; nil if the topic is invalid.
    package static func app(inTopic topic: String) -> String? {
        let text = topic.utf8Span.span
        return topic.isEmpty || !APNsTopic.isWellFormed(text) ? nil : APNsTopic(text).app
    }

    /// Stands for an app whose name can't be a topic.
    private static let anyApp = "app"
}
