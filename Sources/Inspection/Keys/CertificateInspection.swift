internal import PushCore
internal import TLS

/// Inspects a certificate (docs/evidence/apns.md §1.3).
enum CertificateInspection {
    private static let soon: Int64 = 30 * 86_400
    /// How many topics are shown.
    private static let maximumTopics = 20

    static func inspect(_ certificate: Certificate, _ subject: Subject, _ draft: inout InspectionDraft) {
        let scope = certificate.apnsScope
        if let name = scope.commonName { draft.note("subject: \(name.quoted)") }
        if let topic = scope.defaultTopic { draft.note("default topic: \(topic.quoted)") }
        if !scope.topics.isEmpty {
            draft.note("topics: \(scope.topics.prefix(Self.maximumTopics).map(\.quoted).joined(separator: ", "))")
        }
        draft.note("valid from \(Subject.date(certificate.notBefore)) to \(Subject.date(certificate.notAfter))")
        if let fingerprint = try? certificate.fingerprint {
            draft.note("SHA-256 of the certificate: \(Hex.encode(fingerprint))")
        }
        if let key = try? certificate.publicKey { KeyInspection.link(key, &draft) }
        draft.links.grants = scope.topics.isEmpty ? [scope.defaultTopic].compactMap(\.self) : scope.topics
        draft.links.bundleIDs = [scope.defaultTopic].compactMap(\.self)
        checkDates(certificate.validity, subject.nowInSeconds, &draft)
        check(scope, &draft)
    }

    private static func checkDates(_ validity: Validity, _ now: Int64, _ draft: inout InspectionDraft) {
        if validity.hasEnded(by: now) {
            draft.add(CertificateRule.expired, Subject.date(validity.notAfter))
        } else if now < validity.notBefore {
            draft.add(CertificateRule.notYetValid, Subject.date(validity.notBefore))
        } else if validity.hasEnded(by: now &+ soon) {
            draft.add(CertificateRule.endsSoon, Subject.date(validity.notAfter))
        }
    }

    private static func check(_ scope: ClientCertificateScope, _ draft: inout InspectionDraft) {
        if scope.topics.isEmpty, scope.environments.isEmpty { return draft.add(CertificateRule.notForPush) }
        if scope.environments == .development { draft.add(CertificateRule.sandboxOnly) }
        if scope.environments == .production { draft.add(CertificateRule.productionOnly) }
        if scope.topics.count > 1 { draft.add(CertificateRule.severalTopics) }
    }
}
