internal import PushCore

/// The rows of Android, browsers and Adobe's code.
extension PhoneRule {
    /// Nil for the cases that are in `row`.
    var googleRow: Rule? {
        switch self {
        case .androidData:
            .event(
                "android.data", .observed, "A message without a notification goes to the app's code in every state.",
                "Add a notification if Firebase's code should show one.")
        case .androidForeground:
            .event(
                "android.foreground", .observed,
                "The app is in the foreground and the phone is unlocked. A notification message goes to the app's code, and nothing is shown.",
                "Send the app to the background ('state' on the device socket, or PATCH /api/v1/devices/ID) to see the notification."
            )
        case .androidShown:
            .event(
                "android.shown", .observed,
                "The app is not in the foreground. Firebase's code shows the notification, and the app's code does not run.",
                "Send only data if the app's own code should run.")
        case .androidDuplicate:
            .event(
                "android.duplicate", .observed, "One of the last ten messages had the same message id.",
                "Send a new message. This one was delivered before.")
        case .androidNotAllowed:
            .event(
                "android.not-allowed", .documented, "The app may not post notifications. Posting fails silently.",
                "Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .androidChannelOff:
            .event(
                "android.channel-off", .documented, "The channel has importance none.",
                "Use another channel, or give this one an importance.")
        case .androidTag:
            .event(
                "android.tag", .observed, "A notification with the same tag was shown. The new one replaces it.",
                "Use another tag, or no tag, if both should stay.")
        case .androidNoActivity:
            .event(
                "android.no-activity", .assumed,
                "The person tapped a notification, but no activity of the app accepts its click_action. Nothing opens.",
                "Add the action to clickActions in the device's appConfig, or omit click_action.")
        case .androidImage:
            .event("android.image", .observed, "The image arrived within five seconds.", "No action is needed.")
        case .androidImageFailed:
            .event(
                "android.image-failed", .observed,
                "The image is larger than 1 MiB, is not an image, or came with the status of an error. The notification is shown without it.",
                "Serve an image of at most 1 MiB with the status 200.")
        case .androidImageSlow:
            .event(
                "android.image-slow", .observed,
                "The image took longer than five seconds. The notification is shown without it.",
                "Serve the image in less than five seconds.")
        case .androidOwn:
            .event(
                "android.own-notification", .documented,
                "The app itself posts a notification from data.title and data.body, as Adobe's sample does.",
                "Set the tracking profile to none if the app should not post it.")
        case .webVisible:
            .event(
                "web.visible", .observed,
                "A tab of the site is visible. The page gets the message, and nothing is shown.",
                "Send the site to the background ('state' on the device socket, or PATCH /api/v1/devices/ID) to see the notification."
            )
        case .webShown:
            .event(
                "web.shown", .observed, "No tab is visible. The service worker shows the notification.",
                "No action is needed.")
        case .webPush:
            .event(
                "web.push", .documented,
                "The service worker gets the event 'push'. The site's code decides what to show.",
                "Check what was sent: the message's body is the decrypted text. Test the site's code in a real "
                    + "browser: pushpit browser.")
        case .webDeclarative:
            .event(
                "web.declarative", .documented,
                "The payload is a declarative web push ('web_push' is 8030), which Safari shows without the site's code.",
                "No action is needed.")
        case .webSilent:
            .event(
                "web.nothing-to-show", .observed,
                "No tab is visible, and the message has no notification. Only the service worker gets it.",
                "Add webpush.notification if the service worker should show one.")
        case .webNotAllowed:
            .event(
                "web.not-allowed", .documented, "The person does not allow notifications from this site.",
                "Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .webTag:
            .event(
                "web.tag", .documented, "A notification with the same tag was shown. The new one replaces it.",
                "Use another tag, or no tag, if both should stay.")
        case .webNoLink:
            .event(
                "web.no-link", .observed,
                "The person clicked a notification without a link to a page of the site. Firebase's worker opens nothing.",
                "Set webpush.fcm_options.link to a page of the site.")
        case .adobeHit:
            .event("adobe.hit", .observed, "The app's tracking code reports to Adobe Campaign.", "No action is needed.")
        case .iosShown, .iosForeground, .iosForegroundSilent, .iosLocked, .iosProvisional, .iosFocus,
            .iosNoEntitlement, .iosPassive, .iosNotAllowed, .iosNothing, .iosCollapsed, .iosBadge, .iosWoken,
            .iosForceQuit, .iosRefreshOff, .iosHeld, .iosHeldReplaced, .iosHeldDropped, .iosActivity,
            .iosActivityOver, .iosActivityOutdated, .iosActivityStale, .iosActivityDismissed, .iosVoIP, .iosCall,
            .iosCallNotReported, .iosCallsBlocked, .iosPushToTalk, .iosChannelLeft, .iosLocationPush, .iosComplication,
            .iosFileProvider, .iosWidgets, .extensionRan,
            .extensionTimeout, .extensionCrash, .extensionEmpty, .extensionMissing, .extensionNotAllowed,
            .extensionNeedsText, .imageIgnored, .attached, .attachmentType, .attachmentSize,
            .attachmentContent, .attachmentURL, .mediaSkipped, .mediaInClearText, .mediaFailed, .opened, .dismissed,
            .acted,
            .launched, .forceQuit:
            nil
        }
    }
}
