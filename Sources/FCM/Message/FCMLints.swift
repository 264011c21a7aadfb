internal import JSON
internal import PushCore

/// Finds likely mistakes in messages that Google accepts (docs/evidence/device.md §1.5 and §6.7). A lint never refuses
/// a message.
struct FCMLints {
    private(set) var findings: [Finding] = []
    /// The message shows nothing on an iPhone, and lacks what Apple requires of background pushes.
    private(set) var isSilentForApple = false
    let message: ProtoView

    /// Keys that carry a media URL next to `aps`. In `data` they have no meaning to Apple or Google.
    private static let mediaKeys = ["media-attachment-url", "fcm_options.image", "fcm_options"]
    private static let maximumFindings = 50

    init(_ message: ProtoView) {
        self.message = message
        let android = message.message(.android)
        let apns = message.message(.apns)
        checkImages(android)
        checkClearText(android, apns)
        checkEmpty(apns, android)
        checkData(message, at: "/message/data")
        checkData(android, at: "/message/android/data")
        checkHeaders(apns)
        checkSpelling(apns)
        if let apns { checkBesideAps(apns) }
        if let android { check(android) }
        checkSilent(apns)
    }

    /// Checks the image URLs' extensions. Android detects the type from the content, but the common image goes to
    /// iPhones too.
    private mutating func checkImages(_ android: ProtoView?) {
        let web = message.message(.webpush)?[.notification]
        let images = [
            ("/message/notification/image", message.message(.notification)?.string(.image)),
            ("/message/android/notification/image", android?.message(.notification)?.string(.image)),
        ]
        let others = [
            ("/message/apns/fcm_options/image", message.message(.apns)?.message(.fcmOptions)?.string(.image)),
            ("/message/webpush/notification/image", web?["image"]?.string),
            ("/message/webpush/notification/icon", web?["icon"]?.string),
        ]
        for case (let path, let url?) in images + others where MediaURL.isLocal(url) {
            note(
                "fcm.image-localhost", .warning, path,
                "The host of '\(url.prefix(200))' is this machine: a phone looks for the image on itself.")
        }
        for case (let path, let url?) in images {
            switch MediaURL.fault(of: url) {
            case nil: break
            case .notAbsolute:
                note(
                    "fcm.image-not-absolute", .warning, path,
                    "'\(url.prefix(200))' is not an absolute http or https URL, so no phone can fetch the image.")
            case .noExtension, .unknownExtension:
                note(
                    "fcm.image-extension", .warning, path,
                    "The path of '\(url.prefix(200))' does not end in an image extension that every phone supports.")
            }
        }
    }

    /// Finds media that phones do not fetch, because the URL uses http (docs/evidence/device.md §2.3(3), documented).
    private mutating func checkClearText(_ android: ProtoView?, _ apns: ProtoView?) {
        let payload = apns?[.payload]
        let media = [
            ("/message/notification/image", message.message(.notification)?.string(.image)),
            ("/message/android/notification/image", android?.message(.notification)?.string(.image)),
            ("/message/apns/fcm_options/image", apns?.message(.fcmOptions)?.string(.image)),
            ("/message/apns/payload/fcm_options/image", payload?["fcm_options"]?["image"]?.string),
            ("/message/apns/payload/media-attachment-url", payload?["media-attachment-url"]?.string),
        ]
        for case (let path, let url?) in media where MediaURL.isInClearText(url) {
            noteClearText(url, at: path)
        }
    }

    private mutating func noteClearText(_ url: String, at path: String) {
        let consequence =
            if path.hasPrefix("/message/apns") {
                "App Transport Security stops an iPhone from fetching it."
            } else if path.hasPrefix("/message/android") {
                "On Android 9 and later, an app fetches it only if it allows clear text."
            } else {
                "An iPhone, and an app on Android 9 or later, fetch it only if the app allows http."
            }
        note("media.http", .warning, path, "'\(url.prefix(200))' uses http. \(consequence)")
    }

    /// Finds media whose URL is an empty text, which counts as unset.
    private mutating func checkEmpty(_ apns: ProtoView?, _ android: ProtoView?) {
        let payload = apns?[.payload]
        let media = [
            ("/message/notification/image", message[.notification]?["image"]),
            ("/message/android/notification/image", android?[.notification]?["image"]),
            ("/message/apns/fcm_options/image", apns?[.fcmOptions]?["image"]),
            ("/message/apns/payload/fcm_options/image", payload?["fcm_options"]?["image"]),
            ("/message/apns/payload/media-attachment-url", payload?["media-attachment-url"]),
            ("/message/webpush/notification/image", message.message(.webpush)?[.notification]?["image"]),
        ]
        for case (let path, let url?) in media where url.string == "" { noteEmpty(path) }
    }

    private mutating func noteEmpty(_ path: String) {
        let key = path.split(separator: "/").last ?? ""
        note("media.empty-url", .note, path, "'\(key)' is an empty string. It counts as not set.")
    }

    private mutating func checkData(_ holder: ProtoView?, at path: String) {
        for (key, value) in holder?.entries(.data) ?? [] {
            let place = JSONPointer(path)?.appending(key).description ?? path
            if key == Self.mediaKeys[0], MediaURL.isInClearText(value) { noteClearText(value, at: place) }
            if Self.mediaKeys.contains(key) {
                // As everywhere, an empty URL counts as not set.
                guard !value.isEmpty else {
                    noteEmpty(place)
                    continue
                }
                let fault =
                    MediaURL.fault(of: value) == nil
                    ? "" : " Also, its value is not a URL whose path ends in an extension that attachments support."
                note(
                    "fcm.media-in-data", .warning, place,
                    "'\(key)' in 'data' is custom data for the app: it is not checked, and it does not set 'mutable-content'.\(fault)"
                )
            }
            if NameGuesser.isMedia(key, value) {
                note(
                    "fcm.image-in-data", .note, place,
                    "Did you mean 'notification.image'? '\(key.prefix(40))' in 'data' is custom data for the app.")
            }
            noteMisplaced(key, at: place, "data")
        }
    }

    private mutating func check(_ android: ProtoView) {
        let isShown = message.has(.notification) || android.has(.notification)
        if isShown, android.has(.collapseKey) {
            note(
                "fcm.collapse-key-ignored", .note, "/message/android/collapse_key",
                "Google ignores this key: all notifications of an app share one collapse key, its package name.")
        }
        if let key = android.string(.collapseKey), isPerMessage(key, android) {
            note(
                "fcm.collapse-key-per-message", .note, "/message/android/collapse_key",
                "The key is the number of this message ('_mId'), so it never replaces another message and uses up one of a device's four keys."
            )
        }
        if !isShown, android[.priority].flatMap({ ProtoScalar.enumeration($0, .priority) }) == 1 {
            note(
                "fcm.high-priority-data", .note, "/message/android/priority",
                "This message has high priority but shows nothing: Google lowers the priority if an app does this often."
            )
        }
    }

    /// Whether the collapse key is Adobe Campaign's message number in decimal. '_mId' is a letter and the same number
    /// in hexadecimal (docs/evidence/device.md §0, X22).
    private func isPerMessage(_ key: String, _ android: ProtoView) -> Bool {
        guard let number = Int64(key) else { return false }
        let entries = android.entries(.data) + message.entries(.data)
        return entries.contains { $0.key == "_mId" && Int64($0.value.dropFirst(), radix: 16) == number }
    }

    /// Checks messages that reach an iPhone as a background push (docs/evidence/fcm.md §5.2, documented).
    private mutating func checkSilent(_ apns: ProtoView?) {
        guard let apns, !message.has(.notification), let aps = apns[.payload]?["aps"],
            ["alert", "sound", "badge", "event"].allSatisfy({ aps[$0]?.isNull ?? true })
        else { return }
        let priority = apns.entries(.headers).last { $0.key.lowercased() == "apns-priority" }?.value ?? "10"
        if aps["content-available"]?.exactInteger != 1 || priority != "5" {
            isSilentForApple = true
            note(
                "fcm.silent-for-apple", .warning, "/message/apns",
                "A message that shows nothing needs 'content-available' 1 and the header 'apns-priority' 5; without them Google may refuse it."
            )
        }
    }

    mutating func note(_ rule: String, _ severity: Finding.Severity, _ path: String, _ text: String) {
        if findings.count < Self.maximumFindings { findings.append(Finding(rule, severity, at: path, text)) }
    }
}
