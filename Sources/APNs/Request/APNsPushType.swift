internal import HTTPCore
package import PushCore

/// The values of `apns-push-type`, with the topic suffix that each needs (docs/evidence/apns.md §2.1, documented).
package enum APNsPushType: String, Sendable, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip
    case widgets

    /// The suffix of the topic; empty for types that use the plain bundle id.
    package var suffix: String { Self.suffixes[self] ?? "" }

    /// The kind of token for pushes of this type. Nil if they go to the app's own token or to a Live Activity's token, or
    /// if devices have no such tokens.
    var tokenKind: TokenKind? {
        switch self {
        case .voip: .voip
        case .pushtotalk: .ptt
        case .location: .location
        case .complication: .complication
        case .fileprovider: .fileprovider
        case .widgets: .widgets
        case .alert, .background, .controls, .liveactivity, .mdm: nil
        }
    }

    /// The type of pushes to tokens of this kind.
    package init(for kind: TokenKind) {
        self =
            switch kind {
            case .voip: .voip
            case .ptt: .pushtotalk
            case .location: .location
            case .complication: .complication
            case .fileprovider: .fileprovider
            case .widgets: .widgets
            }
    }

    /// The refusal for a topic that lacks this type's suffix (§2.1: voip observed, the others assumed).
    var reasonForPlainTopic: APNsReason { self == .voip ? .deviceTokenNotForTopic : .invalidPushType }

    private static let suffixes: [APNsPushType: String] = [
        .complication: ".complication", .controls: ".push-type.controls",
        .fileprovider: ".pushkit.fileprovider", .liveactivity: ".push-type.liveactivity",
        .location: ".location-query", .pushtotalk: ".voip-ptt", .voip: ".voip", .widgets: ".push-type.widgets",
    ]
    /// The suffixes as bytes, for comparison with the end of a topic.
    static let endings: [(ending: [UInt8], type: APNsPushType)] = suffixes.map { (Array($0.value.utf8), $0.key) }

    init?(_ bytes: Span<UInt8>) {
        for (text, type) in Self.names where bytes.count == text.count && bytes.starts(with: text) {
            self = type
            return
        }
        return nil
    }

    private static let names = allCases.map { (Array($0.rawValue.utf8), $0) }
}
