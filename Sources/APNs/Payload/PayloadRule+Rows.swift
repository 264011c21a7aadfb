// Over 200 lines: one table with one row for each rule.
internal import PushCore

/// The row of each payload rule: its severity, the mistake, the consequence and the remedy.
extension PayloadRule {
    private static let maybeDropped =
        "Apple may refuse, delay or drop it. By default, Pushpit does not deliver it; see --apns-choice wrong-push-type=deliver."

    /// Called once for each case, to build `rows`. A switch, so that a new case does not compile without a row.
    var definition: Row {
        switch self {
        case .notJSON:
            .refusal(
                "payload.not-json", "The body is not valid JSON.",
                "Apple answers 200 (assumed), and the phone drops the push.",
                "Send valid JSON. The finding says where the error is.")
        case .notObject:
            .refusal(
                "payload.not-an-object", "The body is JSON, but not an object.",
                "Apple answers 200, and the phone drops the push.", "Send a JSON object with an 'aps' member.")
        case .wrongType:
            .refusal(
                "aps.wrong-type", "A documented key of 'aps' has a value of the wrong type.",
                "Apple answers 200, and the phone ignores the key or the whole push.",
                "Give the named key of 'aps' the JSON type that Apple documents.")
        case .mutableContent:
            .refusal(
                "aps.mutable-content-not-1", "'mutable-content' is neither the number 1 nor 0.",
                "Apple answers 200, and the phone shows the notification without running the app's service extension.",
                "Set 'mutable-content' to the number 1 without quotes, or omit it.")
        case .mediaNeedsMutableContent:
            .refusal(
                "media.needs-mutable-content", "There is a media URL, but 'mutable-content' is not 1.",
                "Apple answers 200, and the phone shows the notification without running the app's service extension.",
                "Add \"mutable-content\": 1 to 'aps' when you send a media URL.")
        case .mediaNotAbsolute:
            .refusal(
                "media.not-an-absolute-url", "A media URL is not an absolute http or https URL.",
                "Apple answers 200, and the phone has nothing to fetch.",
                "Send the whole media URL, starting with https:// and a host.")
        case .mediaNoExtension:
            .refusal(
                "media.no-file-extension", "The path of a media URL has no file extension.",
                "Apple answers 200, and the phone shows the notification without the attachment, unless its "
                    + "extension takes the file's type from the server's answer, as Firebase's does.",
                "End the path of the media URL with a file extension like .jpg or .mp4. If the app has Firebase's "
                    + "extension, --validation service accepts such URLs.")
        case .mediaUnknownExtension:
            .refusal(
                "media.unknown-file-extension",
                "The path of a media URL has a file extension that attachments do not support.",
                "Apple answers 200, and the phone shows the notification without the attachment.",
                "Use a file type that attachments support, like jpg, png, gif, mp3 or mp4.")
        case .liveActivityIncomplete:
            .refusal(
                "live-activity.incomplete", "The payload of a Live Activity lacks a key that its event needs.",
                "Apple answers 200, and the phone neither starts nor changes the activity.",
                "Add 'event', 'timestamp' and the other keys that the event needs, like 'content-state'.")
        case .broadcastStart:
            .refusal(
                "live-activity.broadcast-start",
                "A broadcast has the event 'start', but only 'update' and 'end' can be broadcast.",
                "Apple answers 200, and no phone starts an activity.",
                "Broadcast only 'update' and 'end'. Start each activity with a push to its device.")
        case .unknownKey:
            .finding(
                "aps.unknown-key", .note, "'aps' has an undocumented key.", "Apple and the phone ignore it.",
                "Move your own key out of 'aps' to the top level, or correct its spelling.")
        case .mutableWithoutAlert:
            .finding(
                "aps.mutable-content-without-alert", .warning, "'mutable-content' is 1, but there is no 'alert'.",
                "There is nothing to show, and the service extension does not run.",
                "Add an 'alert' to 'aps', or omit 'mutable-content'.")
        case .alertInBackground:
            .finding(
                "background.with-alert", .warning, "A background push has an alert, a badge or a sound.",
                Self.maybeDropped, "Remove alert, badge and sound, or set apns-push-type to alert.")
        case .backgroundWithoutWaking:
            .finding(
                "background.without-content-available", .warning, "A background push lacks 'content-available' 1.",
                Self.maybeDropped, "Set 'content-available' to 1, or set apns-push-type to alert.")
        case .nothingInAlert:
            .finding(
                "alert.only-content-available", .warning,
                "An alert push has 'content-available', but no alert, badge or sound.",
                Self.maybeDropped, "Set apns-push-type to background and apns-priority to 5.")
        case .backgroundPriority:
            .finding(
                "background.priority-10", .warning, "A background push has priority 10.",
                "Apple calls that an error and may drop the push. By default, Pushpit does not deliver it; see --background-priority.",
                "Set apns-priority to 5 for a background push.")
        case .mediaInClearText:
            .finding(
                "media.http", .warning, "A media URL uses http.",
                "App Transport Security on iOS, and the default of apps on Android 9 and later, stop the phone from fetching it.",
                "Serve the media file over TLS and send an https URL.")
        case .simulatorKey:
            .finding(
                "payload.simulator-target-bundle", .note,
                "The payload has the simulator's key, 'Simulator Target Bundle'.",
                "Only the simulator uses it. A phone passes it to the app as data.",
                "Remove 'Simulator Target Bundle' before you send the payload to a phone.")
        case .nullValue:
            .finding(
                "payload.null-value", .warning, "A value outside 'aps' is null.",
                "According to one report, all of the app's own keys got lost.", "Omit the key instead of sending null.")
        case .mutableBesideAps:
            .finding(
                "payload.mutable-content-beside-aps", .warning,
                "'mutable-content' or 'content-available' is outside 'aps'.",
                "It has no effect there.", "Move the key into 'aps', with hyphens in its name.")
        case .soundShape:
            .finding(
                "aps.sound-shape", .warning,
                "A 'sound' object has no 'name', or its 'critical' or 'volume' is invalid.",
                "Without a 'name', the phone plays no sound. It ignores an invalid 'critical' or 'volume'.",
                "Give 'sound' a 'name', 'critical' 0 or 1 and a 'volume' from 0 to 1.")
        case .interruptionLevel:
            .finding(
                "aps.interruption-level", .warning,
                "'interruption-level' is not passive, active, time-sensitive or critical.", "The phone ignores it.",
                "Use passive, active, time-sensitive or critical.")
        case .relevanceScore:
            .finding(
                "aps.relevance-score", .warning, "'relevance-score' is not a number from 0 to 1.",
                "The phone ignores it.", "Set 'relevance-score' to a number from 0 to 1.")
        case .hostLooksLikeFile:
            .finding(
                "media.host-looks-like-a-file", .warning,
                "A media URL has a file extension in its host but not in its path.",
                "Only an extension in the path counts.",
                "Put the file name after the host, as in https://host/name.png.")
        case .trackingSwitch:
            .finding(
                "adobe.tracking-switch", .warning, "'_acsDeliveryTracking' is neither on nor off.",
                "The app treats it as off.", "Set '_acsDeliveryTracking' to on or off, in lower case.")
        case .trackingID:
            .finding(
                "adobe.tracking-id", .warning,
                "'_mId' is not 'h' and hex digits, or '_dId' is not a hex number below 2^31.",
                "The app reports nothing, or a wrong number.",
                "Send '_mId' as 'h' and hex digits, and '_dId' as hex digits.")
        case .nullInAps:
            .finding(
                "aps.null-value", .note, "'aps', a key in it or a text of the alert is null.",
                "Apple answers 200, and Pushpit's phones treat it as absent.",
                "Omit the key instead of sending null.")
        case .flagIsNoNumber:
            .finding(
                "aps.flag-not-a-number", .warning,
                "'content-available' or 'input-push-token' is a string or a Boolean instead of the number 0 or 1.",
                "Apple answers 200, and Pushpit's phones treat it as absent.",
                "Send the number 1 without quotes, or omit the key.")
        case .emptyAps:
            .finding(
                "aps.empty-value", .note, "'aps' is an empty string or an empty array.",
                "Apple answers 200, and the phone shows nothing. Wallet passes are updated, because Wallet does not read the payload.",
                "Send an object, like {\"aps\":{}}.")
        case .misspelledKey:
            .finding(
                "payload.misspelled-key", .warning, "A key resembles one that phones read.",
                "Apple and the phone ignore it.", "Use the spelling that the finding suggests.")
        case .unreadMedia:
            .finding(
                "media.unread-key", .note, "A media URL is in a key that only the app itself can read.",
                "The extensions of Firebase and Adobe look elsewhere.",
                "Put the URL into fcm_options.image or media-attachment-url, unless your own extension reads it.")
        case .mediaOnLocalHost:
            .finding(
                "media.localhost", .warning, "The host of a media URL is localhost or a loopback address.",
                "A phone looks for the file on itself. Only a simulator on the same machine finds it.",
                "Use a host that phones can reach.")
        case .criticalWithoutSound:
            .finding(
                "aps.critical-without-critical-sound", .warning,
                "'interruption-level' is critical, but 'sound' is not an object with 'critical' 1.",
                "A muted phone plays no sound.",
                "Send 'sound' as an object with 'critical' 1, a 'name' and a 'volume'.")
        case .activityInMilliseconds:
            .finding(
                "live-activity.milliseconds", .warning, "A time of a Live Activity is in milliseconds.",
                "Phones read it as seconds, so it is far in the future.", "Send seconds since 1970.")
        case .noAps:
            .finding(
                "payload.no-aps", .note, "The payload has no 'aps'.",
                "Apple answers 200, and the phone shows nothing. Pushes for Wallet and device management ('mdm') need no 'aps'.",
                "Put what the phone should show into an object 'aps'.")
        case .alertBesideAps:
            .finding(
                "payload.alert-beside-aps", .warning, "'alert' is outside 'aps', and 'aps' has no 'alert'.",
                "Phones read it only in 'aps', so they show no text.", "Move 'alert' into 'aps'.")
        case .emptyMedia:
            .finding(
                "media.empty-url", .note, "A media URL is an empty string.",
                "It counts as not set.", "Omit the key, or send the URL of the media file.")
        case .negativeBadge:
            .finding(
                "aps.negative-badge", .warning, "'badge' is negative.",
                "Apple answers 200. What a phone does with it is not documented.",
                "Send 0 to remove the badge, or a positive number.")
        case .duplicateKey:
            .finding(
                "payload.duplicate-key", .warning,
                "An object has a key more than once. Only 'pushpit check' reports it.",
                "Pushpit uses the last value. Other JSON readers may use the first.", "Send each key once.")
        }
    }
}
