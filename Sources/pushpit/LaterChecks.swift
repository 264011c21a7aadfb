internal import APNs
internal import FCM
internal import PushCore
internal import PushEngine

/// The checks of a message that come after those of `MessageReport`: the gateway's, then Apple's. No devices are known
/// here, so a message to a token is assumed to be for an iPhone if `apns` is its only platform block.
struct LaterChecks {
    /// The refusal comes first.
    private(set) var findings: [Finding] = []
    let isRefused: Bool

    /// - Parameter report: the findings that are known already.
    init(_ file: MessageFile, isStrict: Bool, besides report: MessageReport, at now: Timestamp) {
        var settings = EngineSettings()
        settings.apns.validation = isStrict ? .strict : .service
        var engine = PushEngine(settings, notifier: NoViewers())
        let verdict = engine.checkMessage(file.body, at: now)
        isRefused = verdict.rule != nil
        let known = report.entries.map(\.finding)
        findings = verdict.findings.filter { !known.contains($0) }
        if let rule = verdict.rule, !findings.contains(where: { $0.rule == rule && $0.severity == .error }) {
            findings.insert(Finding(rule.description, .error, at: verdict.place, verdict.sentence ?? ""), at: 0)
        }
        let places = Set((known + findings).map(\.path))
        findings += Self.appleFindings(file, at: now).filter { !places.contains($0.path) }
    }

    /// What would not work on an iPhone, whatever the target is.
    private static func appleFindings(_ file: MessageFile, at now: Timestamp) -> [Finding] {
        guard let message = FCMPayload(file.body), let payload = message.appleSpecific else { return [] }
        var memo = PushCheckCache()
        return APNsDialect.findings(
            inMessageWith: payload, message.appleHeaders, isForLiveActivity: message.liveActivityToken != nil, &memo,
            at: now)
    }

    private final class NoViewers: DeviceNotifier {
        func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {}
        func dismiss(_ viewers: [PushEngine.Viewer]) {}
    }
}
