internal import APNs
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Dry runs: what the answer to a push would be, without sending it.
extension ControlAPI {
    static let checkRoutes: [Route] = [
        Route(
            .post, "/check/apns",
            "Validate an APNs push without sending it. Credentials are checked only if the headers contain them.",
            body: .object([
                Schema.member(
                    "headers", .map(.text()),
                    "Request headers such as apns-topic. Add :path if the device token matters."),
                Schema.member("body", .anything, "The payload."),
            ]), answers: [(200, .named("Check"))], handle: checkAPNs),
        Route(
            .post, "/check/fcm", "Validate a messages:send request body without sending it.", body: .anything,
            answers: [(200, .named("Check"))], handle: checkFCM
        ).withOptionalBody,
    ]

    private static func checkAPNs(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        let request = try Request(applePush: &fields, to: nil)
        try fields.end()
        let verdict = call.host.box.engine.check(request, at: call.now)
        return .json { json in
            json.member("outcome", verdict.refusal == nil ? "accepted" : "refused")
            json.member("status", verdict.refusal?.reason.status ?? 200)
            json.member("reason", verdict.refusal?.reason.word)
            if let refusal = verdict.refusal {
                json.member("rule", refusal.rule.description)
                json.member("message", refusal.sentence)
                json.member("remedy", rule(refusal.rule)?.remedy)
            }
            json.member("findings", verdict.findings)
        }
    }

    private static func checkFCM(_ call: Call) throws(ControlProblem) -> Response {
        let verdict = call.host.box.engine.checkMessage(call.request.body, at: call.now)
        return .json { json in
            json.member("outcome", verdict.rule == nil ? "accepted" : "refused")
            json.member("status", verdict.status)
            json.member("reason", verdict.reason)
            if let rule = verdict.rule {
                json.member("rule", rule.description)
                json.member("message", verdict.ownSentence ?? self.rule(rule)?.meaning)
                json.member("answer", verdict.googleMessage)
                json.member("remedy", self.rule(rule)?.remedy)
            }
            json.member("findings", verdict.findings)
        }
    }

    /// The rule with this id. It may be Apple's for an FCM message too, if the message is for an iPhone.
    private static func rule(_ id: RuleID) -> Rule? { (APNsRules.all + FCMRules.all).first { $0.id == id } }
}

extension PushEngine {
    /// The answer that a push would get. The engine's state does not change.
    fileprivate mutating func check(_ request: Request, at now: Timestamp) -> (
        refusal: APNsRefusal?, findings: [Finding]
    ) {
        var policy = dialects.apns.policy
        if request.headers.first(.authorization) == nil { policy.auth = .off }
        var draft = APNsDraft(request.headers, in: policy.environment)
        if let token = draft.device { draft.binding = binding(of: token, at: now) }
        var session = APNsSession(environment: policy.environment)
        var memo = PushCheckCache()
        let push = PushContext(request, id: PushID(0), in: policy.environment, at: now)
        let refusal = APNsDialect(policy, verify: dialects.verifyProviderToken).refusal(
            of: push, &draft, &session, &memo)
        return (refusal, draft.findings)
    }
}
