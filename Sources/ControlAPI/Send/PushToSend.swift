internal import APNs
internal import FCM
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// A push that the control API sends on behalf of a sender.
struct PushToSend {
    private let request: Request
    private let provider: Provider
    /// Apple's environment; nil for the gateway's own.
    private let environment: PushEnvironment?
    /// Google's project.
    private let project: String

    init(apple request: Request, in environment: PushEnvironment?) {
        (self.request, provider, self.environment, project) = (request, .apns, environment, "")
    }

    /// - Parameter body: what `messages:send` takes.
    init(google body: [UInt8], project: String) {
        var request = Request(
            version: .http2,
            headers: HeaderBlock([
                .method: "POST", .path: "/v1/projects/\(project)/messages:send", .contentType: "application/json",
            ]))
        request.body = body
        request.bodyIsOverLimit = body.count > FCMDialect.bodyLimit
        (self.request, provider, environment, self.project) = (request, .fcm, nil, project)
    }

    /// The same push as before, without its credentials; nil if it was sent to Google's old API, or is a
    /// web push.
    init?(again message: Message) {
        let old = message.request
        if message.record.provider == .webpush { return nil }
        if message.record.provider == .fcm {
            guard case .send(let project) = GoogleRoute(old) else { return nil }
            self.init(google: old.body, project: project)
            return
        }
        var headers = HeaderBlock([.method: "POST"])
        headers.append(.path, old.target)
        for (name, value) in old.headers where Self.isKept(name) {
            headers.append(HeaderName(String(decoding: name, as: UTF8.self)), value)
        }
        var request = Request(version: .http2, headers: headers)
        request.body = old.body
        request.bodyIsOverLimit = old.bodyIsOverLimit
        self.init(apple: request, in: message.record.environment)
    }

    /// Fields that describe the push, not the sender or its connection.
    private static func isKept(_ name: ArraySlice<UInt8>) -> Bool {
        name.starts(with: "apns-".utf8) || name.elementsEqual("content-type".utf8)
    }

    /// Whether a path can contain this project.
    static func isProject(_ text: String) -> Bool {
        1...100 ~= text.utf8.count && !text.hasPrefix(".")
            && text.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
            }
    }

    /// Sends it. Returns its id.
    func send(_ call: ControlAPI.Call) throws(ControlProblem) -> PushID {
        let host = call.host
        let before = host.box.engine.events.newest
        let rule = provider == .apns ? sendToApple(host) : sendToGoogle(host)
        host.pushSent(after: before, refusedBy: rule)
        guard let id = host.box.engine.firstPush(after: before) else {
            throw ControlProblem(
                status: 409, code: "conflict",
                message: "The push was not recorded: the log has no room for it.")
        }
        return id
    }

    /// Sends it over a separate connection, with a certificate for its topic. Returns the rule that refused it.
    private func sendToApple(_ host: any ControlHost) -> RuleID? {
        let topic = request.headers.first(.apnsTopic).map { String(decoding: $0, as: UTF8.self) }
        let certificate = ProviderCertificate(topics: topic.map { [$0] } ?? [], defaultTopic: nil, environments: [])
        let environment = environment ?? host.box.engine.dialects.apns.policy.environment
        var memory = ConnectionMemory(session: APNsSession(certificate: certificate, environment: environment))
        var push = PushContext(request, at: host.now)
        return host.box.engine.decide(&push, isSandbox: environment == .sandbox, &memory).refusal?.rule
    }

    /// Sends it with an access token for its project. Returns the rule that refused it.
    private func sendToGoogle(_ host: any ControlHost) -> RuleID? {
        var (request, memory) = (request, ConnectionMemory())
        let token = host.box.engine.issueToken(for: project, at: host.now)
        request.headers.append(.authorization, "Bearer \(token)")
        let decision = host.box.engine.answerGoogle(
            request, &memory.faults, at: host.now, systemTime: host.systemTimeNow)
        return decision.answer.rule
    }
}
