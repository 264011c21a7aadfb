internal import PushCore

/// What can be said of a payload beyond what Apple looks at: one row a rule.
package enum PayloadRule: String, Sendable, CaseIterable {
    case notJSON = "payload.not-json"
    case notObject = "payload.not-an-object"
    case wrongType = "aps.wrong-type"
    case mutableContent = "aps.mutable-content-not-1"
    case mediaNeedsMutableContent = "media.needs-mutable-content"
    case mediaNotAbsolute = "media.not-an-absolute-url"
    case mediaNoExtension = "media.no-file-extension"
    case mediaUnknownExtension = "media.unknown-file-extension"
    case liveActivityIncomplete = "live-activity.incomplete"
    case broadcastStart = "live-activity.broadcast-start"
    case unknownKey = "aps.unknown-key"
    case mutableWithoutAlert = "aps.mutable-content-without-alert"
    case alertInBackground = "background.with-alert"
    case backgroundPriority = "background.priority-10"
    case mediaInClearText = "media.http"
    case simulatorKey = "payload.simulator-target-bundle"
    case nullValue = "payload.null-value"
    case mutableBesideAps = "payload.mutable-content-beside-aps"
    case soundShape = "aps.sound-shape"
    case interruptionLevel = "aps.interruption-level"
    case relevanceScore = "aps.relevance-score"
    case hostLooksLikeFile = "media.host-looks-like-a-file"
    case trackingSwitch = "adobe.tracking-switch"
    case trackingID = "adobe.tracking-id"

    /// `strict` refuses a push for it with InvalidPayload; all others are findings.
    package var refuses: Bool {
        switch self {
        case .notJSON, .notObject, .wrongType, .mutableContent, .mediaNeedsMutableContent, .mediaNotAbsolute,
            .mediaNoExtension, .mediaUnknownExtension, .liveActivityIncomplete, .broadcastStart:
            true
        case .unknownKey, .mutableWithoutAlert, .alertInBackground, .backgroundPriority, .mediaInClearText,
            .simulatorKey, .nullValue, .mutableBesideAps, .soundShape, .interruptionLevel, .relevanceScore,
            .hostLooksLikeFile, .trackingSwitch, .trackingID:
            false
        }
    }

    var severity: Finding.Severity {
        switch self {
        case .unknownKey, .mediaInClearText, .simulatorKey: .note
        case .mutableWithoutAlert, .alertInBackground, .backgroundPriority, .nullValue, .mutableBesideAps, .soundShape,
            .interruptionLevel, .relevanceScore, .hostLooksLikeFile, .trackingSwitch, .trackingID:
            .warning
        default: .error
        }
    }

    /// What the service would have done, and the phone.
    package var consequence: String {
        switch self {
        case .notJSON, .notObject: "Apple answers 200, and the phone drops it"
        case .wrongType: "Apple answers 200, and the phone ignores the key or the whole push"
        case .mutableContent, .mediaNeedsMutableContent:
            "Apple answers 200, and the phone shows it without running the app's service extension"
        case .mediaNotAbsolute: "Apple answers 200, and the phone has nothing to fetch"
        case .mediaNoExtension, .mediaUnknownExtension:
            "Apple answers 200, and the phone shows it without the attachment"
        case .liveActivityIncomplete: "Apple answers 200, and the phone neither starts nor changes the activity"
        case .broadcastStart: "Apple answers 200, and no phone starts anything"
        case .unknownKey: "Apple and the phone ignore it"
        case .mutableWithoutAlert: "there is nothing to show, and the service extension does not run"
        case .alertInBackground: "Apple may refuse, delay or drop it"
        case .backgroundPriority: "the phone may drop it; background pushes have priority 5"
        case .mediaInClearText: "App Transport Security keeps the phone from fetching it"
        case .simulatorKey: "the simulator reads it; a phone gets it as data"
        case .nullValue: "phones were seen to lose the payload"
        case .mutableBesideAps: "it does nothing there"
        case .soundShape, .interruptionLevel, .relevanceScore: "the phone ignores it"
        case .hostLooksLikeFile: "the extension counts in the path alone"
        case .trackingSwitch: "the app takes it for off"
        case .trackingID: "the app reports nothing, or a wrong number"
        }
    }

    func finding(at path: String, _ sentence: String) -> Finding {
        Finding(rawValue, severity, at: path, "\(sentence); \(consequence).")
    }
}
