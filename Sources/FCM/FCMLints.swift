internal import JSON
internal import PushCore

/// What is only noted of a message that is fine by Google (facts/device.md §1.5 and §6.7): it never refuses.
struct FCMLints {
    private(set) var findings: [Finding] = []
    /// It shows nothing, and is not sent as what shows nothing has to be.
    private(set) var isSilentForApple = false
    private let message: ProtoView

    /// Keys that carry media beside `aps`; within `data` no rule holds for them (design).
    private static let mediaKeys = ["media-attachment-url", "fcm_options.image", "fcm_options"]
    private static let most = 50

    init(_ message: ProtoView) {
        self.message = message
        let android = message.message(.android)
        let apns = message.message(.apns)
        checkImages(android)
        checkData(message, at: "/message/data")
        checkData(android, at: "/message/android/data")
        checkHeaders(apns)
        if let android { check(android) }
        checkSilent(apns)
    }

    /// Android reads bytes and no extensions, but the common image goes to Apple too.
    private mutating func checkImages(_ android: ProtoView?) {
        let images = [
            ("/message/notification/image", message.message(.notification)?.string(.image)),
            ("/message/android/notification/image", android?.message(.notification)?.string(.image)),
        ]
        for case (let path, let url?) in images where MediaURL.fault(of: url) != nil {
            note(
                "fcm.image-extension", .warning, path,
                "The path of '\(url.prefix(200))' ends in no extension of an image that every phone takes.")
        }
    }

    private mutating func checkData(_ holder: ProtoView?, at path: String) {
        for (key, value) in holder?.entries(.data) ?? [] {
            let place = JSONPointer(path)?.appending(key).description ?? path
            if Self.mediaKeys.contains(key) {
                let fault =
                    MediaURL.fault(of: value) == nil
                    ? "" : " Nor is it a URL whose path ends in an extension that attachments take."
                note(
                    "fcm.media-in-data", .warning, place,
                    "'\(key)' within 'data' is the app's own: nothing checks it, and no 'mutable-content' comes with it.\(fault)"
                )
            }
            if key == "mutable-content" || key == "mutable_content" {
                note(
                    "fcm.mutable-content-misplaced", .warning, place,
                    "'\(key)' has no effect within 'data': it belongs into 'apns.payload.aps'.")
            }
        }
    }

    private mutating func checkHeaders(_ apns: ProtoView?) {
        for (key, _) in apns?.entries(.headers) ?? []
        where ["mutable-content", "mutable_content"].contains(key.lowercased()) {
            note(
                "fcm.mutable-content-misplaced", .warning,
                JSONPointer("/message/apns/headers")?.appending(key).description ?? "",
                "'\(key)' has no effect within 'apns.headers': it belongs into 'apns.payload.aps'.")
        }
        let web = message.message(.webpush)
        for (key, _) in web?.entries(.headers) ?? [] where key.lowercased() == "image" {
            note(
                "fcm.webpush-image", .warning, "/message/webpush/headers/\(key)",
                "'image' is no header of a web push and never shown: it belongs into 'webpush.notification'.")
        }
    }

    private mutating func check(_ android: ProtoView) {
        let isShown = message.has(.notification) || android.has(.notification)
        if isShown, android.has(.collapseKey) {
            note(
                "fcm.collapse-key-ignored", .note, "/message/android/collapse_key",
                "Notifications share one collapse key, the app's package; this one is not looked at.")
        }
        if let key = android.string(.collapseKey), isPerMessage(key, android) {
            note(
                "fcm.collapse-key-per-message", .note, "/message/android/collapse_key",
                "The key is the number of this very message ('_mId'): it will never replace another, and uses up one of four."
            )
        }
        if !isShown, android[.priority].flatMap({ ProtoScalar.enumeration($0, .priority) }) == 1 {
            note(
                "fcm.high-priority-data", .note, "/message/android/priority",
                "High priority for what shows nothing: Google lowers it for apps where that is the rule.")
        }
    }

    /// Adobe Campaign's: the decimal of what '_mId' has in hexadecimal behind its letter (facts/device.md §0, X22).
    private func isPerMessage(_ key: String, _ android: ProtoView) -> Bool {
        guard let number = Int64(key) else { return false }
        let entries = android.entries(.data) + message.entries(.data)
        return entries.contains { $0.key == "_mId" && Int64($0.value.dropFirst(), radix: 16) == number }
    }

    /// Data alone reaches an iPhone as a background push (facts/fcm.md §5.2, documented).
    private mutating func checkSilent(_ apns: ProtoView?) {
        guard let apns, !message.has(.notification), let aps = apns[.payload]?["aps"], aps["alert"] == nil,
            aps["sound"] == nil, aps["badge"] == nil, aps["event"] == nil
        else { return }
        let priority = apns.entries(.headers).last { $0.key.lowercased() == "apns-priority" }?.value ?? "10"
        if aps["content-available"]?.exactInteger != 1 || priority != "5" {
            isSilentForApple = true
            note(
                "fcm.silent-for-apple", .warning, "/message/apns",
                "A message that shows nothing needs 'content-available' 1 and the header 'apns-priority' 5, or Google has been seen to refuse it."
            )
        }
    }

    private mutating func note(_ rule: String, _ severity: Finding.Severity, _ path: String, _ text: String) {
        if findings.count < Self.most { findings.append(Finding(rule, severity, at: path, text)) }
    }
}
