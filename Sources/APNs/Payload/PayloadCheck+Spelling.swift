internal import JSON
internal import PushCore

/// Finds keys that are nearly right, and times in the wrong unit (docs/evidence/device.md §6.7). These findings never
/// refuse a push.
extension PayloadCheck {
    static let apsKeys = NearMiss(APSKey.table.map(\.name) + flags)
    private static let flags = ["mutable-content", "content-available"]
    private static let alertKeys = NearMiss(APSKey.alertTable.map(\.name))
    private static let misplaced = NearMiss(flags)
    private static let topKeys = NearMiss(["aps", "fcm_options", "media-attachment-url"])
    private static let image = NearMiss(["image"])

    /// Checks the name of a key outside `aps`.
    mutating func lint(spellingOf key: String) {
        if let flag = Self.flags.contains(key) ? key : Self.misplaced.guess(key) {
            return note(
                .mutableBesideAps, "/\(key.prefix(40))",
                "'\(key.prefix(40))' is outside 'aps', but phones read '\(flag)' only in 'aps'"
            )
        }
        if let guess = Self.topKeys.guess(key) { noteMisspelled(key, at: "", guess, "the payload") }
    }

    mutating func lintKeys(ofAlert alert: JSONPlace, _ document: JSONDocument) {
        var key = document.firstKey(in: alert)
        while let here = key {
            let name = document.view(at: here).shortened
            if let guess = Self.alertKeys.guess(name) { noteMisspelled(name, at: "/aps/alert", guess, "'alert'") }
            key = document.key(after: here, in: alert)
        }
    }

    /// Checks the keys of an object in which `image` is missing.
    mutating func lintKeys(of options: JSONView) {
        for (key, value) in options.members {
            let name = key.shortened
            guard Self.image.guess(name) != nil || NearMiss.isMedia(name, value.string) else { continue }
            noteMisspelled(name, at: "/fcm_options", "image", "'fcm_options'")
        }
    }

    mutating func noteMisspelled(_ name: String, at parent: String, _ guess: String, _ place: String) {
        note(.misspelledKey, "\(parent)/\(name)", "Did you mean '\(guess)'? '\(name)' is not a key of \(place)")
    }

    /// Reports the keys outside `aps` that seem to contain a media URL.
    mutating func lintUnreadMedia(_ document: JSONDocument) {
        for (key, value) in document.root.members where NearMiss.isMedia(key.string ?? "", value.string) {
            let name = key.shortened
            note(
                .unreadMedia, "/\(name)",
                "'\(name)' has a media URL, but the key is neither 'fcm_options.image' nor 'media-attachment-url'")
        }
    }

    /// The first number that is certainly not a time in seconds: the year 5138.
    private static let firstMilliseconds = 100_000_000_000.0

    mutating func lintTimes(_ aps: JSONView) {
        for key in ["timestamp", "stale-date", "dismissal-date"] {
            guard let time = aps[key], let number = time.double, number >= Self.firstMilliseconds else { continue }
            note(.activityInMilliseconds, "/aps/\(key)", "'\(key)' is \(time.shown), which is in milliseconds")
        }
    }
}
