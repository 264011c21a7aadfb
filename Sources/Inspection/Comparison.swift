internal import PushCore
internal import TLS

/// Compares inputs that are given together, to find problems that one input alone does not show.
package enum Comparison {
    /// More inputs are not compared.
    private static let maximum = 50

    /// Compares each pair of inputs, and adds the problems to the report of the later one.
    package static func compare(_ inputs: [Inspected]) -> [Inspected] {
        guard inputs.count <= maximum else { return inputs }
        var results: [Inspected] = []
        for input in inputs {
            var result = input
            for other in inputs.prefix(results.count) {
                var draft = InspectionDraft()
                for check in checks {
                    check(other, input, &draft)
                    check(input, other, &draft)
                }
                result.report.problems.append(contentsOf: draft.report.problems)
                result.report.answers.append(contentsOf: draft.report.answers)
            }
            results.append(result)
        }
        return inputs.contains { $0.kind == .serviceAccount } ? results.map(acceptingApps) : results
    }

    /// Usually somebody gives an app's configuration instead of a service account, by mistake. If there is a service account too, the
    /// configuration is there to be compared, so the error becomes a note.
    private static func acceptingApps(_ input: Inspected) -> Inspected {
        var result = input
        result.report.problems = input.report.problems.map { problem in
            guard problem.rule == GoogleFileRule.appConfiguration.rawValue else { return problem }
            return InspectionReport.Problem(
                rule: problem.rule, severity: .note, message: problem.message, remedy: problem.remedy)
        }
        return result
    }

    private typealias Check = @Sendable (_ one: Inspected, _ other: Inspected, _ draft: inout InspectionDraft) -> Void

    /// Each check is called twice for a pair, once in each order. It compares the inputs in only one of them.
    private static let checks: [Check] = [
        { account, app, draft in
            guard account.kind == .serviceAccount, app.kind == .appConfiguration, let one = account.links.project,
                let other = app.links.project, one != other
            else { return }
            draft.add(ComparisonRule.otherProject, account.label, one.quoted, app.label, other.quoted)
        },
        { one, other, draft in
            guard one.kind == .appConfiguration, other.kind == .appConfiguration, one.label < other.label,
                let first = one.links.projectNumber, let second = other.links.projectNumber, first != second
            else { return }
            draft.add(ComparisonRule.otherSender, one.label, first.quoted, other.label, second.quoted)
        },
        { token, key, draft in
            guard token.kind == .providerToken, key.kind == .apnsKey else { return }
            if let id = token.links.keyID, let named = key.links.keyID, id != named {
                draft.add(ComparisonRule.keyID, token.label, id, key.label, named)
            }
            if isForged(token, key) { draft.add(ComparisonRule.signature, token.label, key.label) }
        },
        { claims, account, draft in
            guard claims.kind == .assertion, account.kind == .serviceAccount else { return }
            if let one = claims.links.account, let other = account.links.account, one != other {
                draft.add(ComparisonRule.account, claims.label, one.quoted, account.label, other.quoted)
            } else if isForged(claims, account) {
                draft.add(ComparisonRule.accountSignature, claims.label, account.label)
            }
        },
        { key, certificate, draft in
            guard key.kind == .privateKey || key.kind == .apnsKey, certificate.kind == .certificate,
                let one = key.links.fingerprint, let other = certificate.links.fingerprint, one != other
            else { return }
            draft.add(ComparisonRule.key, key.label, certificate.label)
        },
        { topic, certificate, draft in
            guard let name = topic.links.topic, let grants = certificate.links.grants, !grants.isEmpty,
                !grants.contains(name)
            else { return }
            draft.add(ComparisonRule.topic, certificate.label, name.quoted)
        },
        { app, certificate, draft in
            guard app.kind == .appConfiguration, let own = app.links.bundleIDs.first, certificate.links.grants != nil,
                let other = certificate.links.bundleIDs.first, own != other
            else { return }
            draft.add(ComparisonRule.bundleID, certificate.label, other.quoted, app.label, own.quoted)
        },
    ]

    /// Whether the signature of the token was not made with this key.
    private static func isForged(_ token: Inspected, _ key: Inspected) -> Bool {
        guard let (message, signature) = token.links.signed, let pem = key.links.publicKey,
            let publicKey = try? PublicKey(pem: pem)
        else { return false }
        return !publicKey.verify(signature, of: message)
    }
}
