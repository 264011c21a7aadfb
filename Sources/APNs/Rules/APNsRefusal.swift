package import PushCore

/// Why a push was refused.
package struct APNsRefusal: Sendable {
    package let reason: APNsReason
    /// The finding for which the payload was refused; nil if something else was wrong.
    package var detail: Finding?
    /// When the device token became invalid. Only set for status 410.
    package var unregistered: Timestamp?
    /// What exactly was wrong, for the log, if the reason's meaning is too general.
    package var cause: String?
    /// The path of the value that `cause` is about, like that of a finding; empty without one.
    package var place = ""

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
