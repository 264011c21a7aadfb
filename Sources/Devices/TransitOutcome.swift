package import PushCore

/// What became of an accepted push on its way to a device, in the terms of Apple's console (docs/evidence/apns.md §8)
/// and of Google's delivery data (docs/evidence/device.md §3.2). `TransitOutcome+Rows.swift` defines each outcome.
package enum TransitOutcome: UInt8, Sendable, CaseIterable {
    case received, delivered, deliveredFromStorage, storedOffline, storedForPower
    case discardedUnregistered, discardedUnregisteredFromStorage, discardedExpired
    case discardedDisabled, discardedDisabledFromStorage
    case fcmDelivered, fcmDeliveredLate, fcmDeliveredAfterDoze, fcmDeliveredAfterThrottle, fcmDeliveredAfterStop
    case fcmPending, fcmCollapsed, fcmTooManyPending, fcmExpired, fcmForceStopped, fcmInactive

    /// The vendor's name for it.
    package var word: String { row.word }
    package var rule: RuleID { row.rule.id }
    package var kind: Event.Kind { row.kind }
    package var isDelivery: Bool { kind == .delivered }
    package var isStorage: Bool { kind == .stored }

    private static let byRule = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rule, $0) })

    /// The outcome with this rule; nil for other rules.
    package init?(_ rule: RuleID) {
        guard let outcome = Self.byRule[rule] else { return nil }
        self = outcome
    }

    struct Row: Sendable {
        let word: String
        let kind: Event.Kind
        let rule: Rule

        init(
            _ word: String, _ id: String, _ kind: Event.Kind, _ evidence: Rule.Evidence, _ meaning: String,
            _ remedy: String
        ) {
            self.word = word
            self.kind = kind
            rule = Rule(id, .event, evidence, "\(word): \(meaning)", remedy)
        }
    }

    /// The rows in the order of the cases, so that the raw value of a case is the index of its row.
    static let rows = allCases.map(\.definition)

    private var row: Row { Self.rows[Int(rawValue)] }
}
