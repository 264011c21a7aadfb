// Over 200 lines: one row for each rule, in one table.
internal import PushCore

/// The row of each phone rule: its id, the evidence, what happened and what to do about it.
extension PhoneRule {
    /// The row of a case for iOS, or for every platform; nil for the others. Called once for each case, to build `rows`.
    /// A switch, so that a new case does not compile without a row.
    var row: Rule? {
        switch self {
        case .iosShown:
            .event(
                "ios.shown", .documented,
                "The app is not in the foreground. The system shows the push, and the app's code does not run.",
                "Bring the app to the foreground ('state' on the device socket, or PATCH /api/v1/devices/ID) to see "
                    + "willPresent instead.")
        case .iosForeground:
            .event(
                "ios.foreground", .assumed,
                "The app is in the foreground. The system calls willPresent, and shows and plays what it returns: by default banner, list and sound, but not the badge.",
                "Set willPresent in the device's appConfig, or send the app to the background "
                    + "('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .iosForegroundSilent:
            .event(
                "ios.foreground-silent", .documented,
                "The app is in the foreground, and its willPresent returned neither banner nor list nor sound.",
                "Add options to willPresent in the device's appConfig.")
        case .iosLocked:
            .event(
                "ios.locked", .documented, "The phone is locked. The push appears on the lock screen and in the list.",
                "Unlock the phone ('state' on the device socket, or PATCH /api/v1/devices/ID) to see a banner.")
        case .iosProvisional:
            .event(
                "ios.provisional", .observed,
                "Notifications are allowed provisionally. The push appears only in the list, without a sound.",
                "Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .iosFocus:
            .event(
                "ios.focus", .documented,
                "Focus is on, and the interruption level is neither time-sensitive nor critical. The push appears only in the list.",
                "Send interruption-level time-sensitive, or end Focus ('state' on the device socket, or PATCH /api/v1/devices/ID)."
            )
        case .iosNoEntitlement:
            .event(
                "ios.no-entitlement", .assumed,
                "Focus is on, and the app lacks the entitlement for this interruption level. The push appears only in the list.",
                "Add timeSensitive or critical to the entitlements in the device's appConfig.")
        case .iosPassive:
            .event(
                "ios.passive", .documented,
                "The interruption level is passive. The push appears only in the list, without a sound.",
                "Send interruption-level active if the push should appear as a banner.")
        case .iosNotAllowed:
            .event(
                "ios.not-allowed", .documented,
                "The person does not allow notifications. The phone shows nothing, plays nothing and sets no badge.",
                "Set permission to authorized ('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .iosNothing:
            .event(
                "ios.nothing-to-show", .documented, "The push has no alert, sound or badge, and does not wake the app.",
                "Add an alert, a badge or a sound to 'aps', or set content-available to 1.")
        case .iosCollapsed:
            .event(
                "ios.collapsed", .observed,
                "A notification with the same apns-collapse-id was shown. The new one replaces it and goes to the top.",
                "Omit apns-collapse-id if both should stay.")
        case .iosBadge:
            .event(
                "ios.badge", .documented, "aps.badge is the number on the app icon. 0 removes it.",
                "Omit 'badge' if the number should not change.")
        case .iosWoken:
            .event(
                "ios.woken", .documented, "content-available is 1, so the app runs for up to 30 seconds.",
                "Omit content-available if the app should not run.")
        case .iosForceQuit:
            .event(
                "ios.force-quit", .documented,
                "The person force-quit the app. It is not woken until the person opens it.",
                "Open the app ('launch' on the device socket, or POST /api/v1/devices/ID/act). Nothing else wakes a force-quit app."
            )
        case .iosRefreshOff:
            .event(
                "ios.background-refresh-off", .documented, "Background App Refresh is off, so the app is not woken.",
                "Set backgroundRefresh to true ('state' on the device socket, or PATCH /api/v1/devices/ID).")
        case .iosHeld:
            .event(
                "ios.background-held", .documented,
                "The app was already woken as often as its hourly budget allows. One background push is held until the app may be woken again or is opened.",
                "Send fewer background pushes, open the app, or create the device without backgroundBudget.")
        case .iosHeldReplaced:
            .event(
                "ios.background-replaced", .documented,
                "A newer background push arrived while this one was held, and replaced it.",
                "Send fewer background pushes, because only one is held.")
        case .iosHeldDropped:
            .event(
                "ios.background-dropped", .documented,
                "The person force-quit the app while a background push was held for it.",
                "Do not force-quit the app while a background push is held for it.")
        case .iosActivity: Rows.activity
        case .iosActivityOver: Rows.activityOver
        case .iosActivityOutdated: Rows.activityOutdated
        case .iosActivityStale: Rows.activityStale
        case .iosActivityDismissed: Rows.activityDismissed
        case .iosVoIP: Rows.voip
        case .iosCall: Rows.call
        case .iosCallNotReported: Rows.callNotReported
        case .iosCallsBlocked: Rows.callsBlocked
        case .iosPushToTalk: Rows.pushToTalk
        case .iosChannelLeft: Rows.channelLeft
        case .iosLocationPush: Rows.locationPush
        case .iosComplication: Rows.complication
        case .iosFileProvider: Rows.fileProvider
        case .iosWidgets: Rows.widgets
        case .extensionRan:
            .event(
                "ios.extension", .documented,
                "mutable-content is 1, the alert is a dictionary with text, and the app has an extension. The extension gets the push first.",
                "Omit mutable-content if the extension should not run.")
        case .extensionTimeout:
            .event(
                "ios.extension-timeout", .documented,
                "The extension did not finish within 30 seconds. The phone shows the original notification.",
                "Make the extension finish sooner: use 'slow' with fewer seconds, or send extensionResult earlier.")
        case .extensionCrash:
            .event(
                "ios.extension-crash", .assumed, "The extension crashed. The phone shows the original notification.",
                "Use another script for the device. The script 'adobe' crashes if the media URL has no path.")
        case .extensionEmpty:
            .event(
                "ios.extension-empty", .documented,
                "The extension returned no text. The phone shows the original notification.",
                "Keep a title, subtitle or body in the result of the extension.")
        case .extensionMissing: Rows.extensionMissing
        case .extensionNotAllowed: Rows.extensionNotAllowed
        case .extensionNeedsText: Rows.extensionNeedsText
        case .imageIgnored: Rows.imageIgnored
        case .attached:
            .event(
                "ios.attachment", .documented, "The file has a type and a size that attachments support.",
                "No action is needed.")
        case .attachmentType:
            .event(
                "ios.attachment-type", .documented,
                "Neither the file extension nor the Content-Type names a type that attachments support. The push is shown without the file.",
                "End the path of the URL with a file extension that attachments support, like .png.")
        case .attachmentSize:
            .event(
                "ios.attachment-size", .documented,
                "The file is larger than an attachment may be: 5 MB for audio, 10 MB for an image, 50 MB for video. The push is shown without it.",
                "Serve a smaller file: at most 5 MB for audio, 10 MB for an image, 50 MB for video.")
        case .attachmentContent:
            .event(
                "ios.attachment-content", .documented,
                "The content does not match the file name, for example a web page instead of a picture; for an entry of the media table, the Content-Type counts. The push is shown without the file.",
                "Serve a file that is what its name says. If the event has a status other than 200, the server has no such file."
            )
        case .attachmentURL:
            .event(
                "ios.attachment-url", .observed,
                "The extension found no usable URL in the push. The push is shown without an attachment.",
                "Add an absolute URL to the push.")
        case .mediaSkipped:
            .event(
                "fetch.skipped", .ours,
                "Pushpit did not fetch the file, so the notification is shown without it. The event's 'message' says why. If it is missing, --fetch-media is off.",
                "Serve the file on this machine, add it to the media table (PUT /api/v1/media, or 'media' in the file of --seed), or start the gateway with --fetch-media=on."
            )
        case .mediaFailed:
            .event(
                "fetch.failed", .observed,
                "The phone could not download the file: the event's 'message' says why. The notification is shown without it.",
                "Check with curl that the URL can be downloaded on the machine of the gateway.")
        case .mediaInClearText:
            .event(
                "fetch.http", .documented,
                "The URL uses http, and the app has no exception from App Transport Security (iOS) or does not allow clear text (Android 9 and later). The phone does not fetch it. This holds after a redirect, too. Loopback addresses are exempt here.",
                "Serve the media file over https, or set allowsHTTP in the device's appConfig.")
        case .opened:
            .event(
                "person.opened", .documented, "The person tapped the notification.",
                "No action is needed.")
        case .dismissed:
            .event(
                "person.dismissed", .documented, "The person cleared the notification.",
                "Register the category of the push with customDismissAction if the app should be informed of it.")
        case .acted:
            .event(
                "person.acted", .documented, "The person chose an action of the notification.", "No action is needed.")
        case .launched:
            .event("person.launched", .documented, "The person opened the app.", "No action is needed.")
        case .forceQuit:
            .event(
                "person.force-quit", .documented, "The person force-quit the app.",
                "Open the app: 'launch' on the device socket, or POST /api/v1/devices/ID/act."
            )
        case .androidData, .androidForeground, .androidShown, .androidDuplicate, .androidNotAllowed,
            .androidChannelOff, .androidTag, .androidNoActivity, .androidImage, .androidImageFailed,
            .androidImageSlow, .androidOwn, .webVisible, .webShown, .webSilent, .webNotAllowed, .webTag, .webNoLink,
            .webPush, .webDeclarative, .adobeHit:
            nil
        }
    }
}
