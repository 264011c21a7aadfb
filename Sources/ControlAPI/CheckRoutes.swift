internal import PushEngine
internal import APNs
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

/// What would be answered to a push, and nothing is sent.
extension ControlAPI {
    static let checkRoutes: [Route] = [
        Route(
            .post, "/check/apns",
            "What a device push would be answered; credentials are looked at where there are some.",
            body: .object([
                Schema.member(
                    "headers", .map(.text()), "Fields of the request, like apns-topic; :path where the token matters."),
                Schema.member("body", .anything, "The payload."),
            ]), answers: [(200, .named("Check"))], handle: checkApple),
        Route(
            .post, "/check/fcm", "What a request for messages:send would be answered.", body: .anything,
            answers: [(200, .named("Check"))], handle: checkGoogle
        ).withOptionalBody,
    ]

    private static let anyToken = String(repeating: "0123456789abcdef", count: 4)

    private static func checkApple(_ call: Call) throws(ControlProblem) -> Response {
        var fields = try FieldReader(try call.body(), at: "")
        let (given, body) = (fields.value("headers"), fields.value("body"))
        try fields.end()
        var headers = HeaderBlock([.method: "POST"])
        var path = "/3/device/\(anyToken)"
        var named: [(String, String)] = []
        if let given {
            guard given.kind == .object else {
                throw fields.problem("headers", "must be an object of names and values")
            }
            for (key, value) in given.members {
                guard let name = key.string?.lowercased(), 1...40 ~= name.utf8.count,
                    name.utf8.allSatisfy(Self.isNameOctet), let text = value.string, text.utf8.count <= 8000
                else {
                    throw .bad(
                        "'\(key.shortened)' must be a field with a text.",
                        at: "/headers" + FieldReader.escaped(key.shortened))
                }
                if name == ":path" { path = text } else if !name.hasPrefix(":") { named.append((name, text)) }
            }
        }
        headers.append(.path, path)
        for (name, value) in named { headers.append(HeaderName(name), value) }
        var request = Request(version: .http2, headers: headers)
        if let body, body.kind != .string,
            body.source.count > APNsDialect.bodyLimit(headers, headers.range(of: .path) ?? 0..<0)
        {
            request.bodyIsOverLimit = true
        }
        request.body = body.map { $0.kind == .string ? Array(($0.string ?? "").utf8) : Array($0.source) } ?? []
        let verdict = call.host.engine.check(request, at: call.now)
        return .json { json in
            json.member("outcome", verdict.refusal == nil ? "accepted" : "refused")
            json.member("status", verdict.refusal?.reason.status ?? 200)
            json.member("reason", verdict.refusal?.reason.word)
            if let refusal = verdict.refusal {
                json.member("rule", refusal.rule.description)
                json.member("message", refusal.sentence)
            }
            json.member("findings", verdict.findings)
        }
    }

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: ":") || octet == UInt8(ascii: "-") || octet == UInt8(ascii: "_") || 0x30...0x39 ~= octet
            || 0x61...0x7A ~= octet
    }

    private static func checkGoogle(_ call: Call) throws(ControlProblem) -> Response {
        let headers = HeaderBlock([
            .method: "POST", .path: "/v1/projects/\(anyProject)/messages:send", .contentType: "application/json",
        ])
        var request = Request(version: .http2, headers: headers)
        request.body = call.request.body
        let verdict = call.host.engine.checkMessage(request, project: anyProject, at: call.now)
        return .json { json in
            json.member("outcome", verdict.rule == nil ? "accepted" : "refused")
            json.member("status", verdict.status)
            json.member("reason", verdict.reason)
            if let rule = verdict.rule {
                json.member("rule", rule.description)
                json.member("message", verdict.because ?? "")
            }
            json.member("findings", verdict.findings)
        }
    }

    private static let anyProject = "pushpit-local"
}

extension PushEngine {
    /// What a message would be answered by whoever may send it.
    fileprivate mutating func checkMessage(
        _ request: Request, project: String, at now: Timestamp
    ) -> (status: Int, reason: String?, rule: RuleID?, because: String?, findings: [Finding]) {
        let policy = FCMPolicy(
            asksForCredentials: false, asksForKnownBearers: false, isStrict: fcm.policy.isStrict,
            acceptsUnknownDevices: fcm.policy.acceptsUnknownDevices,
            choices: fcm.policy.choices)
        var (generator, memo) = (random, FCMMemo())
        let outcome = FCMDialect(policy).decide(
            request, project: project, at: now, bearers: bearers, &memo,
            known: { Self.registration(of: $0, &devices, at: now) }, using: &generator)
        let reason = outcome.reason
        let answer = outcome.takeAnswer()
        // As Google would say it.
        var said: String?
        if case .bytes(let bytes) = answer.response.body {
            said = (try? JSONDocument(parsing: bytes))?.root["error"]?["message"]?.string
        }
        return (answer.response.status, reason, answer.rule, said ?? answer.because, answer.findings)
    }

    /// What a push would be answered; nobody is any the wiser for it.
    fileprivate mutating func check(_ request: Request, at now: Timestamp) -> (
        refusal: APNsRefusal?, findings: [Finding]
    ) {
        var policy = apns.policy
        if request.headers.first(.authorization) == nil { policy.auth = .off }
        var draft = APNsDraft(request.headers, in: policy.environment)
        if let token = draft.device { draft.binding = binding(of: token, at: now) }
        var session = APNsSession(environment: policy.environment)
        var memo = PushMemo()
        let refusal = APNsDialect(policy).refusal(of: request, &draft, &session, &memo, at: now, verify: verify)
        return (refusal, draft.findings)
    }
}
