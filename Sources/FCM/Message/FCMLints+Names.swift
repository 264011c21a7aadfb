internal import JSON
internal import PushCore

/// Finds names that are nearly right, or in a place where no phone reads them.
extension FCMLints {
    mutating func checkHeaders(_ apns: ProtoView?) {
        for (key, _) in apns?.entries(.headers) ?? [] {
            let guess = Self.headers.guess(key.lowercased())
            guard guess != nil || Self.flag(key) != nil else { continue }
            let path = JSONPointer("/message/apns/headers")?.appending(key).description ?? ""
            noteMisplaced(key, at: path, "apns.headers")
            guard let guess else { continue }
            note(
                "fcm.misspelled-key", .warning, path,
                "Did you mean '\(guess)'? Apple has no header '\(key.prefix(40))'.")
        }
        let web = message.message(.webpush)
        for (key, _) in web?.entries(.headers) ?? [] where key.lowercased() == "image" {
            note(
                "fcm.webpush-image", .warning, "/message/webpush/headers/\(key)",
                "'image' is not a Web Push header and is never shown: move it to 'webpush.notification'.")
        }
    }

    private static let flagNames = ["mutable-content", "content-available"]
    private static let flags = NameGuesser(flagNames)
    private static let headers = NameGuesser([
        "apns-id", "apns-topic", "apns-push-type", "apns-expiration", "apns-priority", "apns-collapse-id",
    ])
    private static let payloadKeys = NameGuesser(["aps", "fcm_options", "media-attachment-url"])

    /// Checks the names in the parts of the message that Google passes on as they are.
    mutating func checkSpelling(_ apns: ProtoView?) {
        let payload = apns?[.payload]
        if let payload {
            let hasMedia = payload["fcm_options"] != nil || payload["media-attachment-url"] != nil
            for (key, value) in payload.members {
                if let guess = Self.payloadKeys.guess(utf8: key.utf8) {
                    noteMisspelled(key.shortened, at: "/message/apns/payload", guess)
                } else if !hasMedia, value.kind == .string, NameGuesser.isMedia(key.shortened, value.string) {
                    note(
                        "media.unread-key", .note, "/message/apns/payload/\(key.shortened)",
                        "Did you mean 'apns.fcm_options.image'? '\(key.shortened)' has a media URL, but only your own app can read that key."
                    )
                }
            }
        }
        if let aps = payload?["aps"] {
            for (key, _) in aps.members {
                guard let guess = Self.flags.guess(utf8: key.utf8) else { continue }
                noteMisspelled(key.shortened, at: "/message/apns/payload/aps", guess)
            }
        }
        guard let web = message.message(.webpush)?[.notification], web["image"] == nil else { return }
        for (key, value) in web.members where NameGuesser.isMedia(key.shortened, value.string) {
            noteMisspelled(key.shortened, at: "/message/webpush/notification", "image")
        }
    }

    /// Finds keys of `aps` that are next to it, as in payloads for Apple (`PayloadCheck`).
    mutating func checkBesideAps(_ apns: ProtoView) {
        guard let payload = apns[.payload] else { return }
        for (key, _) in payload.members {
            // Most keys need no string, so the bytes are compared first.
            guard let bytes = key.utf8, let flag = Self.flag(utf8: bytes) else { continue }
            let name = key.shortened
            note(
                "payload.mutable-content-beside-aps", .warning,
                JSONPointer("/message/apns/payload")?.appending(name).description ?? "",
                "'\(name)' is outside 'aps', but phones read '\(flag)' only in 'aps'. It has no effect there.")
        }
        let aps = payload["aps"]
        // A push that only wakes the app may have its own 'alert' for the app to read.
        guard payload["alert"] != nil, aps?["alert"] == nil, aps?["content-available"]?.exactInteger != 1,
            !message.has(.notification), isAlert(apns)
        else { return }
        note(
            "payload.alert-beside-aps", .warning, "/message/apns/payload/alert",
            "Did you mean 'aps.alert'? 'alert' is outside 'aps'. Phones read it only in 'aps', so they show no text.")
    }

    /// Whether the message is for the app itself, and not for a Live Activity or another kind of push.
    private func isAlert(_ apns: ProtoView) -> Bool {
        let type = apns.entries(.headers).last { $0.key.lowercased() == "apns-push-type" }?.value ?? "alert"
        return type == "alert" && !apns.has(.liveActivityToken)
    }

    /// Finds a key of `aps` in a place where it has no effect.
    mutating func noteMisplaced(_ key: String, at path: String, _ place: String) {
        guard Self.flag(key) != nil else { return }
        note(
            "fcm.mutable-content-misplaced", .warning, path,
            "'\(key)' has no effect in '\(place)': move it to 'apns.payload.aps'.")
    }

    /// The key of `aps` that a name stands for.
    private static func flag(_ name: String) -> String? {
        flagNames.contains(name) ? name : flags.guess(name)
    }

    private static func flag(utf8 name: ArraySlice<UInt8>) -> String? {
        flagNames.first { $0.utf8.elementsEqual(name) } ?? flags.guess(utf8: name)
    }

    mutating func noteMisspelled(_ key: String, at parent: String, _ guess: String) {
        note(
            "fcm.misspelled-key", .warning, JSONPointer(parent)?.appending(key).description ?? parent,
            "Did you mean '\(guess)'? No phone reads '\(key)'.")
    }
}
