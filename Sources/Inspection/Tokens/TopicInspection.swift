internal import APNs
internal import PushCore

/// Inspects an APNs topic: a bundle id and perhaps the suffix of a push type (docs/evidence/apns.md §2.1).
enum TopicInspection {
    /// Whether this may be a topic: 2 to 20 parts between dots, of letters, digits, hyphens and underscores. The first
    /// character is a letter.
    static func isTopic(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return 2...20 ~= parts.count && text.utf8.count <= 255
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { isLetter($0) || isDigit($0) || "-_".utf8.contains($0) }
            } && (text.utf8.first.map(isLetter) ?? false)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static let types = APNsPushType.allCases.filter { !$0.suffix.isEmpty }
    /// Wrong endings that people write, and the right ones.
    private static let mistakes: [(ending: String, right: String)] =
        types.map { (".\($0.rawValue)", $0.suffix) } + [
            (".live-activity", APNsPushType.liveactivity.suffix),
            (".push-type.live-activity", APNsPushType.liveactivity.suffix),
            (".pushnotification.liveactivity", APNsPushType.liveactivity.suffix),
            (".ptt", APNsPushType.pushtotalk.suffix),
            (".complications", APNsPushType.complication.suffix), (".pushkit.voip", APNsPushType.voip.suffix),
            (".push-type.voip", APNsPushType.voip.suffix),
        ]

    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        draft.kind = .topic
        let text = subject.text
        draft.links.topic = text
        if let type = type(of: text) {
            draft.note("app: \(text.dropLast(type.suffix.count))")
            draft.note("push type: \(type.rawValue)")
            if type == .voip {
                draft.answer(.apple(.invalidPushType, .observed, "if apns-push-type is alert or background"))
            }
            return
        }
        let lower = text.lowercased()
        let longest = mistakes.filter { lower.hasSuffix($0.ending) }.max { $0.ending.count < $1.ending.count }
        if let longest {
            return draft.add(
                DeviceTokenRule.unknownSuffix, String(text.suffix(longest.ending.utf8.count)).quoted, longest.right)
        }
        draft.note("app: \(text), without a suffix: for alerts and background pushes")
    }

    static func type(of topic: String) -> APNsPushType? { types.first { topic.hasSuffix($0.suffix) } }
}
