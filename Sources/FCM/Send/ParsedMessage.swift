internal import PushCore

/// The content of a valid request body: everything that does not depend on the sender or the time.
final class ParsedMessage: Sendable {
    let view: ProtoView
    let target: FCMTarget
    let isDryRun: Bool
    let findings: [Finding]
    let traits: FCMTraits

    init(_ view: ProtoView, to target: FCMTarget, isDryRun: Bool, findings: [Finding]) {
        self.view = view
        self.target = target
        self.isDryRun = isDryRun
        self.findings = findings
        traits = FCMTraits(view)
    }
}
