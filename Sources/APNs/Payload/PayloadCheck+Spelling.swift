internal import JSON
internal import PushCore

/// Finds keys that are nearly right, and times in the wrong unit (docs/evidence/device.md §6.7). These findings never
/// refuse a push.
extension PayloadCheck {
    static let apsKeys = NameGuesser(APSKey.table.map(\.name) + flags, minLength: 4)
    private static let flags = ["mutable-content", "content-available"]
    private static let alertKeys = NameGuesser(APSKey.alertTable.map(\.name), minLength: 3)
    private static let flagSpellings = NameGuesser(flags)
    private static let topKeys = NameGuesser(["aps", "fcm_options", "media-attachment-url"])
    private static let aps = NameGuesser(["aps"], minLength: 3)
    private static let image = NameGuesser(["image"])

    /// Checks the name of a key outside `aps`.
    mutating func lint(spellingOf key: String) {
        if let flag = Self.flags.contains(key) ? key : Self.flagSpellings.guess(key) {
            return note(
                .mutableBesideAps, "/\(key.prefix(40))",
                "'\(key.prefix(40))' is outside 'aps', but phones read '\(flag)' only in 'aps'"
            )
        }
        if let guess = Self.topKeys.guess(key) { noteMisspelled(key, at: "", guess, "the payload") }
    }

    /// The key of an object that is probably meant to be `aps`, in a payload without `aps`. A spelling that differs only
    /// in case has its finding already.
    func misspelledAps(_ root: JSONView) -> String? {
        root.members.lazy.filter { $1.kind == .object }.map(\.key.shortened).first {
            Self.aps.guess($0) != nil && Self.topKeys.guess($0) == nil
        }
    }

    mutating func lintKeys(ofAlert alert: JSONPlace, _ document: JSONDocument) {
        var key = document.firstKey(in: alert)
        while let here = key {
            let name = document.view(at: here).shortened
            if let guess = Self.alertKeys.guess(name) {
                noteMisspelled(name, at: "/aps/alert", guess, "'alert'")
            } else if NameGuesser.isMedia(name, document.string(at: document.value(ofKey: here))) {
                noteUnreadMedia(name, at: "/aps/alert")
            }
            key = document.key(after: here, in: alert)
        }
    }

    /// Checks the keys of an object in which `image` is missing.
    mutating func lintKeys(of options: JSONView) {
        for (key, value) in options.members {
            let name = key.shortened
            guard Self.image.guess(name) != nil || NameGuesser.isMedia(name, value.string) else { continue }
            noteMisspelled(name, at: "/fcm_options", "image", "'fcm_options'")
        }
    }

    mutating func noteMisspelled(_ name: String, at parent: String, _ guess: String, _ place: String) {
        note(.misspelledKey, "\(parent)/\(name)", "Did you mean '\(guess)'? '\(name)' is not a key of \(place)")
    }

    /// Whether a key beside `aps` looks as if it held a media URL, itself or in `data`.
    func isUnreadMedia(_ name: String, _ value: JSONPlace, _ document: JSONDocument) -> Bool {
        if name == "data", document.kind(at: value) == .object {
            return document.view(at: value).members.contains { NameGuesser.isMedia($0.shortened, $1.string) }
        }
        return NameGuesser.isMedia(name, document.string(at: value))
    }

    /// Reports the keys beside `aps` that look as if they held a media URL.
    mutating func lintUnreadMedia(_ document: JSONDocument) {
        for (key, value) in document.root.members {
            let name = key.shortened
            if NameGuesser.isMedia(name, value.string) { noteUnreadMedia(name, at: "") }
            guard name == "data", value.kind == .object else { continue }
            for (key, value) in value.members where NameGuesser.isMedia(key.shortened, value.string) {
                noteUnreadMedia(key.shortened, at: "/data")
            }
        }
    }

    mutating func noteUnreadMedia(_ name: String, at parent: String) {
        note(
            .unreadMedia, "\(parent)/\(name)",
            "'\(name)' has a media URL (did you mean 'fcm_options.image' or 'media-attachment-url'?)")
    }

    /// The first number that is certainly not a time in seconds: the year 5138.
    private static let firstMilliseconds = 100_000_000_000.0

    mutating func lint(time: JSONView, of key: String) {
        guard let number = time.double, number >= Self.firstMilliseconds else { return }
        note(.activityInMilliseconds, "/aps/\(key)", "'\(key)' is \(time.shown), which is in milliseconds")
    }
}
