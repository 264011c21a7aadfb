internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore

/// The answer that a message would get.
package struct MessageVerdict {
    package let status: Int
    package let reason: String?
    /// The rule of the refusal; nil if the message is accepted.
    package let rule: RuleID?
    /// The text in Google's answer.
    package let googleMessage: String?
    /// Why the message is refused: in plain words, or Google's text if Pushpit has no other.
    package let sentence: String?
    /// Why the message is refused, in plain words; nil if there is only Google's text.
    package var ownSentence: String? {
        if let finding = findings.first(where: { $0.rule == rule && $0.severity == .error }) { return finding.message }
        return sentence == googleMessage ? nil : sentence
    }
    /// The JSON pointer of the value that is refused.
    package let place: String
    package let findings: [Finding]
}

/// Messages that are checked without being sent.
extension PushEngine {
    /// The answer to a message from a sender with valid credentials.
    ///
    /// A device of any project accepts the message, because the sender's project is unknown here.
    ///
    /// - Parameter body: a request for `messages:send`.
    package mutating func checkMessage(_ body: [UInt8], at now: Timestamp) -> MessageVerdict {
        let project = "pushpit-local"
        let headers = HeaderBlock([
            .method: "POST", .path: "/v1/projects/\(project)/messages:send", .contentType: "application/json",
        ])
        var request = Request(version: .http2, headers: headers)
        request.body = body
        request.bodyIsOverLimit = body.count > FCMDialect.bodyLimit
        var policy = dialects.fcm.policy
        (policy.requiresCredentials, policy.requiresKnownBearers) = (false, false)
        var (generator, memo) = (random, FCMRequestCache())
        var outcome = FCMDialect(policy).decide(
            FCMDialect.Call(request, project: project, at: now), bearers, &memo,
            known: { Self.registration(of: $0, for: $1, devices, at: now)?.inEveryProject }, using: &generator)
        let applePlace = checkWithApple(&outcome, request, project, at: now)
        let reason = outcome.reason
        let answer = outcome.takeAnswer()
        var googleMessage: String?
        if case .bytes(let bytes) = answer.response.body {
            googleMessage = (try? JSONDocument(parsing: bytes))?.root["error"]?["message"]?.string
        }
        return MessageVerdict(
            status: answer.response.status, reason: reason, rule: answer.rule, googleMessage: googleMessage,
            sentence: answer.because ?? googleMessage, place: applePlace ?? Self.place(of: answer.rule),
            findings: answer.findings)
    }

    /// The JSON pointer of the value that one of Google's own rules is about.
    private static func place(of rule: RuleID?) -> String {
        rule?.description == "fcm.data-priority" ? "/message/apns/headers/apns-priority" : "/message"
    }
}
