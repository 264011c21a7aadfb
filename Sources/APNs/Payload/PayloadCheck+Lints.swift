internal import JSON
internal import PushCore

/// Checks of a payload's values that never refuse a push (docs/evidence/device.md §6.7).
extension PayloadCheck {
    private static let nearLevels = NameGuesser(APSKey.levels)
    private static let soundNames = APSKey.soundTable.map(\.name)
    private static let soundKeys = NameGuesser(soundNames, minLength: 4)

    mutating func lint(_ aps: JSONPlace, _ document: JSONDocument) {
        if let sound = document["sound", in: aps], document.kind(at: sound) == .object {
            lint(sound: document.view(at: sound))
        }
        let level = document.string(at: document["interruption-level", in: aps])
        if let level, !APSKey.levels.contains(level) {
            let guess = Self.nearLevels.guess(level).map { " (did you mean '\($0)'?)" } ?? ""
            note(
                .interruptionLevel, "/aps/interruption-level",
                "'\(level.prefix(40))' is not an interruption level\(guess)")
        } else if level == "critical", let sound = document["sound", in: aps],
            document.exactInteger(at: document["critical", in: sound]) != 1, document.kind(at: sound) != .null
        {
            note(.criticalWithoutSound, "/aps/sound", "The level is critical, but 'sound' is an ordinary sound")
        }
        if let score = document["relevance-score", in: aps].flatMap({ document.view(at: $0).double }),
            kind != .liveactivity, !(0...1 ~= score)
        {
            note(.relevanceScore, "/aps/relevance-score", "'relevance-score' is not between 0 and 1")
        }
    }

    mutating func lint(badge: JSONView) {
        guard badge.source.first == UInt8(ascii: "-"), badge.double ?? 0 < 0 else { return }
        note(.negativeBadge, "/aps/badge", "'badge' is \(badge.shown)")
    }

    /// Checks the members of a sound that is an object.
    private mutating func lint(sound: JSONView) {
        for (key, value) in sound.members {
            let name = key.shortened
            if value.isNull, Self.soundNames.contains(name) {
                note(.nullInAps, "/aps/sound/\(name)", "'\(name)' is null")
            }
            if let guess = Self.soundKeys.guess(name) { noteMisspelled(name, at: "/aps/sound", guess, "'sound'") }
        }
        if let name = sound["name"], !name.isNull {
            if name.kind != .string { note(.soundShape, "/aps/sound/name", "'name' is \(name.shown), not a string") }
        } else {
            note(.soundShape, "/aps/sound", "The 'sound' object has no 'name'")
        }
        if let critical = sound["critical"], !critical.isNull, !(0...1 ~= critical.exactInteger ?? -1) {
            note(.soundShape, "/aps/sound/critical", "'critical' is \(critical.shown), not the number 0 or 1")
        }
        if let volume = sound["volume"], !volume.isNull, !(0...1 ~= volume.double ?? -1) {
            note(.soundShape, "/aps/sound/volume", "'volume' is \(volume.shown), not a number from 0 to 1")
        }
    }

    /// Reports a payload that shows nothing because what it should show is not in `aps`. Checks only alerts and pushes
    /// without a type, because other types need no text in `aps`. Device management needs no `aps` at all: its payload
    /// has the key `mdm`.
    mutating func lintMissing(_ aps: JSONPlace?, _ document: JSONDocument) {
        guard kind == nil || kind == .alert else { return }
        if let aps, document.kind(at: aps) == .object {
            // A push that only wakes the app may have its own 'alert' outside 'aps', for the app to read.
            let wakes = document["content-available", in: aps].map { document.view(at: $0).exactInteger == 1 } ?? false
            if wakes || document["alert", in: aps] != nil { return }
        }
        let root = document.view(at: document.rootPlace)
        if root["alert"] != nil {
            note(.alertBesideAps, "/alert", "Did you mean 'aps.alert'? 'alert' is outside 'aps'")
        } else if aps == nil, root["mdm"] == nil {
            guard let name = misspelledAps(root) else { return note(.noAps, "", "The payload has no 'aps'") }
            noteMisspelled(name, at: "", "aps", "the payload")
        }
    }

    /// Checks the keys outside `aps`, for example the keys of Adobe's libraries (docs/evidence/device.md §4).
    mutating func lint(key: String, _ value: JSONView) {
        switch key {
        case "_acsDeliveryTracking":
            if !["on", "off"].contains(value.string ?? "") {
                note(
                    .trackingSwitch, "/_acsDeliveryTracking", "'_acsDeliveryTracking' is \(value.shown), not on or off")
            }
        case "_mId":
            let text = value.string ?? ""
            if !text.hasPrefix("h") || UInt64(text.dropFirst(), radix: 16) == nil {
                note(.trackingID, "/_mId", "'_mId' is \(value.shown), not 'h' followed by a hexadecimal number")
            }
        case "_dId":
            if value.string.flatMap({ UInt64($0, radix: 16) }).map({ $0 < 1 << 31 }) != true {
                note(.trackingID, "/_dId", "'_dId' is \(value.shown), not a hexadecimal number below 2^31")
            }
        default: lint(spellingOf: key)
        }
    }

    /// Reports a URL whose host ends like a file name, such as `https://a.example.png`, because phones look for the
    /// file extension only in the path of the URL.
    mutating func lint(hostOf url: String, at pointer: String) {
        let pieces = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3 else { return }
        let host = pieces[2].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let end = host.split(separator: ".").last, MediaURL.fault(of: "https://a/a.\(end)") == nil else { return }
        note(.hostLooksLikeFile, pointer, "The host of \(url.prefix(200)) ends like a file name")
    }
}
