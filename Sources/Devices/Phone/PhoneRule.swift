package import PushCore

/// Why a phone does what it does with a push (facts/device.md §2.3, §3.3 and fcm.md §5.4).
package enum PhoneRule: String, Sendable, CaseIterable {
    case iosShown = "ios.shown"
    case iosForeground = "ios.foreground"
    case iosLocked = "ios.locked"
    case iosProvisional = "ios.provisional"
    case iosFocus = "ios.focus"
    case iosPassive = "ios.passive"
    case iosNotAllowed = "ios.not-allowed"
    case iosNothing = "ios.nothing-to-show"
    case iosCollapsed = "ios.collapsed"
    case iosBadge = "ios.badge"
    case iosWoken = "ios.woken"
    case iosForceQuit = "ios.force-quit"
    case iosRefreshOff = "ios.background-refresh-off"
    case iosHeld = "ios.background-held"
    case iosHeldReplaced = "ios.background-replaced"
    case iosHeldDropped = "ios.background-dropped"
    case iosActivity = "ios.live-activity"
    case iosActivityOver = "ios.live-activity-over"
    case iosActivityOutdated = "ios.live-activity-old"
    case iosActivityStale = "ios.live-activity-stale"
    case iosActivityDismissed = "ios.live-activity-dismissed"
    case extensionStarted = "ios.extension"
    case extensionTimeout = "ios.extension-timeout"
    case extensionCrash = "ios.extension-crash"
    case extensionEmpty = "ios.extension-empty"
    case attached = "ios.attachment"
    case attachmentType = "ios.attachment-type"
    case attachmentSize = "ios.attachment-size"
    case attachmentContent = "ios.attachment-content"
    case attachmentURL = "ios.attachment-url"
    case mediaSkipped = "fetch.skipped"
    case opened = "person.opened"
    case dismissed = "person.dismissed"
    case acted = "person.acted"
    case launched = "person.launched"
    case forceQuit = "person.force-quit"
    case androidData = "android.data"
    case androidForeground = "android.foreground"
    case androidShown = "android.shown"
    case androidDuplicate = "android.duplicate"
    case androidNotAllowed = "android.not-allowed"
    case androidChannelOff = "android.channel-off"
    case androidTag = "android.tag"
    case androidImage = "android.image"
    case androidImageFailed = "android.image-failed"
    case androidImageSlow = "android.image-slow"
    case androidOwn = "android.own-notification"
    case webVisible = "web.visible"
    case webShown = "web.shown"
    case webSilent = "web.nothing-to-show"
    case webNotAllowed = "web.not-allowed"
    case webTag = "web.tag"
    case adobeHit = "adobe.hit"

    package var rule: RuleID {
        switch self {
        case .iosShown: Self.rules.ios
        case .androidShown: Self.rules.android
        default: RuleID(rawValue)
        }
    }

    /// Of these nearly every push has one.
    private static let rules = (ios: RuleID(iosShown.rawValue), android: RuleID(androidShown.rawValue))

    var meaning: String { row.meaning }
    var evidence: Rule.Evidence { row.evidence }

    private var row: (meaning: String, evidence: Rule.Evidence) {
        switch self {
        case .iosShown:
            (
                "The app is not in front, and the system shows the push; the app's code does not run for that.",
                .documented
            )
        case .iosForeground:
            (
                "The app is in front: its delegate's willPresent is called, and lets it come up with its sound, without the badge.",
                .assumed
            )
        case .iosLocked: ("The phone is locked: the push is on the lock screen and in the list.", .documented)
        case .iosProvisional:
            ("Notifications are allowed provisionally: the list alone has it, without a sound.", .observed)
        case .iosFocus:
            (
                "Focus is on, and the interruption level is neither time-sensitive nor critical: the list alone has it.",
                .documented
            )
        case .iosPassive: ("The interruption level is passive: the list alone has it, without a sound.", .documented)
        case .iosNotAllowed:
            ("The person does not allow notifications: nothing is shown, played or counted.", .documented)
        case .iosNothing: ("The push has neither alert, sound nor badge, and does not wake the app.", .documented)
        case .iosCollapsed:
            (
                "A notification with the same apns-collapse-id was in the shade: the new one takes its place, at the top.",
                .observed
            )
        case .iosBadge: ("aps.badge is the number on the app's icon; 0 takes it away.", .documented)
        case .iosWoken: ("content-available is 1: the app runs for up to 30 seconds.", .documented)
        case .iosHeld:
            (
                "The app was woken as often this hour as its budget allows: one background push is held until it may be woken again, or is opened.",
                .documented
            )
        case .iosHeldReplaced:
            ("A newer background push came while this one was held: one is held at most.", .documented)
        case .iosHeldDropped: ("The person ended the app while a background push was held for it.", .documented)
        case .iosForceQuit: ("The person has ended the app: it is not woken before somebody opens it.", .documented)
        case .iosRefreshOff: ("Background App Refresh is off: the app is not woken.", .documented)
        case .iosActivity: ("An event of a Live Activity: it begins, changes or ends.", .documented)
        case .iosActivityOver: ("The Live Activity has ended, or never began: the event does nothing.", .documented)
        case .iosActivityOutdated: ("An event of the Live Activity with a newer timestamp came before.", .documented)
        case .iosActivityStale: ("The stale-date of the Live Activity has come, and no update.", .documented)
        case .iosActivityDismissed:
            (
                "The Live Activity has ended: it leaves the screen on its dismissal-date, or after four hours.",
                .documented
            )
        case .extensionStarted:
            (
                "mutable-content is 1, the alert is a dictionary with text, and the app has an extension: that gets the push first.",
                .documented
            )
        case .extensionTimeout:
            ("The extension was not done after 30 seconds: what it was given is shown.", .documented)
        case .extensionCrash: ("The extension crashed: what it was given is shown.", .assumed)
        case .extensionEmpty: ("The extension left no text: what it was given is shown.", .documented)
        case .attached: ("The file is one of the types and sizes that attachments take.", .documented)
        case .attachmentType:
            (
                "Its extension, or what its Content-Type makes of it, is no type that attachments take: shown without it.",
                .documented
            )
        case .attachmentSize:
            (
                "Larger than attachments of its kind may be (audio 5 MB, images 10 MB, films 50 MB): shown without it.",
                .documented
            )
        case .attachmentContent:
            (
                "Its Content-Type is not what its name says, as with a page in a picture's place: shown without it.",
                .documented
            )
        case .attachmentURL:
            ("The extension finds no URL in the push, or none it can use: shown without an attachment.", .observed)
        case .mediaSkipped: ("No network is asked: only URLs of the media table have content here.", .ours)
        case .opened: ("The person tapped the notification: the app comes to the front.", .documented)
        case .dismissed: ("The person cleared the notification away.", .documented)
        case .acted: ("The person chose one of the notification's actions.", .documented)
        case .launched: ("The person opened the app.", .documented)
        case .forceQuit: ("The person ended the app.", .documented)
        case .androidData: ("A message without a notification goes to the app's code in every state.", .observed)
        case .androidForeground:
            (
                "The app is in front and the phone unlocked: a notification message goes to the app's code, and nothing is shown.",
                .observed
            )
        case .androidShown:
            ("The app is not in front: Firebase's code shows the notification, and the app's is not called.", .observed)
        case .androidDuplicate: ("One of the last ten messages had the same message id.", .observed)
        case .androidNotAllowed: ("The app may not post notifications: it fails without a word.", .documented)
        case .androidChannelOff: ("The channel's importance is none.", .documented)
        case .androidTag: ("A notification with the same tag was in the shade: the new one takes its place.", .observed)
        case .androidImage: ("The image was there within five seconds.", .observed)
        case .androidImageFailed: ("The image is larger than 1 MiB, or no image: shown without it.", .observed)
        case .androidImageSlow: ("The image took longer than five seconds: shown without it.", .observed)
        case .androidOwn:
            ("The app posts a notification itself, from data.title and data.body, as Adobe's sample does.", .documented)
        case .webVisible: ("A tab of the site is visible: the page gets the message, and nothing is shown.", .observed)
        case .webShown: ("No tab is visible: the service worker shows the notification.", .observed)
        case .webSilent:
            ("No tab is visible, and there is no notification in the message: the worker alone gets it.", .observed)
        case .webNotAllowed: ("The person does not allow notifications of this site.", .documented)
        case .webTag: ("A notification with the same tag was there: the new one takes its place.", .documented)
        case .adobeHit: ("The app's tracking code reports to Adobe Campaign.", .observed)
        }
    }
}
