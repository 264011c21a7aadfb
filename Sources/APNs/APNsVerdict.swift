package import PushCore

package enum APNsVerdict: Sendable {
    case accepted(APNsPush)
    case refused(APNsRefusal)
}

/// A push as the registry needs it.
package struct APNsPush: Sendable {
    package let token: DeviceToken
    /// The bundle id: the topic without its suffix.
    package let app: String
    package let environment: PushEnvironment
    /// The device's place in the registry; nil for a token that nobody has.
    package let place: Int?
    package let findings: [Finding]
}

/// Why a push was refused.
package struct APNsRefusal: Sendable {
    package let reason: APNsReason
    package let app: String
    package let environment: PushEnvironment
    /// What of the payload was refused, where it was that.
    package var detail: Finding?
    /// When the device token died; with 410 only.
    package var unregistered: Timestamp?
    package let findings: [Finding]

    package init(
        reason: APNsReason, app: String, environment: PushEnvironment, detail: Finding? = nil,
        unregistered: Timestamp? = nil, findings: [Finding] = []
    ) {
        self.reason = reason
        self.app = app
        self.environment = environment
        self.detail = detail
        self.unregistered = unregistered
        self.findings = findings
    }
}
