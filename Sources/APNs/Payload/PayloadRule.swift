package import PushCore

/// The rules for payloads, which go beyond what Apple checks. `PayloadRule+Rows.swift` defines each rule.
package enum PayloadRule: UInt8, Sendable, CaseIterable {
    case notJSON, notObject, wrongType, mutableContent
    case mediaNeedsMutableContent, mediaNotAbsolute, mediaNoExtension, mediaUnknownExtension
    case liveActivityIncomplete, broadcastStart
    case unknownKey, mutableWithoutAlert, alertInBackground, backgroundWithoutWaking, nothingInAlert
    case backgroundPriority, mediaInClearText
    case simulatorKey, nullValue, mutableBesideAps, soundShape, interruptionLevel, relevanceScore
    case hostLooksLikeFile, trackingSwitch, trackingID
    case nullInAps, flagIsNoNumber, emptyAps
    case misspelledKey, unreadMedia, mediaOnLocalHost, criticalWithoutSound, activityInMilliseconds
    case noAps, alertBesideAps, emptyMedia, duplicateKey, negativeBadge

    package var rule: RuleID { row.rule.id }
    /// Whether `strict` refuses a push that breaks this rule, with InvalidPayload. Otherwise the rule only adds a
    /// finding.
    package var refuses: Bool { row.refuses }

    /// - Parameter sentence: the mistake in this payload, without a final period.
    func finding(at path: String, _ sentence: String) -> Finding {
        let row = row
        return Finding(row.rule.id.description, row.severity, at: path, "\(sentence). \(row.consequence)")
    }

    struct Row: Sendable {
        let refuses: Bool
        let severity: Finding.Severity
        /// What Apple and the phone would have done with the push.
        let consequence: String
        let rule: Rule

        /// A rule that refuses pushes with `--validation strict`, and only adds a finding with `--validation service`.
        static func refusal(_ id: String, _ problem: String, _ consequence: String, _ remedy: String) -> Row {
            Row(true, .error, id, .strictRefusal(400, service: .error), problem, consequence, remedy)
        }

        static func finding(
            _ id: String, _ severity: Finding.Severity, _ problem: String, _ consequence: String, _ remedy: String
        ) -> Row {
            Row(false, severity, id, .finding(severity), problem, consequence, remedy)
        }

        private init(
            _ refuses: Bool, _ severity: Finding.Severity, _ id: String, _ effect: Rule.Effect, _ problem: String,
            _ consequence: String, _ remedy: String
        ) {
            self.refuses = refuses
            self.severity = severity
            self.consequence = consequence
            rule = Rule(id, effect, .ours, "\(problem) \(consequence)", remedy)
        }
    }

    /// The rows in the order of the cases.
    static let rows = allCases.map(\.definition)

    private var row: Row { Self.rows[Int(rawValue)] }
}
