internal import APNs
internal import Devices
internal import Gateway
internal import PushCore

/// `pushpit rules`: everything that may be said of a push.
enum Rules {
    private static let all = APNsRules.all + DeviceRules.all + FaultRules.all

    static func run(_ options: Options) throws(ExitFailure) {
        switch try options.choice("format", Format.self) {
        case .text:
            for rule in all { show("\(rule.id)\n  \(rule.effect); \(rule.evidence.rawValue)\n  \(rule.meaning)\n") }
        case .markdown:
            show(
                """
                # Rules

                Everything that Pushpit may say of a push: in an answer, in the log, as a finding. Made by `pushpit rules --format markdown`.


                """)
            show("| rule | effect | what it says | evidence |\n|---|---|---|---|\n")
            for rule in all {
                show("| `\(rule.id)` | \(rule.effect) | \(rule.meaning) | \(rule.evidence.rawValue) |\n")
            }
        }
    }

    private enum Format: String, CaseIterable { case text, markdown }
}
