internal import PushEngine
internal import APNs
internal import Devices
internal import FCM
package import PushCore

/// Every rule there is, with what to do about it: `pushpit rules` and docs/rules.md show this table.
package enum RuleBook {
    package struct Entry: Sendable {
        package let rule: Rule
        package let remedy: String
        /// When the behaviour was seen, where that is known.
        package let observed: String?

        package var evidence: String { observed.map { "\(rule.evidence.rawValue) \($0)" } ?? rule.evidence.rawValue }
    }

    package static let all: [Entry] =
        (APNsRules.all + FCMRules.all + DeviceRules.all + FaultRules.all + GatewayRules.all).map { rule in
            guard let remedy = Remedy.table[rule.id] else { preconditionFailure("the rule \(rule.id) has no remedy") }
            return Entry(rule: rule, remedy: remedy.text, observed: rule.evidence == .observed ? remedy.observed : nil)
        }
}
