package import PushCore

/// Why a push has not reached its device, or reached it unreadable, for reasons that neither Apple's console nor Google's delivery data names. The
/// reasons that they name are in `TransitOutcome`.
package enum DropRule: UInt8, Sendable, CaseIterable {
    case overwritten, collapsed, backgroundPriority, wrongPushType, otherPackage, full, deviceForgotten, deviceDeleted,
        reset, browserAway, browserExpired, browserNotConnected, browserCrowded, browserReplaced, browserUnsubscribed,
        browserWithdrawn, browserNotEncrypted, browserUnreadable

    package var rule: RuleID { Self.rows[Int(rawValue)].id }

    /// The rows in the order of the cases.
    static let rows = allCases.map(\.definition)

    private var definition: Rule {
        switch self {
        case .overwritten:
            .event(
                "apns.overwritten", .documented,
                "Another push for the device arrived while this one waited. APNs stores only one push for each app on a device.",
                "Bring the device online before you send it the next push.")
        case .collapsed:
            .event(
                "apns.collapsed", .assumed,
                "Another push with the same apns-collapse-id arrived while this one waited.",
                "Bring the device online before you send the same apns-collapse-id again.")
        case .backgroundPriority:
            .event(
                "apns.background-priority", .documented,
                "A push that only wakes the app has priority 10. Apple documents that as an error.",
                "Set apns-priority to 5, or start the gateway with --background-priority accept.")
        case .wrongPushType:
            .event(
                "apns.wrong-push-type", .documented,
                "apns-push-type does not fit the payload. Apple documents that such a push may be dropped.",
                "Set apns-push-type to background if the payload has only content-available 1, and to alert if it has an alert, a badge or a sound."
            )
        case .otherPackage:
            .event(
                "fcm.restricted-package", .documented, "restricted_package_name does not name the app of the device.",
                "Set restricted_package_name to the package name of the app, or omit it.")
        case .full:
            .event(
                "devices.storage-full", .ours,
                "The memory for waiting pushes is full, so a broadcast or a message is not stored for the device.",
                "Bring devices online to release waiting pushes, or set an earlier apns-expiration.")
        case .deviceForgotten:
            .event(
                "devices.capacity", .ours,
                "There were too many devices, so this one was removed. It was the oldest of the devices that a push to an "
                    + "unknown token had created and that had no open socket.",
                "Simulate fewer devices, and keep a socket open for each one that must not be forgotten.")
        case .deviceDeleted:
            .event(
                "devices.deleted", .ours,
                "The device was deleted through the control API, together with its waiting pushes.",
                "Create the device again with POST /api/v1/devices, and send to its new token.")
        case .reset:
            .event(
                "devices.reset", .ours,
                "The gateway was reset through the control API. It removed shown notifications and waiting pushes.",
                "Send the push again. To reset one app alone, call POST /api/v1/reset with its name.")
        case .browserAway:
            .event(
                "browser.away", .observed, "The browser is not connected, so the push waits for it.",
                "Start the browser with the same profile.")
        case .browserExpired:
            .event(
                "browser.expired", .observed, "The browser did not connect before the TTL of the push was over.",
                "Send with a longer TTL.")
        case .browserNotConnected:
            .event(
                "browser.not-connected", .observed, "The browser is not connected, and the push has a TTL of 0.",
                "Send with a TTL, so that the push waits.")
        case .browserCrowded:
            .event(
                "browser.too-many", .assumed, "More than 100 pushes waited for the browser.",
                "Start the browser, or send pushes that replace each other with a Topic.")
        case .browserReplaced:
            .event(
                "browser.replaced", .observed, "A newer push with the same Topic took the place of this one.",
                "Send without a Topic to keep each push.")
        case .browserUnsubscribed:
            .event(
                "browser.unsubscribed", .observed, "The page has unsubscribed, or its browser has.",
                "Delete the subscription. Senders get 410 from now on.")
        case .browserWithdrawn:
            .event(
                "browser.withdrawn", .documented, "The sender deleted the push while it waited.",
                "Do not send DELETE to the push's location if the browser should still get it.")
        case .browserNotEncrypted:
            .event(
                "browser.not-encrypted", .ours, "The message could not be encrypted for the app, so it was not sent.",
                "Register the app with the keys that its subscription has.")
        case .browserUnreadable:
            .event(
                "browser.unreadable", .observed,
                "The browser can't decrypt the push, so its service worker gets nothing.",
                "Encrypt for p256dh and auth of this subscription. The finding of the push says what is wrong.")
        }
    }
}
