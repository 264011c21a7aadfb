internal import PushCore

/// The errors that come from Apple, and Google's own error about messages for Apple (docs/evidence/fcm.md §3.3).
extension GoogleError {
    /// A data message to an iPhone with priority 10. The code is documented; `--fcm-choice apns-dataonly-priority`
    /// selects the answer that was reported in 2021.
    static let dataPriority = invalidArgument.with(
        rule: RuleID("fcm.data-priority"),
        hint: "a message to an iPhone that shows nothing must have apns-priority 5, but this one has 10")

    /// The APNs token of a phone or a Live Activity is no longer valid. The text is quoted.
    static let tokenDisabled = GoogleError(
        400, "APNs device token is disabled.", [.fcmError("INVALID_ARGUMENT")], rule: "fcm.INVALID_ARGUMENT")

    /// The answer when Apple refused the push. The bodies for 400, 403 and 410 are quoted; the others follow the same
    /// pattern.
    static func refusedByApple(_ status: Int, _ reason: String) -> GoogleError {
        let error =
            switch status {
            case 403: thirdPartyAuth
            case 410: tokenDisabled
            case 500: internalError
            case 503: unavailable
            default: invalidArgument
            }
        return error.with(apns: status, reason)
    }

    /// The same error with Apple's status and reason.
    func with(apns status: Int, _ reason: String) -> GoogleError {
        var error = self
        error.details.append(.apnsError(status: status, reason: reason))
        return error
    }
}
