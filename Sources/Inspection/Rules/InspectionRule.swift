internal import APNs
internal import PushCore

/// A table of findings: each case has one row. The raw value is the rule's id.
protocol InspectionRule: RawRepresentable<String>, CaseIterable, Sendable {
    var row: InspectionRow { get }
}

/// What a finding says.
struct InspectionRow: Sendable {
    let severity: Finding.Severity
    /// Each `{}` stands for a value of the input.
    let message: String
    let remedy: String
    /// What the real service answers if the input is used anyway.
    let answer: InspectionReport.Answer?

    init(
        _ severity: Finding.Severity, _ message: String, _ remedy: String, _ answer: InspectionReport.Answer? = nil
    ) {
        self.severity = severity
        self.message = message
        self.remedy = remedy
        self.answer = answer
    }

    func problem(_ rule: String, _ values: [String]) -> InspectionReport.Problem {
        var rest = values[...]
        var text = ""
        var pieces = message.pieces(separatedBy: "{}")[...]
        if let first = pieces.popFirst() { text.append(contentsOf: first) }
        for piece in pieces {
            text.append(rest.popFirst() ?? "")
            text.append(contentsOf: piece)
        }
        return InspectionReport.Problem(
            rule: rule, severity: severity, message: text.onOneLine, remedy: remedy)
    }
}

/// Answers of the real services. The evidence is that of docs/evidence for exactly this situation.
extension InspectionReport.Answer {
    static func apple(_ reason: APNsReason, _ evidence: Rule.Evidence, _ condition: String? = nil) -> Self {
        Self("APNs", "\(reason.status) \(reason.word)\(condition.map { ", \($0)" } ?? "")", evidence)
    }

    static func google(_ text: String, _ evidence: Rule.Evidence) -> Self { Self("FCM", text, evidence) }
    static func token(_ text: String, _ evidence: Rule.Evidence) -> Self {
        Self("Google's token endpoint", text, evidence)
    }

    /// APNs ends the connection instead of answering a request (docs/evidence/apns.md §1.3).
    static func refusedCertificate(_ reason: APNsReason) -> Self {
        Self("APNs", "ends the connection with a GOAWAY {\"reason\":\"\(reason.word)\"}", .observed)
    }

    static let invalidToken = apple(.invalidProviderToken, .documented)
    static let garbageBearer = google(
        "401 UNAUTHENTICATED, Request had invalid authentication credentials", .observed)
}
