package import PushCore

/// Every rule of what happens to an accepted push, for `pushpit rules` and the documentation.
package enum DeviceRules {
    package static let all: [Rule] =
        TransitOutcome.allCases.map {
            Rule($0.rule.description, .event, "\($0.rawValue): \($0.meaning)", $0.evidence)
        } + StorageRule.allCases.map { Rule($0.rawValue, .event, $0.meaning, $0.evidence) }
        + PhoneRule.allCases.map { Rule($0.rawValue, .event, $0.meaning, $0.evidence) }
}

extension TransitOutcome {
    /// When it happens.
    var meaning: String {
        switch self {
        case .received: "the push was answered 200."
        case .delivered: "the device was there and got it."
        case .deliveredFromStorage: "the device came back, or was woken, and got what had waited."
        case .storedOffline: "the device is offline, and the push waits until it expires, 30 days at most."
        case .storedForPower:
            "a push of priority 5 or 1 waits while the device saves power, one of 1 while it is locked."
        case .discardedUnregistered: "the app is gone from the device, and the token is not answered 410 yet."
        case .discardedUnregisteredFromStorage: "the device came back without the app."
        case .discardedExpired: "apns-expiration is past, or 0 and the device can't be reached now."
        case .discardedDisabled: "the person does not allow notifications, and the push does nothing but show one."
        case .discardedDisabledFromStorage: "the device came back, and no longer allows notifications."
        case .fcmDelivered: "the device was there and got it."
        case .fcmDeliveredLate: "the device was offline, or not unlocked since it was switched on, and got it later."
        case .fcmDeliveredAfterDoze: "the device was in Doze and the priority normal; it got it later."
        case .fcmDeliveredAfterThrottle:
            "more than 20 came at once that replace each other, with --quotas real: one goes in three minutes."
        case .fcmDeliveredAfterStop: "the app was stopped by force, and got it when somebody opened it."
        case .fcmPending: "the device is offline, or in Doze and the priority normal; the message waits for its ttl."
        case .fcmCollapsed: "another message with the same collapse key came while this one waited, or a fifth key did."
        case .fcmTooManyPending: "more than 100 messages without a collapse key waited: all are dropped."
        case .fcmExpired: "the ttl is over, or 0 and the device can't be reached now."
        case .fcmForceStopped: "the app was stopped by force for longer than the ttl."
        case .fcmInactive: "the device was offline for more than 30 days; after 270 its token is unregistered."
        }
    }

    var evidence: Rule.Evidence {
        switch self {
        case .received, .delivered, .storedOffline, .discardedExpired, .fcmDelivered, .fcmDeliveredLate,
            .fcmDeliveredAfterDoze, .fcmDeliveredAfterStop, .fcmDeliveredAfterThrottle, .fcmPending, .fcmCollapsed,
            .fcmTooManyPending, .fcmExpired,
            .fcmForceStopped:
            .documented
        case .storedForPower, .fcmInactive: .assumed
        case .deliveredFromStorage, .discardedUnregistered, .discardedUnregisteredFromStorage, .discardedDisabled,
            .discardedDisabledFromStorage:
            .observed
        }
    }
}
