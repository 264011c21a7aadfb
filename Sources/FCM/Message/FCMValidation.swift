internal import JSON
internal import PushCore

/// Google's checks of a converted message, in Google's order where that is known (docs/evidence/fcm.md §2.4, §4), then
/// the media rules, which find messages that no phone could show in full.
struct FCMValidation {
    private(set) var findings: [Finding] = []
    /// The message's target, as soon as it is known.
    private(set) var target: FCMTarget?
    private let message: ProtoView
    private let policy: FCMPolicy
    /// The rules and fields of the media findings, which are the last elements of `findings`.
    private var mediaFaults: [(rule: String, field: String)] = []

    init(_ message: ProtoView, _ policy: FCMPolicy) {
        self.message = message
        self.policy = policy
    }

    mutating func check() throws(GoogleError) -> FCMTarget {
        let lints = FCMLints(message)
        findings = lints.findings
        let target = try readTarget()
        self.target = target
        if message.has(.android), message.has(.androidV2) { throw .androidAndAndroidV2 }
        try message.checkRules(policy, at: [.message])
        try MessageSize.check(message, for: target, policy)
        if lints.isSilentForApple, policy.choices.contains(.silentForApple) { throw .silentForApple }
        checkMedia(message.message(.apns))
        try refuseMedia()
        return target
    }

    private func readTarget() throws(GoogleError) -> FCMTarget {
        if let token = message.string(.token) { return .token(token) }
        if let fid = message.string(.fid) { return .fid(fid) }
        if var topic = message.string(.topic) {
            if policy.choices.contains(.topicPrefix), topic.hasPrefix("/topics/") { topic = String(topic.dropFirst(8)) }
            guard FCMSyntax.isTopic(topic) else { throw .malformed(topic: topic) }
            return .topic(topic)
        }
        if let text = message.string(.condition) {
            guard let condition = TopicCondition(text) else { throw .malformed(condition: text) }
            return .condition(condition, text)
        }
        throw .noTarget
    }

    /// The media rules, for the part that goes to Apple.
    private mutating func checkMedia(_ apns: ProtoView?) {
        guard let apns else { return }
        let payload = apns[.payload]
        let mutable = payload?["aps"]?["mutable-content"]
        if let mutable, !mutable.isNull, ![0, 1].contains(mutable.exactInteger) {
            note(
                "aps.mutable-content-not-1", "message.apns.payload.aps.mutable-content",
                "'mutable-content' is \(mutable.shown), not the number 1", "the phone runs no extension for it")
        }
        let urls: [(String, JSONView?)] = [
            ("message.apns.fcm_options.image", apns.message(.fcmOptions)?[.image]),
            ("message.apns.payload.fcm_options.image", payload?["fcm_options"]?["image"]),
            ("message.apns.payload.media-attachment-url", payload?["media-attachment-url"]),
        ]
        for case (let field, let url?) in urls where !url.isNull && url.string != "" {
            if mutable?.exactInteger != 1 {
                note("media.needs-mutable-content", field, "A media URL needs 'mutable-content' 1 in 'aps'")
            }
            switch MediaURL.fault(of: url.string ?? "") {
            case nil: break
            case .notAbsolute:
                note("media.not-an-absolute-url", field, "\(url.shown) is not an absolute http or https URL")
            case .noExtension:
                note(
                    "media.no-file-extension", field, "The path of \(url.shown) has no file extension",
                    "the phone shows the push without the attachment, unless its extension takes the file's type "
                        + "from the server's answer, as Firebase's does")
            case .unknownExtension(let name):
                note(
                    "media.unknown-file-extension", field,
                    "'\(name.prefix(20))' is not a file type that attachments support")
            }
        }
    }

    private mutating func note(
        _ rule: String, _ field: String, _ sentence: String,
        _ effect: String = "the phone shows the push without the attachment"
    ) {
        let path = "/" + field.split(separator: ".").joined(separator: "/")
        mediaFaults.append((rule, field))
        findings.append(Finding(rule, .error, at: path, "\(sentence); Google answers 200, and \(effect)."))
    }

    /// With `--validation strict`, refuses all media faults in one answer.
    private mutating func refuseMedia() throws(GoogleError) {
        guard policy.isStrict, let first = mediaFaults.first else { return }
        let texts = findings.suffix(mediaFaults.count).map(\.message)
        findings.removeLast(mediaFaults.count)
        throw .media(
            zip(mediaFaults, texts).map { GoogleError.Violation(field: $0.field, description: $1) }, rule: first.rule)
    }
}
