internal import APNs
internal import FCM
internal import Gateway
internal import HTTPCore
internal import JSON
internal import PushCore
internal import RuleTables

/// What `send` prints after an answer: why the push was refused, what the gateway found in it, and what to do about it.
enum Explanation {
    /// - Parameters:
    ///   - entry: what the gateway's journal says about the push; nil if the control API cannot be reached.
    ///   - trace: the fault that has probably caused the answer, if the journal does not name one.
    ///   - clockLead: asks how many milliseconds the gateway's clock is ahead of this machine's.
    static func text(
        of push: SentPush, _ entry: JournalEntry?, _ trace: FaultTrace? = nil, clockLead: () -> Int64? = { nil }
    ) -> String {
        var lines = FindingLines()
        if push.isFromTokenEndpoint, push.answer.status >= 500 {
            lines.add(
                line:
                    "note: /token, which gives access tokens, answered \(push.answer.status), so the message was not sent"
            )
        }
        if let trace { lines.add(line: "note: \(trace.sentence)") }
        let oauthRule = tokenRefusal(in: push)
        let entry = oauthRule == nil ? entry : nil
        // The refused values of a message are found here too, because the journal has no remedy for a single value.
        let refusedValues =
            push.provider == .fcm ? MessageReport(push.body, isStrict: true).entries.filter(\.isRefusal) : []
        var findings = entry?.findings ?? []
        if push.isRefused {
            if entry?.isAccepted == true {
                lines.add(
                    "refused", "A fault gave this answer, but the gateway accepted the push as if there were no fault.",
                    RuleID("fault.custom"), at: nil)
            } else if let rule = oauthRule ?? entry?.rule ?? ruleInAnswer(to: push) {
                let index =
                    findings.firstIndex { $0.rule == Finding.magicToken }
                    ?? findings.firstIndex { $0.rule.description == rule }
                let detail = index.map { findings.remove(at: $0) }
                let isMagic = detail?.rule == Finding.magicToken
                let values = isMagic ? [] : refusedValues.filter { $0.finding.rule.description == rule }
                lines.add(values)
                if values.isEmpty {
                    lines.add(
                        "refused", detail?.message ?? RuleBook.rule(rule)?.meaning ?? "", RuleID(rule), at: nil,
                        remedy: detail.flatMap { RuleBook.rule($0.rule.description)?.remedy })
                }
                if rulesAboutTime.contains(rule), let lead = clockLead(), lead.magnitude > largestClockError,
                    rule != invalidToken || lead < 0
                {
                    let distance = DurationText.readable(lead.magnitude)
                    lines.add(
                        line:
                            "note: the gateway's clock is \(distance) \(lead < 0 ? "behind" : "ahead of") this machine's; "
                            + "if a test moved it, POST /api/v1/clock with {\"set\":\"now\"} sets it right")
                }
            } else if push.provider == .fcm, push.answer.status == 400 {
                // It is unknown whether the gateway is strict, so the values that Google itself refuses come first.
                let own = MessageReport(push.body, isStrict: false).entries.filter(\.isRefusal)
                lines.add(own.isEmpty ? refusedValues : own)
            }
        }
        for finding in findings {
            let isOfAcceptedPush = !push.isRefused && finding.severity == .error
            lines.add(isOfAcceptedPush ? "warning" : finding.severity.rawValue, finding.message, finding.rule, at: nil)
        }
        return lines.text
    }

    /// The refusals that a wrong gateway clock can cause. Refusals by /token are not among them, because /token also
    /// accepts claims that are valid by the system's clock.
    private static let rulesAboutTime: Set = ["apns.ExpiredProviderToken", "fcm.credentials-expired", invalidToken]
    /// The rule of this refusal. It can mean that the gateway's clock is behind, so that the token seems to be issued in
    /// the future. It also has other causes.
    private static let invalidToken = "apns.InvalidProviderToken"
    /// A difference of at most this many milliseconds is not mentioned.
    private static let largestClockError: UInt64 = 60_000

    /// The rule for a refusal by /token, after which the message was not sent; nil if /token did not refuse.
    private static func tokenRefusal(in push: SentPush) -> String? {
        guard push.provider == .fcm, push.isRefused, case .bytes(let body) = push.answer.body,
            (try? JSONDocument(parsing: body))?.root["error"]?.string != nil
        else { return nil }
        return "oauth.refused"
    }

    /// The rule of a refusal, if the answer itself names the reason.
    private static func ruleInAnswer(to push: SentPush) -> String? {
        guard case .bytes(let body) = push.answer.body, let root = (try? JSONDocument(parsing: body))?.root else {
            return nil
        }
        if let reason = root["reason"]?.string { return appleRule(reason) }
        let codes =
            root["error"]?["details"]?.elements.compactMap { $0["errorCode"]?.string ?? $0["reason"]?.string } ?? []
        let rules = codes.filter { $0 != "INVALID_ARGUMENT" }.map { Self.rules[$0] ?? appleRule($0) ?? "fcm.\($0)" }
        return rules.first { RuleBook.rule($0) != nil }
    }

    /// The rule of a reason of Apple's, which Google's answer may contain.
    private static func appleRule(_ reason: String) -> String? {
        APNsReason.allCases.first { $0.word == reason }?.rule.description
    }

    /// The rules whose ids do not contain Google's reason, by reason.
    private static let rules = [
        "IAM_PERMISSION_DENIED": "fcm.no-permission", "RATE_LIMIT_EXCEEDED": "fcm.project-quota",
        "CREDENTIALS_MISSING": "fcm.credentials-missing",
    ]
}

extension FindingLines {
    /// Adds the reasons for a refusal.
    fileprivate mutating func add(_ refusals: [MessageReport.Entry]) {
        for refusal in refusals {
            add("refused", refusal.finding.message, refusal.finding.rule, at: nil, remedy: refusal.remedy)
        }
    }
}
