package import PushCore

/// Why a push was refused.
package struct APNsRefusal: Sendable {
    package let reason: APNsReason
    /// What of the payload was refused, where it was that.
    package var detail: Finding?
    /// When the device token died; with 410 only.
    package var unregistered: Timestamp?
    /// What exactly was wrong, for the log, where the reason's own meaning says too little.
    package var cause: String?

    /// One sentence for the log.
    package var sentence: String { detail?.message ?? cause ?? reason.meaning }

    package init(reason: APNsReason, detail: Finding? = nil, unregistered: Timestamp? = nil, cause: String? = nil) {
        self.reason = reason
        self.detail = detail
        self.unregistered = unregistered
        self.cause = cause
    }

    package var rule: RuleID { detail?.rule ?? reason.rule }
}
