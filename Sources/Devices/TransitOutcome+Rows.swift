internal import PushCore

/// The row of each outcome: the vendor's name for it, the kind of its event, the evidence, when it happens and what to
/// do.
extension TransitOutcome {
    /// Called once for each case, to build `rows`. A switch, so that a new case does not compile without a row.
    var definition: Row {
        switch self {
        case .received:
            Row(
                "Received by APNs", "apns.received", .accepted, .documented, "the push was answered with 200.",
                "Follow the later events of the push to see whether it reached the device.")
        case .delivered:
            Row(
                "Delivered to Device", "apns.delivered", .delivered, .documented,
                "the device was reachable and got the push.",
                "Set online to false ('state' on the device socket, or PATCH /api/v1/devices/ID) if the push should wait instead."
            )
        case .deliveredFromStorage:
            Row(
                "Delivered to Device (From Storage)", "apns.delivered-from-storage", .delivered, .observed,
                "the device came back or was woken, and got the waiting push.",
                "Set online to true ('state' on the device socket, or PATCH /api/v1/devices/ID) to release waiting pushes."
            )
        case .storedOffline:
            Row(
                "Stored - Device Offline", "apns.stored-offline", .stored, .documented,
                "the device is offline. The push waits until it expires, at most 30 days.",
                "Bring the device online ('state' on the device socket, or PATCH /api/v1/devices/ID), or send apns-expiration "
                    + "0 to store nothing.")
        case .storedForPower:
            Row(
                "Stored - Power Considerations", "apns.stored-power", .stored, .assumed,
                "a push with priority 5 or 1 waits while the device saves power. Priority 1 also waits while it is locked.",
                "Send with apns-priority 10, or set lowPower and locked to false ('state' on the device socket, or PATCH "
                    + "/api/v1/devices/ID).")
        case .discardedUnregistered:
            Row(
                "Discarded - Token Unregistered", "apns.discarded-unregistered", .dropped, .observed,
                "the app is no longer on the device, but the token does not get 410 yet.",
                "Stop sending to this token, or lower --unregister-delay and --unregister-pushes to get 410.")
        case .discardedUnregisteredFromStorage:
            Row(
                "Discarded - Token Unregistered (From Storage)", "apns.discarded-unregistered-from-storage", .dropped,
                .observed, "the device came back without the app.",
                "Stop sending to this token. The app was uninstalled while the push waited.")
        case .discardedExpired:
            Row(
                "Discarded - Expired", "apns.discarded-expired", .dropped, .documented,
                "apns-expiration is 0 or has passed, and the device could not be reached in time.",
                "Set apns-expiration to a later time, or bring the device online before you send.")
        case .discardedDisabled:
            Row(
                "Discarded - Disabled", "apns.discarded-disabled", .dropped, .observed,
                "the person does not allow notifications, and the push does nothing but show one.",
                "Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .discardedDisabledFromStorage:
            Row(
                "Discarded - Disabled (From Storage)", "apns.discarded-disabled-from-storage", .dropped, .observed,
                "the device came back and no longer allows notifications.",
                "Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID) before the device "
                    + "comes online.")
        case .fcmDelivered:
            Row(
                "deliveredNoDelay", "fcm.delivered", .delivered, .documented,
                "the device was reachable and got the message.", "No action is needed.")
        case .fcmDeliveredLate:
            Row(
                "delayedDeviceOffline", "fcm.delivered-late", .delivered, .documented,
                "the device was offline, or locked since it was switched on, and got the message later.",
                "No action is needed. The message arrived when the device was back.")
        case .fcmDeliveredAfterDoze:
            Row(
                "delayedDeviceDoze", "fcm.delivered-after-doze", .delivered, .documented,
                "the device was in Doze and the priority was normal. It got the message later.",
                "Send messages that must wake the phone with high priority.")
        case .fcmDeliveredAfterThrottle:
            Row(
                "delayedMessageThrottled", "fcm.delivered-after-throttle", .delivered, .documented,
                "more than 20 messages that replace each other arrived at once. With --quotas real, one is delivered every three minutes.",
                "Send messages that replace each other less often, or without a collapse key.")
        case .fcmDeliveredAfterStop:
            Row(
                "delayedUserStopped", "fcm.delivered-after-stop", .delivered, .documented,
                "the app was force-stopped and got the message when the person opened it.",
                "The sender can do nothing. The person has to open the app.")
        case .fcmPending:
            Row(
                "pending", "fcm.pending", .stored, .documented,
                "the message can't reach the device now, for example because the device is offline or in Doze, or because the app was force-stopped. It waits until its ttl expires.",
                "Change the state ('state' on the device socket, or PATCH /api/v1/devices/ID): bring the device online, unlock it or end its Doze. Or open the app."
            )
        case .fcmCollapsed:
            Row(
                "collapsed", "fcm.collapsed", .collapsed, .documented,
                "another message with the same collapse key arrived while this one waited, or messages with four other keys arrived: Google keeps only four keys.",
                "Use several collapse keys, at most four, for messages that must not replace each other.")
        case .fcmTooManyPending:
            Row(
                "droppedTooManyPendingMessages", "fcm.too-many-pending", .dropped, .documented,
                "more than 100 messages without a collapse key waited, so all of them are dropped.",
                "Sync with the server in onDeletedMessages, and give replaceable messages a collapse key.")
        case .fcmExpired:
            Row(
                "droppedTtlExpired", "fcm.ttl-expired", .dropped, .documented,
                "the ttl has expired, or it is 0 and the device is not reachable now.", "Set a longer android.ttl.")
        case .fcmForceStopped:
            Row(
                "droppedAppForceStopped", "fcm.force-stopped", .dropped, .documented,
                "the app stayed force-stopped for longer than the ttl.",
                "The sender can do nothing. android.ttl decides how long FCM tries.")
        case .fcmInactive:
            Row(
                "droppedDeviceInactive", "fcm.device-inactive", .dropped, .assumed,
                "the device was offline for more than 30 days. After 270 days its token is unregistered.",
                "Delete tokens that were not renewed for a month.")
        }
    }
}
