internal import HTTPCore

/// What `apns-push-type` may be, with the suffix its topic has (facts/apns.md §2.1, documented).
package enum APNsPushType: String, Sendable, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip
    case widgets

    package var suffix: String { Self.suffixes[self] ?? "" }

    /// What a topic without this type's suffix gets (§2.1: voip observed, the others assumed).
    var reasonForPlainTopic: APNsReason { self == .voip ? .deviceTokenNotForTopic : .invalidPushType }

    /// Those that have one.
    private static let suffixes: [APNsPushType: String] = [
        .complication: ".complication", .controls: ".push-type.controls",
        .fileprovider: ".pushkit.fileprovider", .liveactivity: ".push-type.liveactivity",
        .location: ".location-query", .pushtotalk: ".voip-ptt", .voip: ".voip", .widgets: ".push-type.widgets",
    ]
    /// As octets, to look for at a topic's end.
    static let endings: [(ending: [UInt8], type: APNsPushType)] = suffixes.map { (Array($0.value.utf8), $0.key) }

    init?(_ octets: Span<UInt8>) {
        for (text, type) in Self.names where octets.count == text.count && octets.starts(with: text) {
            self = type
            return
        }
        return nil
    }

    private static let names = allCases.map { (Array($0.rawValue.utf8), $0) }
}
