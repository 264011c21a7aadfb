package import HTTPCore
internal import JSON
package import PushCore

/// Google's send API: requests in, verdicts and answers out.
package struct FCMDialect: Sendable {
    private let policy: FCMPolicy

    /// The longest body of any Google path.
    package static let bodyLimit = 1 << 20

    package init(_ policy: FCMPolicy) { self.policy = policy }

    /// What was decided about a request.
    package struct Outcome {
        package fileprivate(set) var response: Response
        package var project = ""
        package var target: FCMTarget?
        package var refusal: GoogleError?
        package var findings: [Finding] = []
        /// It was a message, whatever became of it; everything else leaves no push in the log.
        package var isSend = false
        /// Nothing is delivered.
        package var isDryRun = false
        /// For one installation; nil for topics and for what was refused.
        package var delivery: FCMDelivery?
    }

    /// - Parameter known: what is registered by a token or an installation's id.
    package func decide(
        _ request: Request, at now: Timestamp, bearers: BearerBook, known: (String) -> FCMRegistration?,
        using generator: inout Random
    ) -> Outcome {
        guard let project = SendPath.project(of: request), request.method == .post else {
            return Outcome(response: PlannedPages.answer(request) ?? GonePages.answer(request))
        }
        var outcome = Outcome(response: Response(status: 200), project: project, isSend: true)
        do throws(GoogleError) {
            let message = try read(request, &outcome, bearers, known, at: now)
            let name = MessageName.make(for: outcome.target, message, isDryRun: outcome.isDryRun, at: now, using: &generator)
            if let token = outcome.target?.single, let message, !outcome.isDryRun {
                outcome.delivery = FCMDelivery(token, message, name: name, at: now)
            }
            let body = success("projects/\(project)/messages/\(name)", isPretty: SendPath.isPretty(request))
            outcome.response = Response(status: 200, headers: Self.headers, body: .bytes(body))
        } catch {
            outcome.refusal = error
            let body = error.body(isFormat1: SendPath.isFormat1(request), isPretty: SendPath.isPretty(request))
            var headers = Self.headers
            if let challenge = error.challenge { headers.append(HeaderName("www-authenticate"), challenge) }
            outcome.response = Response(status: error.code, headers: headers, body: .bytes(body))
        }
        return outcome
    }

    /// Path, credentials, conversion, validation, target: in this order (facts/fcm.md §1.6, derived).
    private func read(
        _ request: Request, _ outcome: inout Outcome, _ bearers: BearerBook, _ known: (String) -> FCMRegistration?,
        at now: Timestamp
    ) throws(GoogleError) -> ProtoView? {
        if let finding = try FCMCredentials.check(request, policy, bearers, at: now) { outcome.findings.append(finding) }
        if request.bodyIsOverLimit { throw .tooLarge }
        guard !request.body.isEmpty else { throw .noTarget }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: request.body, limits: JSONLimits(maximumDepth: 100), dialect: .google)
        } catch { throw .notJSON(GoogleJSONFault.text(error, in: request.body)) }
        let violations = ProtoCheck(document, as: .sendMessageRequest).violations
        if !violations.isEmpty { throw .conversion(violations) }
        let root = ProtoView(document.root, as: .sendMessageRequest)
        outcome.isDryRun = root["validate_only"].flatMap(ProtoScalar.bool) ?? false
        guard let message = root.message("message", as: .message) else { throw .noTarget }
        // Magic tokens come before everything else that could be wrong.
        if let token = message.string("token"), let error = FCMMagicToken.error(token) {
            outcome.target = .token(token)
            throw error
        }
        var validation = FCMValidation(message, isStrict: policy.isStrict)
        let target = try validation.check()
        outcome.target = target
        outcome.findings += validation.findings
        try checkRegistration(target, outcome.project, known)
        return message
    }

    private func checkRegistration(
        _ target: FCMTarget, _ project: String, _ known: (String) -> FCMRegistration?
    ) throws(GoogleError) {
        if let token = target.single, let registration = known(token) {
            if registration.isGone { throw .unregistered }
            if let own = registration.project, own != project { throw .senderMismatch }
            return
        }
        switch target {
        case .token(let token):
            guard FCMSyntax.isToken(token) || FCMSyntax.isInstallationID(token) else { throw .badToken }
            if !policy.acceptsUnknownDevices { throw .unregistered }
        case .fid(let fid):
            guard FCMSyntax.isInstallationID(fid), policy.acceptsUnknownDevices else { throw .unregistered }
        case .topic, .condition: break
        }
    }

    private func success(_ name: String, isPretty: Bool) -> [UInt8] {
        var json = JSONWriter(isPretty ? .pretty : .compact)
        json.object { $0.member("name", name) }
        return json.finish() + (isPretty ? [0x0A] : [])
    }

    /// As seen on a part of a batch and on sibling APIs (facts/fcm.md §1.5); without Alt-Svc, which would lead clients
    /// away.
    private static let headers: HeaderBlock = {
        var headers = HeaderBlock([.contentType: "application/json; charset=UTF-8"])
        for name in ["Origin", "X-Origin", "Referer"] { headers.append(HeaderName("vary"), name) }
        for (name, value) in [
            ("server", "scaffolding on HTTPServer2"), ("x-xss-protection", "0"), ("x-frame-options", "SAMEORIGIN"),
            ("x-content-type-options", "nosniff"), ("cache-control", "private"),
        ] {
            headers.append(HeaderName(name), value)
        }
        return headers
    }()
}
