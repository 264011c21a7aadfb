internal import HTTPCore

/// A quota that a message exceeds. Google answers each of them in its own way (docs/evidence/fcm.md §3.2).
package enum ExceededQuota: Sendable {
    /// The project sends too many requests per minute. Google's front end answers this, so FCM's error code is missing
    /// (captured).
    case project(String)
    /// One device gets too many messages.
    case device
    /// The project has too many topic messages in progress.
    case topic

    var error: GoogleError {
        switch self {
        case .project(let project): .projectQuota(project)
        case .device: .deviceQuota
        case .topic: .topicMessageQuota
        }
    }

    /// The answer. Only the answer for the project's quota has Retry-After. The documentation advises waiting one
    /// minute; that the answer says so is assumed.
    func answer(to call: FCMDialect.Call, _ policy: FCMPolicy) -> GoogleAnswer {
        var answer = policy.answer(error, to: call.request, call.query, project: call.project)
        if case .project = self { answer.response.headers.append(HeaderName("retry-after"), "60") }
        return answer
    }
}
