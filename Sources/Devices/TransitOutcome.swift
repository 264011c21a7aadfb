package import PushCore

/// What became of an accepted push on its way to a device: in the words of Apple's console (facts/apns.md §8), and in
/// those of Google's delivery data (facts/device.md §3.2).
package enum TransitOutcome: String, Sendable, CaseIterable {
    case received = "Received by APNs"
    case delivered = "Delivered to Device"
    case deliveredFromStorage = "Delivered to Device (From Storage)"
    case storedOffline = "Stored - Device Offline"
    case storedForPower = "Stored - Power Considerations"
    case discardedUnregistered = "Discarded - Token Unregistered"
    case discardedUnregisteredFromStorage = "Discarded - Token Unregistered (From Storage)"
    case discardedExpired = "Discarded - Expired"
    case discardedDisabled = "Discarded - Disabled"
    case discardedDisabledFromStorage = "Discarded - Disabled (From Storage)"
    case fcmDelivered = "deliveredNoDelay"
    case fcmDeliveredLate = "delayedDeviceOffline"
    case fcmDeliveredAfterDoze = "delayedDeviceDoze"
    case fcmDeliveredAfterThrottle = "delayedMessageThrottled"
    case fcmDeliveredAfterStop = "delayedUserStopped"
    case fcmPending = "pending"
    case fcmCollapsed = "collapsed"
    case fcmTooManyPending = "droppedTooManyPendingMessages"
    case fcmExpired = "droppedTtlExpired"
    case fcmForceStopped = "droppedAppForceStopped"
    case fcmInactive = "droppedDeviceInactive"

    package var rule: RuleID {
        switch self {
        case .received: Self.rules.received
        case .delivered: Self.rules.delivered
        case .deliveredFromStorage: RuleID("apns.delivered-from-storage")
        case .storedOffline: RuleID("apns.stored-offline")
        case .storedForPower: RuleID("apns.stored-power")
        case .discardedUnregistered: RuleID("apns.discarded-unregistered")
        case .discardedUnregisteredFromStorage: RuleID("apns.discarded-unregistered-from-storage")
        case .discardedExpired: RuleID("apns.discarded-expired")
        case .discardedDisabled: RuleID("apns.discarded-disabled")
        case .discardedDisabledFromStorage: RuleID("apns.discarded-disabled-from-storage")
        case .fcmDelivered: RuleID("fcm.delivered")
        case .fcmDeliveredLate: RuleID("fcm.delivered-late")
        case .fcmDeliveredAfterDoze: RuleID("fcm.delivered-after-doze")
        case .fcmDeliveredAfterThrottle: RuleID("fcm.delivered-after-throttle")
        case .fcmDeliveredAfterStop: RuleID("fcm.delivered-after-stop")
        case .fcmPending: RuleID("fcm.pending")
        case .fcmCollapsed: RuleID("fcm.collapsed")
        case .fcmTooManyPending: RuleID("fcm.too-many-pending")
        case .fcmExpired: RuleID("fcm.ttl-expired")
        case .fcmForceStopped: RuleID("fcm.force-stopped")
        case .fcmInactive: RuleID("fcm.device-inactive")
        }
    }

    package var kind: Event.Kind {
        switch self {
        case .received: .accepted
        case .delivered, .deliveredFromStorage, .fcmDelivered, .fcmDeliveredLate, .fcmDeliveredAfterDoze,
            .fcmDeliveredAfterStop, .fcmDeliveredAfterThrottle:
            .delivered
        case .storedOffline, .storedForPower, .fcmPending: .stored
        case .fcmCollapsed: .collapsed
        case .discardedUnregistered, .discardedUnregisteredFromStorage, .discardedExpired, .discardedDisabled,
            .discardedDisabledFromStorage, .fcmTooManyPending, .fcmExpired, .fcmForceStopped, .fcmInactive:
            .dropped
        }
    }

    package var isDelivery: Bool { kind == .delivered }
    package var isStorage: Bool { kind == .stored }

    /// Of these two every push has one.
    private static let rules = (received: RuleID("apns.received"), delivered: RuleID("apns.delivered"))
    private static let byRule = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rule, $0) })

    /// Whose rule that is.
    package init?(_ rule: RuleID) {
        guard let outcome = Self.byRule[rule] else { return nil }
        self = outcome
    }
}
