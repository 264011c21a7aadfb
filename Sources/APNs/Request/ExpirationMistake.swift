internal import PushCore

/// A value of `apns-expiration` that Apple accepts, but that the sender can't mean (docs/evidence/apns.md §2).
enum ExpirationMistake: CaseIterable {
    /// The sender counts in milliseconds, or in even smaller units.
    case milliseconds
    /// The sender means a time from now, not a time since 1970.
    case lifetime
    case past

    /// Nil if the value is plausible. 0 is plausible: it means that Apple tries to deliver only once.
    ///
    /// - Parameter seconds: the value of the field.
    init?(_ seconds: UInt64, at now: Timestamp) {
        switch seconds {
        case 0: return nil
        case ..<Self.earliest: self = .lifetime
        case Self.latest...: self = .milliseconds
        case ...UInt64(max(0, now.seconds)): self = .past
        default: return nil
        }
    }

    /// March 1973, before any push was sent. As a time from now, it is three years, far above Apple's 30 days.
    private static let earliest: UInt64 = 100_000_000
    /// The year 5138. In milliseconds, it is March 1973.
    private static let latest: UInt64 = 100_000_000_000

    func finding(_ seconds: UInt64) -> Finding {
        let row = row
        return Finding(
            row.rule.id.description, .warning, at: "headers/apns-expiration",
            "apns-expiration \(seconds) \(row.problem). \(row.consequence)")
    }

    static let rules = allCases.map(\.row.rule)

    private var row: Row {
        switch self {
        case .milliseconds:
            Row(
                "apns.expiration-milliseconds", "is after the year 5138, so it looks like milliseconds",
                "Apple stores the push for 30 days.", "Send apns-expiration in seconds since 1970.")
        case .lifetime:
            Row(
                "apns.expiration-lifetime", "is before the year 1974, so it looks like a time to live",
                "The push has expired: a device gets it only if it is reachable now.",
                "Add the current time: apns-expiration counts seconds since 1970, not from now.")
        case .past:
            Row(
                "apns.expiration-past", "is in the past",
                "The push has expired: a device gets it only if it is reachable now.",
                "Send a later time, or 0 to try only once. Check the clock of the sender.")
        }
    }

    private struct Row {
        /// What is wrong, as the end of a sentence.
        let problem: String
        let consequence: String
        let rule: Rule

        init(_ id: String, _ problem: String, _ consequence: String, _ remedy: String) {
            self.problem = problem
            self.consequence = consequence
            rule = Rule(id, .finding(.warning), .ours, "apns-expiration \(problem). \(consequence)", remedy)
        }
    }
}
