internal import APNs
internal import FCM
internal import PushCore

/// Inspects an APNs payload or an FCM message with the checks of `pushpit check`.
enum PayloadInspection {
    /// How many findings are reported.
    private static let maximumProblems = 100

    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        if let file = MessageFile(subject.bytes) {
            inspect(file, &draft)
        } else {
            inspectPayload(subject.bytes, &draft)
        }
    }

    private static func inspect(_ file: MessageFile, _ draft: inout InspectionDraft) {
        draft.kind = .fcmMessage
        let report = MessageReport(file.body, isStrict: true)
        for entry in report.entries.prefix(Self.maximumProblems) {
            add(entry.finding, isRefusal: entry.isRefusal, remedy: entry.remedy, &draft)
        }
        if file.shape == .legacy {
            draft.add(MessageRule.legacy)
        } else if MessageReport(file.body, isStrict: false).isRefused {
            let evidence = report.entries.first(where: \.isRefusal).flatMap { rule($0.finding.rule)?.evidence }
            draft.answer(.google("400 INVALID_ARGUMENT", evidence ?? .assumed))
        } else {
            draft.answer(.google("200, if the target exists and belongs to the sender's project", .documented))
        }
    }

    private static func inspectPayload(_ bytes: [UInt8], _ draft: inout InspectionDraft) {
        draft.kind = .apnsPayload
        let report = PayloadReport(bytes, type: nil, validation: .strict)
        for finding in report.findings.prefix(Self.maximumProblems) {
            add(finding, isRefusal: finding == report.refusal, remedy: nil, &draft)
        }
        if bytes.count > APNsDialect.voipPayloadLimit {
            draft.answer(.apple(.payloadTooLarge, .documented))
        } else if bytes.count > APNsDialect.payloadLimit {
            draft.answer(.apple(.payloadTooLarge, .documented, "unless it is a VoIP push"))
        } else {
            draft.answer(
                InspectionReport.Answer("APNs", "200: Apple does not check what a payload means", .observed))
        }
    }

    /// An error of an accepted push counts as a warning, as in `pushpit check`.
    private static func add(
        _ finding: Finding, isRefusal: Bool, remedy: String?, _ draft: inout InspectionDraft
    ) {
        let severity = isRefusal ? .error : finding.severity == .error ? .warning : finding.severity
        let place = finding.path.isEmpty ? "" : "\(finding.path.onOneLine): "
        draft.add(
            InspectionReport.Problem(
                rule: finding.rule.description, severity: severity, message: "\(place)\(finding.message.onOneLine)",
                remedy: remedy ?? rule(finding.rule)?.remedy ?? ""))
    }

    private static func rule(_ id: RuleID) -> Rule? { (APNsRules.all + FCMRules.all).first { $0.id == id } }
}
