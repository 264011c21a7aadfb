internal import FCM
internal import JSON
package import PushCore

extension Fault {
    package var rule: RuleID { RuleID("fault.\(named?.rawValue ?? "custom")") }
}

extension FaultEffect.Answer {
    /// The reason that a client of APNs reads, even if the fault gives a complete body.
    package var reasonForAPNs: String? {
        guard let body else { return reason }
        return (try? JSONDocument(parsing: body))?.root["reason"]?.string
    }

    /// The same for a client of FCM: the error code, or the name of the status.
    package func reasonForGoogle(isForTopic: Bool) -> String? {
        if let recorded { return recorded.errorCode }
        if let reason { return RecordedAnswer.errorCode(status, reason, isForTopic: isForTopic) }
        let error = body.flatMap { try? JSONDocument(parsing: $0) }?.root["error"]
        return error?["details"]?.elements.compactMap { $0["errorCode"]?.string }.first ?? error?["status"]?.string
    }
}
