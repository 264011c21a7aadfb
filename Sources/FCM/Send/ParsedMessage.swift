internal import PushCore

/// The content of a valid request body: everything that does not depend on the sender or the time.
final class ParsedMessage: Sendable {
    let target: FCMTarget
    let isDryRun: Bool
    let findings: [Finding]
    let traits: FCMTraits

    init(_ target: FCMTarget, isDryRun: Bool, findings: [Finding], traits: FCMTraits) {
        self.target = target
        self.isDryRun = isDryRun
        self.findings = findings
        self.traits = traits
    }
}
