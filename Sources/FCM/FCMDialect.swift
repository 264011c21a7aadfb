package import HTTPCore
internal import JSON
package import PushCore

/// Google's send API: requests in, verdicts and answers out.
package struct FCMDialect: Sendable {
    package let policy: FCMPolicy

    /// The longest body of any Google path.
    package static let bodyLimit = 1 << 20

    package init(_ policy: FCMPolicy) { self.policy = policy }

    /// What was decided about a message.
    package struct Outcome {
        package fileprivate(set) var answer = GoogleAnswer(response: Response(status: 200))
        package var target: FCMTarget?
        /// FCM's own word for the refusal, else the status's name; nil: accepted.
        package fileprivate(set) var reason: String?
        /// How it gets to devices; nil for a dry run and for what was refused.
        package fileprivate(set) var delivery: FCMDelivery?

        init() {}

        /// Refused before it was read.
        package init(refused answer: GoogleAnswer) { refuse(answer) }

        package mutating func refuse(_ answer: GoogleAnswer) {
            self.answer = answer
            reason = GoogleError.tooMuch
            delivery = nil
        }
    }

    /// - Parameter known: what is registered by a token or an installation's id.
    package func decide(
        _ request: Request, project: String, at now: Timestamp, bearers: BearerBook, known: (String) -> FCMRegistration?,
        using generator: inout Random
    ) -> Outcome {
        var outcome = Outcome()
        let query = GoogleQuery(request)
        var findings: [Finding] = []
        do throws(GoogleError) {
            let (message, isDryRun) = try read(request, query, project, &outcome.target, &findings, bearers, known, at: now)
            let name = MessageName.make(for: outcome.target, message, isDryRun: isDryRun, at: now, using: &generator)
            if !isDryRun { outcome.delivery = FCMDelivery(message, name: name, at: now) }
            let path = "projects/\(project)/messages/\(name)"
            outcome.answer.response = GoogleAnswer.response(200, { $0.member("name", path) }, isPretty: query.isPretty)
        } catch {
            outcome.answer = GoogleAnswer(error, to: request, query)
            outcome.reason = error.word
        }
        outcome.answer.findings = findings
        return outcome
    }

    /// Path, credentials, conversion, permission, validation, target: in this order (facts/fcm.md §1.6, derived).
    private func read(
        _ request: Request, _ query: GoogleQuery, _ project: String, _ target: inout FCMTarget?, _ findings: inout [Finding],
        _ bearers: BearerBook, _ known: (String) -> FCMRegistration?, at now: Timestamp
    ) throws(GoogleError) -> (message: ProtoView, isDryRun: Bool) {
        let caller = try FCMCredentials.caller(of: request, query, policy, bearers, at: now)
        if let finding = caller.finding { findings.append(finding) }
        if request.bodyIsOverLimit { throw .tooLarge }
        try query.check()
        try GoogleBody.refuseForm(request)
        guard !request.body.isEmpty else { throw .noTarget }
        let document = try GoogleBody.parse(request)
        let violations = ProtoCheck(document, as: .sendMessageRequest).violations
        if !violations.isEmpty {
            findings += LegacyMessage.findings(in: document)
            throw .conversion(violations)
        }
        try FCMCredentials.authorize(caller, policy, project, "cloudmessaging.messages.create")
        let root = ProtoView(document.root, as: .sendMessageRequest)
        let isDryRun = root["validate_only"].flatMap(ProtoScalar.bool) ?? false
        guard let message = root.message("message", as: .message) else { throw .noTarget }
        // Magic tokens come before everything else that could be wrong.
        if let token = message.string("token"), let error = FCMMagicToken.error(token) {
            target = .token(token)
            throw error
        }
        var validation = FCMValidation(message, policy)
        let found = try validation.check()
        target = found
        findings += validation.findings
        try checkRegistration(found, project, known)
        return (message, isDryRun)
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
}
