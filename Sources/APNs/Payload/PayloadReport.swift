internal import JSON
package import PushCore

/// The findings for a payload that is checked without being sent.
package struct PayloadReport {
    package let findings: [Finding]
    /// The finding for which the payload would be refused; nil if it would be accepted.
    package let refusal: Finding?

    /// The maximum number of findings about repeated keys.
    private static let maximumDuplicates = 20

    package init(_ body: [UInt8], type: APNsPushType?, validation: APNsPolicy.Validation) {
        let limit = type == .voip ? APNsDialect.voipPayloadLimit : APNsDialect.payloadLimit
        if body.isEmpty || body.count > limit {
            let reason: APNsReason = body.isEmpty ? .payloadEmpty : .payloadTooLarge
            let finding = Finding(
                reason.rule.description, .error, at: "",
                body.isEmpty
                    ? "The payload is empty." : "The payload has \(body.count) bytes; at most \(limit) are allowed.")
            findings = [finding]
            refusal = finding
            return
        }
        let check = PayloadCheck(body, kind: type, priority: 5)
        let repeated = check.document?.duplicateKeys(maximum: Self.maximumDuplicates) ?? []
        findings =
            check.findings
            + repeated.map { path in
                let name = path.tokens.last ?? ""
                return PayloadRule.duplicateKey.finding(
                    at: path.description, "The key '\(name.prefix(40))' is in its object more than once")
            }
        refusal = validation == .strict ? check.refusal : nil
    }
}
