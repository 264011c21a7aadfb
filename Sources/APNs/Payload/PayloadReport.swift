package import PushCore

/// The findings for a payload that is checked without being sent.
package struct PayloadReport {
    package let findings: [Finding]
    /// The finding for which the payload would be refused; nil if it would be accepted.
    package let refusal: Finding?

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
        findings = check.findings
        refusal = validation == .strict ? check.refusal : nil
    }
}
