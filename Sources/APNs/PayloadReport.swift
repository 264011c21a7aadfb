package import PushCore

/// What is said of a payload without sending it.
package struct PayloadReport {
    package let findings: [Finding]
    /// The first finding that refuses it.
    package let refusal: Finding?

    package init(_ body: [UInt8], type: APNsPushType?, validation: APNsPolicy.Validation) {
        let limit = type == .voip ? APNsDialect.voipPayloadLimit : APNsDialect.payloadLimit
        if body.isEmpty || body.count > limit {
            let reason: APNsReason = body.isEmpty ? .payloadEmpty : .payloadTooLarge
            let finding = Finding(
                reason.rule.description, .error, at: "",
                body.isEmpty ? "The payload is empty." : "The payload has \(body.count) octets, \(limit) are allowed.")
            findings = [finding]
            refusal = finding
            return
        }
        let check = PayloadCheck(body, kind: type, priority: type == .background ? 5 : 10)
        findings = check.findings
        refusal = validation == .strict ? check.refusal : nil
    }
}
