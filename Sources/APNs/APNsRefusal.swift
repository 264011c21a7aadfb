package import PushCore

/// Why a push was refused.
package struct APNsRefusal: Sendable {
    package let reason: APNsReason
    /// What of the payload was refused, where it was that.
    package var detail: Finding?
    /// When the device token died; with 410 only.
    package var unregistered: Timestamp?

    package init(reason: APNsReason, detail: Finding? = nil, unregistered: Timestamp? = nil) {
        self.reason = reason
        self.detail = detail
        self.unregistered = unregistered
    }

    package var rule: RuleID { detail?.rule ?? reason.rule }
}
